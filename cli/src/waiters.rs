//! The waiters of a model, by their names.

use anyhow::anyhow;
use smithy_waiters_model::{Entry, Kind, Model, id};

/// The delays of a waiter that defines none, in seconds: the specification's.
pub(crate) const DELAYS: [f64; 2] = [2.0, 120.0];

/// Returns the waiters of a name, in any case, with their operations.
///
/// An operation is chosen by its name, with or without the namespace.
pub(crate) fn find<'a>(
    model: &Model<'a>,
    name: &str,
    operation: Option<&str>,
) -> Vec<(&'a str, Entry<'a>)> {
    let mut waiters = Vec::new();
    for shape in model.of_kind(Kind::Operation) {
        if operation.is_some_and(|wanted| wanted != shape.id && wanted != id::name(shape.id)) {
            continue;
        }
        let applied = shape.find_trait("smithy.waiters#waitable");
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        let entries = entries.iter();
        let named = entries.filter(|entry| entry.key.eq_ignore_ascii_case(name));
        waiters.extend(named.map(|waiter| (shape.id, *waiter)));
    }
    waiters
}

/// Returns the least and the greatest delay of a waiter, in seconds.
pub(crate) fn delays(waiter: &Entry<'_>) -> [f64; 2] {
    let [min, max] = DELAYS;
    [("minDelay", min), ("maxDelay", max)].map(|(name, default)| {
        let delay = waiter.value.member(name);
        delay.and_then(|delay| delay.as_f64()).unwrap_or(default)
    })
}

/// Returns the error for a name that no waiter has.
pub(crate) fn missing(name: &str) -> anyhow::Error {
    anyhow!("no operation has a waiter `{name}`: `smithy-waiters list` lists all")
}

/// Returns the error for a name that waiters of several operations have.
pub(crate) fn ambiguous(name: &str, operations: &[String]) -> anyhow::Error {
    let operations: Vec<String> = operations.iter().map(|id| format!("`{id}`")).collect();
    let operations = operations.join(", ");
    anyhow!(
        "several operations have a waiter `{name}`: choose one of {operations} with `--operation`"
    )
}
