//! How the standard strategy behaves: two presets as data, every value of which can be set.

mod host;
mod settled;

use std::time::Duration;

use super::RetryQuota;
pub(super) use settled::{BackoffMs, Settled};

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
    costs: Costs,
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

/// Where retries are paid from.
#[derive(Clone, Debug)]
enum Quota {
    /// A quota of the strategy's own.
    Own { capacity: u32 },
    /// One that others use too.
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

/// The values that options begin with.
#[derive(Debug)]
struct Preset {
    name: &'static str,
    max_retries: u64,
    backoff: Backoff,
    capacity: u32,
    costs: Costs,
    retry_after_excess: Option<Duration>,
}

/// The values of the specification's example.
static SPECIFICATION: Preset = Preset {
    name: "specification",
    max_retries: 5,
    backoff: Backoff::exponential(Duration::from_secs(1), Duration::from_secs(20)),
    capacity: 500,
    costs: Costs {
        retry: 5,
        throttling: 5,
        timeout: 10,
        refund: 1,
        refunds_cost: false,
    },
    retry_after_excess: None,
};

/// The values of the AWS SDKs' newest standard mode.
static AWS: Preset = Preset {
    name: "aws",
    max_retries: 2,
    backoff: Backoff::Exponential {
        base: Duration::from_millis(50),
        throttling_base: Duration::from_secs(1),
        max: Duration::from_secs(20),
    },
    capacity: 500,
    costs: Costs {
        retry: 14,
        throttling: 5,
        timeout: 14,
        refund: 1,
        refunds_cost: true,
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

    /// No retries: every request is sent once.
    #[must_use]
    pub fn none() -> Self {
        Self::specification().max_retries(0).without_quota()
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
            backoff: preset.backoff,
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

    /// The seed, where the caller gave one.
    #[must_use]
    pub const fn given_seed(&self) -> Option<u64> {
        self.seed
    }
}
