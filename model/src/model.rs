//! The model: all shapes of all texts, put together.

mod closure;
mod exclude;
mod merge;
mod mixins;

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::SYNTAX;
use crate::ast;
use crate::botocore;
use crate::definitions::Definitions;
use crate::edition;
use crate::event::Event;
use crate::idl;
use crate::node::Entry;
use crate::prelude;
use crate::scope::Resolver;
use crate::separate::GivenRule;
use crate::shape::{Kind, Shape};
use crate::source::{File, Sources};

/// The shape that stands for no input or no output.
pub(crate) const UNIT: &str = "smithy.api#Unit";

/// A model: what the texts define, put together.
///
/// A model that could only be read in part is one as well: [`Model::events`] says what is missing.
#[derive(Debug, Default)]
pub struct Model<'a> {
    metadata: Vec<Entry<'a>>,
    /// In the order in which they are defined; what the prelude has comes last.
    shapes: Vec<Shape<'a>>,
    /// How many of them the texts define.
    own: usize,
    places: FxHashMap<&'a str, usize>,
    events: Vec<Event>,
    /// What texts say of events that are not here themselves.
    rules: &'a [GivenRule],
}

/// Reads texts and puts them together as one model.
///
/// Whatever cannot be read is left out, and said in [`Model::events`].
///
/// # Example: a model of two texts
///
/// ```
/// use smithy_waiters_model::Sources;
///
/// let mut sources = Sources::default();
/// sources.add("a.smithy", "$version: \"2\"\nnamespace example\nstring Name\n");
/// sources.add("b.smithy", "$version: \"2\"\nnamespace example\nlist Names { member: Name }\n");
/// let model = smithy_waiters_model::read(&sources);
/// assert_eq!(model.shape("example#Names").unwrap().members[0].target, "example#Name");
/// assert!(model.events().is_empty());
/// ```
#[must_use]
pub fn read(sources: &Sources) -> Model<'_> {
    let arena = sources.arena();
    let own = once_each(sources.files());
    let count = own.len();
    let texts = own.into_iter().chain(sources.prelude());
    let texts: Vec<Text<'_>> = texts.map(|file| Text::read(file, sources)).collect();
    // Only where a name may be relative does it matter what there is; the prelude's are its own.
    let is_relative = sources.files().iter().any(File::is_idl);
    let own = texts.iter().take(if is_relative { count } else { 0 });
    let own = own.flat_map(|text| &text.definitions.shapes);
    let prelude = texts.iter().skip(count);
    let prelude = prelude.flat_map(|text| &text.definitions.shapes);
    let defined = own.chain(prelude.filter(|shape| prelude::is_public(shape)));
    let kinds: FxHashMap<&str, Kind> = defined.map(|shape| (shape.id, shape.kind)).collect();
    let mut definitions = Vec::with_capacity(texts.len());
    for mut text in texts {
        if let Some(scope) = &text.scope {
            let resolver = Resolver {
                scope,
                kinds: &kinds,
                arena,
            };
            resolver.resolve(&mut text.definitions);
        }
        edition::check(&mut text.definitions);
        definitions.push(text.definitions);
    }
    drop(kinds);
    let prelude = definitions.split_off(count);
    let model = Model::assemble(definitions, prelude, arena);
    Model {
        rules: sources.rules(),
        ..model
    }
}

/// The texts without those that are given twice: a folder, and a file in it.
fn once_each(files: &[File]) -> Vec<&File> {
    let mut seen: FxHashMap<(&str, usize), &File> = FxHashMap::default();
    let mut kept = Vec::with_capacity(files.len());
    for file in files {
        let known = seen.insert((file.name(), file.text().len()), file);
        if known.is_none_or(|known| known.text() != file.text()) {
            kept.push(file);
        }
    }
    kept
}

/// What one text defines, and what its names mean if it is IDL.
pub(crate) struct Text<'a> {
    pub(crate) definitions: Definitions<'a>,
    scope: Option<crate::scope::Scope<'a>>,
}

impl<'a> Text<'a> {
    pub(crate) fn read(file: &'a File, sources: &'a Sources) -> Self {
        let mut text = Self::of_notation(file, sources);
        if file.unmarked().len() < file.text().len() {
            let message = "the file begins with a byte order mark, which Smithy does not read: save it as UTF-8 without";
            let event = Event::error(SYNTAX, message.to_owned()).at(file.at(0));
            text.definitions.events.push(event);
        }
        text
    }

    fn of_notation(file: &'a File, sources: &'a Sources) -> Self {
        if file.is_idl() {
            let idl::Read { definitions, scope } = idl::read(file, sources.arena());
            let scope = Some(scope);
            return Self { definitions, scope };
        }
        if let Some(definitions) = botocore::read(file, sources) {
            return Self {
                definitions,
                scope: None,
            };
        }
        Self {
            definitions: ast::read(file, sources.arena(), sources.is_undocumented()),
            scope: None,
        }
    }
}

impl<'a> Model<'a> {
    /// The shapes that the texts define, in their order.
    #[must_use]
    pub fn shapes(&self) -> &[Shape<'a>] {
        self.shapes.get(..self.own).unwrap_or_default()
    }

    /// The shapes of the texts and of the prelude.
    pub(crate) fn all(&self) -> &[Shape<'a>] {
        &self.shapes
    }

    /// A shape by its absolute id: one of the texts', or of the prelude.
    #[must_use]
    pub fn shape(&self, id: &str) -> Option<&Shape<'a>> {
        self.shapes.get(*self.places.get(id)?)
    }

    /// The metadata.
    #[must_use]
    pub fn metadata(&self) -> &[Entry<'a>] {
        &self.metadata
    }

    /// The suppressions and overrides of other texts.
    pub(crate) const fn rules(&self) -> &'a [GivenRule] {
        self.rules
    }

    /// What could not be read, or put together.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The shapes of one kind that the texts define.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Shape<'a>> {
        self.shapes().iter().filter(move |shape| shape.kind == kind)
    }

    /// The shape that an operation's `input` or `output` is: where it says nothing, the unit.
    #[must_use]
    pub fn input_or_output(&self, operation: &Shape<'a>, property: &str) -> Option<&Shape<'a>> {
        self.shape(operation.reference(property).unwrap_or(UNIT))
    }

    /// Both sides of an operation by their names, as paths on `{input, output}` see them.
    pub(crate) fn both<'m, T>(
        &'m self,
        operation: &Shape<'a>,
        of: impl Fn(Option<&'m Shape<'a>>) -> T,
    ) -> Rc<BTreeMap<String, T>> {
        let side = |side: &str| (side.to_owned(), of(self.input_or_output(operation, side)));
        Rc::new(["input", "output"].map(side).into())
    }

    /// The model as JSON AST 2.0, without white space between the tokens.
    #[must_use]
    pub fn to_ast(&self) -> String {
        let mut written = String::new();
        // Writing to a string cannot fail.
        let _ = ast::write(self, &mut written);
        written
    }
}
