//! Options that hold together, in milliseconds.

use std::time::Duration;

use super::{Backoff, Costs, Quota, RetryOptions};
use crate::error::OptionsError;
use crate::options::{GREATEST_SEED, Integer, MAX_ATTEMPTS, Ranged, SEED, Sourced};
use crate::retry::RetryQuota;

const DELAY_RANGE: &str = "must be from 0 to 315360000 seconds (ten years)";

pub(super) const BASE_DELAY: Ranged = Ranged::new("baseDelay", "base delay", DELAY_RANGE);
pub(super) const THROTTLING_BASE_DELAY: Ranged =
    Ranged::new("throttlingBaseDelay", "throttling base delay", DELAY_RANGE);
pub(super) const MAX_BACKOFF: Ranged = Ranged::new("maxBackoff", "max backoff", DELAY_RANGE);
pub(super) const FIXED_DELAY: Ranged = Ranged::new("fixedDelay", "fixed delay", DELAY_RANGE);
pub(super) const MAX_RETRY_AFTER: Ranged =
    Ranged::new("maxRetryAfter", "max retry after", DELAY_RANGE);
pub(super) const RETRY_AFTER_EXCESS: Ranged =
    Ranged::new("retryAfterExcess", "retry after excess", DELAY_RANGE);
pub(super) const MAX_RETRIES: Integer = Integer {
    ranged: Ranged::new(
        "maxRetries",
        "max retries",
        "must be an integer from 0 to 2^53 - 1",
    ),
    least: 0,
    greatest: GREATEST_SEED,
};

/// Options that hold together.
#[derive(Debug)]
pub(in crate::retry) struct Settled {
    pub(in crate::retry) max_retries: u64,
    pub(in crate::retry) backoff: BackoffMs,
    pub(in crate::retry) quota: Option<RetryQuota>,
    pub(in crate::retry) costs: Costs,
    pub(in crate::retry) max_retry_after: Option<u64>,
    pub(in crate::retry) retry_after_excess: Option<u64>,
    pub(in crate::retry) seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::retry) enum BackoffMs {
    Exponential {
        base: u64,
        throttling_base: u64,
        max: u64,
    },
    Fixed(u64),
}

impl RetryOptions {
    /// Checks the options.
    pub(in crate::retry) fn settle(&self, seed: u64) -> Result<Settled, OptionsError> {
        let optional = |ranged: &Ranged, delay: Option<Duration>| {
            delay.map(|delay| ranged.millis(delay)).transpose()
        };
        Ok(Settled {
            max_retries: self.settled_max_retries()?,
            backoff: self.settled_backoff()?,
            quota: match &self.quota {
                Quota::Own { capacity } => Some(RetryQuota::new(*capacity)?),
                Quota::Shared(quota) => Some(quota.clone()),
                Quota::Unlimited => None,
            },
            costs: self.costs,
            max_retry_after: optional(&MAX_RETRY_AFTER, self.max_retry_after)?,
            retry_after_excess: optional(&RETRY_AFTER_EXCESS, self.retry_after_excess)?,
            seed: SEED.checked(seed)?,
        })
    }

    fn settled_max_retries(&self) -> Result<u64, OptionsError> {
        match (self.max_retries, self.max_attempts) {
            (Some(_), Some(_)) => {
                let message = "max retries and max attempts exclude each other: attempts count the first one too";
                Err(MAX_ATTEMPTS.ranged.conflict(message.to_owned()))
            }
            (None, None) => Ok(self.preset.max_retries),
            (Some(retries), None) => MAX_RETRIES.checked(retries),
            (None, Some(attempts)) => Ok(MAX_ATTEMPTS.checked(attempts)?.saturating_sub(1)),
        }
    }

    fn settled_backoff(&self) -> Result<BackoffMs, OptionsError> {
        if let Backoff::Fixed(delay) = self.backoff {
            return FIXED_DELAY.millis(delay).map(BackoffMs::Fixed);
        }
        let [base, throttling_base, max] = delays(self.backoff);
        let [usual_base, usual_throttling_base, usual_max] = delays(self.preset.backoff);
        let checked = |ranged, delay, usual| {
            let [delay, max] = [(ranged, delay, usual), (&MAX_BACKOFF, max, usual_max)];
            not_above(delay, max)
        };
        Ok(BackoffMs::Exponential {
            base: checked(&BASE_DELAY, base, usual_base)?,
            throttling_base: checked(
                &THROTTLING_BASE_DELAY,
                throttling_base,
                usual_throttling_base,
            )?,
            max: MAX_BACKOFF.millis(max)?,
        })
    }
}

/// A delay as it is, and as the preset has it.
type Chosen<'r> = (&'r Ranged, Duration, Duration);

/// Returns a delay in milliseconds, if it is not above the greatest one.
///
/// The preset's own delay may be: each backoff is cut at the greatest one, and the caller never chose the preset's.
fn not_above(delay: Chosen<'_>, max: Chosen<'_>) -> Result<u64, OptionsError> {
    let millis = delay.0.millis(delay.1)?;
    if delay.1 == delay.2 || millis <= max.0.millis(max.1)? {
        return Ok(millis);
    }
    let said = |(ranged, value, usual)| Sourced::of_preset(ranged, value, usual);
    Err(delay
        .0
        .conflict(format!("{} is above {}", said(delay), said(max))))
}

/// The base, the one where the service throttles, and the greatest.
const fn delays(backoff: Backoff) -> [Duration; 3] {
    match backoff {
        Backoff::Fixed(delay) => [delay; 3],
        Backoff::Exponential {
            base,
            throttling_base,
            max,
        } => [base, throttling_base, max],
    }
}
