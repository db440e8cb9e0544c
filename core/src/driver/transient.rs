//! A retry strategy inside a wait (D15): asked about errors that no acceptor matches.

use super::OperationError;
use super::retry::{Held, Reading, system_date};
use crate::options::rounded_up;
use crate::retry::RetryStrategy;

/// A strategy, and the token of the attempts since the newest one that an acceptor or a response decided.
pub(super) struct Transients<S: RetryStrategy>(Held<S>);

impl<S: RetryStrategy> Transients<S> {
    pub(super) const fn new(strategy: S) -> Self {
        Self(Held::new(strategy))
    }

    /// The least pause in milliseconds, where the strategy allows another attempt; else why it does not. A wait only looks: its
    /// calls may be repeated without harm.
    pub(super) fn pause(&mut self, error: &impl OperationError) -> Result<u64, String> {
        let reading = Reading {
            idempotent: true,
            operation: None,
            date: system_date,
        };
        let failure = reading.classified(error).info;
        let pause = self.0.refresh(&failure);
        pause.map(rounded_up).map_err(|refused| refused.to_string())
    }

    /// Tells the strategy of an answer of the service: a response, or an error that an acceptor matches.
    pub(super) fn succeed(&mut self) {
        self.0.succeed();
    }

    /// The attempt that was granted begins.
    pub(super) const fn begin(&mut self) {
        self.0.begin();
    }
}
