//! The options of the standard strategy: two presets, all values of which can be set.

mod host;

use std::time::Duration;

use super::RetryQuota;
use crate::error::{OptionsError, option};
use crate::millis::to_ten_years;
use crate::options::{DelaySource, GREATEST_SEED, IntegerSpec, MAX_ATTEMPTS, OptionSpec, SEED};

const DELAY_RANGE: &str = to_ten_years!("must be from 0 to");

const BASE_DELAY: OptionSpec = OptionSpec::new("baseDelay", DELAY_RANGE);
const THROTTLING_BASE_DELAY: OptionSpec = OptionSpec::new("throttlingBaseDelay", DELAY_RANGE);
const MAX_BACKOFF: OptionSpec = OptionSpec::new("maxBackoff", DELAY_RANGE);
const FIXED_DELAY: OptionSpec = OptionSpec::new("fixedDelay", DELAY_RANGE);
const MAX_RETRY_AFTER: OptionSpec = OptionSpec::new("maxRetryAfter", DELAY_RANGE);
const RETRY_AFTER_EXCESS: OptionSpec = OptionSpec::new("retryAfterExcess", DELAY_RANGE);
const MAX_RETRIES: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("maxRetries", "must be an integer from 0 to 2^53 - 1"),
    least: 0,
    greatest: GREATEST_SEED,
};

/// The options of a [`StandardRetryStrategy`](super::StandardRetryStrategy).
///
/// The default is [`specification`](Self::specification).
///
/// # Example: two retries with short delays at first
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{Backoff, RetryOptions, StandardRetryStrategy};
///
/// let backoff = Backoff::exponential(Duration::from_millis(50), Duration::from_secs(5));
/// let options = RetryOptions::default().max_retries(2).backoff(backoff);
/// assert_eq!(StandardRetryStrategy::new(&options, 1)?.max_retries(), 2);
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RetryOptions {
    preset: &'static Preset,
    max_retries: Option<u64>,
    max_attempts: Option<u64>,
    backoff: Backoff,
    quota: Quota,
    costs: RetryCosts,
    max_retry_after: Option<Duration>,
    retry_after_excess: Option<Duration>,
    seed: Option<u64>,
}

/// The growth of the delay between two attempts.
///
/// # Example: a fixed delay and an exponential backoff
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::retry::{Backoff, RetryOptions};
///
/// let fixed = Backoff::Fixed(Duration::from_secs(1));
/// let growing = Backoff::exponential(Duration::from_secs(2), Duration::from_secs(60));
/// # let _ = [RetryOptions::default().backoff(fixed), RetryOptions::default().backoff(growing)];
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backoff {
    /// A random fraction of `base · 2^n`, where n starts at 0, capped at `max`.
    Exponential {
        /// The maximum delay of the first retry.
        base: Duration,
        /// The maximum delay of the first retry if the service throttles.
        throttling_base: Duration,
        /// The maximum delay of any retry.
        max: Duration,
    },
    /// A constant delay before every retry.
    Fixed(Duration),
}

impl Backoff {
    /// Creates an exponential backoff: a random fraction of `base · 2^n`, capped at `max`.
    #[must_use]
    pub const fn exponential(base: Duration, max: Duration) -> Self {
        Self::Exponential {
            base,
            throttling_base: base,
            max,
        }
    }
}

/// The quota of a strategy.
#[derive(Clone, Debug)]
enum Quota {
    /// A quota that only this strategy uses.
    Own { capacity: u32 },
    /// A quota that other strategies use, too.
    Shared(RetryQuota),
    /// No quota: retries are free.
    Unlimited,
}

/// The tokens that retries take from the quota and that successes return to it. The defaults are those of the preset
/// `specification`.
///
/// # Example: a success refunds the cost of a retry
///
/// ```
/// use smithy_waiters::retry::{RetryCosts, RetryOptions};
///
/// let options = RetryOptions::default().costs(RetryCosts { success: 5, ..RetryCosts::default() });
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "every cost is the caller's to choose"
)]
pub struct RetryCosts {
    /// The cost of a retry.
    pub retry: u32,
    /// The cost of a retry if the service throttles.
    pub throttling: u32,
    /// The cost of a retry after a timeout.
    pub timeout: u32,
    /// The refund for a success.
    pub success: u32,
    /// `true` if a success after a retry refunds the cost of that retry instead of [`success`](Self::success).
    pub refunds_retry: bool,
}

impl Default for RetryCosts {
    fn default() -> Self {
        SPECIFICATION.costs
    }
}

/// A set of default values.
#[derive(Debug)]
struct Preset {
    name: &'static str,
    max_retries: u64,
    base_delay: Duration,
    throttling_base_delay: Duration,
    max_backoff: Duration,
    capacity: u32,
    costs: RetryCosts,
    retry_after_excess: Option<Duration>,
}

/// The values of the specification's example.
static SPECIFICATION: Preset = Preset {
    name: "specification",
    max_retries: 5,
    base_delay: Duration::from_secs(1),
    throttling_base_delay: Duration::from_secs(1),
    max_backoff: Duration::from_secs(20),
    capacity: 500,
    costs: RetryCosts {
        retry: 5,
        throttling: 5,
        timeout: 10,
        success: 1,
        refunds_retry: false,
    },
    retry_after_excess: None,
};

/// The values of the AWS SDKs' current standard mode.
static AWS: Preset = Preset {
    name: "aws",
    max_retries: 2,
    base_delay: Duration::from_millis(50),
    throttling_base_delay: Duration::from_secs(1),
    max_backoff: Duration::from_secs(20),
    capacity: 500,
    costs: RetryCosts {
        retry: 14,
        throttling: 5,
        timeout: 14,
        success: 1,
        refunds_retry: true,
    },
    retry_after_excess: Some(Duration::from_secs(5)),
};

static PRESETS: [&Preset; 2] = [&AWS, &SPECIFICATION];

impl Default for RetryOptions {
    fn default() -> Self {
        Self::specification()
    }
}

impl RetryOptions {
    /// Creates the preset `specification`: five retries, delays of `2^n` seconds up to 20 s with full jitter, and a
    /// quota of 500. A retry costs 5, or 10 after a timeout, and a success refunds 1.
    #[must_use]
    pub const fn specification() -> Self {
        Self::from_preset(&SPECIFICATION)
    }

    /// Creates the preset `aws`, which follows the current standard mode of the AWS SDKs: two retries with delays of
    /// `0.05 · 2^n` seconds (`1 · 2^n` if the service throttles) up to 20 s. A retry costs 14, or 5 after throttling. A
    /// success after a retry refunds its cost, and any other success refunds 1.
    ///
    /// Unlike the specification, it limits the pause that a service requests to at most 5 s above the computed delay.
    /// See [docs/rules.md#retry-after](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#retry-after).
    #[must_use]
    pub const fn aws() -> Self {
        Self::from_preset(&AWS)
    }

    /// Creates the preset `specification` with the same delay before each retry.
    #[must_use]
    pub const fn fixed_delay(delay: Duration) -> Self {
        Self::specification().backoff(Backoff::Fixed(delay))
    }

    const fn from_preset(preset: &'static Preset) -> Self {
        Self {
            preset,
            max_retries: None,
            max_attempts: None,
            backoff: Backoff::Exponential {
                base: preset.base_delay,
                throttling_base: preset.throttling_base_delay,
                max: preset.max_backoff,
            },
            quota: Quota::Own {
                capacity: preset.capacity,
            },
            costs: preset.costs,
            max_retry_after: None,
            retry_after_excess: preset.retry_after_excess,
            seed: None,
        }
    }

    /// Sets the maximum number of retries; 0 disables them. Conflicts with [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn max_retries(mut self, max_retries: u64) -> Self {
        self.max_retries = Some(max_retries);
        self
    }

    /// Sets the maximum number of attempts including the first, at least 1. Conflicts with
    /// [`max_retries`](Self::max_retries).
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u64) -> Self {
        self.max_attempts = Some(max_attempts);
        self
    }

    /// Sets the growth of the delay between two attempts.
    #[must_use]
    pub const fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets the capacity of the strategy's own quota, at least 1.
    #[must_use]
    pub fn capacity(mut self, capacity: u32) -> Self {
        self.quota = Quota::Own { capacity };
        self
    }

    /// Sets a quota that other strategies use, too.
    #[must_use]
    pub fn quota(mut self, quota: &RetryQuota) -> Self {
        self.quota = Quota::Shared(quota.clone());
        self
    }

    /// Removes the quota: retries are free.
    #[must_use]
    pub fn without_quota(mut self) -> Self {
        self.quota = Quota::Unlimited;
        self
    }

    /// Sets the tokens that retries take from the quota and that successes return to it.
    #[must_use]
    pub const fn costs(mut self, costs: RetryCosts) -> Self {
        self.costs = costs;
        self
    }

    /// Sets the longest pause that a service may request. If it requests a longer one, the error is not retried. By
    /// default, any pause is accepted.
    #[must_use]
    pub const fn max_retry_after(mut self, max_retry_after: Duration) -> Self {
        self.max_retry_after = Some(max_retry_after);
        self
    }

    /// Sets the maximum by which a pause that a service requests may exceed the computed delay. By default
    /// it is unlimited; in the preset [`aws`](Self::aws) it is 5 s.
    #[must_use]
    pub const fn retry_after_excess(mut self, excess: Duration) -> Self {
        self.retry_after_excess = Some(excess);
        self
    }

    /// Sets the seed of the delays' jitter, at most 2^53 - 1. With the same seed and the same order of requests, the
    /// delays are the same.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Validates the options.
    pub(super) fn checked(&self, seed: u64) -> Result<ResolvedOptions, OptionsError> {
        let optional = |spec, delay: Option<_>| delay.map(|delay| rounded(spec, delay));
        Ok(ResolvedOptions {
            max_retries: self.checked_max_retries()?,
            backoff: self.checked_backoff()?,
            quota: match &self.quota {
                Quota::Own { capacity } => Some(RetryQuota::new(*capacity)?),
                Quota::Shared(quota) => Some(quota.clone()),
                Quota::Unlimited => None,
            },
            costs: self.costs,
            max_retry_after: optional(&MAX_RETRY_AFTER, self.max_retry_after).transpose()?,
            retry_after_excess: optional(&RETRY_AFTER_EXCESS, self.retry_after_excess)
                .transpose()?,
            seed: SEED.checked(seed)?,
        })
    }

    fn checked_max_retries(&self) -> Result<u64, OptionsError> {
        match (self.max_retries, self.max_attempts) {
            (Some(_), Some(_)) => Err(MAX_ATTEMPTS.spec.conflict([
                option("maxRetries"),
                " cannot be combined with ".into(),
                option("maxAttempts"),
                ": attempts include the first one".into(),
            ])),
            (None, None) => Ok(self.preset.max_retries),
            (Some(retries), None) => MAX_RETRIES.checked(retries),
            // Attempts include the first call.
            (None, Some(attempts)) => Ok(MAX_ATTEMPTS.checked(attempts)?.saturating_sub(1)),
        }
    }

    fn checked_backoff(&self) -> Result<Backoff, OptionsError> {
        let (base, throttling_base, max) = match self.backoff {
            Backoff::Fixed(delay) => return rounded(&FIXED_DELAY, delay).map(Backoff::Fixed),
            Backoff::Exponential {
                base,
                throttling_base,
                max,
            } => (base, throttling_base, max),
        };
        let preset = &self.preset;
        // The preset's base may exceed the caller's `max`, which caps every delay anyway. It is not an error, because
        // the caller did not set that base.
        let below_max = |spec, delay, usual| {
            let millis = rounded(spec, delay)?;
            if delay == usual || millis <= rounded(&MAX_BACKOFF, max)? {
                return Ok(millis);
            }
            let delay = DelaySource::of_preset(spec, delay, usual);
            let max = DelaySource::of_preset(&MAX_BACKOFF, max, preset.max_backoff);
            Err(spec.conflict(delay.above(&max)))
        };
        Ok(Backoff::Exponential {
            base: below_max(&BASE_DELAY, base, preset.base_delay)?,
            throttling_base: below_max(
                &THROTTLING_BASE_DELAY,
                throttling_base,
                preset.throttling_base_delay,
            )?,
            max: rounded(&MAX_BACKOFF, max)?,
        })
    }
}

/// Validated options, with times in whole milliseconds.
#[derive(Debug)]
pub(super) struct ResolvedOptions {
    pub(super) max_retries: u64,
    pub(super) backoff: Backoff,
    pub(super) quota: Option<RetryQuota>,
    pub(super) costs: RetryCosts,
    pub(super) max_retry_after: Option<Duration>,
    pub(super) retry_after_excess: Option<Duration>,
    pub(super) seed: u64,
}

fn rounded(spec: &OptionSpec, delay: Duration) -> Result<Duration, OptionsError> {
    spec.millis(delay).map(Duration::from_millis)
}
