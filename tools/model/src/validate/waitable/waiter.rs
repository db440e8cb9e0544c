//! A waiter of an operation.

use crate::event::Event;
use crate::shapes::{Model, Shape, Trait};

/// The id of errors in waiters.
pub(super) const ID: &str = "WaitableTrait";

/// A waiter in the trait `waitable` of an operation.
#[derive(Clone, Copy)]
pub(super) struct Waiter<'m, 'a> {
    pub(super) model: &'m Model<'a>,
    pub(super) operation: &'m Shape<'a>,
    pub(super) applied: &'m Trait<'a>,
    pub(super) name: &'m str,
}

impl Waiter<'_, '_> {
    pub(super) fn error(&self, message: String) -> Event {
        self.event(Event::error(ID, message))
    }

    pub(super) fn event(&self, event: Event) -> Event {
        event.at(self.applied.at).on(self.operation.id)
    }
}
