//! Acceptors against each other: those that can never be reached.
//!
//! Clause: [waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow): the first match counts.

use super::Waiter;
use super::errors::matched;
use crate::event::{Event, Severity};
use crate::node::Node;

pub(super) const UNREACHABLE: &str = "SmithyWaiters.UnreachableAcceptor";

/// What an acceptor matches.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Matcher<'a> {
    Error(&'a str),
    Path {
        /// Of input and output, or of output only.
        both: bool,
        path: &'a str,
        comparator: &'a str,
        expected: &'a str,
    },
    Success(bool),
}

/// Finds acceptors that an earlier one always comes before; answers with their places.
pub(super) fn check(waiter: &Waiter<'_, '_>, events: &mut Vec<Event>) -> Vec<usize> {
    let mut found = Vec::new();
    let matchers: Vec<Option<Matcher<'_>>> = waiter.acceptors().iter().map(Matcher::of).collect();
    for (index, acceptor) in waiter.acceptors().iter().enumerate() {
        let Some(Some(matcher)) = matchers.get(index) else {
            continue;
        };
        let mut earlier = matchers.iter().take(index).enumerate();
        let before =
            earlier.find(|(_, earlier)| earlier.is_some_and(|earlier| earlier.covers(matcher)));
        if let Some((before, _)) = before {
            let message = super::cases::unreachable(&[before]);
            found.push(index);
            events.push(waiter.acceptor_event(
                index,
                Severity::Warning,
                UNREACHABLE,
                acceptor.at,
                &message,
            ));
        }
    }
    found
}

impl<'a> Matcher<'a> {
    fn of(acceptor: &Node<'a>) -> Option<Self> {
        let matcher = acceptor.member("matcher")?;
        let entry = matcher.entries().first()?;
        let path = |both| {
            let text = |name| entry.value.member(name)?.as_str();
            Some(Self::Path {
                both,
                path: text("path")?,
                comparator: text("comparator")?,
                expected: text("expected")?,
            })
        };
        match entry.key {
            "errorType" => Some(Self::Error(matched(entry.value.as_str()?))),
            "inputOutput" => path(true),
            "output" => path(false),
            "success" => Some(Self::Success(entry.value.as_bool()?)),
            _ => None,
        }
    }

    /// Whether it matches whenever another one does.
    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Success(true), Self::Path { .. }) | (Self::Success(false), Self::Error(_)) => {
                true
            }
            (
                Self::Path {
                    both,
                    path,
                    comparator: "anyStringEquals",
                    expected,
                },
                Self::Path {
                    both: other_both,
                    path: other_path,
                    comparator: "allStringEquals",
                    expected: other_expected,
                },
            ) => both == other_both && path == other_path && expected == other_expected,
            _ => self == other,
        }
    }
}
