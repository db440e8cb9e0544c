//! Suppressions and severity overrides.
//!
//! Clauses: [suppressions](https://smithy.io/2.0/spec/model-validation.html#suppressions), [severity
//! overrides](https://smithy.io/2.0/spec/model-validation.html#severity-overrides).

use crate::event::ids::MODEL;
use crate::event::{Event, Severity};
use crate::read::severity_rules;
use crate::severity::SeverityRule;
use crate::shapes::{Model, Node, Value, id};
use crate::source::At;

const SUPPRESS: &str = "smithy.api#suppress";

/// Reports invalid suppressions and overrides.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for (key, is_override) in [("suppressions", false), ("severityOverrides", true)] {
        let entry = model.metadata().iter().find(|entry| entry.key == key);
        let Some(value) = entry.map(|entry| entry.value) else {
            continue;
        };
        if !matches!(value.value, Value::Array(_)) {
            let message = format!("`{key}` must be an array, got {}", value.kind());
            events.push(Event::error(MODEL, message).at(value.at));
        }
        let lacking = value.elements().iter().filter_map(|node| {
            let (at, message) = find_problem(node, is_override)?;
            Some(Event::error(MODEL, message.to_owned()).at(at))
        });
        events.extend(lacking);
    }
    events
}

/// Returns the position and message for an invalid suppression or override.
fn find_problem(node: &Node<'_>, is_override: bool) -> Option<(At, &'static str)> {
    let is_whole = severity_rules::rule(node, false).is_some();
    if is_override {
        let severity = node.member("severity");
        let is_raised =
            |severity: &Node<'_>| matches!(severity.as_str(), Some("WARNING" | "DANGER"));
        let at = severity
            .filter(|_| is_whole)
            .map_or(node.at, |node| node.at);
        return (!is_whole || !severity.as_ref().is_some_and(is_raised)).then_some((
            at,
            "a severity override must have an `id`, a `namespace` and a `severity`, `WARNING` or `DANGER`",
        ));
    }
    if !is_whole {
        let message = "a suppression must have an `id` and a `namespace`";
        return Some((node.at, message));
    }
    let reason = node.member("reason")?;
    let message = "the `reason` of a suppression must be a string";
    reason.as_str().is_none().then_some((reason.at, message))
}

/// The suppressions and overrides of a model.
pub(crate) struct Suppressions<'m, 'a> {
    model: &'m Model<'a>,
    /// The rules in the metadata of the model.
    rules: Vec<SeverityRule>,
}

impl<'m, 'a> Suppressions<'m, 'a> {
    pub(crate) fn new(model: &'m Model<'a>) -> Self {
        let listed = |key: &str| {
            let mut entries = model.metadata().iter();
            let entry = entries.find(|entry| entry.key == key);
            entry.map_or(&[][..], |entry| entry.value.elements())
        };
        let suppressions = listed("suppressions").iter();
        let overrides = listed("severityOverrides").iter();
        let suppressions = suppressions.filter_map(|node| severity_rules::rule(node, false));
        let overrides = overrides.filter_map(|node| severity_rules::rule(node, true));
        Self {
            model,
            rules: suppressions.chain(overrides).collect(),
        }
    }

    /// Sets the severity of an event according to the model. Errors don't change.
    pub(crate) fn apply(&self, event: &mut Event) {
        if event.severity == Severity::Error {
            return;
        }
        let rules = || {
            let rules = self.rules.iter().chain(self.model.rules());
            rules.filter(|rule| covers(rule, event))
        };
        if rules().any(|rule| rule.severity.is_none()) || self.is_suppressed_by_trait(event) {
            event.severity = Severity::Suppressed;
            return;
        }
        let raised = rules().filter_map(|rule| rule.severity).max();
        event.severity = raised.map_or(event.severity, |raised| raised.max(event.severity));
    }

    fn is_suppressed_by_trait(&self, event: &Event) -> bool {
        let Some(target) = event.shape.as_deref() else {
            return false;
        };
        let Some(shape) = self.model.shape(id::shape(target)) else {
            return false;
        };
        let suppress = match id::member(target) {
            None => shape.find_trait(SUPPRESS),
            Some(name) => shape
                .member(name)
                .and_then(|member| member.find_trait(SUPPRESS)),
        };
        let ids = suppress.map_or(&[][..], |suppress| suppress.value.elements());
        let mut ids = ids.iter().filter_map(Node::as_str);
        ids.any(|id| event.is_within(id))
    }
}

fn covers(rule: &SeverityRule, event: &Event) -> bool {
    let shape = event.shape.as_deref().unwrap_or_default();
    let is_here = || rule.namespace == "*" || id::namespace(shape) == rule.namespace;
    event.is_within(&rule.id) && is_here()
}
