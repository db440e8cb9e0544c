//! Compares acceptors to find unreachable ones.
//!
//! Clause: [waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow): the first match
//! wins.

use rustc_hash::FxHashMap;

use super::errors::error_name;
use crate::event::{Event, Severity};
use crate::shapes::Node;
use crate::waiter::Waiter;

pub(super) const UNREACHABLE: &str = "SmithyWaiters.UnreachableAcceptor";

/// The condition of an acceptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Matcher<'a> {
    Error(&'a str),
    Path {
        /// `true` for a path on input and output, `false` for a path on the output.
        both: bool,
        path: &'a str,
        comparator: &'a str,
        expected: &'a str,
    },
    Success(bool),
}

/// Reports acceptors whose condition implies that of an earlier one. Returns their indices.
pub(super) fn check(waiter: &Waiter<'_, '_>, events: &mut Vec<Event>) -> Vec<usize> {
    let mut found = Vec::new();
    // The first acceptor with each condition.
    let mut first: FxHashMap<Matcher<'_>, usize> = FxHashMap::default();
    for (index, acceptor) in waiter.acceptors().iter().enumerate() {
        let Some(matcher) = Matcher::from_acceptor(acceptor) else {
            continue;
        };
        let covering = [Some(matcher), matcher.wider(), matcher.widest()];
        let before = covering
            .iter()
            .flatten()
            .filter_map(|other| first.get(other));
        let before = before.min().copied();
        first.entry(matcher).or_insert(index);
        if let Some(before) = before {
            let message = unreachable(&[before]);
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
    fn from_acceptor(acceptor: &Node<'a>) -> Option<Self> {
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
            "errorType" => Some(Self::Error(error_name(entry.value.as_str()?))),
            "inputOutput" => path(true),
            "output" => path(false),
            "success" => Some(Self::Success(entry.value.as_bool()?)),
            _ => None,
        }
    }

    /// Returns another condition on the same path that holds whenever this one does.
    fn wider(&self) -> Option<Self> {
        match *self {
            Self::Path {
                both,
                path,
                comparator: "allStringEquals",
                expected,
            } => Some(Self::Path {
                both,
                path,
                comparator: "anyStringEquals",
                expected,
            }),
            _ => None,
        }
    }

    /// Returns the condition that holds for every response or every error.
    const fn widest(&self) -> Option<Self> {
        match self {
            Self::Error(_) => Some(Self::Success(false)),
            Self::Path { .. } => Some(Self::Success(true)),
            Self::Success(_) => None,
        }
    }
}

/// Returns the message for an unreachable acceptor.
pub(super) fn unreachable(before: &[usize]) -> String {
    match before {
        [only] => format!("unreachable: acceptor {only} matches whenever this one does"),
        several => {
            let several: Vec<String> = several.iter().map(usize::to_string).collect();
            let several = several.join(", ");
            format!("unreachable: one of the acceptors {several} matches whenever this one does")
        }
    }
}
