//! The token of a request's next attempt.

use std::time::Duration;

use super::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken};

/// A strategy and the token that it issued last. The token of an attempt that never starts returns to the strategy, even if
/// the request is dropped during the pause.
pub(super) struct TokenLease<S: RetryStrategy> {
    strategy: S,
    token: Option<Result<S::Token, RetryRefusal>>,
    /// Whether the attempt that the token is for has not started.
    due: bool,
}

impl<S: RetryStrategy> TokenLease<S> {
    /// Acquires the first token. Without one the request is still made, once.
    pub(super) fn acquire(strategy: S) -> Self {
        let token = strategy.acquire_initial_token();
        Self {
            strategy,
            token: Some(token),
            due: true,
        }
    }

    /// The pause before the first attempt.
    pub(super) fn delay(&self) -> Duration {
        match &self.token {
            Some(Ok(token)) => token.delay(),
            _ => Duration::ZERO,
        }
    }

    /// Returns the pause before another attempt.
    pub(super) fn refresh(&mut self, failure: &FailureInfo) -> Result<Duration, RefreshError> {
        let token = self.take()?;
        let token = self.strategy.refresh_retry_token(token, failure)?;
        let pause = token.delay();
        self.token = Some(Ok(token));
        self.due = true;
        Ok(pause)
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
        if !self.due {
            return;
        }
        if let Ok(token) = self.take() {
            self.strategy.release_token(token);
        }
    }

    fn take(&mut self) -> Result<S::Token, RetryRefusal> {
        self.due = false;
        let token = self.token.take();
        token.unwrap_or_else(|| self.strategy.acquire_initial_token())
    }
}

impl<S: RetryStrategy> Drop for TokenLease<S> {
    fn drop(&mut self) {
        self.release();
    }
}
