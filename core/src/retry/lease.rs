//! The token of the next attempt, in the hands of a driver.

use std::time::Duration;

use crate::retry::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken};

/// A strategy, and the token that it handed out last. One whose attempt is never made goes back to it: also where the driver is
/// dropped in the pause before.
#[derive(Debug)]
pub(in crate::driver) struct Held<S: RetryStrategy> {
    strategy: S,
    token: Option<Result<S::Token, RetryRefusal>>,
    /// Whether the attempt that the token is for has not begun.
    due: bool,
}

impl<S: RetryStrategy> Held<S> {
    pub(in crate::driver) const fn new(strategy: S) -> Self {
        Self {
            strategy,
            token: None,
            due: false,
        }
    }

    /// The pause before the first attempt, if this strategy has any.
    pub(super) fn acquire(&mut self) -> Duration {
        let token = self.strategy.acquire_initial_token();
        let pause = token.as_ref().map_or(Duration::ZERO, RetryToken::delay);
        self.keep(token);
        pause
    }

    /// The pause before another attempt, where the strategy allows one.
    pub(in crate::driver) fn refresh(
        &mut self,
        failure: &FailureInfo,
    ) -> Result<Duration, RefreshError> {
        let token = self.take()?;
        let token = self.strategy.refresh_retry_token(token, failure)?;
        let pause = token.delay();
        self.keep(Ok(token));
        Ok(pause)
    }

    /// The attempt that the token is for begins.
    pub(in crate::driver) const fn begin(&mut self) {
        self.due = false;
    }

    /// Tells the strategy of a success; the next attempt begins with a new token.
    pub(in crate::driver) fn succeed(&mut self) {
        if let Ok(token) = self.take() {
            // The attempt has succeeded, whatever the strategy makes of it.
            let _ = self.strategy.record_success(token);
        }
    }

    fn keep(&mut self, token: Result<S::Token, RetryRefusal>) {
        self.token = Some(token);
        self.due = true;
    }

    fn take(&mut self) -> Result<S::Token, RetryRefusal> {
        self.due = false;
        let kept = self.token.take();
        kept.unwrap_or_else(|| self.strategy.acquire_initial_token())
    }
}

impl<S: RetryStrategy> Drop for Held<S> {
    fn drop(&mut self) {
        if !self.due {
            return;
        }
        if let Ok(token) = self.take() {
            self.strategy.release_token(token);
        }
    }
}
