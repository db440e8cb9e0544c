//! Exclusive access to a machine of the engine, one step at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use smithy_waiters::StateError;

use crate::error;

/// A machine, which is absent during a step.
///
/// Reading a value may run the caller's code, which may call this object again. Therefore no lock is held during a
/// step.
pub(crate) struct Machine<M>(Mutex<Option<M>>);

impl<M> Machine<M> {
    pub(crate) const fn new(machine: M) -> Self {
        Self(Mutex::new(Some(machine)))
    }

    /// Takes a step. Fails with `busy` during another step.
    pub(crate) fn step<T>(&self, take: impl FnOnce(&mut M) -> T) -> PyResult<T> {
        let machine = self.lock().take().ok_or_else(busy)?;
        let mut guard = StepGuard {
            cell: self,
            machine: Some(machine),
        };
        guard.machine.as_mut().map(take).ok_or_else(busy)
    }

    /// Reads the machine without running the caller's code.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&M) -> T) -> PyResult<T> {
        self.lock().as_ref().map(read).ok_or_else(busy)
    }

    /// Locks the cell. Code under the lock cannot panic, so a poisoned lock is still valid.
    fn lock(&self) -> MutexGuard<'_, Option<M>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A machine during a step. It is put back even if the step panics.
struct StepGuard<'a, M> {
    cell: &'a Machine<M>,
    machine: Option<M>,
}

impl<M> Drop for StepGuard<'_, M> {
    fn drop(&mut self) {
        *self.cell.lock() = self.machine.take();
    }
}

fn busy() -> PyErr {
    error::state(StateError::Busy)
}
