//! The severity of events, and the rules of models that change it.

use std::fmt;

/// How bad an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// The model says that it is known and wanted.
    Suppressed,
    /// Good to know.
    Note,
    /// Likely a mistake.
    Warning,
    /// Very likely a mistake.
    Danger,
    /// The model is invalid. Cannot be suppressed.
    Error,
}

impl Severity {
    /// The severity of a name as models write it, `WARNING`.
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

    /// The name as models write it, `WARNING`.
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

/// A suppression or severity override of the events of an id, about the shapes of a namespace.
#[derive(Clone, Debug)]
pub(crate) struct SeverityRule {
    pub(crate) id: String,
    pub(crate) namespace: String,
    /// The severity of an override; `None` for a suppression.
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
