//! A waiter as states and transitions.

use smithy_waiters_model::{Entry, Event, Node};

use crate::waiters;

/// What a waiter does.
#[derive(Debug)]
pub(super) struct Diagram<'a> {
    pub(super) name: &'a str,
    pub(super) operation: &'a str,
    min_delay: f64,
    max_delay: f64,
    /// What each acceptor matches, and the state that it leads to.
    acceptors: Vec<(String, &'a str)>,
    /// The acceptors that are never reached.
    unreachable: Vec<usize>,
    /// What can still come where no acceptor matches.
    implicit: Vec<Transition<'static>>,
}

/// What leads from a call to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition<'d> {
    /// The acceptor's place in the list, unless no acceptor says it.
    pub(super) number: Option<usize>,
    pub(super) condition: &'d str,
    pub(super) state: &'d str,
}

/// What happens where no acceptor matches, and what the matcher `success` is that leaves nothing of it.
const IMPLICIT: [(bool, Transition<'static>); 2] = [
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
    /// A waiter; the events of its model say what of it is never reached.
    pub(super) fn of(operation: &'a str, waiter: &Entry<'a>, events: &[Event]) -> Self {
        let [min_delay, max_delay] = waiters::delays(waiter);
        let acceptors = waiter.value.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        let takes_all = |success: bool| {
            let of = |acceptor: &Node<'_>| acceptor.member("matcher")?.member("success")?.as_bool();
            acceptors
                .iter()
                .any(|acceptor| of(acceptor) == Some(success))
        };
        let implicit = IMPLICIT.into_iter();
        let implicit = implicit.filter(|(success, _)| !takes_all(*success));
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

    /// Those that can happen, in the order in which they are looked at.
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

    /// The acceptors that are never reached, with what they match.
    pub(super) fn unreachable(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbers = self.unreachable.iter();
        numbers.filter_map(|number| Some((*number, &*self.acceptors.get(*number)?.0)))
    }

    /// How long it waits between calls.
    pub(super) fn delays(&self) -> String {
        format!("{} s to {} s", self.min_delay, self.max_delay)
    }
}

/// The acceptors of a waiter before which others always match.
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

/// The state that an acceptor leads to; a model that is not valid may say anything.
fn state<'a>(acceptor: &Node<'a>) -> &'a str {
    let state = acceptor.member("state").and_then(|state| state.as_str());
    let state = state.filter(|state| ["success", "failure", "retry"].contains(state));
    state.unwrap_or("unknown")
}

/// What an acceptor matches, in words on one line.
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
        "inputOutput" => format!("{} (of input and output)", of_path(&entry.value)),
        _ => of_path(&entry.value),
    }
}

fn of_path(matcher: &Node<'_>) -> String {
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
    // A text block's lines mean no more than spaces in a path.
    let expected = if expected == words(expected) && !expected.is_empty() {
        expected.to_owned()
    } else {
        format!("{expected:?}")
    };
    format!("{} {relation} {expected}", words(path))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
