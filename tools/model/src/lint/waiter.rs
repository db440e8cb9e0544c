//! A waiter of an operation.

use crate::event::{Event, Severity};
use crate::shapes::{Entry, Model, Node, Shape};
use crate::source::At;

/// A waiter in the trait `waitable` of an operation.
#[derive(Clone, Copy)]
pub(super) struct Waiter<'m, 'a> {
    pub(super) model: &'m Model<'a>,
    pub(super) operation: &'m Shape<'a>,
    pub(super) entry: &'m Entry<'a>,
}

impl<'m, 'a> Waiter<'m, 'a> {
    pub(super) fn acceptors(&self) -> &'a [Node<'a>] {
        let acceptors = self.entry.value.member("acceptors");
        acceptors.map_or(&[], |acceptors| acceptors.elements())
    }

    pub(super) fn name(&self) -> &'a str {
        self.entry.key
    }

    /// Creates an event about an acceptor.
    pub(super) fn acceptor_event(
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

    /// Creates an event about the whole waiter.
    pub(super) fn event(&self, severity: Severity, id: &str, message: &str) -> Event {
        let message = format!("waiter `{}`: {message}", self.name());
        let id = format!("{id}.{}", self.name());
        Event::new(severity, id, message)
            .at(self.entry.key_at)
            .on(self.operation.id)
    }
}
