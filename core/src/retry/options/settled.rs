//! Options that hold together, in milliseconds.

use std::time::Duration;

use super::{Backoff, Costs, Quota, RetryOptions};
use crate::error::OptionsError;
use crate::options::{GREATEST_SEED, checked_seed, invalid, millis, seconds};
use crate::retry::RetryQuota;

const DELAY_RANGE: &str = "must be from 0 to 315360000 seconds (ten years)";

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
        let optional = |option, name, delay: Option<Duration>| {
            delay
                .map(|delay| millis(option, name, delay, DELAY_RANGE))
                .transpose()
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
            max_retry_after: optional("maxRetryAfter", "max retry after", self.max_retry_after)?,
            retry_after_excess: optional(
                "retryAfterExcess",
                "retry after excess",
                self.retry_after_excess,
            )?,
            seed: checked_seed(seed)?,
        })
    }

    fn settled_max_retries(&self) -> Result<u64, OptionsError> {
        let retries = match (self.max_retries, self.max_attempts) {
            (Some(_), Some(_)) => {
                let message = "max retries and max attempts exclude each other: attempts count the first one too";
                return Err(OptionsError::new(
                    "conflicting_options",
                    "maxAttempts",
                    message,
                ));
            }
            (None, None) => return Ok(self.preset.max_retries),
            (Some(retries), None) => Some(retries),
            (None, Some(attempts)) => attempts.checked_sub(1),
        };
        match retries {
            Some(retries) if retries <= GREATEST_SEED => Ok(retries),
            Some(retries) if self.max_retries.is_some() => Err(invalid(
                "maxRetries",
                format!("max retries must be an integer from 0 to 2^53 - 1, got {retries}"),
            )),
            retries => Err(invalid(
                "maxAttempts",
                format!(
                    "max attempts must be an integer from 1 to 2^53 - 1, got {}",
                    retries.map_or(0, |retries| retries.saturating_add(1))
                ),
            )),
        }
    }

    fn settled_backoff(&self) -> Result<BackoffMs, OptionsError> {
        let (base, throttling_base, max) = match self.backoff {
            Backoff::Fixed(delay) => {
                return millis("fixedDelay", "fixed delay", delay, DELAY_RANGE)
                    .map(BackoffMs::Fixed);
            }
            Backoff::Exponential {
                base,
                throttling_base,
                max,
            } => (base, throttling_base, max),
        };
        let named = [
            ("baseDelay", "base delay", base),
            (
                "throttlingBaseDelay",
                "throttling base delay",
                throttling_base,
            ),
            ("maxBackoff", "max backoff", max),
        ];
        let mut settled = [0; 3];
        for ((option, name, delay), settled) in named.into_iter().zip(&mut settled) {
            *settled = millis(option, name, delay, DELAY_RANGE)?;
        }
        let [base, throttling_base, max] = settled;
        for ((option, name, _), delay) in named.into_iter().zip([base, throttling_base]) {
            if delay > max {
                let message = format!(
                    "{name} {} is above max backoff {}",
                    seconds(delay),
                    seconds(max)
                );
                return Err(OptionsError::new("conflicting_options", option, message));
            }
        }
        Ok(BackoffMs::Exponential {
            base,
            throttling_base,
            max,
        })
    }
}
