//! The model: the shapes and metadata of all texts.

use rustc_hash::FxHashMap;

use super::node::Entry;
use super::shape::{Kind, Shape};
use crate::event::Event;
use crate::event::ids::SYNTAX;
use crate::severity::SeverityRule;

/// The id of the shape for an absent input or output.
pub(crate) const UNIT: &str = "smithy.api#Unit";

/// A model: the merged definitions of its texts.
///
/// If a text contains errors, the model contains the rest of its definitions, and [`Model::events`] returns the errors.
#[derive(Clone, Debug, Default)]
pub struct Model<'a> {
    pub(crate) metadata: Vec<Entry<'a>>,
    /// In the order of their definitions, followed by the shapes of the prelude.
    pub(crate) shapes: Vec<Shape<'a>>,
    /// The number of shapes that the texts define.
    pub(crate) own: usize,
    pub(crate) places: FxHashMap<&'a str, usize>,
    pub(crate) events: Vec<Event>,
    /// The suppressions and severity overrides of other texts.
    pub(crate) rules: &'a [SeverityRule],
}

impl<'a> Model<'a> {
    /// Returns the shapes that the texts define, in the order of their definitions.
    #[must_use]
    pub fn shapes(&self) -> &[Shape<'a>] {
        self.shapes.get(..self.own).unwrap_or_default()
    }

    /// Returns the shapes of the texts and of the prelude.
    pub(crate) fn all(&self) -> &[Shape<'a>] {
        &self.shapes
    }

    /// Returns a shape of the texts or of the prelude by its absolute id.
    #[must_use]
    pub fn shape(&self, id: &str) -> Option<&Shape<'a>> {
        self.shapes.get(*self.places.get(id)?)
    }

    /// Returns the merged metadata of all texts.
    #[must_use]
    pub fn metadata(&self) -> &[Entry<'a>] {
        &self.metadata
    }

    /// Returns the suppressions and severity overrides of other texts.
    pub(crate) const fn rules(&self) -> &'a [SeverityRule] {
        self.rules
    }

    /// Returns the errors and warnings from reading and merging the texts.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns `true` if all texts were read. Otherwise, a shape that seems unknown can be in a text with a syntax
    /// error.
    pub(crate) fn is_complete(&self) -> bool {
        self.events.iter().all(|event| event.id != SYNTAX)
    }

    /// Returns the shapes of one kind that the texts define.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Shape<'a>> {
        self.shapes().iter().filter(move |shape| shape.kind == kind)
    }

    /// Returns the shape of an operation's `input` or `output`. An operation without the property has the unit shape.
    #[must_use]
    pub fn input_or_output(&self, operation: &Shape<'a>, property: &str) -> Option<&Shape<'a>> {
        self.shape(operation.reference(property).unwrap_or(UNIT))
    }
}
