//! The token of a request's next attempt.

use std::mem;
use std::time::Duration;

use super::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken};

/// A strategy and the token that it issued last. The token of an attempt that never starts returns to the strategy, even if
/// the request is dropped during the pause.
pub(super) struct TokenLease<S: RetryStrategy> {
    strategy: S,
    token: Result<S::Token, RetryRefusal>,
    /// Whether the attempt that the token is for has not started.
    due: bool,
}

impl<S: RetryStrategy> TokenLease<S> {
    /// Acquires the first token. Without one the request is still made, once.
    pub(super) fn acquire(strategy: S) -> Self {
        Self {
            token: strategy.acquire_initial_token(),
            strategy,
            due: true,
        }
    }

    /// The pause before the next attempt.
    pub(super) fn delay(&self) -> Duration {
        let token = self.token.as_ref();
        token.map_or(Duration::ZERO, RetryToken::delay)
    }

    /// Returns the pause before another attempt.
    pub(super) fn refresh(&mut self, failure: &FailureInfo) -> Result<Duration, RefreshError> {
        let token = self.take()?;
        self.token = Ok(self.strategy.refresh_retry_token(token, failure)?);
        self.due = true;
        Ok(self.delay())
    }

    pub(super) const fn begin_attempt(&mut self) {
        self.due = false;
    }

    pub(super) fn record_success(&mut self) {
        if let Ok(token) = self.take() {
            // The attempt has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
    }

    /// Returns the token of an attempt that will not be made.
    pub(super) fn release(&mut self) {
        if self.due
            && let Ok(token) = self.take()
        {
            self.strategy.release_token(token);
        }
    }

    fn take(&mut self) -> Result<S::Token, RetryRefusal> {
        self.due = false;
        // Without a token there is no other attempt.
        mem::replace(&mut self.token, Err(RetryRefusal::NotRetryable))
    }
}

impl<S: RetryStrategy> Drop for TokenLease<S> {
    fn drop(&mut self) {
        self.release();
    }
}
