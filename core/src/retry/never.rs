//! A strategy without retries.

use std::convert::Infallible;
use std::time::Duration;

use super::{FailureInfo, RefreshError, RetryRefusal, RetryStrategy, RetryToken, TokenError};

/// A strategy that allows no retries: every request is sent once.
///
/// # Example: it issues no tokens
///
/// ```
/// use smithy_waiters::retry::{NoRetries, RetryRefusal, RetryStrategy};
///
/// assert_eq!(NoRetries.acquire_initial_token().err(), Some(RetryRefusal::max_retries(0)));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a unit struct has nothing to extend"
)]
pub struct NoRetries;

impl RetryStrategy for NoRetries {
    type Token = Infallible;

    fn acquire_initial_token(&self) -> Result<Infallible, RetryRefusal> {
        Err(RetryRefusal::max_retries(0))
    }

    fn refresh_retry_token(
        &self,
        token: Infallible,
        _: &FailureInfo,
    ) -> Result<Infallible, RefreshError> {
        match token {}
    }

    fn record_success(&self, token: Infallible) -> Result<(), TokenError> {
        match token {}
    }
}

impl RetryToken for Infallible {
    fn delay(&self) -> Duration {
        match *self {}
    }
}
