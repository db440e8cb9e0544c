//! The waiters of operations.
//!
//! Clause: [waitable](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait).

mod acceptor;
mod names;

use crate::event::{Culprit, Event};
use crate::model::Model;
use crate::node::{Entry, Node};
use crate::shape::{Kind, Shape, Trait};
use acceptor::Acceptor;

const WAITABLE: &str = "smithy.waiters#waitable";
const ID: &str = "WaitableTrait";

/// What the delays are that a waiter does not say, in seconds.
const MIN_DELAY: f64 = 2.0;
const MAX_DELAY: f64 = 120.0;

/// Checks all waiters, each alone and their names within services.
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
                waiter.check(entry, &mut events);
            }
        }
    }
    events
}

/// A waiter of an operation.
#[derive(Clone, Copy)]
struct Waiter<'m, 'a> {
    model: &'m Model<'a>,
    operation: &'m Shape<'a>,
    applied: &'m Trait<'a>,
    name: &'m str,
}

impl Waiter<'_, '_> {
    fn check(&self, entry: &Entry<'_>, events: &mut Vec<Event>) {
        let node = &entry.value;
        events.extend(self.check_delays(node));
        // Without the list it is no waiter at all, which is said where values are checked.
        let Some(acceptors) = node.member("acceptors") else {
            return;
        };
        let mut succeeds = false;
        for (index, node) in acceptors.elements().iter().enumerate() {
            let acceptor = Acceptor {
                waiter: *self,
                index,
                node,
            };
            acceptor.check(events);
            succeeds |= acceptor.state() == Some("success");
        }
        if !succeeds {
            let message = format!(
                "the waiter `{}` has no acceptor with the state `success`",
                self.name
            );
            let event = self.error(message);
            events.push(event.because_of(Culprit::whole(entry.key_at)));
        }
    }

    fn check_delays(&self, node: &Node<'_>) -> Option<Event> {
        let delay = |name, default: f64| {
            let said = node.member(name).and_then(|delay| delay.as_f64());
            said.map_or(default, f64::trunc)
        };
        let (min, max) = (delay("minDelay", MIN_DELAY), delay("maxDelay", MAX_DELAY));
        let said = node.member("minDelay").or_else(|| node.member("maxDelay"));
        let culprit = Culprit::whole(said.map_or(self.applied.at, |said| said.at));
        (min > max).then(|| {
            let message = format!(
                "the waiter `{}` waits at least {min} s (`minDelay`) and at most {max} s (`maxDelay`)",
                self.name
            );
            self.error(message).because_of(culprit)
        })
    }

    fn error(&self, message: String) -> Event {
        self.event(Event::error(ID, message))
    }

    fn event(&self, event: Event) -> Event {
        event.at(self.applied.at).on(self.operation.id)
    }
}
