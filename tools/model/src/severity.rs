//! The severity of events, and the rules in models that change it.

use std::fmt;

/// The severity of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The model suppresses the event.
    Suppressed,
    /// Information that needs no change.
    Note,
    /// A probable mistake.
    Warning,
    /// A very probable mistake.
    Danger,
    /// The model is invalid. An error cannot be suppressed.
    Error,
}

impl Severity {
    /// Parses a severity as models write it, such as `WARNING`. Returns `None` for an unknown name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Suppressed,
            Self::Note,
            Self::Warning,
            Self::Danger,
            Self::Error,
        ];
        all.into_iter().find(|severity| severity.name() == name)
    }

    /// Returns the name as models write it, such as `WARNING`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Suppressed => "SUPPRESSED",
            Self::Note => "NOTE",
            Self::Warning => "WARNING",
            Self::Danger => "DANGER",
            Self::Error => "ERROR",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A suppression or severity override for the events with an id on the shapes of a namespace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeverityRule {
    pub(crate) id: String,
    pub(crate) namespace: String,
    /// The new severity of an override; `None` for a suppression.
    pub(crate) severity: Option<Severity>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_named_as_in_models() {
        assert_eq!(Severity::from_name("DANGER"), Some(Severity::Danger));
        assert_eq!(Severity::from_name("danger"), None);
        assert!(Severity::Danger > Severity::Warning);
    }
}
