//! Validation events in Smithy's terms.
//!
//! Clause: [validation](https://smithy.io/2.0/spec/model-validation.html).

pub(crate) mod ids;

pub use crate::severity::Severity;
use crate::source::At;

/// A problem in a model and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The id: names separated by dots. Ids of Smithy's own events are the same as in Smithy; all other ids start with
    /// `SmithyWaiters.`.
    pub id: String,
    /// The severity.
    pub severity: Severity,
    /// The id of the shape that the event is about, if any.
    pub shape: Option<String>,
    /// The position that Smithy reports for this event.
    pub at: At,
    /// The description of the problem.
    pub message: String,
    /// The exact cause. It can be more precise than `at`.
    pub culprit: Option<Culprit>,
    /// The automatic fix, if one exists that does not change what the model means.
    pub fix: Option<Fix>,
}

/// A change that fixes an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Removes an element from its array.
    Remove(At),
    /// Replaces a string or a part of it.
    Replace(Culprit, String),
    /// Adds a `use` statement for a shape to the file of the event.
    Use(String),
}

/// The value, or the part of a string, that causes an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Culprit {
    /// The position of the value.
    pub value: At,
    /// The start of the part: a byte offset in the decoded string.
    pub start: usize,
    /// The end of the part. Equal to `start` if the whole value is the cause.
    pub end: usize,
}

impl Culprit {
    /// Creates a culprit that is a whole value.
    pub(crate) const fn whole(value: At) -> Self {
        Self {
            value,
            start: 0,
            end: 0,
        }
    }
}

impl Event {
    pub(crate) fn new(severity: Severity, id: impl Into<String>, message: String) -> Self {
        Self {
            id: id.into(),
            severity,
            shape: None,
            at: At::NONE,
            message,
            culprit: None,
            fix: None,
        }
    }

    pub(crate) const fn because_of(mut self, culprit: Culprit) -> Self {
        self.culprit = Some(culprit);
        self
    }

    pub(crate) fn fixed_by(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix;
        self
    }

    pub(crate) fn error(id: impl Into<String>, message: String) -> Self {
        Self::new(Severity::Error, id, message)
    }

    pub(crate) const fn at(mut self, at: At) -> Self {
        self.at = at;
        self
    }

    pub(crate) fn on(mut self, shape: &str) -> Self {
        self.shape = Some(shape.to_owned());
        self
    }

    /// Returns `true` if `id` is the id of this event or one of its parents in the hierarchy of ids.
    pub(crate) fn is_within(&self, id: &str) -> bool {
        let rest = self.id.strip_prefix(id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_contains_the_ids_below_it() {
        let event = Event::error("Trait.Value.x", String::new());
        assert!(event.is_within("Trait"));
        assert!(event.is_within("Trait.Value.x"));
        assert!(!event.is_within("Trait.V"));
        assert!(!event.is_within("Trait.Value.x.y"));
    }
}
