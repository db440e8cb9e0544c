//! Reads suppressions and severity overrides.
//!
//! Clauses: [suppressions](https://smithy.io/2.0/spec/model-validation.html#suppressions), [severity
//! overrides](https://smithy.io/2.0/spec/model-validation.html#severity-overrides).

use crate::event::Severity;
use crate::severity::SeverityRule;
use crate::shapes::Node;

/// Reads a suppression or an override. Returns `None` if a required member is missing.
pub(crate) fn rule(node: &Node<'_>, is_override: bool) -> Option<SeverityRule> {
    let text = |name| node.member(name)?.as_str();
    let severity = if is_override {
        Some(Severity::from_name(text("severity")?)?)
    } else {
        None
    };
    Some(SeverityRule {
        id: text("id")?.to_owned(),
        namespace: text("namespace")?.to_owned(),
        severity,
    })
}
