//! The standard strategy: exponential backoff with full jitter, paid from a quota.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::options::{Costs, Quota};
use super::{
    Backoff, ErrorFault, FailureInfo, RefreshError, RetryInfo, RetryOptions, RetryQuota,
    RetryRefusal, RetrySafety, RetryStrategy, RetryToken, TokenError,
};
use crate::delay::{draw, mix};
use crate::error::OptionsError;

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
pub struct StandardRetryStrategy(Arc<Inner>);

/// The token of a [`StandardRetryStrategy`].
#[derive(Debug)]
pub struct StandardRetryToken {
    strategy: Arc<Inner>,
    retries: u64,
    delay_ms: u64,
    seed: u64,
    /// What the newest retry cost.
    paid: u32,
}

#[derive(Debug)]
struct Inner {
    max_retries: u64,
    backoff: BackoffMs,
    quota: Option<RetryQuota>,
    costs: Costs,
    max_retry_after: Option<Duration>,
    retry_after_excess_ms: Option<u64>,
    seed: u64,
    /// How many tokens were handed out first.
    requests: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
enum BackoffMs {
    Exponential {
        base: u64,
        throttling_base: u64,
        max: u64,
    },
    Fixed(u64),
}

impl StandardRetryStrategy {
    /// A strategy with a full quota, or with one that others use too.
    ///
    /// # Errors
    ///
    /// `invalid_option` for a capacity of 0 or a delay beyond ten years, `conflicting_options` for a base delay above the
    /// greatest one.
    pub fn new(options: &RetryOptions, seed: u64) -> Result<Self, OptionsError> {
        options.check()?;
        let quota = match &options.quota {
            Quota::Own { capacity } => Some(RetryQuota::new(*capacity)?),
            Quota::Shared(quota) => Some(quota.clone()),
            Quota::Unlimited => None,
        };
        Ok(Self(Arc::new(Inner {
            max_retries: options.max_retries,
            backoff: options.backoff.into(),
            quota,
            costs: options.costs,
            max_retry_after: options.max_retry_after,
            retry_after_excess_ms: options.retry_after_excess.map(millis),
            seed,
            requests: AtomicU64::new(0),
        })))
    }

    /// What its retries are paid from, where they cost anything.
    #[must_use]
    pub fn quota(&self) -> Option<&RetryQuota> {
        self.0.quota.as_ref()
    }

    /// How often a request is made again, at most.
    #[must_use]
    pub fn max_retries(&self) -> u64 {
        self.0.max_retries
    }
}

impl RetryStrategy for StandardRetryStrategy {
    type Token = StandardRetryToken;

    fn acquire_initial_token(&self) -> Result<StandardRetryToken, RetryRefusal> {
        let request = self.0.requests.fetch_add(1, Ordering::Relaxed);
        Ok(StandardRetryToken {
            strategy: Arc::clone(&self.0),
            retries: 0,
            delay_ms: 0,
            seed: mix(self.0.seed, request),
            paid: 0,
        })
    }

    fn refresh_retry_token(
        &self,
        token: StandardRetryToken,
        failure: &FailureInfo,
    ) -> Result<StandardRetryToken, RefreshError> {
        self.0.check(&token)?;
        Ok(self.0.refresh(token, failure)?)
    }

    fn record_success(&self, token: StandardRetryToken) -> Result<(), TokenError> {
        self.0.check(&token)?;
        let Inner { quota, costs, .. } = &*self.0;
        if let Some(quota) = quota {
            let returns_cost = costs.refunds_cost && token.retries > 0;
            quota.refund(if returns_cost {
                token.paid
            } else {
                costs.refund
            });
        }
        Ok(())
    }
}

impl StandardRetryToken {
    /// How many retries were made, the one that the token is for included.
    #[must_use]
    pub const fn retries(&self) -> u64 {
        self.retries
    }
}

impl RetryToken for StandardRetryToken {
    fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }
}

impl Inner {
    fn check(&self, token: &StandardRetryToken) -> Result<(), TokenError> {
        if std::ptr::eq(self, Arc::as_ptr(&token.strategy)) {
            return Ok(());
        }
        Err(TokenError::Foreign)
    }

    fn refresh(
        &self,
        token: StandardRetryToken,
        failure: &FailureInfo,
    ) -> Result<StandardRetryToken, RetryRefusal> {
        if token.retries >= self.max_retries {
            return Err(RetryRefusal::max_retries(self.max_retries));
        }
        let retry = retryable(failure).ok_or(RetryRefusal::NotRetryable)?;
        let computed = self.computed(&token, retry.throttle);
        let delay_ms = self.delay(computed, retry.retry_after)?;
        let cost = self.cost(&retry);
        if let Some(quota) = &self.quota {
            quota.pay(cost)?;
        }
        Ok(StandardRetryToken {
            retries: token.retries.saturating_add(1),
            delay_ms,
            paid: cost,
            ..token
        })
    }

    const fn cost(&self, retry: &RetryInfo) -> u32 {
        if retry.timeout {
            self.costs.timeout
        } else if retry.throttle {
            self.costs.throttling
        } else {
            self.costs.retry
        }
    }

    /// Exponential backoff with full jitter, in milliseconds.
    fn computed(&self, token: &StandardRetryToken, throttle: bool) -> u64 {
        let (base, max) = match self.backoff {
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
        // Below ten years of milliseconds: exact in a double.
        (draw(token.seed, token.retries.saturating_add(1)) * ceiling as f64) as u64
    }

    /// The delay that the service asks for is the least one.
    fn delay(&self, computed: u64, retry_after: Option<Duration>) -> Result<u64, RetryRefusal> {
        let Some(retry_after) = retry_after else {
            return Ok(computed);
        };
        if let Some(excess) = self.retry_after_excess_ms {
            let most = computed.saturating_add(excess);
            return Ok(millis(retry_after).clamp(computed, most));
        }
        match self.max_retry_after {
            Some(max_retry_after) if retry_after > max_retry_after => {
                Err(RetryRefusal::RetryAfterTooLong {
                    retry_after,
                    max_retry_after,
                })
            }
            _ => Ok(millis(retry_after).max(computed)),
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

impl From<Backoff> for BackoffMs {
    fn from(backoff: Backoff) -> Self {
        match backoff {
            Backoff::Fixed(delay) => Self::Fixed(millis(delay)),
            Backoff::Exponential {
                base,
                throttling_base,
                max,
            } => Self::Exponential {
                base: millis(base),
                throttling_base: millis(throttling_base),
                max: millis(max),
            },
        }
    }
}

/// Whole milliseconds, rounded up: a pause that was asked for is not cut short.
fn millis(duration: Duration) -> u64 {
    let whole = u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
    whole.min(crate::options::TEN_YEARS_MS)
}
