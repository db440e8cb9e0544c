//! How the standard strategy behaves: two presets as data, every value of which can be set.

mod host;

use std::time::Duration;

use super::RetryQuota;
use crate::error::{OptionsError, option};
use crate::options::{DelaySource, GREATEST_SEED, IntegerSpec, MAX_ATTEMPTS, OptionSpec, SEED};

const DELAY_RANGE: &str = "must be from 0 to 315360000 seconds (ten years)";

const BASE_DELAY: OptionSpec = OptionSpec::new("baseDelay", DELAY_RANGE);
const THROTTLING_BASE_DELAY: OptionSpec = OptionSpec::new("throttlingBaseDelay", DELAY_RANGE);
const MAX_BACKOFF: OptionSpec = OptionSpec::new("maxBackoff", DELAY_RANGE);
const FIXED_DELAY: OptionSpec = OptionSpec::new("fixedDelay", DELAY_RANGE);
const MAX_RETRY_AFTER: OptionSpec = OptionSpec::new("maxRetryAfter", DELAY_RANGE);
const RETRY_AFTER_EXCESS: OptionSpec = OptionSpec::new("retryAfterExcess", DELAY_RANGE);
const MAX_RETRIES: IntegerSpec = IntegerSpec {
    ranged: OptionSpec::new("maxRetries", "must be an integer from 0 to 2^53 - 1"),
    least: 0,
    greatest: GREATEST_SEED,
};

/// How a [`StandardRetryStrategy`](super::StandardRetryStrategy) behaves.
///
/// The default is [`specification`](Self::specification).
///
/// # Example: two retries, an eager start
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

/// How the delay between two attempts grows.
///
/// # Example: a second each time, or up to 2, 4, 8, …
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

/// The source that pays for retries.
#[derive(Clone, Debug)]
enum Quota {
    /// A quota of the strategy's own.
    Own { capacity: u32 },
    /// One that others use too.
    Shared(RetryQuota),
    /// Retries are free.
    Unlimited,
}

/// The tokens that retries take from the quota and that successes return to it. The default is that of the preset
/// `specification`.
///
/// # Example: a success makes up for a retry
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
    /// Refunds the cost of the retry, instead, for a success after a retry.
    pub refunds_retry: bool,
}

impl Default for RetryCosts {
    fn default() -> Self {
        SPECIFICATION.costs
    }
}

/// The values that options begin with.
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

/// The values of the AWS SDKs' newest standard mode.
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
    /// The preset `specification`: five retries, `2^n` seconds up to 20 s with full jitter, a quota of 500 from which a
    /// retry takes 5, one after a timeout 10, and to which a success returns 1.
    #[must_use]
    pub const fn specification() -> Self {
        Self::of(&SPECIFICATION)
    }

    /// The preset `aws`: what the newest standard mode of the AWS SDKs does. Two retries, `0.05 · 2^n` seconds (`1 · 2^n`
    /// where the service throttles) up to 20 s, a retry costs 14, one after throttling 5; a success after a retry returns
    /// its cost, any other 1.
    ///
    // SPEC: a written difference: a Retry-After counts between the delay that is computed and 5 s more.
    #[must_use]
    pub const fn aws() -> Self {
        Self::of(&AWS)
    }

    /// The preset `specification` with the same delay before each retry.
    #[must_use]
    pub const fn fixed_delay(delay: Duration) -> Self {
        Self::specification().backoff(Backoff::Fixed(delay))
    }

    const fn of(preset: &'static Preset) -> Self {
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

    /// How often a request is made again, at most; 0 for never. Not together with [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn max_retries(mut self, max_retries: u64) -> Self {
        self.max_retries = Some(max_retries);
        self
    }

    /// How often a request is made in all, the first attempt included; at least 1. Not together with
    /// [`max_retries`](Self::max_retries).
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u64) -> Self {
        self.max_attempts = Some(max_attempts);
        self
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

    /// The tokens that retries take from the quota and that successes return to it.
    #[must_use]
    pub const fn costs(mut self, costs: RetryCosts) -> Self {
        self.costs = costs;
        self
    }

    /// The longest pause a service may ask for: where it asks for more, the error is not retried. None by default.
    #[must_use]
    pub const fn max_retry_after(mut self, max_retry_after: Duration) -> Self {
        self.max_retry_after = Some(max_retry_after);
        self
    }

    /// How much longer than the computed delay a pause can be that a service asks for; as long as it asks by default, 5 s
    /// in the preset [`aws`](Self::aws).
    #[must_use]
    pub const fn retry_after_excess(mut self, excess: Duration) -> Self {
        self.retry_after_excess = Some(excess);
        self
    }

    /// The seed of the delays' jitter, at most 2^53 - 1: the same seed and the same order of requests give the same delays.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Checks the options.
    pub(super) fn checked(&self, seed: u64) -> Result<ResolvedOptions, OptionsError> {
        let optional = |ranged, delay: Option<_>| delay.map(|delay| rounded(ranged, delay));
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
            (Some(_), Some(_)) => Err(MAX_ATTEMPTS.ranged.conflict([
                option("maxRetries"),
                " and ".into(),
                option("maxAttempts"),
                " exclude each other: attempts count the first one too".into(),
            ])),
            (None, None) => Ok(self.preset.max_retries),
            (Some(retries), None) => MAX_RETRIES.checked(retries),
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
        // A base of the preset may be above the caller's greatest delay, which cuts every backoff: the caller never chose it.
        let below_max = |ranged, delay, usual| {
            let millis = rounded(ranged, delay)?;
            if delay == usual || millis <= rounded(&MAX_BACKOFF, max)? {
                return Ok(millis);
            }
            let delay = DelaySource::of_preset(ranged, delay, usual);
            let max = DelaySource::of_preset(&MAX_BACKOFF, max, preset.max_backoff);
            Err(ranged.conflict(delay.above(&max)))
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

/// Checked options; times are whole milliseconds.
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

fn rounded(ranged: &OptionSpec, delay: Duration) -> Result<Duration, OptionsError> {
    ranged.millis(delay).map(Duration::from_millis)
}
