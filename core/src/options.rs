//! What the caller of a wait decides: how long, how often, how fast (D10).

mod host;

use std::time::Duration;

use crate::delay::{Bounds, LastPoll};
use crate::error::OptionsError;
use crate::value::display_number;
pub(crate) use host::Given;

/// The longest max wait: ten years. A longer one is a mistake of units.
pub(crate) const TEN_YEARS_MS: u64 = 315_360_000_000;

/// The largest seed: every integer up to it is exact in every language's numbers.
pub(crate) const GREATEST_SEED: u64 = (1 << 53) - 1;

/// How many of the newest attempts a wait remembers, where the caller does not say.
const HISTORY_LIMIT: usize = 10;

const WAIT_RANGE: &str = "must be more than 0 and at most 315360000 seconds (ten years)";
const DELAY_RANGE: &str = "must be at least 1 ms and at most 315360000 seconds (ten years)";
const REMAINING_RANGE: &str = "must be from 0 to 315360000 seconds (ten years)";
const INITIAL_DELAY_RANGE: &str = "must be at least 0 and less than max wait";

/// The options of a wait.
///
/// Only the max wait is required, as the specification's [waiter workflow] demands.
///
/// # Example: five minutes, polling at least every ten seconds
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::WaitOptions;
///
/// let options = WaitOptions::new(Duration::from_secs(300)).max_delay(Duration::from_secs(10));
/// # let _ = options;
/// ```
///
/// [waiter workflow]: https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitOptions {
    max_wait: Duration,
    min_delay: Option<Duration>,
    max_delay: Option<Duration>,
    max_attempts: Option<u64>,
    initial_delay: Duration,
    seed: Option<u64>,
    history_limit: usize,
    final_poll: FinalPoll,
}

/// When the last poll of a wait is made.
///
/// # Example: a last look at the deadline
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{FinalPoll, WaitOptions};
///
/// let at_the_deadline = FinalPoll::AtDeadline { grace: Duration::from_secs(2) };
/// let options = WaitOptions::new(Duration::from_secs(60)).final_poll(at_the_deadline);
/// assert_ne!(options, WaitOptions::new(Duration::from_secs(60)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinalPoll {
    /// One min delay before the deadline: the specification's rule.
    #[default]
    BeforeDeadline,
    /// At the deadline, the rule of upstream since 2024-05; that request has the grace to answer in.
    AtDeadline {
        /// How much later the deadline of the last request is; more than 0.
        grace: Duration,
    },
}

impl WaitOptions {
    /// Options of a wait that takes at most `max_wait`: more than 0, at most ten years.
    #[must_use]
    pub const fn new(max_wait: Duration) -> Self {
        Self {
            max_wait,
            min_delay: None,
            max_delay: None,
            max_attempts: None,
            initial_delay: Duration::ZERO,
            seed: None,
            history_limit: HISTORY_LIMIT,
            final_poll: FinalPoll::BeforeDeadline,
        }
    }

    /// The least delay between two attempts, instead of the definition's.
    #[must_use]
    pub const fn min_delay(mut self, min_delay: Duration) -> Self {
        self.min_delay = Some(min_delay);
        self
    }

    /// The greatest delay between two attempts, instead of the definition's.
    #[must_use]
    pub const fn max_delay(mut self, max_delay: Duration) -> Self {
        self.max_delay = Some(max_delay);
        self
    }

    /// The number of attempts after which the wait gives up, at least 1; unlimited without it.
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u64) -> Self {
        self.max_attempts = Some(max_attempts);
        self
    }

    /// A pause before the first attempt; it counts towards the max wait and must be shorter.
    #[must_use]
    pub const fn initial_delay(mut self, initial_delay: Duration) -> Self {
        self.initial_delay = initial_delay;
        self
    }

    /// The seed of the delays' jitter, at most 2^53 - 1: the same seed gives the same delays.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// How many of the newest attempts the outcome tells of; 10 without it.
    #[must_use]
    pub const fn history_limit(mut self, history_limit: usize) -> Self {
        self.history_limit = history_limit;
        self
    }

    /// When the last poll is made.
    #[must_use]
    pub const fn final_poll(mut self, final_poll: FinalPoll) -> Self {
        self.final_poll = final_poll;
        self
    }

    /// The seed, where the caller gave one.
    #[must_use]
    pub const fn given_seed(&self) -> Option<u64> {
        self.seed
    }

    /// Checks the options against a definition's own delays.
    pub(crate) fn settle(
        &self,
        definition: (Duration, Duration),
        seed: u64,
    ) -> Result<Settings, OptionsError> {
        let max_wait = self.checked_max_wait()?;
        let (last_poll, grace) = self.checked_final_poll()?;
        Ok(Settings {
            max_wait,
            grace,
            bounds: self.checked_bounds(definition)?,
            max_attempts: self.checked_max_attempts()?,
            initial_delay: self.checked_initial_delay(max_wait)?,
            seed: checked_seed(seed)?,
            history_limit: self.checked_history_limit()?,
            last_poll,
        })
    }

    fn checked_max_wait(&self) -> Result<u64, OptionsError> {
        let max_wait = millis("maxWait", "max wait", self.max_wait, WAIT_RANGE)?;
        if max_wait == 0 {
            return Err(invalid("maxWait", format!("max wait {WAIT_RANGE}, got 0")));
        }
        Ok(max_wait)
    }

    fn checked_bounds(&self, (min, max): (Duration, Duration)) -> Result<Bounds, OptionsError> {
        let min = Sourced::new("min delay", self.min_delay, min);
        let max = Sourced::new("max delay", self.max_delay, max);
        let from = millis("minDelay", "min delay", min.value, DELAY_RANGE)?;
        let to = millis("maxDelay", "max delay", max.value, DELAY_RANGE)?;
        if from == 0 {
            return Err(invalid(
                "minDelay",
                format!("min delay {DELAY_RANGE}, got 0"),
            ));
        }
        if from > to {
            let message = format!("{min} is above {max}");
            return Err(OptionsError::new(
                "conflicting_options",
                "minDelay",
                message,
            ));
        }
        Bounds::new(from, to)
    }

    fn checked_max_attempts(&self) -> Result<Option<u64>, OptionsError> {
        match self.max_attempts {
            Some(attempts) if !(1..=GREATEST_SEED).contains(&attempts) => Err(invalid(
                "maxAttempts",
                format!("max attempts must be an integer from 1 to 2^53 - 1, got {attempts}"),
            )),
            attempts => Ok(attempts),
        }
    }

    /// A saved wait is read in every language, whatever the size of its integers there.
    fn checked_history_limit(&self) -> Result<usize, OptionsError> {
        if u32::try_from(self.history_limit).is_ok() {
            return Ok(self.history_limit);
        }
        let message = format!(
            "history limit must be an integer from 0 to {}, got {}",
            u32::MAX,
            self.history_limit
        );
        Err(invalid("historyLimit", message))
    }

    fn checked_initial_delay(&self, max_wait: u64) -> Result<u64, OptionsError> {
        let initial = millis(
            "initialDelay",
            "initial delay",
            self.initial_delay,
            INITIAL_DELAY_RANGE,
        )?;
        if initial >= max_wait {
            let message = format!(
                "initial delay {INITIAL_DELAY_RANGE}, got {} of {}",
                seconds(initial),
                seconds(max_wait)
            );
            return Err(OptionsError::new(
                "conflicting_options",
                "initialDelay",
                message,
            ));
        }
        Ok(initial)
    }

    fn checked_final_poll(&self) -> Result<(LastPoll, u64), OptionsError> {
        let FinalPoll::AtDeadline { grace } = self.final_poll else {
            return Ok((LastPoll::BeforeDeadline, 0));
        };
        let grace = millis("finalPollGrace", "final poll grace", grace, WAIT_RANGE)?;
        if grace == 0 {
            return Err(invalid(
                "finalPollGrace",
                format!("final poll grace {WAIT_RANGE}, got 0"),
            ));
        }
        Ok((LastPoll::AtDeadline, grace))
    }
}

/// Options that hold together, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) max_wait: u64,
    pub(crate) grace: u64,
    pub(crate) bounds: Bounds,
    pub(crate) max_attempts: Option<u64>,
    pub(crate) initial_delay: u64,
    pub(crate) seed: u64,
    pub(crate) history_limit: usize,
    pub(crate) last_poll: LastPoll,
}

/// A delay, and where it came from.
struct Sourced {
    name: &'static str,
    value: Duration,
    source: &'static str,
}

impl Sourced {
    fn new(name: &'static str, option: Option<Duration>, definition: Duration) -> Self {
        match option {
            Some(value) => Self {
                name,
                value,
                source: "option",
            },
            None => Self {
                name,
                value: definition,
                source: "definition",
            },
        }
    }
}

impl std::fmt::Display for Sourced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = seconds(whole_millis(self.value));
        write!(f, "{} {value} ({})", self.name, self.source)
    }
}

/// Rounded down; as many as there can be where there are more.
pub(crate) const fn whole_millis(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000);
    seconds.saturating_add(duration.subsec_millis() as u64)
}

/// Rounded up, and ten years at most: a pause that was asked for is not cut short.
pub(crate) fn rounded_up(duration: Duration) -> u64 {
    let whole = duration.saturating_add(Duration::from_nanos(999_999));
    whole_millis(whole).min(TEN_YEARS_MS)
}

/// Milliseconds as people read them: `300 s`, `0.25 s`.
pub(crate) fn seconds(millis: u64) -> String {
    format!("{} s", display_number(millis as f64 / 1_000.0))
}

pub(crate) fn checked_seed(seed: u64) -> Result<u64, OptionsError> {
    if seed > GREATEST_SEED {
        return Err(invalid(
            "seed",
            format!("seed must be an integer from 0 to 2^53 - 1, got {seed}"),
        ));
    }
    Ok(seed)
}

/// Rounds half up to milliseconds; what is not zero must not become it.
pub(crate) fn millis(
    option: &str,
    name: &str,
    duration: Duration,
    range: &str,
) -> Result<u64, OptionsError> {
    let got = || display_number(duration.as_secs_f64());
    match whole_millis(duration.saturating_add(Duration::from_micros(500))) {
        0 if !duration.is_zero() => {
            let message = format!("{name} {range}, got {}, which rounds to 0 ms", got());
            Err(invalid(option, message))
        }
        millis if millis <= TEN_YEARS_MS => Ok(millis),
        _ => Err(invalid(option, format!("{name} {range}, got {}", got()))),
    }
}

pub(crate) fn invalid(option: &str, message: impl Into<String>) -> OptionsError {
    OptionsError::new("invalid_option", option, message)
}
