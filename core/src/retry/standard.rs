//! The standard strategy: exponential backoff with full jitter, paid from a quota.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::options::{BackoffMs, Settled};
use super::{
    ErrorFault, FailureInfo, RefreshError, RetryInfo, RetryOptions, RetryQuota, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, TokenError, TokenParts,
};
use crate::delay::{draw, mix};
use crate::error::OptionsError;
use crate::millis::rounded_up;

/// The specification's example strategy, with every value of it to choose.
///
/// A clone is the same strategy. It draws nothing by itself: the same seed and the same order of requests give the same
/// delays.
///
/// Clause: [Example retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy).
///
/// # Example: a throttled request is made again, a bad one is not
///
/// ```
/// use smithy_waiters::retry::{
///     RefreshError, RequestFailure, RetryOptions, RetryRefusal, RetryStrategy, RetryToken, StandardRetryStrategy,
/// };
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 42)?;
/// let token = strategy.acquire_initial_token()?;
///
/// let throttled = RequestFailure::default().status(429).retry_after("3").classify().info;
/// let token = strategy.refresh_retry_token(token, &throttled)?;
/// assert!(token.delay().as_secs() >= 3);
///
/// let bad = RequestFailure::default().status(400).classify().info;
/// let refused = strategy.refresh_retry_token(token, &bad).err();
/// assert_eq!(refused, Some(RefreshError::Refused(RetryRefusal::NotRetryable)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StandardRetryStrategy(pub(super) Arc<Inner>);

/// The token of a [`StandardRetryStrategy`].
///
/// # Example: a retry that was granted
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, RetryOptions, RetryStrategy, StandardRetryStrategy};
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 42)?;
/// let token = strategy.acquire_initial_token()?;
/// let unavailable = RequestFailure::default().status(503).classify().info;
/// assert_eq!(strategy.refresh_retry_token(token, &unavailable)?.retries(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StandardRetryToken {
    pub(super) strategy: Arc<Inner>,
    pub(super) parts: TokenParts,
    pub(super) delay_ms: u64,
}

#[derive(Debug)]
pub(super) struct Inner {
    settled: Settled,
    /// How many tokens were handed out first.
    requests: AtomicU64,
}

impl StandardRetryStrategy {
    /// A strategy with a full quota, or with one that others use too. The seed, at most 2^53 - 1, is the jitter's.
    ///
    /// # Errors
    ///
    /// `invalid_option` for a number out of range, `conflicting_options` for options that exclude each other.
    pub fn new(options: &RetryOptions, seed: u64) -> Result<Self, OptionsError> {
        Ok(Self(Arc::new(Inner {
            settled: options.settle(seed)?,
            requests: AtomicU64::new(0),
        })))
    }

    /// What its retries are paid from, where they cost anything.
    #[must_use]
    pub fn quota(&self) -> Option<&RetryQuota> {
        self.0.settled.quota.as_ref()
    }

    /// How often a request is made again, at most.
    #[must_use]
    pub fn max_retries(&self) -> u64 {
        self.0.settled.max_retries
    }

    /// Whether the strategy handed the token out; a host asks before it gives a token away.
    #[must_use]
    pub fn issued(&self, token: &StandardRetryToken) -> bool {
        Arc::ptr_eq(&self.0, &token.strategy)
    }

    fn check(&self, token: &StandardRetryToken) -> Result<(), TokenError> {
        if self.issued(token) {
            return Ok(());
        }
        Err(TokenError::Foreign)
    }
}

impl RetryStrategy for StandardRetryStrategy {
    type Token = StandardRetryToken;

    fn acquire_initial_token(&self) -> Result<StandardRetryToken, RetryRefusal> {
        let request = self.0.requests.fetch_add(1, Ordering::Relaxed);
        Ok(self.token(TokenParts {
            request,
            ..TokenParts::default()
        }))
    }

    fn refresh_retry_token(
        &self,
        token: StandardRetryToken,
        failure: &FailureInfo,
    ) -> Result<StandardRetryToken, RefreshError> {
        self.check(&token)?;
        Ok(self.0.refresh(token, failure)?)
    }

    fn record_success(&self, token: StandardRetryToken) -> Result<(), TokenError> {
        self.check(&token)?;
        let Settled { quota, costs, .. } = &self.0.settled;
        if let Some(quota) = quota {
            let returns_cost = costs.refunds_cost && token.parts.retries > 0;
            quota.refund(if returns_cost {
                token.parts.paid
            } else {
                costs.refund
            });
        }
        Ok(())
    }

    /// What the retry took returns to the quota. A token of another strategy is not taken.
    fn release_token(&self, token: StandardRetryToken) {
        let issued = self.check(&token).is_ok();
        if let Some(quota) = self.quota().filter(|_| issued) {
            quota.refund(token.parts.paid);
        }
    }
}

impl StandardRetryToken {
    /// How many retries were made, the one that the token is for included.
    #[must_use]
    pub const fn retries(&self) -> u64 {
        self.parts.retries
    }
}

impl RetryToken for StandardRetryToken {
    fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }
}

impl Inner {
    fn refresh(
        &self,
        token: StandardRetryToken,
        failure: &FailureInfo,
    ) -> Result<StandardRetryToken, RetryRefusal> {
        let max_retries = self.settled.max_retries;
        if token.parts.retries >= max_retries {
            return Err(RetryRefusal::max_retries(max_retries));
        }
        let retry = retryable(failure).ok_or(RetryRefusal::NotRetryable)?;
        let computed = self.computed(token.parts, retry.throttle);
        let delay_ms = self.delay(computed, retry.retry_after)?;
        let cost = self.cost(&retry);
        if let Some(quota) = &self.settled.quota {
            quota.pay(cost)?;
        }
        Ok(StandardRetryToken {
            parts: TokenParts {
                retries: token.parts.retries.saturating_add(1),
                paid: cost,
                ..token.parts
            },
            delay_ms,
            ..token
        })
    }

    const fn cost(&self, retry: &RetryInfo) -> u32 {
        let costs = &self.settled.costs;
        if retry.timeout {
            costs.timeout
        } else if retry.throttle {
            costs.throttling
        } else {
            costs.retry
        }
    }

    /// Exponential backoff with full jitter, in milliseconds.
    fn computed(&self, token: TokenParts, throttle: bool) -> u64 {
        let (base, max) = match self.settled.backoff {
            BackoffMs::Fixed(delay) => return delay,
            BackoffMs::Exponential {
                throttling_base,
                max,
                ..
            } if throttle => (throttling_base, max),
            BackoffMs::Exponential { base, max, .. } => (base, max),
        };
        let doublings = u32::try_from(token.retries).unwrap_or(u32::MAX);
        let ceiling = 2_u64
            .saturating_pow(doublings)
            .saturating_mul(base)
            .min(max);
        let seed = mix(self.settled.seed, token.request);
        // Below ten years of milliseconds: exact in a double.
        (draw(seed, token.retries.saturating_add(1)) * ceiling as f64) as u64
    }

    /// The delay that the service asks for is the least one.
    fn delay(&self, computed: u64, retry_after: Option<Duration>) -> Result<u64, RetryRefusal> {
        let Some(retry_after) = retry_after.map(rounded_up) else {
            return Ok(computed);
        };
        match self.settled {
            Settled {
                max_retry_after: Some(most),
                ..
            } if retry_after > most => Err(RetryRefusal::RetryAfterTooLong {
                retry_after: Duration::from_millis(retry_after),
                max_retry_after: Duration::from_millis(most),
            }),
            Settled {
                retry_after_excess: Some(excess),
                ..
            } => Ok(retry_after.clamp(computed, computed.saturating_add(excess))),
            _ => Ok(retry_after.max(computed)),
        }
    }
}

// SPEC: the example's `switch` would retry an error that says of itself that it is not safe, where it is the server's
// fault; its comment says that the fault counts only where there is no retry information. The comment is followed.
/// What is to be known of an error that may be retried.
const fn retryable(failure: &FailureInfo) -> Option<RetryInfo> {
    match (failure.retry, failure.fault) {
        (Some(retry), _) if !matches!(retry.safety, RetrySafety::No) => Some(retry),
        (None, Some(ErrorFault::Server)) => Some(RetryInfo {
            safety: RetrySafety::Maybe,
            throttle: false,
            timeout: false,
            retry_after: None,
        }),
        _ => None,
    }
}
