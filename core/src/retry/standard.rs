//! The standard strategy: exponential backoff with full jitter, limited by a quota.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::options::{Backoff, ResolvedOptions};
use super::{
    ErrorFault, FailureInfo, RefreshError, RetryInfo, RetryOptions, RetryQuota, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, TokenError,
};
use crate::delay::{draw, mix};
use crate::error::OptionsError;
use crate::millis::{rounded_up, whole_millis};

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
    parts: TokenParts,
    delay: Duration,
}

/// The parts of a [`StandardRetryToken`] without its delay, for hosts that store tokens.
///
/// # Example: storing and restoring a token
///
/// ```
/// use smithy_waiters::retry::{RetryOptions, RetryStrategy, StandardRetryStrategy};
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 42)?;
/// let parts = strategy.acquire_initial_token()?.into_parts();
/// assert_eq!(strategy.token(parts).retries(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "hosts that store the parts must store all of them"
)]
pub struct TokenParts {
    /// The number of the request, from 0.
    pub request: u64,
    /// The number of retries that were made.
    pub retries: u64,
    /// The cost of the latest retry.
    pub paid: u32,
}

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

    /// Returns `true` if this strategy issued the token. Hosts check it before they pass a token by value.
    #[must_use]
    pub fn issued(&self, token: &StandardRetryToken) -> bool {
        Arc::ptr_eq(&self.0, &token.strategy)
    }

    /// Creates a token from its parts, with a delay of zero. The host must ensure that each token is used once.
    #[must_use]
    pub fn token(&self, parts: TokenParts) -> StandardRetryToken {
        StandardRetryToken {
            strategy: Arc::clone(&self.0),
            parts,
            delay: Duration::ZERO,
        }
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
        let (settings, parts) = (&self.0.settings, token.parts);
        if parts.retries >= settings.max_retries {
            Err(RetryRefusal::max_retries(settings.max_retries))?;
        }
        let retry = retryable(failure).ok_or(RetryRefusal::NotRetryable)?;
        let delay = settings.delay(
            settings.backoff_delay(parts, retry.throttle),
            retry.retry_after,
        )?;
        let paid = settings.cost(&retry);
        if let Some(quota) = &settings.quota {
            quota.pay(paid)?;
        }
        let parts = TokenParts {
            retries: parts.retries.saturating_add(1),
            paid,
            ..parts
        };
        Ok(StandardRetryToken {
            parts,
            delay,
            ..token
        })
    }

    fn record_success(&self, token: StandardRetryToken) -> Result<(), TokenError> {
        self.check(&token)?;
        let costs = &self.0.settings.costs;
        let refunds_retry = costs.refunds_retry && token.parts.retries > 0;
        let refund = if refunds_retry {
            token.parts.paid
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
        let issued = self.check(&token).is_ok();
        if let Some(quota) = self.quota().filter(|_| issued) {
            quota.refund(token.parts.paid);
        }
    }
}

impl StandardRetryToken {
    /// Returns the number of retries, including the one that the token is for.
    #[must_use]
    pub const fn retries(&self) -> u64 {
        self.parts.retries
    }

    /// Returns the parts of the token.
    #[must_use]
    pub fn into_parts(self) -> TokenParts {
        self.parts
    }
}

impl RetryToken for StandardRetryToken {
    fn delay(&self) -> Duration {
        self.delay
    }
}

impl ResolvedOptions {
    const fn cost(&self, retry: &RetryInfo) -> u32 {
        if retry.timeout {
            self.costs.timeout
        } else if retry.throttle {
            self.costs.throttling
        } else {
            self.costs.retry
        }
    }

    /// Returns the delay of the exponential backoff with full jitter.
    fn backoff_delay(&self, token: TokenParts, throttle: bool) -> Duration {
        let (base, max) = match self.backoff {
            Backoff::Fixed(delay) => return delay,
            Backoff::Exponential {
                throttling_base,
                max,
                ..
            } if throttle => (throttling_base, max),
            Backoff::Exponential { base, max, .. } => (base, max),
        };
        let doublings = u32::try_from(token.retries).unwrap_or(u32::MAX);
        let ceiling = 2_u64
            .saturating_pow(doublings)
            .saturating_mul(whole_millis(base))
            .min(whole_millis(max));
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
