//! Checks the names of waiters, which should consist of a resource and its state.
//!
//! Clause: [name waiters after the resource and
//! state](https://smithy.io/2.0/additional-specs/waiters.html#name-waiters-after-the-resource-and-state).

use crate::event::{Event, Severity};
use crate::shapes::{Kind, Node, id};
use crate::waiter::Waiter;

const NAME: &str = "SmithyWaiters.WaiterName";

/// Suffixes that describe the end of an operation instead of the state of a resource.
const COMPLETED: [&str; 6] = [
    "Completed",
    "Complete",
    "Finished",
    "Succeeded",
    "Successful",
    "Done",
];

/// Reports a name that consists of an operation, or that doesn't contain the expected state.
pub(super) fn check(waiter: &Waiter<'_, '_>) -> Option<Event> {
    let state = state(waiter.acceptors());
    // A state can have the name of an operation.
    if state.is_some_and(|state| contains_state(waiter.name(), state)) {
        return None;
    }
    let message = match (operation(waiter), state) {
        (Some(operation), _) => format!(
            "the name describes the operation `{operation}`: name the waiter after the resource and its state"
        ),
        (None, Some(state)) => format!(
            "the name does not contain the state `{state}`: name the waiter after the resource and its state"
        ),
        (None, None) => return None,
    };
    Some(waiter.event(Severity::Note, NAME, &message))
}

/// Returns the operation whose completion the name describes, in the singular or plural.
fn operation<'a>(waiter: &Waiter<'_, 'a>) -> Option<&'a str> {
    let name = waiter.name();
    let stem = COMPLETED.iter().find_map(|end| name.strip_suffix(end))?;
    let is_named = |id: &str| {
        let name = id::name(id);
        singular(name).eq_ignore_ascii_case(singular(stem))
    };
    let mut operations = waiter.model.of_kind(Kind::Operation);
    let operation = operations.find(|operation| is_named(operation.id))?;
    Some(operation.id)
}

fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

/// Returns the only state of success. Returns `None` if a boolean or an error is also a success, because the waiter can
/// then wait for the end of the resource.
fn state<'a>(acceptors: &[Node<'a>]) -> Option<&'a str> {
    let mut found = None;
    for acceptor in acceptors {
        if acceptor.member("state")?.as_str()? != "success" {
            continue;
        }
        let matcher = acceptor.member("matcher")?.entries().first()?.value;
        if matcher.member("comparator")?.as_str()? == "booleanEquals" {
            return None;
        }
        let path = matcher.member("path")?.as_str()?;
        let expected = matcher.member("expected")?.as_str()?;
        if !is_state_path(path) {
            return None;
        }
        if found.is_some_and(|found| found != expected) {
            return None;
        }
        found = Some(expected);
    }
    found.filter(|state| state.chars().any(char::is_alphabetic))
}

/// Returns `true` if a path only leads to members that contain a state.
fn is_state_path(path: &str) -> bool {
    let is_plain = |char: char| char.is_alphanumeric() || "._[]*-".contains(char);
    let last = path.rsplit('.').next().unwrap_or_default();
    let last = last.trim_end_matches(|char: char| !char.is_alphabetic());
    let last = last.to_lowercase();
    path.chars().all(is_plain) && (last.ends_with("state") || last.ends_with("status"))
}

/// Returns `true` if a name contains the last two words of a state, in any case and notation, or `Exists`.
fn contains_state(name: &str, state: &str) -> bool {
    let words: Vec<&str> = state.split(|char: char| !char.is_alphanumeric()).collect();
    let last = words.get(words.len().saturating_sub(2)..).unwrap_or(&words);
    let last = last.concat().to_lowercase();
    let name = name.to_lowercase();
    let is_there = name.ends_with("exists") || name.ends_with("exist");
    name.contains(&last) || is_there
}
