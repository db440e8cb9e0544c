//! Suppressions and severity overrides.

use super::severity::Severity;

/// A suppression or severity override of the events of an id, about the shapes of a namespace.
#[derive(Clone, Debug)]
pub(crate) struct SeverityRule {
    pub(crate) id: String,
    pub(crate) namespace: String,
    /// The severity of an override; `None` for a suppression.
    pub(crate) severity: Option<Severity>,
}
