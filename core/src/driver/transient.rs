//! A retry strategy inside a wait (D15): asked about errors that no acceptor matches.

use super::OperationError;
use super::retry::{classified, system_date};
use crate::options::rounded_up;
use crate::retry::{RetryStrategy, RetryToken};

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

    /// The least pause in milliseconds, where the strategy allows another attempt. A wait only looks: its calls may be
    /// repeated without harm.
    pub(super) fn pause(&mut self, error: &impl OperationError) -> Option<u64> {
        let token = self.take_token()?;
        let failure = classified(error, true, system_date).info;
        let token = self.strategy.refresh_retry_token(token, &failure).ok()?;
        let pause = rounded_up(token.delay());
        self.token = Some(token);
        Some(pause)
    }

    /// Tells the strategy of a response.
    pub(super) fn succeed(&mut self) {
        if let Some(token) = self.take_token() {
            // The call has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
    }

    fn take_token(&mut self) -> Option<S::Token> {
        let kept = self.token.take();
        kept.or_else(|| self.strategy.acquire_initial_token().ok())
    }
}
