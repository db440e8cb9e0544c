//! The standard strategy: exponential backoff with full jitter, limited by a quota.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::options::{Backoff, ResolvedOptions};
use super::{
    ErrorFault, FailureInfo, RefreshError, RetryInfo, RetryOptions, RetryQuota, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, TokenError,
};
use crate::delay::{draw, mix};
use crate::error::OptionsError;
use crate::millis::{rounded_up, whole_millis};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

/// The specification's example strategy with configurable values.
///
/// A clone is a handle to the same strategy. It uses no random numbers of the system: with the same seed and the same
/// order of requests, the delays are the same.
///
/// Specification:
/// [Example retry strategy](https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy).
///
/// # Example: a throttled request and an invalid request
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
///
/// # Example: the token of a first retry
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
    strategy: Arc<Inner>,
    /// The number of the request, from 0.
    request: u64,
    retries: u64,
    /// The cost of the latest retry.
    paid: u32,
    delay: Duration,
}

/// A token in an object of a host, which may pass it more than once or to another strategy.
#[doc(hidden)]
#[derive(Debug)]
pub struct HostToken(Mutex<Option<StandardRetryToken>>);

#[derive(Debug)]
struct Inner {
    settings: ResolvedOptions,
    /// The number of initial tokens that were issued.
    requests: AtomicU64,
}

impl StandardRetryStrategy {
    /// Creates a strategy with a full quota or with a shared one. `seed`, at most 2^53 - 1, is the seed of the jitter.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a number out of range and `conflicting_options` for options that exclude each
    /// other.
    pub fn new(options: &RetryOptions, seed: u64) -> Result<Self, OptionsError> {
        Ok(Self(Arc::new(Inner {
            settings: options.checked(seed)?,
            requests: AtomicU64::new(0),
        })))
    }

    /// Returns the quota of the strategy, or `None` if retries are free.
    #[must_use]
    pub fn quota(&self) -> Option<&RetryQuota> {
        self.0.settings.quota.as_ref()
    }

    /// Returns the maximum number of retries.
    #[must_use]
    pub fn max_retries(&self) -> u64 {
        self.0.settings.max_retries
    }

    fn check(&self, token: &StandardRetryToken) -> Result<(), TokenError> {
        if Arc::ptr_eq(&self.0, &token.strategy) {
            return Ok(());
        }
        Err(TokenError::Foreign)
    }
}

impl RetryStrategy for StandardRetryStrategy {
    type Token = StandardRetryToken;

    fn acquire_initial_token(&self) -> Result<StandardRetryToken, RetryRefusal> {
        // Succeeds even if the quota is empty: the specification makes the first attempt in any case, and the quota
        // may have recovered when it fails.
        Ok(StandardRetryToken {
            strategy: Arc::clone(&self.0),
            // Only a number that differs between requests, so that they do not retry at the same moments.
            request: self.0.requests.fetch_add(1, Ordering::Relaxed),
            retries: 0,
            paid: 0,
            delay: Duration::ZERO,
        })
    }

    fn refresh_retry_token(
        &self,
        token: StandardRetryToken,
        failure: &FailureInfo,
    ) -> Result<StandardRetryToken, RefreshError> {
        self.check(&token)?;
        let settings = &self.0.settings;
        // Before the failure is examined, in the order of the specification's example.
        if token.retries >= settings.max_retries {
            Err(RetryRefusal::max_retries(settings.max_retries))?;
        }
        let retry = retryable(failure).ok_or(RetryRefusal::NotRetryable)?;
        // Before the payment, because a refused delay must not cost anything.
        let delay = settings.delay(
            settings.backoff_delay(&token, retry.throttle),
            retry.retry_after,
        )?;
        let paid = settings.cost(&retry);
        if let Some(quota) = &settings.quota {
            quota.pay(paid)?;
        }
        Ok(StandardRetryToken {
            retries: token.retries.saturating_add(1),
            paid,
            delay,
            ..token
        })
    }

    fn record_success(&self, token: StandardRetryToken) -> Result<(), TokenError> {
        self.check(&token)?;
        let costs = &self.0.settings.costs;
        // A first attempt cost nothing, so that only the success is refunded.
        let refunds_retry = costs.refunds_retry && token.retries > 0;
        let refund = if refunds_retry {
            token.paid
        } else {
            costs.success
        };
        if let Some(quota) = self.quota() {
            quota.refund(refund);
        }
        Ok(())
    }

    /// Refunds the cost of the retry. A token of another strategy is ignored.
    fn release_token(&self, token: StandardRetryToken) {
        // A token of another strategy may have been paid from another quota.
        let issued = self.check(&token).is_ok();
        if let Some(quota) = self.quota().filter(|_| issued) {
            quota.refund(token.paid);
        }
    }
}

impl StandardRetryToken {
    /// Returns the number of retries, including the one that the token is for.
    #[must_use]
    pub const fn retries(&self) -> u64 {
        self.retries
    }
}

impl RetryToken for StandardRetryToken {
    fn delay(&self) -> Duration {
        self.delay
    }
}

impl HostToken {
    #[must_use]
    pub const fn new(token: StandardRetryToken) -> Self {
        Self(Mutex::new(Some(token)))
    }

    /// Returns the token to the strategy that issued it.
    ///
    /// # Errors
    ///
    /// Returns [`TokenError::Used`] if the token was returned before, and [`TokenError::Foreign`], which leaves the
    /// token unused, if another strategy issued it.
    pub fn take(&self, strategy: &StandardRetryStrategy) -> Result<StandardRetryToken, TokenError> {
        // Code under the lock cannot panic, so a poisoned lock is still valid.
        let mut token = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Checked before the token is taken: a foreign token remains valid for its own strategy.
        if let Some(token) = &*token {
            strategy.check(token)?;
        }
        token.take().ok_or(TokenError::Used)
    }
}

impl ResolvedOptions {
    const fn cost(&self, retry: &RetryInfo) -> u32 {
        // A timeout costs more than throttling, because it may indicate a more degraded service.
        if retry.timeout {
            self.costs.timeout
        } else if retry.throttle {
            self.costs.throttling
        } else {
            self.costs.retry
        }
    }

    /// Returns the delay of the exponential backoff with full jitter.
    fn backoff_delay(&self, token: &StandardRetryToken, throttle: bool) -> Duration {
        let (base, max) = match self.backoff {
            Backoff::Fixed(delay) => return delay,
            Backoff::Exponential {
                throttling_base,
                max,
                ..
            } if throttle => (throttling_base, max),
            Backoff::Exponential { base, max, .. } => (base, max),
        };
        // Any number of retries is allowed. The ceiling stops the growth long before it saturates.
        let doublings = u32::try_from(token.retries).unwrap_or(u32::MAX);
        let ceiling = 2_u64
            .saturating_pow(doublings)
            .saturating_mul(whole_millis(base))
            .min(whole_millis(max));
        // A seed for each request: equal draws would let concurrent requests retry together.
        let seed = mix(self.seed, token.request);
        // A ceiling below ten years in milliseconds is exact as an `f64`.
        let millis = draw(seed, token.retries.saturating_add(1)) * ceiling as f64;
        Duration::from_millis(millis as u64)
    }

    /// Applies the minimum delay that the service requests.
    fn delay(
        &self,
        computed: Duration,
        retry_after: Option<Duration>,
    ) -> Result<Duration, RetryRefusal> {
        // Rounded up, so that the request is never sent before the time that the service asked for.
        let Some(retry_after) = retry_after.map(rounded_up).map(Duration::from_millis) else {
            return Ok(computed);
        };
        if let Some(max_retry_after) = self.max_retry_after.filter(|most| retry_after > *most) {
            return Err(RetryRefusal::RetryAfterTooLong {
                retry_after,
                max_retry_after,
            });
        }
        let excess = self.retry_after_excess.unwrap_or(Duration::MAX);
        // The service's delay is a minimum. Rule: docs/rules.md#retry-after
        Ok(retry_after.clamp(computed, computed.saturating_add(excess)))
    }
}

// The `switch` of the specification's example would retry a server fault that is marked as unsafe. Its comment reads
// otherwise: the fault counts only without retry information. This follows the comment.
// Rule: docs/rules.md#unsafe-errors
fn retryable(failure: &FailureInfo) -> Option<RetryInfo> {
    let is_server_fault = failure.fault == Some(ErrorFault::Server);
    let unknown = is_server_fault.then_some(RetryInfo::new(RetrySafety::Maybe));
    let retry = failure.retry.or(unknown);
    retry.filter(|retry| retry.safety != RetrySafety::No)
}
