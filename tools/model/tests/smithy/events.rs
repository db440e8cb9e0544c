//! The parts of events that must equal Smithy's: ids, severities, shapes and positions. Messages differ.

use std::fmt;

use serde_json::Value;
use smithy_waiters_model::{Sources, read, validate};

use crate::differences::OTHERS;

/// The prefix of the ids that Smithy does not have.
const OURS: &str = "SmithyWaiters.";

/// Our ids for models that cannot be built, which Smithy reports as `Model` or `Target`.
const UNBUILT: [&str; 3] = [
    "SmithyWaiters.Model",
    "SmithyWaiters.Syntax",
    "SmithyWaiters.UnknownTrait",
];

#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Fact {
    pub(crate) id: String,
    pub(crate) severity: String,
    pub(crate) shape: String,
    /// The line; 0 if it is unknown or not compared.
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// The precision of the comparison of positions.
#[derive(Clone, Copy)]
pub(crate) enum Places {
    All,
    /// Only lines: in JSON, our events are at the key of a shape or trait, and Smithy's at the value.
    Lines,
    None,
}

/// Returns the events of [`validate`], sorted.
pub(crate) fn ours(sources: &Sources, places: Places) -> Vec<Fact> {
    let events = validate(&read(sources)).into_iter();
    let events = events
        .filter(|event| !event.id.starts_with(OURS) || UNBUILT.contains(&event.id.as_str()))
        .map(|event| {
            let at = sources.position(event.at);
            let at = at.map_or((0, 0), |at| (u64::from(at.line), u64::from(at.column)));
            Fact {
                id: event.id,
                severity: event.severity.to_string(),
                shape: event.shape.unwrap_or_default(),
                line: at.0,
                column: at.1,
            }
        });
    compared(events, places)
}

/// Returns the events of a recording, sorted.
pub(crate) fn smithys(events: &Value, places: Places) -> Vec<Fact> {
    let events = events.as_array().unwrap().iter();
    let text = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let number = |event: &Value, key: &str| event[key].as_u64().unwrap_or_default();
    let events = events.map(|event| Fact {
        id: text(event, "id"),
        severity: text(event, "severity"),
        shape: text(event, "shape"),
        line: number(event, "line"),
        column: number(event, "column"),
    });
    let is_other = |fact: &Fact| OTHERS.iter().any(|(id, _)| is_within(&fact.id, id));
    compared(events.filter(|fact| !is_other(fact)), places)
}

fn compared(events: impl Iterator<Item = Fact>, places: Places) -> Vec<Fact> {
    let mut facts: Vec<Fact> = events
        .map(|mut fact| {
            let is_unbuilt = ["Model", "Target"].iter().any(|id| is_within(&fact.id, id));
            if is_unbuilt || UNBUILT.contains(&fact.id.as_str()) {
                "Model".clone_into(&mut fact.id);
            }
            match places {
                Places::All => {}
                Places::Lines => fact.column = 0,
                Places::None => (fact.line, fact.column) = (0, 0),
            }
            fact
        })
        .collect();
    facts.sort();
    facts
}

/// Returns `true` if an id equals another one or extends it.
pub(crate) fn is_within(id: &str, other: &str) -> bool {
    let rest = id.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the facts that are missing in the other list. Both lists are sorted and may contain duplicates.
pub(crate) fn lacking(facts: &[Fact], others: &[Fact]) -> Vec<Fact> {
    let mut others = others.to_vec();
    let mut lacking = facts.to_vec();
    lacking.retain(|fact| match others.iter().position(|other| other == fact) {
        Some(place) => {
            others.remove(place);
            false
        }
        None => true,
    });
    lacking
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            severity,
            shape,
            line,
            column,
        } = self;
        write!(f, "{severity} {id} {shape} at {line}:{column}")
    }
}
