//! The state of validating the value of one trait.

use crate::event::ids::MODEL;
use crate::event::{Event, Severity};
use crate::messages;
use crate::selector::Selection;
use crate::shapes::{Model, Node, Value};
use crate::source::At;

/// The id of invalid trait values.
pub(super) const TRAIT_VALUE: &str = "TraitValue";

/// The validation of one trait value.
pub(super) struct Check<'m, 'a, 'e> {
    pub(super) model: &'m Model<'a>,
    pub(super) selection: &'e Selection<'e, 'm, 'a>,
    /// The id of the shape or member that the trait is applied to.
    pub(super) target: &'e str,
    pub(super) id: &'e str,
    pub(super) is_built: bool,
    /// The name of the trait, followed by the members that lead to the current value.
    pub(super) path: Vec<String>,
    pub(super) events: &'e mut Vec<Event>,
}

/// The kind of an invalid value: of the wrong type, or against a rule.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Violation {
    Type,
    Rule,
}

impl Check<'_, '_, '_> {
    pub(super) fn report(&mut self, wrong: Violation, at: At, message: &str) {
        let id = if self.is_built && wrong == Violation::Type {
            MODEL
        } else {
            TRAIT_VALUE
        };
        self.event(Severity::Error, id.to_owned(), at, message);
    }

    pub(super) fn event(&mut self, severity: Severity, id: String, at: At, message: &str) {
        let (name, inside) = self
            .path
            .split_first()
            .map_or(("", &[][..]), |(name, inside)| (name.as_str(), inside));
        let place = if inside.is_empty() {
            String::new()
        } else {
            format!(", `{}`", inside.join("."))
        };
        let message = format!("trait `{name}`{place}: {message}");
        self.events
            .push(Event::new(severity, id, message).at(at).on(self.target));
    }
}

/// Describes a value for messages.
pub(super) fn describe(node: &Node<'_>) -> String {
    match node.value {
        Value::Number(text) => format!("`{text}`"),
        Value::String(text) | Value::ShapeId(text) => {
            format!("the string `{}`", messages::excerpt(text))
        }
        Value::Boolean(value) => format!("`{value}`"),
        _ => node.kind().to_owned(),
    }
}
