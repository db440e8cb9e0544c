//! A waiter of an operation.

use crate::event::{Event, Severity};
use crate::shapes::{Entry, Kind, Model, Node, Shape, id::WAITABLE};
use crate::source::At;

/// A waiter in the trait `waitable` of an operation.
#[derive(Clone, Copy)]
pub(crate) struct Waiter<'m, 'a> {
    pub(crate) model: &'m Model<'a>,
    pub(crate) operation: &'m Shape<'a>,
    pub(crate) entry: &'m Entry<'a>,
}

impl<'m, 'a> Waiter<'m, 'a> {
    /// Returns the waiters of all operations.
    pub(crate) fn all(model: &'m Model<'a>) -> impl Iterator<Item = Self> {
        let operations = model.of_kind(Kind::Operation);
        operations.flat_map(move |operation| {
            let applied = operation.find_trait(WAITABLE);
            let entries = applied.map_or(&[][..], |applied| applied.value.entries());
            entries.iter().map(move |entry| Self {
                model,
                operation,
                entry,
            })
        })
    }

    /// Returns the position of the trait.
    pub(crate) fn trait_at(&self) -> At {
        let applied = self.operation.find_trait(WAITABLE);
        applied.map_or(self.operation.at, |applied| applied.at)
    }

    pub(crate) fn acceptors(&self) -> &'a [Node<'a>] {
        let acceptors = self.entry.value.member("acceptors");
        acceptors.map_or(&[], |acceptors| acceptors.elements())
    }

    pub(crate) fn name(&self) -> &'a str {
        self.entry.key
    }

    /// Creates an event about an acceptor. Its id ends with the name of the waiter and the index of the acceptor.
    pub(crate) fn acceptor_event(
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
    pub(crate) fn event(&self, severity: Severity, id: &str, message: &str) -> Event {
        let message = format!("waiter `{}`: {message}", self.name());
        let id = format!("{id}.{}", self.name());
        Event::new(severity, id, message)
            .at(self.entry.key_at)
            .on(self.operation.id)
    }
}
