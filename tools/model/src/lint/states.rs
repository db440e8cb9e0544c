//! Reports values of a state that a waiter misses, by the knowledge of [`suggest`](mod@crate::suggest).

use crate::event::{Event, Severity};
use crate::messages;
use crate::shapes::Model;
use crate::suggest::{Classifier, Review, review};
use crate::waiter::Waiter;

const PERMANENT: &str = "SmithyWaiters.PermanentState";
const SIBLING: &str = "SmithyWaiters.SiblingFailure";
const UNHANDLED: &str = "SmithyWaiters.UnhandledValue";

/// Reports the values that no acceptor of a waiter has, if the wait probably cannot succeed after them.
pub(super) fn check(model: &Model<'_>, classifier: &Classifier<'_>, events: &mut Vec<Event>) {
    for review in review(model, classifier) {
        let waiter = Waiter {
            model,
            operation: review.operation,
            entry: &review.waiter,
        };
        let found = [
            (PERMANENT, permanent(&review)),
            (SIBLING, sibling(&review)),
            (UNHANDLED, unhandled(&review)),
        ];
        events.extend(found.into_iter().filter_map(|(id, message)| {
            let message = message?;
            Some(waiter.event(Severity::Note, id, &message))
        }));
    }
}

fn permanent(review: &Review<'_, '_>) -> Option<String> {
    let path = messages::quote(&review.path);
    let values = list(&review.permanent)?;
    let noun = match review.permanent.len() {
        1 => "a permanent value",
        _ => "permanent values",
    };
    Some(format!(
        "no acceptor has {values}, {noun} of {path}: the wait then lasts until its deadline"
    ))
}

fn sibling(review: &Review<'_, '_>) -> Option<String> {
    let (sibling, values) = review.sibling.as_ref()?;
    let path = messages::quote(&review.path);
    let values = list(values)?;
    Some(format!(
        "`{sibling}` waits for the same value and fails on {values} of {path}: this waiter does not"
    ))
}

fn unhandled(review: &Review<'_, '_>) -> Option<String> {
    let path = messages::quote(&review.path);
    let values = list(&review.rest)?;
    let verb = match review.rest.len() {
        1 => "continues",
        _ => "continue",
    };
    Some(format!(
        "the acceptors have all other values of {path}, so {values} {verb} the wait"
    ))
}

fn list(values: &[String]) -> Option<String> {
    let values = values.iter().map(String::as_str);
    (values.len() > 0).then(|| messages::list(values))
}
