//! How the standard strategy behaves: two presets as data, every value of which can be set.

use std::time::Duration;

use super::RetryQuota;
use crate::error::OptionsError;

/// The longest delay that makes sense: ten years, as for a wait.
const LONGEST: Duration = Duration::from_millis(crate::options::TEN_YEARS_MS);

/// How a [`StandardRetryStrategy`](super::StandardRetryStrategy) behaves.
///
/// The default is [`specification`](Self::specification).
///
/// # Example: two retries, an eager start
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{Backoff, RetryOptions};
///
/// let backoff = Backoff::exponential(Duration::from_millis(50), Duration::from_secs(5));
/// let options = RetryOptions::default().max_retries(2).backoff(backoff);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct RetryOptions {
    pub(super) max_retries: u64,
    pub(super) backoff: Backoff,
    pub(super) quota: Quota,
    pub(super) costs: Costs,
    pub(super) max_retry_after: Option<Duration>,
    pub(super) retry_after_excess: Option<Duration>,
}

/// How the delay between two attempts grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backoff {
    /// A random part of `base · 2^n`, n from 0, and never more than `max`.
    Exponential {
        /// The greatest delay of the first retry.
        base: Duration,
        /// The same where the service throttles.
        throttling_base: Duration,
        /// The greatest delay of all.
        max: Duration,
    },
    /// The same delay each time.
    Fixed(Duration),
}

impl Backoff {
    /// A random part of `base · 2^n`, and never more than `max`.
    #[must_use]
    pub const fn exponential(base: Duration, max: Duration) -> Self {
        Self::Exponential {
            base,
            throttling_base: base,
            max,
        }
    }
}

/// Where retries are paid from.
#[derive(Clone, Debug)]
pub(super) enum Quota {
    /// A quota of the strategy's own.
    Own {
        capacity: u32,
    },
    Shared(RetryQuota),
    /// Retries are free.
    Unlimited,
}

/// What retries cost, and what comes back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    pub(super) retry: u32,
    pub(super) throttling: u32,
    pub(super) timeout: u32,
    pub(super) refund: u32,
    /// Whether a success after a retry gives back what that retry cost, instead of the refund.
    pub(super) refunds_cost: bool,
}

/// The values of the specification's example.
const SPECIFICATION: RetryOptions = RetryOptions {
    max_retries: 5,
    backoff: Backoff::exponential(Duration::from_secs(1), Duration::from_secs(20)),
    quota: Quota::Own { capacity: 500 },
    costs: Costs {
        retry: 5,
        throttling: 5,
        timeout: 10,
        refund: 1,
        refunds_cost: false,
    },
    max_retry_after: None,
    retry_after_excess: None,
};

/// The values of the AWS SDKs' newest standard mode.
const AWS: RetryOptions = RetryOptions {
    max_retries: 2,
    backoff: Backoff::Exponential {
        base: Duration::from_millis(50),
        throttling_base: Duration::from_secs(1),
        max: Duration::from_secs(20),
    },
    quota: Quota::Own { capacity: 500 },
    costs: Costs {
        retry: 14,
        throttling: 5,
        timeout: 14,
        refund: 1,
        refunds_cost: true,
    },
    max_retry_after: None,
    retry_after_excess: Some(Duration::from_secs(5)),
};

impl Default for RetryOptions {
    fn default() -> Self {
        SPECIFICATION
    }
}

impl RetryOptions {
    /// The preset `specification`: five retries, `2^n` seconds up to 20 s with full jitter, a quota of 500 from which a
    /// retry takes 5, one after a timeout 10, and to which a success returns 1.
    #[must_use]
    pub const fn specification() -> Self {
        SPECIFICATION
    }

    /// The preset `aws`: what the newest standard mode of the AWS SDKs does. Two retries, `0.05 · 2^n` seconds (`1 · 2^n`
    /// where the service throttles) up to 20 s, a retry costs 14, one after throttling 5; a success after a retry returns
    /// its cost, any other 1.
    ///
    // SPEC: a written difference: a Retry-After counts between the delay that is computed and 5 s more.
    #[must_use]
    pub const fn aws() -> Self {
        AWS
    }

    /// How often a request is made again, at most; 0 for never.
    #[must_use]
    pub const fn max_retries(mut self, max_retries: u64) -> Self {
        self.max_retries = max_retries;
        self
    }

    /// How often a request is made in all, the first attempt included; at least 1, and 0 counts as 1.
    #[must_use]
    pub const fn max_attempts(self, max_attempts: u64) -> Self {
        self.max_retries(max_attempts.saturating_sub(1))
    }

    /// How the delay between two attempts grows.
    #[must_use]
    pub const fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// A quota of its own, of another capacity; at least 1.
    #[must_use]
    pub fn capacity(mut self, capacity: u32) -> Self {
        self.quota = Quota::Own { capacity };
        self
    }

    /// A quota that other strategies use too.
    #[must_use]
    pub fn quota(mut self, quota: &RetryQuota) -> Self {
        self.quota = Quota::Shared(quota.clone());
        self
    }

    /// No quota: retries are free.
    #[must_use]
    pub fn without_quota(mut self) -> Self {
        self.quota = Quota::Unlimited;
        self
    }

    /// What a retry takes from the quota.
    #[must_use]
    pub const fn retry_cost(mut self, cost: u32) -> Self {
        self.costs.retry = cost;
        self
    }

    /// What a retry takes from the quota where the service throttles.
    #[must_use]
    pub const fn throttling_cost(mut self, cost: u32) -> Self {
        self.costs.throttling = cost;
        self
    }

    /// What a retry takes from the quota after a timeout.
    #[must_use]
    pub const fn timeout_cost(mut self, cost: u32) -> Self {
        self.costs.timeout = cost;
        self
    }

    /// What a success returns to the quota.
    #[must_use]
    pub const fn success_refund(mut self, refund: u32) -> Self {
        self.costs.refund = refund;
        self
    }

    /// Whether a success after a retry returns what that retry took, instead of the refund.
    #[must_use]
    pub const fn refund_cost(mut self, refund_cost: bool) -> Self {
        self.costs.refunds_cost = refund_cost;
        self
    }

    /// The longest pause a service may ask for: where it asks for more, the error is not retried.
    #[must_use]
    pub const fn max_retry_after(mut self, max_retry_after: Duration) -> Self {
        self.max_retry_after = Some(max_retry_after);
        self
    }

    /// Whether the delays make sense.
    pub(super) fn check(&self) -> Result<(), OptionsError> {
        let (delays, base, max) = match self.backoff {
            Backoff::Exponential {
                base,
                throttling_base,
                max,
            } => (
                [
                    ("baseDelay", base),
                    ("throttlingBaseDelay", throttling_base),
                    ("maxBackoff", max),
                ],
                base.max(throttling_base),
                max,
            ),
            Backoff::Fixed(delay) => ([("fixedDelay", delay); 3], delay, delay),
        };
        for (option, delay) in delays {
            if delay > LONGEST {
                let message = format!(
                    "{option} must be at most 315360000 seconds (ten years), got {}",
                    delay.as_secs_f64()
                );
                return Err(OptionsError::new("invalid_option", option, message));
            }
        }
        if base <= max {
            return Ok(());
        }
        let message = format!(
            "the base delay must be at most max backoff, got {} s and {} s",
            base.as_secs_f64(),
            max.as_secs_f64()
        );
        Err(OptionsError::new(
            "conflicting_options",
            "baseDelay",
            message,
        ))
    }
}
