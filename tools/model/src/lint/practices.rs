//! Checks the specification's best practices for waiters.
//!
//! Clause: [best practices](https://smithy.io/2.0/additional-specs/waiters.html#waiter-best-practices).

mod names;

use rustc_hash::FxHashSet;

use super::errors::error_name;
use crate::event::{Event, Fix, Severity};
use crate::shapes::Node;
use crate::suggest::Classifier;
use crate::waiter::Waiter;

const IMPLICIT: &str = "SmithyWaiters.ImplicitAcceptor";
const INTERMEDIATE: &str = "SmithyWaiters.IntermediateFailure";
const COMPLEX: &str = "SmithyWaiters.ComplexPath";

/// The maximum number of names, operators and calls in a readable path. The longest path of AWS's waiters has 14.
const MAX_PARTS: usize = 20;

/// Reports deviations from the best practices.
pub(super) fn check(waiter: &Waiter<'_, '_>, classifier: &Classifier<'_>, events: &mut Vec<Event>) {
    events.extend(names::check(waiter));
    let acceptors = waiter.acceptors();
    let mut later = OtherAcceptors::default();
    let implicit = acceptors.iter().rev().map(|acceptor| {
        let found = implicit(acceptor, &later);
        later.add(Matches::from_acceptor(acceptor));
        found
    });
    let implicit: Vec<Option<Practice>> = implicit.collect();
    let mut earlier = OtherAcceptors::default();
    for (index, (acceptor, implicit)) in
        acceptors.iter().zip(implicit.into_iter().rev()).enumerate()
    {
        let implicit = implicit.filter(|_| !earlier.covers(acceptor));
        earlier.add(Matches::from_acceptor(acceptor));
        let practices = [
            implicit,
            intermediate(waiter, classifier, acceptor),
            complex(acceptor),
        ];
        for (id, message) in practices.into_iter().flatten() {
            let event = waiter.acceptor_event(index, Severity::Note, id, acceptor.at, &message);
            let fix =
                (id == IMPLICIT && is_plain_retry(acceptor)).then_some(Fix::Remove(acceptor.at));
            events.push(event.fixed_by(fix));
        }
    }
}

/// The id and message of an event.
type Practice = (&'static str, String);

/// Returns `true` if removing an implicit acceptor doesn't change the wait. A failure acceptor can't be removed,
/// because a retry strategy handles errors that no acceptor matches (see docs/rules.md#transient-errors). An acceptor
/// with members besides `state` and `matcher` is kept as well.
fn is_plain_retry(acceptor: &Node<'_>) -> bool {
    let state = acceptor.member("state");
    state.is_some_and(|state| state.as_str() == Some("retry")) && acceptor.entries().len() == 2
}

/// The conditions of the acceptors before or after one.
#[derive(Default)]
struct OtherAcceptors<'a> {
    errors: FxHashSet<&'a str>,
    any_error: bool,
    any_response: bool,
    response: bool,
}

impl<'a> OtherAcceptors<'a> {
    fn add(&mut self, matches: Option<Matches<'a>>) {
        match matches {
            Some(Matches::AnyError) => self.any_error = true,
            Some(Matches::AnyResponse) => (self.any_response, self.response) = (true, true),
            Some(Matches::Response) => self.response = true,
            Some(Matches::Error(error)) => _ = self.errors.insert(error),
            None => {}
        }
    }

    /// Returns `true` if they match everything that an acceptor does. Such an acceptor is unreachable, which another
    /// lint reports.
    fn covers(&self, acceptor: &Node<'a>) -> bool {
        match Matches::from_acceptor(acceptor) {
            Some(Matches::AnyError) => self.any_error,
            Some(Matches::Error(error)) => self.any_error || self.errors.contains(error),
            Some(Matches::AnyResponse | Matches::Response) => self.any_response,
            None => false,
        }
    }

    /// Returns `true` if one of them can match the same response or error.
    fn overlaps(&self, matches: &Matches<'a>) -> bool {
        match matches {
            Matches::AnyError => self.any_error || !self.errors.is_empty(),
            Matches::AnyResponse | Matches::Response => self.response,
            Matches::Error(error) => self.any_error || self.errors.contains(error),
        }
    }
}

/// Reports acceptors that repeat the default: an unmatched error fails the wait, and an unmatched response is retried.
/// Such an acceptor is needed only if a later one would match otherwise.
fn implicit<'a>(acceptor: &Node<'a>, later: &OtherAcceptors<'a>) -> Option<Practice> {
    let state = acceptor.member("state")?.as_str()?;
    // A message is more than the default provides.
    if acceptor.member("message").is_some() {
        return None;
    }
    let (matches, then) = match (state, Matches::from_acceptor(acceptor)?) {
        ("failure", matches @ (Matches::Error(_) | Matches::AnyError)) => (
            matches,
            "an error that no acceptor matches fails the wait anyway",
        ),
        ("retry", matches @ (Matches::Response | Matches::AnyResponse)) => (
            matches,
            "a response that no acceptor matches is retried anyway",
        ),
        _ => return None,
    };
    (!later.overlaps(&matches)).then(|| (IMPLICIT, format!("not needed: {then}")))
}

/// The responses or errors that an acceptor can match.
enum Matches<'a> {
    AnyError,
    AnyResponse,
    Error(&'a str),
    /// Some responses, depending on a path.
    Response,
}

impl<'a> Matches<'a> {
    fn from_acceptor(acceptor: &Node<'a>) -> Option<Self> {
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

/// Reports a failure for a state that is probably transitional.
fn intermediate(
    waiter: &Waiter<'_, '_>,
    classifier: &Classifier<'_>,
    acceptor: &Node<'_>,
) -> Option<Practice> {
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
    let target = waiter.name().to_lowercase();
    let is_wanted = target.contains(&expected.to_lowercase());
    (classifier.is_intermediate(expected) && !is_wanted).then(|| {
        let message = format!(
            "`{expected}` looks like a transitional state: only permanent states should fail a wait"
        );
        (INTERMEDIATE, message)
    })
}

fn complex(acceptor: &Node<'_>) -> Option<Practice> {
    let matcher = acceptor.member("matcher")?;
    let path = matcher.entries().first()?.value.member("path")?.as_str()?;
    let parts = path.split(|char: char| !(char.is_alphanumeric() || char == '_'));
    let parts = parts.filter(|part| !part.is_empty()).count();
    (parts > MAX_PARTS).then(|| {
        let message = format!(
            "the path has {parts} names, operators and calls, more than {MAX_PARTS}: simplify it"
        );
        (COMPLEX, message)
    })
}
