//! Validates the waiters of operations.
//!
//! Clause: [waitable](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait).

mod acceptor;
mod names;
mod waiter;

use crate::event::{Culprit, Event};
use crate::shapes::{Entry, Kind, Model, Node, id::WAITABLE};
use acceptor::Acceptor;
use waiter::Waiter;

/// The default delays in seconds.
const MIN_DELAY: f64 = 2.0;
const MAX_DELAY: f64 = 120.0;

/// Validates each waiter, and the uniqueness of their names within services.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = names::check(model);
    for operation in model.of_kind(Kind::Operation) {
        if let Some(applied) = operation.find_trait(WAITABLE) {
            for entry in applied.value.entries() {
                let waiter = Waiter {
                    model,
                    operation,
                    applied,
                    name: entry.key,
                };
                check_waiter(&waiter, entry, &mut events);
            }
        }
    }
    events
}

fn check_waiter(waiter: &Waiter<'_, '_>, entry: &Entry<'_>, events: &mut Vec<Event>) {
    let node = &entry.value;
    events.extend(check_delays(waiter, node));
    // A waiter without `acceptors` is reported with the values of traits.
    let Some(acceptors) = node.member("acceptors") else {
        return;
    };
    let mut succeeds = false;
    for (index, node) in acceptors.elements().iter().enumerate() {
        let acceptor = Acceptor {
            waiter: *waiter,
            index,
            node,
        };
        acceptor.check(events);
        succeeds |= acceptor.state() == Some("success");
    }
    if !succeeds {
        let message = format!(
            "the waiter `{}` must have an acceptor with the state `success`",
            waiter.name
        );
        let event = waiter.error(message);
        events.push(event.because_of(Culprit::whole(entry.key_at)));
    }
}

fn check_delays(waiter: &Waiter<'_, '_>, node: &Node<'_>) -> Option<Event> {
    let delay = |name, default: f64| {
        let delay = node.member(name).and_then(|delay| delay.as_f64());
        delay.map_or(default, f64::trunc)
    };
    let (min, max) = (delay("minDelay", MIN_DELAY), delay("maxDelay", MAX_DELAY));
    let delay = node.member("minDelay").or_else(|| node.member("maxDelay"));
    let culprit = Culprit::whole(delay.map_or(waiter.applied.at, |delay| delay.at));
    (min > max).then(|| {
        let message = format!(
            "the `minDelay` of the waiter `{}` must not exceed its `maxDelay`, got {min} s and {max} s",
            waiter.name
        );
        waiter.error(message).because_of(culprit)
    })
}
