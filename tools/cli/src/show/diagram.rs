//! The states and transitions of a waiter.

use smithy_waiters_model::{Entry, Event, Node};

use crate::waiters;

/// The states and transitions of a waiter.
#[derive(Debug)]
pub(super) struct Diagram<'a> {
    pub(super) name: &'a str,
    pub(super) operation: &'a str,
    min_delay: f64,
    max_delay: f64,
    /// The condition and the state of each acceptor.
    acceptors: Vec<(String, &'a str)>,
    /// The indices of the acceptors that are never reached.
    unreachable: Vec<usize>,
    /// The transitions for responses and errors that no acceptor matches.
    implicit: Vec<Transition<'static>>,
}

/// A transition from a call to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition<'d> {
    /// The index of the acceptor; `None` for an implicit transition.
    pub(super) number: Option<usize>,
    pub(super) condition: &'d str,
    pub(super) state: &'d str,
}

/// The implicit transitions, each with the value of the matcher `success` that replaces it.
const IMPLICIT: [(bool, Transition<'static>); 3] = [
    // The option `transientErrors` changes it. See docs/rules.md#transient-errors.
    (
        false,
        Transition {
            number: None,
            condition: "a transient error, such as throttling (by default)",
            state: "retry",
        },
    ),
    (
        false,
        Transition {
            number: None,
            condition: "any other error",
            state: "failure",
        },
    ),
    (
        true,
        Transition {
            number: None,
            condition: "any other response",
            state: "retry",
        },
    ),
];

const UNREACHABLE: &str = "SmithyWaiters.UnreachableAcceptor";

impl<'a> Diagram<'a> {
    /// Creates the diagram of a waiter. The events of the model identify the acceptors that are never reached.
    pub(super) fn new(operation: &'a str, waiter: &Entry<'a>, events: &[Event]) -> Self {
        let [min_delay, max_delay] = waiters::delays(waiter);
        let acceptors = waiter.value.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        let matches_all = |success: bool| {
            let success_matcher =
                |acceptor: &Node<'_>| acceptor.member("matcher")?.member("success")?.as_bool();
            acceptors
                .iter()
                .any(|acceptor| success_matcher(acceptor) == Some(success))
        };
        let implicit = IMPLICIT.into_iter();
        let implicit = implicit.filter(|(success, _)| !matches_all(*success));
        Self {
            name: waiter.key,
            operation,
            min_delay,
            max_delay,
            acceptors: acceptors
                .iter()
                .map(|acceptor| (condition(acceptor), state(acceptor)))
                .collect(),
            unreachable: unreachable(operation, waiter.key, events),
            implicit: implicit.map(|(_, transition)| transition).collect(),
        }
    }

    /// Returns the transitions that can happen, in the order of evaluation.
    pub(super) fn transitions(&self) -> impl Iterator<Item = Transition<'_>> {
        let own = self.acceptors.iter().enumerate();
        let own = own.map(|(number, (condition, state))| Transition {
            number: Some(number),
            condition,
            state,
        });
        let is_reached = |transition: &Transition<'_>| {
            let mut never = self.unreachable.iter();
            !never.any(|number| Some(*number) == transition.number)
        };
        own.filter(is_reached).chain(self.implicit.iter().copied())
    }

    /// Returns `true` if a call can lead to a state.
    pub(super) fn leads_to(&self, state: &str) -> bool {
        let mut transitions = self.transitions();
        transitions.any(|transition| transition.state == state)
    }

    /// Returns the indices and conditions of the acceptors that are never reached.
    pub(super) fn unreachable(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbers = self.unreachable.iter();
        numbers.filter_map(|number| Some((*number, &*self.acceptors.get(*number)?.0)))
    }

    /// Returns the range of the delays between calls.
    pub(super) fn delays(&self) -> String {
        format!("{} s to {} s", self.min_delay, self.max_delay)
    }
}

/// Returns the indices of the acceptors of a waiter that are never reached.
fn unreachable(operation: &str, waiter: &str, events: &[Event]) -> Vec<usize> {
    let id = format!("{UNREACHABLE}.{waiter}.");
    let of_operation = events
        .iter()
        .filter(|event| event.shape.as_deref() == Some(operation));
    let numbers = of_operation.filter_map(|event| event.id.strip_prefix(&id)?.parse().ok());
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

/// Returns the state of an acceptor, or `unknown` if the model is invalid.
fn state<'a>(acceptor: &Node<'a>) -> &'a str {
    let state = acceptor.member("state").and_then(|state| state.as_str());
    let state = state.filter(|state| ["success", "failure", "retry"].contains(state));
    state.unwrap_or("unknown")
}

/// Describes the matcher of an acceptor on one line.
fn condition(acceptor: &Node<'_>) -> String {
    let matcher = acceptor.member("matcher");
    let entry = matcher.and_then(|matcher| matcher.entries().first());
    let Some(entry) = entry else {
        return "nothing".to_owned();
    };
    match entry.key {
        "errorType" => format!("error {}", entry.value.as_str().unwrap_or_default()),
        "success" if entry.value.as_bool() == Some(true) => "any response".to_owned(),
        "success" => "any error".to_owned(),
        "inputOutput" => format!("{} (of input and output)", path_condition(&entry.value)),
        _ => path_condition(&entry.value),
    }
}

fn path_condition(matcher: &Node<'_>) -> String {
    let text = |name| {
        let member = matcher.member(name);
        member
            .and_then(|member| member.as_str())
            .unwrap_or_default()
    };
    let relation = match text("comparator") {
        "allStringEquals" => "are all",
        "anyStringEquals" => "has",
        _ => "is",
    };
    let (path, expected) = (text("path"), text("expected"));
    // In a path, the line breaks of a text block are equivalent to spaces.
    let expected = if expected == collapse_spaces(expected) && !expected.is_empty() {
        expected.to_owned()
    } else {
        format!("{expected:?}")
    };
    format!("{} {relation} {expected}", collapse_spaces(path))
}

fn collapse_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
