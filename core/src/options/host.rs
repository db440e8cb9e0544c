//! Options as a host language gives them: an object of numbers, in seconds, unchecked.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{
    DELAY_RANGE, FinalPoll, GREATEST_SEED, INITIAL_DELAY_RANGE, REMAINING_RANGE, TEN_YEARS_MS,
    WAIT_RANGE, WaitOptions, invalid,
};
use crate::delay::DelayInput;
use crate::error::OptionsError;
use crate::value::{Kind, Value, describe};

impl WaitOptions {
    /// Options from an object of a host language: `maxWait`, `minDelay`, `maxDelay`, `initialDelay`, `finalPollGrace` in
    /// seconds; `maxAttempts`, `seed`, `historyLimit`; `finalPoll` as `"beforeDeadline"` or `"atDeadline"`. What is null
    /// counts as not given.
    ///
    /// # Errors
    ///
    /// `missing_option` without a max wait, `unknown_option` for a name that is none of these, `invalid_option` for a
    /// value of the wrong type or out of range, `conflicting_options` for a grace without `"atDeadline"`.
    pub fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let mut given = Given::default();
        each_option(object, |name, value| given.take(name, value))?;
        given.options()
    }
}

impl DelayInput {
    /// What a delay is computed from, from an object of a host language: `attempt`, `random`; `remaining`, `minDelay`,
    /// `maxDelay` in seconds.
    ///
    /// # Errors
    ///
    /// `missing_option` where one is null, `unknown_option` for any other name, `invalid_option` for a value of the
    /// wrong type or out of range.
    pub fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let (mut attempt, mut random) = (None, None);
        let (mut remaining, mut min_delay, mut max_delay) = (None, None, None);
        each_option(object, |name, value| {
            match name {
                "attempt" => attempt = integer(name, "attempt", (1, GREATEST_SEED), value)?,
                "maxDelay" => max_delay = duration(name, "max delay", DELAY_RANGE, value)?,
                "minDelay" => min_delay = duration(name, "min delay", DELAY_RANGE, value)?,
                "random" => random = draw(value)?,
                "remaining" => remaining = duration(name, "remaining", REMAINING_RANGE, value)?,
                _ => return Err(unknown(name)),
            }
            Ok(())
        })?;
        Ok(Self {
            attempt: attempt.ok_or_else(|| missing("attempt"))?,
            remaining: remaining.ok_or_else(|| missing("remaining"))?,
            min_delay: min_delay.ok_or_else(|| missing("minDelay"))?,
            max_delay: max_delay.ok_or_else(|| missing("maxDelay"))?,
            random: random.ok_or_else(|| missing("random"))?,
        })
    }
}

#[derive(Default)]
struct Given {
    max_wait: Option<Duration>,
    min_delay: Option<Duration>,
    max_delay: Option<Duration>,
    max_attempts: Option<u64>,
    initial_delay: Option<Duration>,
    seed: Option<u64>,
    history_limit: Option<u64>,
    at_deadline: Option<bool>,
    grace: Option<Duration>,
}

impl Given {
    fn take<V: Value>(&mut self, option: &str, value: &V) -> Result<(), OptionsError> {
        match option {
            "finalPoll" => self.at_deadline = final_poll(value)?,
            "finalPollGrace" => {
                self.grace = duration(option, "final poll grace", WAIT_RANGE, value)?
            }
            "historyLimit" => {
                self.history_limit =
                    integer(option, "history limit", (0, u64::from(u32::MAX)), value)?
            }
            "initialDelay" => {
                self.initial_delay = duration(option, "initial delay", INITIAL_DELAY_RANGE, value)?
            }
            "maxAttempts" => {
                self.max_attempts = integer(option, "max attempts", (1, GREATEST_SEED), value)?
            }
            "maxDelay" => self.max_delay = duration(option, "max delay", DELAY_RANGE, value)?,
            "maxWait" => self.max_wait = duration(option, "max wait", WAIT_RANGE, value)?,
            "minDelay" => self.min_delay = duration(option, "min delay", DELAY_RANGE, value)?,
            "seed" => self.seed = integer(option, "seed", (0, GREATEST_SEED), value)?,
            _ => return Err(unknown(option)),
        }
        Ok(())
    }

    fn options(self) -> Result<WaitOptions, OptionsError> {
        let Some(max_wait) = self.max_wait else {
            let message = format!("max wait is missing: it {WAIT_RANGE}");
            return Err(OptionsError::new("missing_option", "maxWait", message));
        };
        let mut options = WaitOptions::new(max_wait);
        options.min_delay = self.min_delay;
        options.max_delay = self.max_delay;
        options.max_attempts = self.max_attempts;
        options.initial_delay = self.initial_delay.unwrap_or_default();
        options.seed = self.seed;
        options.final_poll = last_poll(self.at_deadline, self.grace)?;
        if let Some(limit) = self.history_limit {
            options.history_limit = usize::try_from(limit).unwrap_or(usize::MAX);
        }
        Ok(options)
    }
}

/// Shows every option of an object, until one is refused.
fn each_option<V: Value>(
    object: V,
    mut take: impl FnMut(&str, &V) -> Result<(), OptionsError>,
) -> Result<(), OptionsError> {
    let mut result = Ok(());
    let read = object.members(&mut |name, value| match take(name, &value) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            result = Err(error);
            ControlFlow::Break(())
        }
    });
    result?;
    read.map_err(|error| invalid("", format!("the options cannot be read: {error}")))
}

fn unknown(option: &str) -> OptionsError {
    let message = format!("`{option}` is not an option");
    OptionsError::new("unknown_option", option, message)
}

fn missing(option: &str) -> OptionsError {
    OptionsError::new("missing_option", option, format!("`{option}` is missing"))
}

fn last_poll(
    at_deadline: Option<bool>,
    grace: Option<Duration>,
) -> Result<FinalPoll, OptionsError> {
    match (at_deadline, grace) {
        (Some(true), Some(grace)) => Ok(FinalPoll::AtDeadline { grace }),
        (Some(true), None) => {
            let message = "a final poll at the deadline needs a final poll grace: the time that request has to answer";
            Err(OptionsError::new(
                "missing_option",
                "finalPollGrace",
                message,
            ))
        }
        (_, Some(_)) => {
            let message = "final poll grace is only for a final poll at the deadline";
            Err(OptionsError::new(
                "conflicting_options",
                "finalPollGrace",
                message,
            ))
        }
        _ => Ok(FinalPoll::BeforeDeadline),
    }
}

fn final_poll<V: Value>(value: &V) -> Result<Option<bool>, OptionsError> {
    let expected = "final poll must be `beforeDeadline` or `atDeadline`";
    match kind("finalPoll", value)? {
        Kind::Null => Ok(None),
        Kind::String => match &*value
            .text()
            .map_err(|error| invalid("finalPoll", error.to_string()))?
        {
            "atDeadline" => Ok(Some(true)),
            "beforeDeadline" => Ok(Some(false)),
            other => Err(invalid("finalPoll", format!("{expected}, got `{other}`"))),
        },
        other => Err(invalid(
            "finalPoll",
            format!("{expected}, got {}", describe(other)),
        )),
    }
}

/// A number of seconds. What is no duration at all is refused here, what is no good one with all the options' ranges.
fn duration<V: Value>(
    option: &str,
    name: &str,
    range: &str,
    value: &V,
) -> Result<Option<Duration>, OptionsError> {
    let seconds = match kind(option, value)? {
        Kind::Null => return Ok(None),
        Kind::Number(seconds) => seconds,
        other => {
            return Err(invalid(
                option,
                format!(
                    "{name} must be a number of seconds, got {}",
                    describe(other)
                ),
            ));
        }
    };
    let fits = (0.0..=TEN_YEARS_MS as f64 / 1_000.0).contains(&seconds);
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if fits => Ok(Some(duration)),
        _ => Err(invalid(
            option,
            format!("{name} {range}, got {}", describe(Kind::Number(seconds))),
        )),
    }
}

/// A draw; its range is the rule's to check.
fn draw<V: Value>(value: &V) -> Result<Option<f64>, OptionsError> {
    match kind("random", value)? {
        Kind::Null => Ok(None),
        Kind::Number(random) => Ok(Some(random)),
        other => Err(invalid(
            "random",
            format!("random must be a number, got {}", describe(other)),
        )),
    }
}

fn integer<V: Value>(
    option: &str,
    name: &str,
    range: (u64, u64),
    value: &V,
) -> Result<Option<u64>, OptionsError> {
    let (least, greatest) = range;
    match kind(option, value)? {
        Kind::Null => Ok(None),
        Kind::Number(number)
            if number.fract() == 0.0 && number >= least as f64 && number <= greatest as f64 =>
        {
            Ok(Some(number as u64))
        }
        other => {
            let greatest = if greatest == GREATEST_SEED {
                "2^53 - 1".to_owned()
            } else {
                greatest.to_string()
            };
            let message = format!(
                "{name} must be an integer from {least} to {greatest}, got {}",
                describe(other)
            );
            Err(invalid(option, message))
        }
    }
}

fn kind<V: Value>(option: &str, value: &V) -> Result<Kind, OptionsError> {
    value
        .kind()
        .map_err(|error| invalid(option, error.to_string()))
}
