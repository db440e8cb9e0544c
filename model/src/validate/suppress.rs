//! What a model says about events itself: that they are wanted, or worse than they seem.
//!
//! Clauses: [suppressions](https://smithy.io/2.0/spec/model-validation.html#suppressions), [severity
//! overrides](https://smithy.io/2.0/spec/model-validation.html#severity-overrides).

use crate::MODEL;
use crate::event::{Event, Severity};
use crate::id;
use crate::model::Model;
use crate::node::{Node, Value};
use crate::separate::GivenRule;
use crate::source::At;

const SUPPRESS: &str = "smithy.api#suppress";

/// Finds suppressions and overrides that do not say what they are about, or where.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for (key, is_override) in [("suppressions", false), ("severityOverrides", true)] {
        let entry = model.metadata().iter().find(|entry| entry.key == key);
        let Some(value) = entry.map(|entry| entry.value) else {
            continue;
        };
        if !matches!(value.value, Value::Array(_)) {
            let message = format!("`{key}` is an array, not {}", value.kind());
            events.push(Event::error(MODEL, message).at(value.at));
        }
        let lacking = value.elements().iter().filter_map(|node| {
            let (at, message) = lacks(node, is_override)?;
            Some(Event::error(MODEL, message.to_owned()).at(at))
        });
        events.extend(lacking);
    }
    events
}

/// What a suppression or override lacks, and where.
fn lacks(node: &Node<'_>, is_override: bool) -> Option<(At, &'static str)> {
    let is_whole = Rule::of(node).is_some();
    if is_override {
        let severity = node.member("severity");
        let is_raised =
            |severity: &Node<'_>| matches!(severity.as_str(), Some("WARNING" | "DANGER"));
        let at = severity
            .filter(|_| is_whole)
            .map_or(node.at, |node| node.at);
        return (!is_whole || !severity.as_ref().is_some_and(is_raised)).then_some((
            at,
            "an override says the `id` of events, the `namespace` of their shapes and the `severity`, `WARNING` or `DANGER`",
        ));
    }
    if !is_whole {
        let message = "a suppression says the `id` of events and the `namespace` of their shapes";
        return Some((node.at, message));
    }
    let reason = node.member("reason")?;
    let message = "the `reason` of a suppression is a string";
    reason.as_str().is_none().then_some((reason.at, message))
}

/// The suppressions and overrides of a model.
pub(super) struct Suppressions<'m, 'a> {
    model: &'m Model<'a>,
    suppressions: Vec<Rule<'a>>,
    overrides: Vec<(Rule<'a>, Severity)>,
}

/// The events of an id in a namespace.
pub(crate) struct Rule<'a> {
    pub(crate) id: &'a str,
    pub(crate) namespace: &'a str,
}

impl<'m, 'a> Suppressions<'m, 'a> {
    pub(super) fn of(model: &'m Model<'a>) -> Self {
        let severity = |node: &Node<'a>| {
            let severity = Severity::from_name(node.member("severity")?.as_str()?)?;
            Some((Rule::of(node)?, severity))
        };
        let given = model.rules().iter();
        let (overriding, suppressing): (Vec<_>, Vec<_>) =
            given.partition(|rule| rule.severity.is_some());
        let suppressing = suppressing.into_iter().map(Rule::given);
        let overriding = overriding.into_iter();
        let overriding = overriding.filter_map(|rule| Some((Rule::given(rule), rule.severity?)));
        let suppressions = listed(model, "suppressions").iter();
        let overrides = listed(model, "severityOverrides").iter();
        Self {
            model,
            suppressions: suppressions
                .filter_map(Rule::of)
                .chain(suppressing)
                .collect(),
            overrides: overrides.filter_map(severity).chain(overriding).collect(),
        }
    }

    /// Gives an event the severity that the model wants. Errors stay what they are.
    pub(super) fn apply(&self, event: &mut Event) {
        if event.severity == Severity::Error {
            return;
        }
        if self.is_suppressed(event) {
            event.severity = Severity::Suppressed;
            return;
        }
        let raised = self.overrides.iter().filter(|(rule, _)| rule.covers(event));
        let raised = raised.map(|(_, severity)| *severity).max();
        event.severity = raised.map_or(event.severity, |raised| raised.max(event.severity));
    }

    fn is_suppressed(&self, event: &Event) -> bool {
        self.suppressions.iter().any(|rule| rule.covers(event)) || self.is_by_trait(event)
    }

    fn is_by_trait(&self, event: &Event) -> bool {
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

fn listed<'a>(model: &Model<'a>, key: &str) -> &'a [Node<'a>] {
    let mut entries = model.metadata().iter();
    let entry = entries.find(|entry| entry.key == key);
    entry.map_or(&[], |entry| entry.value.elements())
}

impl<'a> Rule<'a> {
    pub(crate) fn of(node: &Node<'a>) -> Option<Self> {
        Some(Self {
            id: node.member("id")?.as_str()?,
            namespace: node.member("namespace")?.as_str()?,
        })
    }

    fn given(rule: &'a GivenRule) -> Self {
        Self {
            id: &rule.id,
            namespace: &rule.namespace,
        }
    }

    fn covers(&self, event: &Event) -> bool {
        let is_here = || {
            let shape = event.shape.as_deref().unwrap_or_default();
            self.namespace == "*" || id::namespace(shape) == self.namespace
        };
        event.is_within(self.id) && is_here()
    }
}
