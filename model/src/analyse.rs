//! What a model's waiters do that their author cannot want: found by types, and by comparing acceptors.
//!
//! Nothing here repeats what Smithy says. Ids begin with `SmithyWaiters.`; warnings are mistakes whenever the service
//! answers as it is modeled, notes are worth a look.

mod acceptors;
mod calls;
mod cases;
mod errors;
pub(crate) mod infer;
mod matcher;
mod practices;
pub(crate) mod types;

use std::collections::BTreeSet;

use crate::event::{Event, Severity};
use crate::model::Model;
use crate::node::{Entry, Node};
use crate::shape::{Kind, Shape};
use crate::source::At;

const WAITABLE: &str = "smithy.waiters#waitable";

/// Looks into all waiters.
pub(crate) fn analyse(model: &Model<'_>) -> Vec<Event> {
    let known = errors::Known::of(model);
    let mut events = Vec::new();
    for operation in model.of_kind(Kind::Operation) {
        let applied = operation.find_trait(WAITABLE);
        for entry in applied.map_or(&[][..], |applied| applied.value.entries()) {
            let waiter = Waiter {
                model,
                operation,
                entry,
            };
            waiter.analyse(&known, &mut events);
        }
    }
    events
}

/// A waiter of an operation.
#[derive(Clone, Copy)]
struct Waiter<'m, 'a> {
    model: &'m Model<'a>,
    operation: &'m Shape<'a>,
    entry: &'m Entry<'a>,
}

impl<'m, 'a> Waiter<'m, 'a> {
    fn analyse(&self, known: &errors::Known<'a>, events: &mut Vec<Event>) {
        // Of an acceptor with a path that is wrong, no more is said.
        let mut said = BTreeSet::new();
        for (index, node) in self.acceptors().iter().enumerate() {
            let before = events.len();
            matcher::check(self, index, node, events);
            let mut found = events.iter().skip(before);
            if found.any(|event| event.severity > Severity::Note) {
                said.insert(index);
            }
            errors::check(self, index, node, known, events);
        }
        said.extend(acceptors::check(self, events));
        cases::check(self, &said, events);
        practices::check(self, events);
    }

    fn acceptors(&self) -> &'a [Node<'a>] {
        let acceptors = self.entry.value.member("acceptors");
        acceptors.map_or(&[], |acceptors| acceptors.elements())
    }

    fn name(&self) -> &'a str {
        self.entry.key
    }

    /// An event about an acceptor.
    fn acceptor_event(
        &self,
        index: usize,
        severity: Severity,
        id: &str,
        at: At,
        message: &str,
    ) -> Event {
        let message = format!("waiter `{}`, acceptor {index}: {message}", self.name());
        let id = format!("{id}.{}.{index}", self.name());
        Event::new(severity, id, message)
            .at(at)
            .on(self.operation.id)
    }

    /// An event about the whole waiter.
    fn event(&self, severity: Severity, id: &str, message: &str) -> Event {
        let message = format!("waiter `{}`: {message}", self.name());
        let id = format!("{id}.{}", self.name());
        Event::new(severity, id, message)
            .at(self.entry.key_at)
            .on(self.operation.id)
    }
}
