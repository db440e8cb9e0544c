//! The model: the shapes and metadata of all texts.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::node::Entry;
use super::shape::{Kind, Shape};
use crate::event::Event;
use crate::event::ids::SYNTAX;
use crate::severity::SeverityRule;

/// The shape that stands for no input or no output.
pub(crate) const UNIT: &str = "smithy.api#Unit";

/// A model: the definitions of its texts, merged.
///
/// A model that could only be read in part is one as well: [`Model::events`] says what is missing.
#[derive(Debug, Default)]
pub struct Model<'a> {
    pub(crate) metadata: Vec<Entry<'a>>,
    /// In the order in which they are defined; what the prelude has comes last.
    pub(crate) shapes: Vec<Shape<'a>>,
    /// The number of shapes that the texts define.
    pub(crate) own: usize,
    pub(crate) places: FxHashMap<&'a str, usize>,
    pub(crate) events: Vec<Event>,
    /// The suppressions and severity overrides of other texts.
    pub(crate) rules: &'a [SeverityRule],
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
    pub(crate) const fn rules(&self) -> &'a [SeverityRule] {
        self.rules
    }

    /// What could not be read, or put together.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns `true` if all texts could be read: otherwise shapes that events name may only be missing here.
    pub(crate) fn is_complete(&self) -> bool {
        self.events.iter().all(|event| event.id != SYNTAX)
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
    pub(crate) fn sides<'m, T>(
        &'m self,
        operation: &Shape<'a>,
        of: impl Fn(Option<&'m Shape<'a>>) -> T,
    ) -> Rc<BTreeMap<String, T>> {
        let side = |side: &str| (side.to_owned(), of(self.input_or_output(operation, side)));
        Rc::new(["input", "output"].map(side).into())
    }
}
