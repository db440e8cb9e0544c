//! The strategy's options as a host language gives them: an object, with its times in seconds, unchecked.

use super::settled::{
    BASE_DELAY, FIXED_DELAY, MAX_BACKOFF, MAX_RETRIES, MAX_RETRY_AFTER, RETRY_AFTER_EXCESS,
    THROTTLING_BASE_DELAY,
};
use super::{Backoff, PRESETS, Preset, Quota, RetryOptions, SPECIFICATION};
use crate::error::OptionsError;
use crate::options::{Given, Integer, MAX_ATTEMPTS, Ranged, SEED, invalid};
use crate::retry::RetryQuota;
use crate::value::Value;

const RETRY_OPTIONS: [&str; 17] = [
    "baseDelay",
    "capacity",
    "fixedDelay",
    "maxAttempts",
    "maxBackoff",
    "maxRetries",
    "maxRetryAfter",
    "preset",
    "refundCost",
    "retryAfterExcess",
    "retryCost",
    "seed",
    "successRefund",
    "throttlingBaseDelay",
    "throttlingCost",
    "timeoutCost",
    "unlimited",
];

/// The greatest cost and capacity.
const MOST: u64 = u32::MAX as u64;

const CAPACITY: Integer = Integer {
    ranged: Ranged::new(
        "capacity",
        "capacity",
        "must be an integer from 1 to 4294967295",
    ),
    least: 1,
    greatest: MOST,
};

impl RetryOptions {
    /// Options from an object of a host language: `preset` (`"specification"` or `"aws"`), over which every other counts;
    /// `maxRetries` or `maxAttempts`; `baseDelay`, `throttlingBaseDelay`, `maxBackoff`, or `fixedDelay`, `maxRetryAfter`,
    /// `retryAfterExcess` in seconds; `capacity`, or `unlimited` for no quota; `retryCost`, `throttlingCost`, `timeoutCost`,
    /// `successRefund`; `refundCost` for a refund of what a retry cost; `seed`. What is null counts as not given. A quota that
    /// is shared is no option of these: [`quota`](Self::quota).
    ///
    /// # Errors
    ///
    /// `unknown_option` for a name that is none of these, `invalid_option` for a value of the wrong type or out of range,
    /// `conflicting_options` for two that exclude each other.
    pub fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let given = Given::read(object, &RETRY_OPTIONS)?;
        let mut options = Self::of(preset(&given)?);
        options.max_retries = given.integer(&MAX_RETRIES)?;
        options.max_attempts = given.integer(&MAX_ATTEMPTS)?;
        options.backoff = backoff(&given, options.backoff)?;
        options.quota = quota(&given, options.quota)?;
        let costs = &mut options.costs;
        let named = [
            ("retryCost", "retry cost", &mut costs.retry),
            ("throttlingCost", "throttling cost", &mut costs.throttling),
            ("timeoutCost", "timeout cost", &mut costs.timeout),
            ("successRefund", "success refund", &mut costs.refund),
        ];
        for (option, name, given_or_preset) in named {
            *given_or_preset = cost(&given, option, name)?.unwrap_or(*given_or_preset);
        }
        let refunds = given.boolean("refundCost", "refund cost")?;
        costs.refunds_cost = refunds.unwrap_or(costs.refunds_cost);
        options.max_retry_after = given.duration(&MAX_RETRY_AFTER)?;
        let excess = given.duration(&RETRY_AFTER_EXCESS)?;
        options.retry_after_excess = excess.or(options.retry_after_excess);
        options.seed = given.integer(&SEED)?;
        // Found here, where the caller writes them, and not when the strategy is made.
        options.settle(0)?;
        Ok(options)
    }
}

impl RetryQuota {
    /// A full quota from an object of a host language: `capacity`, 500 without it.
    ///
    /// # Errors
    ///
    /// `unknown_option` for any other name, `invalid_option` for what is no integer from 1.
    pub fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let given = Given::read(object, &["capacity"])?;
        Self::new(small(&given, &CAPACITY)?.unwrap_or(SPECIFICATION.capacity))
    }
}

fn preset(given: &Given) -> Result<&'static Preset, OptionsError> {
    let Some(name) = given.text("preset", "preset", "`specification` or `aws`")? else {
        return Ok(&SPECIFICATION);
    };
    let found = PRESETS.into_iter().find(|preset| preset.name == name);
    found.ok_or_else(|| {
        let message = format!("preset must be `specification` or `aws`, got `{name}`");
        invalid("preset", message)
    })
}

fn backoff(given: &Given, of_preset: Backoff) -> Result<Backoff, OptionsError> {
    let base = given.duration(&BASE_DELAY)?;
    let throttling = given.duration(&THROTTLING_BASE_DELAY)?;
    let greatest = given.duration(&MAX_BACKOFF)?;
    let fixed = given.duration(&FIXED_DELAY)?;
    match (fixed, of_preset) {
        (Some(_), _) if base.or(throttling).or(greatest).is_some() => {
            let message = "a fixed delay does not grow: base delay, throttling base delay and max backoff are not for it";
            Err(OptionsError::new(
                "conflicting_options",
                "fixedDelay",
                message,
            ))
        }
        (Some(delay), _) => Ok(Backoff::Fixed(delay)),
        (
            None,
            Backoff::Exponential {
                base: own,
                throttling_base,
                max,
            },
        ) => Ok(Backoff::Exponential {
            base: base.unwrap_or(own),
            // Where the preset makes no difference between the two, the caller's base is for both.
            throttling_base: throttling.unwrap_or(match base {
                Some(base) if own == throttling_base => base,
                _ => throttling_base,
            }),
            max: greatest.unwrap_or(max),
        }),
        (None, fixed) => Ok(fixed),
    }
}

fn quota(given: &Given, of_preset: Quota) -> Result<Quota, OptionsError> {
    let capacity = small(given, &CAPACITY)?;
    let unlimited = given.boolean("unlimited", "unlimited")?.unwrap_or(false);
    match capacity {
        Some(_) if unlimited => {
            let message = "what is unlimited has no capacity";
            Err(OptionsError::new(
                "conflicting_options",
                "capacity",
                message,
            ))
        }
        Some(capacity) => Ok(Quota::Own { capacity }),
        None if unlimited => Ok(Quota::Unlimited),
        None => Ok(of_preset),
    }
}

fn cost(
    given: &Given,
    option: &'static str,
    name: &'static str,
) -> Result<Option<u32>, OptionsError> {
    small(
        given,
        &Integer {
            ranged: Ranged::new(option, name, "must be an integer from 0 to 4294967295"),
            least: 0,
            greatest: MOST,
        },
    )
}

fn small(given: &Given, integer: &Integer) -> Result<Option<u32>, OptionsError> {
    let number = given.integer(integer)?;
    Ok(number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
}
