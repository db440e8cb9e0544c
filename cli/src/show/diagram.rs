//! A waiter as states and what leads from one to the next.

use smithy_waiters_model::{Entry, Node};

/// What a waiter does.
#[derive(Debug)]
pub(super) struct Diagram<'a> {
    pub(super) name: &'a str,
    pub(super) operation: &'a str,
    min_delay: f64,
    max_delay: f64,
    /// What each acceptor matches, and the state that it leads to.
    acceptors: Vec<(String, &'a str)>,
}

/// What leads from a call to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition<'d> {
    /// The acceptor's place in the list, unless no acceptor says it.
    pub(super) number: Option<usize>,
    pub(super) condition: &'d str,
    pub(super) state: &'d str,
}

/// What happens where no acceptor matches.
const IMPLICIT: [Transition<'static>; 2] = [
    Transition {
        number: None,
        condition: "any other error",
        state: "failure",
    },
    Transition {
        number: None,
        condition: "any other response",
        state: "retry",
    },
];

impl<'a> Diagram<'a> {
    pub(super) fn of(operation: &'a str, waiter: &Entry<'a>) -> Self {
        let delay = |name, default: f64| {
            let delay = waiter.value.member(name);
            delay.and_then(|delay| delay.as_f64()).unwrap_or(default)
        };
        let acceptors = waiter.value.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        Self {
            name: waiter.key,
            operation,
            min_delay: delay("minDelay", 2.0),
            max_delay: delay("maxDelay", 120.0),
            acceptors: acceptors
                .iter()
                .map(|acceptor| (condition(acceptor), state(acceptor)))
                .collect(),
        }
    }

    /// In the order in which they are looked at.
    pub(super) fn transitions(&self) -> impl Iterator<Item = Transition<'_>> {
        let own = self.acceptors.iter().enumerate();
        let own = own.map(|(number, (condition, state))| Transition {
            number: Some(number),
            condition,
            state,
        });
        own.chain(IMPLICIT)
    }

    /// How long it waits between calls.
    pub(super) fn delays(&self) -> String {
        format!("{} s to {} s", self.min_delay, self.max_delay)
    }
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
        let text = member.and_then(|member| member.as_str());
        // A text block's lines mean no more than spaces.
        let words = text.unwrap_or_default().split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    };
    let relation = match &*text("comparator") {
        "allStringEquals" => "are all",
        "anyStringEquals" => "has",
        _ => "is",
    };
    format!("{} {relation} {}", text("path"), text("expected"))
}
