//! Reads texts in any supported format and merges their definitions into one model.

mod ast;
mod botocore;
mod definitions;
pub(crate) mod idl;
mod idl_version;
mod json;
mod limits;
mod merge;
mod mixins;
pub(crate) mod partition;
mod scope;
pub(crate) mod severity_rules;
mod text;
mod version_check;

use rustc_hash::FxHashMap;

use crate::shapes::{Kind, Model, Shape};
use crate::source::{File, Sources};
use scope::Resolver;
use text::Text;

/// Reads texts and merges their definitions into one model.
///
/// Parts with errors are left out, and the errors are in [`Model::events`].
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
    let own = unique(sources.files());
    let count = own.len();
    let texts = own.into_iter().chain(sources.prelude());
    let texts: Vec<Text<'_>> = texts.map(|file| Text::read(file, sources)).collect();
    // Only IDL has relative names, so only then do the kinds of the defined shapes matter. The prelude resolves its own
    // names.
    let is_relative = sources.files().iter().any(File::is_idl);
    let own = texts.iter().take(if is_relative { count } else { 0 });
    let own = own.flat_map(|text| &text.definitions.shapes);
    let prelude = texts.iter().skip(count);
    let prelude = prelude.flat_map(|text| &text.definitions.shapes);
    let defined = own.chain(prelude.filter(|shape| is_public(shape)));
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
        version_check::check(&mut text.definitions);
        definitions.push(text.definitions);
    }
    drop(kinds);
    let prelude = definitions.split_off(count);
    let model = Model::merge(definitions, prelude, arena);
    Model {
        rules: sources.rules(),
        ..model
    }
}

/// Returns `true` if models can refer to a shape of the prelude. The names in the prelude are not yet resolved here.
fn is_public(shape: &Shape<'_>) -> bool {
    !shape.has_trait("private")
}

/// Returns the texts without duplicates, such as the files of a folder that was passed twice.
fn unique(files: &[File]) -> Vec<&File> {
    let mut seen: FxHashMap<(&str, usize), &File> = FxHashMap::default();
    let mut unique = Vec::with_capacity(files.len());
    for file in files {
        let known = seen.insert((file.name(), file.text().len()), file);
        if known.is_none_or(|known| known.text() != file.text()) {
            unique.push(file);
        }
    }
    unique
}
