//! Finds the waiters of a model by name.

use std::collections::BTreeSet;

use anyhow::anyhow;
use smithy_waiters_model::{Entry, Kind, Model, id, similar_names};

/// The specification's default delays, in seconds: minimum and maximum.
pub(crate) const DEFAULT_DELAYS: [f64; 2] = [2.0, 120.0];

/// Returns the waiters with a name and their operations. If no waiter has exactly this name, its case is ignored.
///
/// `operation` selects a single operation, with or without its namespace.
pub(crate) fn find<'a>(
    model: &Model<'a>,
    name: &str,
    operation: Option<&str>,
) -> Vec<(&'a str, Entry<'a>)> {
    let waiters = all(model, operation);
    let named = waiters.filter(|(_, waiter)| waiter.key.eq_ignore_ascii_case(name));
    let mut named: Vec<_> = named.collect();
    if named.iter().any(|(_, waiter)| waiter.key == name) {
        named.retain(|(_, waiter)| waiter.key == name);
    }
    named
}

/// Returns the waiters of all operations, or of `operation` only.
fn all<'m, 'a>(
    model: &'m Model<'a>,
    operation: Option<&'m str>,
) -> impl Iterator<Item = (&'a str, Entry<'a>)> {
    let shapes = model.of_kind(Kind::Operation).filter(move |shape| {
        operation.is_none_or(|name| name == shape.id || name == id::name(shape.id))
    });
    shapes.flat_map(|shape| {
        let applied = shape.find_trait(id::WAITABLE);
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        entries.iter().map(|waiter| (shape.id, *waiter))
    })
}

/// Returns the minimum and the maximum delay of a waiter, in seconds.
pub(crate) fn delays(waiter: &Entry<'_>) -> [f64; 2] {
    let [min, max] = DEFAULT_DELAYS;
    [("minDelay", min), ("maxDelay", max)].map(|(name, default)| {
        let delay = waiter.value.member(name);
        delay.and_then(|delay| delay.as_f64()).unwrap_or(default)
    })
}

/// Returns the error for an unknown waiter name, or for an operation that does not have the waiter.
pub(crate) fn missing(
    name: &str,
    operation: Option<&str>,
    names: &BTreeSet<String>,
) -> anyhow::Error {
    let is_known = names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if let Some(operation) = operation.filter(|_| is_known) {
        return anyhow!(
            "no operation `{operation}` has a waiter `{name}`: run `smithy-waiters list` to list all waiters"
        );
    }
    let similar = similar_names(name, names.iter().map(String::as_str));
    let hint = similar.first().map_or_else(
        || "run `smithy-waiters list` to list all waiters".to_owned(),
        |other| format!("did you mean `{other}`?"),
    );
    anyhow!("no operation has a waiter `{name}`: {hint}")
}

/// Adds the names of all waiters of a model to `names`.
pub(crate) fn names(model: &Model<'_>, names: &mut BTreeSet<String>) {
    for (_, waiter) in all(model, None) {
        names.insert(waiter.key.to_owned());
    }
}

/// Returns the error for a waiter name that several operations have.
pub(crate) fn ambiguous(name: &str, operations: &[String]) -> anyhow::Error {
    let operations: Vec<String> = operations.iter().map(|id| format!("`{id}`")).collect();
    let operations = operations.join(", ");
    anyhow!(
        "several operations have a waiter `{name}`: choose one of {operations} with `--operation`"
    )
}
