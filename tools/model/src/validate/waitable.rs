//! Validates the waiters of operations.
//!
//! Clause: [waitable](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait).

mod acceptor;
mod names;

use crate::event::{Culprit, Event};
use crate::shapes::Model;
use crate::typed::infer::ERROR;
use crate::waiter::Waiter;
use acceptor::Acceptor;

/// The default delays in seconds.
const MIN_DELAY: f64 = 2.0;
const MAX_DELAY: f64 = 120.0;

/// Validates each waiter, and the uniqueness of their names within services.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = names::check(model);
    for waiter in Waiter::all(model) {
        check_waiter(&waiter, &mut events);
    }
    events
}

fn check_waiter(waiter: &Waiter<'_, '_>, events: &mut Vec<Event>) {
    events.extend(check_delays(waiter));
    // A waiter without `acceptors` is reported with the values of traits.
    if waiter.entry.value.member("acceptors").is_none() {
        return;
    }
    let mut succeeds = false;
    for (index, node) in waiter.acceptors().iter().enumerate() {
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
            waiter.name()
        );
        let event = error(waiter, message);
        events.push(event.because_of(Culprit::whole(waiter.entry.key_at)));
    }
}

fn check_delays(waiter: &Waiter<'_, '_>) -> Option<Event> {
    let node = &waiter.entry.value;
    let delay = |name, default: f64| {
        let delay = node.member(name).and_then(|delay| delay.as_f64());
        delay.map_or(default, f64::trunc)
    };
    let (min, max) = (delay("minDelay", MIN_DELAY), delay("maxDelay", MAX_DELAY));
    let delay = node.member("minDelay").or_else(|| node.member("maxDelay"));
    let culprit = Culprit::whole(delay.map_or(waiter.trait_at(), |delay| delay.at));
    (min > max).then(|| {
        let message = format!(
            "the `minDelay` of the waiter `{}` must not exceed its `maxDelay`, got {min} s and {max} s",
            waiter.name()
        );
        error(waiter, message).because_of(culprit)
    })
}

fn error(waiter: &Waiter<'_, '_>, message: String) -> Event {
    Event::error(ERROR, message)
        .at(waiter.trait_at())
        .on(waiter.operation.id)
}
