//! The waiters of a model, by their names.

use std::collections::BTreeSet;

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
    let waiters = all(model, operation);
    let named = waiters.filter(|(_, waiter)| waiter.key.eq_ignore_ascii_case(name));
    named.collect()
}

/// Returns the waiters of all operations, or of one.
fn all<'m, 'a>(
    model: &'m Model<'a>,
    operation: Option<&'m str>,
) -> impl Iterator<Item = (&'a str, Entry<'a>)> {
    let shapes = model.of_kind(Kind::Operation).filter(move |shape| {
        operation.is_none_or(|wanted| wanted == shape.id || wanted == id::name(shape.id))
    });
    shapes.flat_map(|shape| {
        let applied = shape.find_trait("smithy.waiters#waitable");
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        entries.iter().map(|waiter| (shape.id, *waiter))
    })
}

/// Returns the least and the greatest delay of a waiter, in seconds.
pub(crate) fn delays(waiter: &Entry<'_>) -> [f64; 2] {
    let [min, max] = DELAYS;
    [("minDelay", min), ("maxDelay", max)].map(|(name, default)| {
        let delay = waiter.value.member(name);
        delay.and_then(|delay| delay.as_f64()).unwrap_or(default)
    })
}

/// Returns the error for a name that none of the waiters has.
pub(crate) fn missing(name: &str, names: &BTreeSet<String>) -> anyhow::Error {
    let lowercase = name.to_lowercase();
    let distance = |known: &&String| strsim::osa_distance(&known.to_lowercase(), &lowercase);
    let nearest = names.iter().min_by_key(distance);
    let nearest = nearest.filter(|known| distance(known) <= name.len().div_ceil(3));
    let near = nearest.map_or_else(
        || ":".to_owned(),
        |known| format!(": did you mean `{known}`?"),
    );
    anyhow!("no operation has a waiter `{name}`{near} `smithy-waiters list` lists all")
}

/// Adds the names of all waiters of a model.
pub(crate) fn names(model: &Model<'_>, names: &mut BTreeSet<String>) {
    for (_, waiter) in all(model, None) {
        names.insert(waiter.key.to_owned());
    }
}

/// Returns the error for a name that waiters of several operations have.
pub(crate) fn ambiguous(name: &str, operations: &[String]) -> anyhow::Error {
    let operations: Vec<String> = operations.iter().map(|id| format!("`{id}`")).collect();
    let operations = operations.join(", ");
    anyhow!(
        "several operations have a waiter `{name}`: choose one of {operations} with `--operation`"
    )
}
