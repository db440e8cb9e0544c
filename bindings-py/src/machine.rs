//! Where a machine of the engine lives: steps are taken one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use smithy_waiters::StateError;

use crate::error;

/// A machine that is empty while it takes a step. Reading a value may run the caller's code, which may come
/// back here, so no lock is held meanwhile.
pub(crate) struct Machine<M>(Mutex<Option<M>>);

impl<M> Machine<M> {
    pub(crate) const fn new(machine: M) -> Self {
        Self(Mutex::new(Some(machine)))
    }

    /// Takes a step; fails with `busy` during another one.
    pub(crate) fn step<T>(&self, take: impl FnOnce(&mut M) -> T) -> PyResult<T> {
        let machine = self.locked().take().ok_or_else(busy)?;
        let mut lent = Lent {
            home: self,
            machine: Some(machine),
        };
        lent.machine.as_mut().map(take).ok_or_else(busy)
    }

    /// Reads without running the caller's code.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&M) -> T) -> PyResult<T> {
        self.locked().as_ref().map(read).ok_or_else(busy)
    }

    /// No code that could panic runs under the lock.
    fn locked(&self) -> MutexGuard<'_, Option<M>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A machine outside of its home, to which it returns even if the step panics.
struct Lent<'a, M> {
    home: &'a Machine<M>,
    machine: Option<M>,
}

impl<M> Drop for Lent<'_, M> {
    fn drop(&mut self) {
        *self.home.locked() = self.machine.take();
    }
}

fn busy() -> PyErr {
    error::state(StateError::Busy)
}
