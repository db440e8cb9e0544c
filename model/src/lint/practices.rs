//! The specification's advice for authors of waiters.
//!
//! Clause: [best practices](https://smithy.io/2.0/additional-specs/waiters.html#waiter-best-practices).

mod names;

use rustc_hash::FxHashSet;

use super::errors::error_name;
use super::waiter::Waiter;
use crate::event::{Event, Fix, Severity};
use crate::shapes::Node;

const IMPLICIT: &str = "SmithyWaiters.ImplicitAcceptor";
const INTERMEDIATE: &str = "SmithyWaiters.IntermediateFailure";
const COMPLEX: &str = "SmithyWaiters.ComplexPath";

/// How many names, operators and calls a path has that people can take in: the longest of AWS's waiters has 14.
const MAX_PARTS: usize = 20;

/// Looks for what the specification advises against.
pub(super) fn check(waiter: &Waiter<'_, '_>, events: &mut Vec<Event>) {
    events.extend(names::check(waiter));
    let acceptors = waiter.acceptors();
    let mut later = Others::default();
    let implicit = acceptors.iter().rev().map(|acceptor| {
        let found = implicit(acceptor, &later);
        later.add(Matches::of(acceptor));
        found
    });
    let implicit: Vec<Option<Practice>> = implicit.collect();
    let mut earlier = Others::default();
    for (index, (acceptor, implicit)) in
        acceptors.iter().zip(implicit.into_iter().rev()).enumerate()
    {
        let implicit = implicit.filter(|_| !earlier.covers(acceptor));
        earlier.add(Matches::of(acceptor));
        let practices = [implicit, intermediate(waiter, acceptor), complex(acceptor)];
        for (id, message) in practices.into_iter().flatten() {
            let event = waiter.acceptor_event(index, Severity::Note, id, acceptor.at, &message);
            let fix =
                (id == IMPLICIT && is_waited_on(acceptor)).then_some(Fix::Remove(acceptor.at));
            events.push(event.fixed_by(fix));
        }
    }
}

/// The id of an event, and what it says.
type Practice = (&'static str, String);

/// Returns `true` if an acceptor only waits on: one that is taken out is not missed. One that fails the wait would be, where
/// a retry strategy is asked about errors that no acceptor matches (D15), and so would what is written beside the matcher.
fn is_waited_on(acceptor: &Node<'_>) -> bool {
    let state = acceptor.member("state");
    state.is_some_and(|state| state.as_str() == Some("retry")) && acceptor.entries().len() == 2
}

/// What acceptors after one, or before it, match.
#[derive(Default)]
struct Others<'a> {
    errors: FxHashSet<&'a str>,
    any_error: bool,
    any_response: bool,
    response: bool,
}

impl<'a> Others<'a> {
    fn add(&mut self, matches: Option<Matches<'a>>) {
        match matches {
            Some(Matches::AnyError) => self.any_error = true,
            Some(Matches::AnyResponse) => (self.any_response, self.response) = (true, true),
            Some(Matches::Response) => self.response = true,
            Some(Matches::Error(error)) => _ = self.errors.insert(error),
            None => {}
        }
    }

    /// Returns `true` if they match all that an acceptor does: then it can match nothing, which is said elsewhere.
    fn covers(&self, acceptor: &Node<'a>) -> bool {
        match Matches::of(acceptor) {
            Some(Matches::AnyError) => self.any_error,
            Some(Matches::Error(error)) => self.any_error || self.errors.contains(error),
            Some(Matches::AnyResponse | Matches::Response) => self.any_response,
            None => false,
        }
    }

    /// Returns `true` if one of them may match the same.
    fn meets(&self, matches: &Matches<'a>) -> bool {
        match matches {
            Matches::AnyError => self.any_error || !self.errors.is_empty(),
            Matches::AnyResponse | Matches::Response => self.response,
            Matches::Error(error) => self.any_error || self.errors.contains(error),
        }
    }
}

/// An error that nothing matches fails the wait, and a response that nothing matches is waited on: neither needs an acceptor,
/// unless it keeps a later one from matching.
fn implicit<'a>(acceptor: &Node<'a>, later: &Others<'a>) -> Option<Practice> {
    let state = acceptor.member("state")?.as_str()?;
    // What a failure says to the user is more than the implicit one does.
    if acceptor.member("message").is_some() {
        return None;
    }
    let (matches, then) = match (state, Matches::of(acceptor)?) {
        ("failure", matches @ (Matches::Error(_) | Matches::AnyError)) => {
            (matches, "an error that no acceptor matches fails the wait")
        }
        ("retry", matches @ (Matches::Response | Matches::AnyResponse)) => {
            (matches, "a response that no acceptor matches is waited on")
        }
        _ => return None,
    };
    (!later.meets(&matches)).then(|| (IMPLICIT, format!("it is not needed: {then}")))
}

/// What an acceptor may match.
enum Matches<'a> {
    AnyError,
    AnyResponse,
    Error(&'a str),
    /// Some responses.
    Response,
}

impl<'a> Matches<'a> {
    fn of(acceptor: &Node<'a>) -> Option<Self> {
        let matcher = acceptor.member("matcher")?;
        let entry = matcher.entries().first()?;
        Some(match entry.key {
            "errorType" => Self::Error(error_name(entry.value.as_str()?)),
            "success" if entry.value.as_bool()? => Self::AnyResponse,
            "success" => Self::AnyError,
            _ => Self::Response,
        })
    }
}

/// A state that is on its way elsewhere is no failure yet.
fn intermediate(waiter: &Waiter<'_, '_>, acceptor: &Node<'_>) -> Option<Practice> {
    if acceptor.member("state")?.as_str()? != "failure" {
        return None;
    }
    let matcher = acceptor.member("matcher")?;
    let expected = matcher
        .entries()
        .first()?
        .value
        .member("expected")?
        .as_str()?;
    let lower = expected.to_lowercase();
    let is_on_its_way = lower.ends_with("ing") && lower != "missing";
    // Something that is being deleted does not come back: waiters for anything but its end rightly give up.
    let is_end = [
        "delet", "terminat", "remov", "destroy", "shutting", "cancel",
    ]
    .iter()
    .any(|end| lower.contains(end));
    let target = waiter.name().to_lowercase();
    (is_on_its_way && !is_end && !target.contains(&lower)).then(|| {
        let message = format!("`{expected}` sounds like a state on the way to another: only states that last should fail a wait");
        (INTERMEDIATE, message)
    })
}

fn complex(acceptor: &Node<'_>) -> Option<Practice> {
    let matcher = acceptor.member("matcher")?;
    let path = matcher.entries().first()?.value.member("path")?.as_str()?;
    let parts = path.split(|char: char| !(char.is_alphanumeric() || char == '_'));
    let parts = parts.filter(|part| !part.is_empty()).count();
    (parts > MAX_PARTS).then(|| {
        let message =
            format!("its path has {parts} parts: the more there are, the likelier one is wrong");
        (COMPLEX, message)
    })
}
