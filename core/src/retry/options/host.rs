//! The strategy's options from an object of a host language, with times in seconds.

use super::{
    BASE_DELAY, Backoff, FIXED_DELAY, MAX_BACKOFF, MAX_RETRIES, MAX_RETRY_AFTER, PRESETS, Preset,
    Quota, RETRY_AFTER_EXCESS, RetryOptions, SPECIFICATION, THROTTLING_BASE_DELAY,
};
use crate::error::{OptionsError, option};
use crate::options::{FromHost, IntegerSpec, MAX_ATTEMPTS, OptionSpec, RawOptions, SEED, Seeded};
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

const CAPACITY: IntegerSpec = small("capacity", 1, "must be an integer from 1 to 4294967295");
const RETRY_COST: IntegerSpec = cost("retryCost");
const THROTTLING_COST: IntegerSpec = cost("throttlingCost");
const TIMEOUT_COST: IntegerSpec = cost("timeoutCost");
const SUCCESS_REFUND: IntegerSpec = cost("successRefund");

const fn cost(option: &'static str) -> IntegerSpec {
    small(option, 0, "must be an integer from 0 to 4294967295")
}

const fn small(option: &'static str, least: u64, range: &'static str) -> IntegerSpec {
    IntegerSpec {
        spec: OptionSpec::new(option, range),
        least,
        greatest: u32::MAX as u64,
    }
}

#[doc(hidden)]
impl FromHost for RetryOptions {
    const NAMES: &'static [&'static str] = &RETRY_OPTIONS;

    /// Reads options from an object of a host language. Null values count as absent.
    ///
    /// - `preset` is `"specification"` or `"aws"`; all other options override its values.
    /// - `maxRetries` or `maxAttempts`
    /// - `baseDelay`, `throttlingBaseDelay` and `maxBackoff`, or `fixedDelay`, in seconds
    /// - `maxRetryAfter` and `retryAfterExcess` in seconds
    /// - `capacity`, or `unlimited` for no quota; to share a quota, call [`quota`](Self::quota)
    /// - `retryCost`, `throttlingCost`, `timeoutCost` and `successRefund`
    /// - `refundCost`: `true` to refund the cost of a successful retry
    /// - `seed`
    ///
    /// # Errors
    ///
    /// Returns `unknown_option` for an unknown name, `invalid_option` for a value of the wrong type or out of range,
    /// and `conflicting_options` for options that exclude each other.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, &RETRY_OPTIONS)?;
        let mut options = Self::from_preset(preset(&raw)?);
        options.max_retries = raw.integer(&MAX_RETRIES)?;
        options.max_attempts = raw.integer(&MAX_ATTEMPTS)?;
        options.backoff = backoff(&raw, options.preset)?;
        options.quota = quota(&raw, options.quota)?;
        let costs = &mut options.costs;
        for (option, cost) in [
            (RETRY_COST, &mut costs.retry),
            (THROTTLING_COST, &mut costs.throttling),
            (TIMEOUT_COST, &mut costs.timeout),
            (SUCCESS_REFUND, &mut costs.success),
        ] {
            *cost = read_small(&raw, &option)?.unwrap_or(*cost);
        }
        let refunds = raw.boolean("refundCost")?;
        costs.refunds_retry = refunds.unwrap_or(costs.refunds_retry);
        options.max_retry_after = raw.duration(&MAX_RETRY_AFTER)?;
        let excess = raw.duration(&RETRY_AFTER_EXCESS)?;
        options.retry_after_excess = excess.or(options.retry_after_excess);
        options.seed = raw.integer(&SEED)?;
        // Validate here, so that the error points at the caller's options and not at the strategy's construction.
        options.checked(0)?;
        Ok(options)
    }
}

impl RetryOptions {
    /// Reads options as [`from_host`](FromHost::from_host) does, for a strategy with a shared quota.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_host`](FromHost::from_host), and `conflicting_options` for `capacity` and
    /// `unlimited`, which are options of a new quota.
    #[doc(hidden)]
    pub fn from_host_sharing<V: Value>(
        object: V,
        shared: &RetryQuota,
    ) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object.clone(), &RETRY_OPTIONS)?;
        if let Some(name) = raw.first_of(&["capacity", "unlimited"]) {
            let parts = [
                option(name),
                " cannot be combined with ".into(),
                option("quota"),
            ];
            return Err(OptionsError::conflict(name, parts));
        }
        Ok(Self::from_host(object)?.quota(shared))
    }

    /// Checks that no option is set beside the caller's strategy.
    ///
    /// # Errors
    ///
    /// Returns `conflicting_options` for any option, and `unknown_option` for any other name.
    #[doc(hidden)]
    pub fn check_no_options<V: Value>(object: V) -> Result<(), OptionsError> {
        let raw = RawOptions::read(object, &RETRY_OPTIONS)?;
        let Some(name) = raw.first_of(&RETRY_OPTIONS) else {
            return Ok(());
        };
        let parts = [
            option(name),
            " cannot be combined with ".into(),
            option("strategy"),
            ", which has its own limits".into(),
        ];
        Err(OptionsError::conflict(name, parts))
    }
}

#[doc(hidden)]
impl Seeded for RetryOptions {
    fn seed_option(&self) -> Option<u64> {
        self.seed
    }
}

#[doc(hidden)]
impl FromHost for RetryQuota {
    const NAMES: &'static [&'static str] = &["capacity"];

    /// Creates a full quota from an object of a host language: `capacity`, by default 500.
    ///
    /// # Errors
    ///
    /// Returns `unknown_option` for any other name and `invalid_option` for a capacity that is not a positive integer.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        Self::new(read_small(&raw, &CAPACITY)?.unwrap_or(SPECIFICATION.capacity))
    }
}

fn preset(raw: &RawOptions) -> Result<&'static Preset, OptionsError> {
    let words = PRESETS.map(|preset| (preset.name, preset));
    let preset = raw.word("preset", &words, "must be `specification` or `aws`")?;
    Ok(preset.unwrap_or(&SPECIFICATION))
}

fn backoff(raw: &RawOptions, preset: &Preset) -> Result<Backoff, OptionsError> {
    let base = raw.duration(&BASE_DELAY)?;
    let throttling = raw.duration(&THROTTLING_BASE_DELAY)?;
    let max = raw.duration(&MAX_BACKOFF)?;
    if let Some(delay) = raw.duration(&FIXED_DELAY)? {
        if base.or(throttling).or(max).is_some() {
            return Err(FIXED_DELAY.conflict([
                option("fixedDelay"),
                " cannot be combined with ".into(),
                option("baseDelay"),
                ", ".into(),
                option("throttlingBaseDelay"),
                " or ".into(),
                option("maxBackoff"),
            ]));
        }
        return Ok(Backoff::Fixed(delay));
    }
    // If the preset has one base for both kinds of errors, the caller's base also applies to both.
    let for_both = base.filter(|_| preset.base_delay == preset.throttling_base_delay);
    Ok(Backoff::Exponential {
        base: base.unwrap_or(preset.base_delay),
        throttling_base: throttling
            .or(for_both)
            .unwrap_or(preset.throttling_base_delay),
        max: max.unwrap_or(preset.max_backoff),
    })
}

fn quota(raw: &RawOptions, preset: Quota) -> Result<Quota, OptionsError> {
    let capacity = read_small(raw, &CAPACITY)?;
    let unlimited = raw.boolean("unlimited")?.unwrap_or(false);
    match capacity {
        Some(_) if unlimited => Err(CAPACITY.spec.conflict([
            option("capacity"),
            " cannot be combined with ".into(),
            option("unlimited"),
        ])),
        Some(capacity) => Ok(Quota::Own { capacity }),
        None if unlimited => Ok(Quota::Unlimited),
        None => Ok(preset),
    }
}

fn read_small(raw: &RawOptions, integer: &IntegerSpec) -> Result<Option<u32>, OptionsError> {
    let number = raw.integer(integer)?;
    Ok(number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
}
