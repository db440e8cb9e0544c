//! Options as a host language gives them: an object of numbers, in seconds, unchecked.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{
    ATTEMPT_TIMEOUT, FINAL_POLL_GRACE, FinalPoll, GREATEST_SEED, HISTORY_LIMIT, INITIAL_DELAY,
    Integer, MAX_ATTEMPTS, MAX_DELAY, MAX_WAIT, MIN_DELAY, Ranged, SEED, WaitOptions, invalid,
};
use crate::delay::DelayInput;
use crate::error::OptionsError;
use crate::millis::TEN_YEARS_MS;
use crate::value::{Kind, ReadError, Value, describe};

impl WaitOptions {
    /// Options from an object of a host language: `maxWait`, `attemptTimeout`, `minDelay`, `maxDelay`, `initialDelay`,
    /// `finalPollGrace` in seconds; `maxAttempts`, `seed`, `historyLimit`; `finalPoll` as `"beforeDeadline"` or `"atDeadline"`; `redact`
    /// as an array of strings. What is null counts as not given.
    ///
    /// # Errors
    ///
    /// `missing_option` without a max wait or max attempts, `unknown_option` for a name that is none of these, `invalid_option` for a
    /// value of the wrong type or out of range, `conflicting_options` for a grace without `"atDeadline"`.
    pub fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let given = Given::read(object, &WAIT_OPTIONS)?;
        let mut options = Self::new(Duration::ZERO);
        options.max_wait = given.duration(&MAX_WAIT)?;
        options.attempt_timeout = given.duration(&ATTEMPT_TIMEOUT)?;
        options.min_delay = given.duration(&MIN_DELAY)?;
        options.max_delay = given.duration(&MAX_DELAY)?;
        options.initial_delay = given.duration(&INITIAL_DELAY)?.unwrap_or_default();
        options.max_attempts = given.integer(&MAX_ATTEMPTS)?;
        options.seed = given.integer(&SEED)?;
        if let Some(limit) = given.integer(&HISTORY_LIMIT)? {
            options.history_limit = usize::try_from(limit).unwrap_or(usize::MAX);
        }
        options.final_poll = given.final_poll()?;
        options.redact = given.strings(
            "redact",
            "an array of paths, such as [\"Credentials.SecretKey\"]",
        )?;
        // Before the others: it is the one that most calls must have.
        options.checked_max_wait()?;
        Ok(options)
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
        let given = Given::read(object, &DELAY_OPTIONS)?;
        if let Some(option) = DELAY_OPTIONS
            .iter()
            .find(|option| given.find(option).is_none())
        {
            let message = format!("`{option}` is missing");
            return Err(OptionsError::new("missing_option", *option, message));
        }
        Ok(Self {
            attempt: given.integer(&ATTEMPT)?.unwrap_or_default(),
            remaining: given.duration(&REMAINING)?.unwrap_or_default(),
            min_delay: given.duration(&MIN_DELAY)?.unwrap_or_default(),
            max_delay: given.duration(&MAX_DELAY)?.unwrap_or_default(),
            // Its range is the rule's to check.
            random: given
                .number("random", "random", "a number")?
                .unwrap_or_default(),
        })
    }
}

const ATTEMPT: Integer = Integer {
    ranged: Ranged::new(
        "attempt",
        "attempt",
        "must be an integer from 1 to 2^53 - 1",
    ),
    least: 1,
    greatest: GREATEST_SEED,
};
const REMAINING: Ranged = Ranged::new(
    "remaining",
    "remaining",
    "must be from 0 to 315360000 seconds (ten years)",
);

const WAIT_OPTIONS: [&str; 11] = [
    "attemptTimeout",
    "finalPoll",
    "finalPollGrace",
    "historyLimit",
    "initialDelay",
    "maxAttempts",
    "maxDelay",
    "maxWait",
    "minDelay",
    "redact",
    "seed",
];
const DELAY_OPTIONS: [&str; 5] = ["attempt", "maxDelay", "minDelay", "random", "remaining"];

/// The options that are not null.
pub(crate) struct Given(Vec<GivenOption>);

struct GivenOption {
    option: &'static str,
    kind: Kind,
    /// That of a string.
    text: String,
    /// Those of an array of strings, or the first item that is none.
    texts: Result<Vec<String>, (usize, Kind)>,
}

impl Given {
    /// Reads every option of an object, none but the known ones.
    pub(crate) fn read<V: Value>(object: V, known: &[&'static str]) -> Result<Self, OptionsError> {
        let (mut options, mut result) = (Vec::new(), Ok(()));
        let read = object.members(&mut |name, value| {
            match given(name, &value, known) {
                Ok(option) => options.push(option),
                Err(error) => result = Err(error),
            }
            if result.is_ok() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        result?;
        read.map_err(|error| invalid("", format!("the options cannot be read: {error}")))?;
        options.retain(|option| option.kind != Kind::Null);
        Ok(Self(options))
    }

    fn find(&self, option: &str) -> Option<&GivenOption> {
        self.0.iter().find(|given| given.option == option)
    }

    fn number(
        &self,
        option: &str,
        name: &str,
        expected: &str,
    ) -> Result<Option<f64>, OptionsError> {
        match self.find(option).map(|given| given.kind) {
            None => Ok(None),
            Some(Kind::Number(number)) => Ok(Some(number)),
            Some(other) => {
                let message = format!("{name} must be {expected}, got {}", describe(other));
                Err(invalid(option, message))
            }
        }
    }

    /// A number of seconds. What is no duration at all is refused here, what is no good one with all the options' ranges.
    pub(crate) fn duration(&self, ranged: &Ranged) -> Result<Option<Duration>, OptionsError> {
        let Some(seconds) = self.number(ranged.option, ranged.name, "a number of seconds")? else {
            return Ok(None);
        };
        let fits = (0.0..=TEN_YEARS_MS as f64 / 1_000.0).contains(&seconds);
        match Duration::try_from_secs_f64(seconds) {
            Ok(duration) if fits => Ok(Some(duration)),
            _ => Err(ranged.refused(&describe(Kind::Number(seconds)))),
        }
    }

    pub(crate) fn integer(&self, integer: &Integer) -> Result<Option<u64>, OptionsError> {
        let range = integer.least as f64..=integer.greatest as f64;
        match self.find(integer.ranged.option).map(|given| given.kind) {
            None => Ok(None),
            Some(Kind::Number(number)) if number.fract() == 0.0 && range.contains(&number) => {
                Ok(Some(number as u64))
            }
            Some(other) => Err(integer.ranged.refused(&describe(other))),
        }
    }

    pub(crate) fn boolean(&self, option: &str, name: &str) -> Result<Option<bool>, OptionsError> {
        match self.find(option).map(|given| given.kind) {
            None => Ok(None),
            Some(Kind::Boolean(value)) => Ok(Some(value)),
            Some(other) => {
                let message = format!("{name} must be a boolean, got {}", describe(other));
                Err(invalid(option, message))
            }
        }
    }

    pub(crate) fn text(
        &self,
        option: &str,
        name: &str,
        expected: &str,
    ) -> Result<Option<&str>, OptionsError> {
        match self.find(option) {
            None => Ok(None),
            Some(given) if given.kind == Kind::String => Ok(Some(&given.text)),
            Some(given) => {
                let message = format!("{name} must be {expected}, got {}", describe(given.kind));
                Err(invalid(option, message))
            }
        }
    }

    fn strings(&self, option: &str, expected: &str) -> Result<Vec<String>, OptionsError> {
        let Some(given) = self.find(option) else {
            return Ok(Vec::new());
        };
        if given.kind != Kind::Array {
            let message = format!("{option} must be {expected}, got {}", describe(given.kind));
            return Err(invalid(option, message));
        }
        given.texts.clone().map_err(|(index, kind)| {
            let message = format!("{option}[{index}] must be a string, got {}", describe(kind));
            invalid(option, message)
        })
    }

    fn final_poll(&self) -> Result<FinalPoll, OptionsError> {
        let grace = self.duration(&FINAL_POLL_GRACE)?;
        last_poll(self.at_deadline()?, grace)
    }

    fn at_deadline(&self) -> Result<bool, OptionsError> {
        let Some(given) = self.find("finalPoll") else {
            return Ok(false);
        };
        let got = match (given.kind, &*given.text) {
            (Kind::String, "atDeadline") => return Ok(true),
            (Kind::String, "beforeDeadline") => return Ok(false),
            (Kind::String, other) => format!("`{other}`"),
            (other, _) => describe(other),
        };
        let message = format!("final poll must be `beforeDeadline` or `atDeadline`, got {got}");
        Err(invalid("finalPoll", message))
    }
}

fn given<V: Value>(
    name: &str,
    value: &V,
    known: &[&'static str],
) -> Result<GivenOption, OptionsError> {
    let Some(option) = known.iter().find(|option| **option == name) else {
        let message = format!("`{name}` is not an option");
        return Err(OptionsError::new("unknown_option", name, message));
    };
    let read = || {
        let kind = value.kind()?;
        let text = if kind == Kind::String {
            value.text()?.into_owned()
        } else {
            String::new()
        };
        let texts = if kind == Kind::Array {
            strings(value)?
        } else {
            Ok(Vec::new())
        };
        Ok(GivenOption {
            option,
            kind,
            text,
            texts,
        })
    };
    read().map_err(|error: ReadError| invalid(option, error.to_string()))
}

/// The items of an array, if all are strings.
fn strings<V: Value>(array: &V) -> Result<Result<Vec<String>, (usize, Kind)>, ReadError> {
    let mut texts = Vec::new();
    for index in 0..array.len()? {
        let Some(item) = array.item(index)? else {
            break;
        };
        match item.kind()? {
            Kind::String => texts.push(item.text()?.into_owned()),
            other => return Ok(Err((index, other))),
        }
    }
    Ok(Ok(texts))
}

fn last_poll(at_deadline: bool, grace: Option<Duration>) -> Result<FinalPoll, OptionsError> {
    match (at_deadline, grace) {
        (true, Some(grace)) => Ok(FinalPoll::AtDeadline { grace }),
        (true, None) => {
            let message = "a final poll at the deadline needs a final poll grace: the time that request has to answer";
            Err(OptionsError::new(
                "missing_option",
                "finalPollGrace",
                message,
            ))
        }
        (false, Some(_)) => {
            let message = "final poll grace is only for a final poll at the deadline";
            Err(OptionsError::new(
                "conflicting_options",
                "finalPollGrace",
                message,
            ))
        }
        (false, None) => Ok(FinalPoll::BeforeDeadline),
    }
}
