//! Validation events, in Smithy's own terms.
//!
//! Clause: [validation](https://smithy.io/2.0/spec/model-validation.html).

pub(crate) mod ids;

pub use crate::severity::Severity;
use crate::source::At;

/// A finding and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The id, of parts with dots between. Those that Smithy itself has are the same here; ours begin with
    /// `SmithyWaiters.`.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// The id of the shape that it is about, if it is about one.
    pub shape: Option<String>,
    /// Where it is.
    pub at: At,
    /// What is wrong, for people.
    pub message: String,
    /// What exactly is the culprit: `at` is where Smithy says that it is.
    pub culprit: Option<Culprit>,
    /// The fix, if it takes no judgement.
    pub fix: Option<Fix>,
    /// `true` if another event of the same path is its cause: a member that does not exist.
    pub is_consequence: bool,
}

/// A change that fixes an event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Takes an element out of its array.
    Remove(At),
    /// Says something else in a string, or in a part of it.
    Replace(Culprit, String),
    /// Adds `use` of a shape to the file that the event is in.
    Use(String),
}

/// A value that is the culprit, or a part of what a string says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Culprit {
    /// Where the value stands.
    pub value: At,
    /// Where the part of the string begins: a byte offset in what it says.
    pub start: usize,
    /// Where it ends; where it begins, if it is the whole value.
    pub end: usize,
}

impl Culprit {
    /// A whole value.
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
            is_consequence: false,
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

    /// Returns `true` if an id names this event, or a part of the hierarchy that it is in.
    pub(crate) fn is_within(&self, id: &str) -> bool {
        let rest = self.id.strip_prefix(id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_holds_what_is_below_it() {
        let event = Event::error("Trait.Value.x", String::new());
        assert!(event.is_within("Trait"));
        assert!(event.is_within("Trait.Value.x"));
        assert!(!event.is_within("Trait.V"));
        assert!(!event.is_within("Trait.Value.x.y"));
    }
}
