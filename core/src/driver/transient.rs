//! A retry strategy inside a wait (D15): asked about errors that no acceptor matches.

use super::OperationError;
use super::retry::{Reading, system_date};
use crate::options::rounded_up;
use crate::retry::{RetryRefusal, RetryStrategy, RetryToken};

/// A strategy, and the token of the calls since the newest response.
pub(super) struct Transients<S: RetryStrategy> {
    strategy: S,
    token: Option<S::Token>,
}

impl<S: RetryStrategy> Transients<S> {
    pub(super) const fn new(strategy: S) -> Self {
        Self {
            strategy,
            token: None,
        }
    }

    /// The least pause in milliseconds, where the strategy allows another attempt; else why it does not. A wait only looks: its
    /// calls may be repeated without harm.
    pub(super) fn pause(&mut self, error: &impl OperationError) -> Result<u64, String> {
        let token = self.take_token().map_err(|refusal| refusal.to_string())?;
        let reading = Reading {
            idempotent: true,
            operation: None,
            date: system_date,
        };
        let failure = reading.classified(error).info;
        let token = self.strategy.refresh_retry_token(token, &failure);
        let token = token.map_err(|refused| refused.to_string())?;
        let pause = rounded_up(token.delay());
        self.token = Some(token);
        Ok(pause)
    }

    /// Tells the strategy of a response.
    pub(super) fn succeed(&mut self) {
        if let Ok(token) = self.take_token() {
            // The call has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
    }

    /// Gives a token back whose attempt is not made.
    pub(super) fn release(&mut self) {
        if let Some(token) = self.token.take() {
            self.strategy.release_token(token);
        }
    }

    fn take_token(&mut self) -> Result<S::Token, RetryRefusal> {
        let kept = self.token.take();
        kept.map_or_else(|| self.strategy.acquire_initial_token(), Ok)
    }
}
