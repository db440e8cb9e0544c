//! Lints waiters beyond Smithy's checks: paths by the types of the model, and acceptors by the ones before them.
//!
//! The lints don't repeat events of Smithy. Their ids start with `SmithyWaiters.`. A warning is a mistake if the
//! service behaves as modeled. A note is worth a look.

mod acceptors;
mod cases;
mod errors;
mod matcher;
mod practices;
mod states;

use std::collections::BTreeSet;

use crate::event::{Event, Severity};
use crate::shapes::Model;
use crate::suggest::{Classifier, Vocabulary};
use crate::validate::suppress::Suppressions;
use crate::validate::{in_order, smithy_events};
use crate::waiter::Waiter;

/// Returns the events of [`validate`](crate::validate()) and of the lints for waiters. The lints check paths by the
/// types of the model, acceptors by the ones before them, and the best practices of the specification.
///
/// # Example: an unknown enum value
///
/// ```
/// use smithy_waiters_model::{Sources, lint, read};
///
/// let mut sources = Sources::default();
/// sources.add("a.smithy", r#"
///     $version: "2"
///     namespace example
///     use smithy.waiters#waitable
///     @waitable(ThingReady: {acceptors: [{state: "success", matcher: {output: {
///         path: "state", comparator: "stringEquals", expected: "READ"
///     }}}]})
///     operation GetThing { output := { state: ThingState } }
///     enum ThingState { CREATING, READY }
/// "#);
/// let events = lint(&read(&sources));
/// assert_eq!(events[0].id, "SmithyWaiters.NeverMatches.ThingReady.0");
/// assert!(events[0].message.ends_with("the path never returns `READ`: did you mean `READY`?"));
/// ```
#[must_use]
pub fn lint(model: &Model<'_>) -> Vec<Event> {
    lint_with_vocabulary(model, &Vocabulary::default())
}

/// Returns the events of [`lint`] with other words for the values of states.
#[must_use]
pub fn lint_with_vocabulary(model: &Model<'_>, vocabulary: &Vocabulary) -> Vec<Event> {
    let (mut events, complete) = smithy_events(model);
    let model = complete.as_ref().unwrap_or(model);
    let suppressions = Suppressions::new(model);
    let mut ours = check(model, vocabulary);
    ours.iter_mut().for_each(|event| suppressions.apply(event));
    events.append(&mut ours);
    in_order(events)
}

/// Lints all waiters.
fn check(model: &Model<'_>, vocabulary: &Vocabulary) -> Vec<Event> {
    let known = errors::ErrorNames::new(model);
    let classifier = Classifier::new(vocabulary);
    let mut events = Vec::new();
    for waiter in Waiter::all(model) {
        check_waiter(&waiter, &known, &classifier, &mut events);
    }
    states::check(model, &classifier, &mut events);
    events
}

fn check_waiter<'a>(
    waiter: &Waiter<'_, 'a>,
    known: &errors::ErrorNames<'a>,
    classifier: &Classifier<'_>,
    events: &mut Vec<Event>,
) {
    // Acceptors with an invalid path are not analyzed further.
    let mut flawed = BTreeSet::new();
    for (index, node) in waiter.acceptors().iter().enumerate() {
        let before = events.len();
        matcher::check(waiter, index, node, events);
        let mut found = events.iter().skip(before);
        if found.any(|event| event.severity > Severity::Note) {
            flawed.insert(index);
        }
        errors::check(waiter, index, node, known, events);
    }
    flawed.extend(acceptors::check(waiter, events));
    cases::check(waiter, &flawed, events);
    practices::check(waiter, classifier, events);
}
