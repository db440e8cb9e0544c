//! Options as a host language gives them: an object of numbers, in seconds, unchecked.

use std::ops::ControlFlow;
use std::time::Duration;

use super::{
    ATTEMPT_TIMEOUT, FINAL_POLL_GRACE, FinalPoll, GREATEST_SEED, HISTORY_LIMIT, INITIAL_DELAY,
    Integer, MAX_ATTEMPTS, MAX_DELAY, MAX_WAIT, MIN_DELAY, Ranged, SEED, WaitOptions,
};
use crate::delay::DelayInput;
use crate::error::{self, OptionsError, Part};
use crate::millis::TEN_YEARS_MS;
use crate::value::{Kind, ReadError, Value, describe};

impl WaitOptions {
    /// The names of the options, as vectors write them.
    #[doc(hidden)]
    pub const NAMES: &[&str] = &WAIT_OPTIONS;

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
            "must be an array of paths, such as [\"Credentials.SecretKey\"]",
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
            let parts = [error::option(option), " is missing".into()];
            return Err(OptionsError::new("missing_option", *option, parts));
        }
        Ok(Self {
            attempt: given.integer(&ATTEMPT)?.unwrap_or_default(),
            remaining: given.duration(&REMAINING)?.unwrap_or_default(),
            min_delay: given.duration(&MIN_DELAY)?.unwrap_or_default(),
            max_delay: given.duration(&MAX_DELAY)?.unwrap_or_default(),
            // Its range is the rule's to check.
            random: given
                .number("random", "must be a number")?
                .unwrap_or_default(),
        })
    }
}

const ATTEMPT: Integer = Integer {
    ranged: Ranged::new("attempt", "must be an integer from 1 to 2^53 - 1"),
    least: 1,
    greatest: GREATEST_SEED,
};
const REMAINING: Ranged = Ranged::new(
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
        read.map_err(|error| {
            let problem = format!("the options cannot be read: {error}");
            OptionsError::new("invalid_option", "", [problem.into()])
        })?;
        options.retain(|option| option.kind != Kind::Null);
        Ok(Self(options))
    }

    fn find(&self, option: &str) -> Option<&GivenOption> {
        self.0.iter().find(|given| given.option == option)
    }

    fn number(
        &self,
        option: &'static str,
        rule: &'static str,
    ) -> Result<Option<f64>, OptionsError> {
        match self.find(option).map(|given| given.kind) {
            None => Ok(None),
            Some(Kind::Number(number)) => Ok(Some(number)),
            Some(other) => Err(OptionsError::invalid(option, rule, &describe(other))),
        }
    }

    /// A number of seconds. What is no duration at all is refused here, what is no good one with all the options' ranges.
    pub(crate) fn duration(&self, ranged: &Ranged) -> Result<Option<Duration>, OptionsError> {
        let Some(seconds) = self.number(ranged.option, "must be a number of seconds")? else {
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

    pub(crate) fn boolean(&self, option: &'static str) -> Result<Option<bool>, OptionsError> {
        match self.find(option).map(|given| given.kind) {
            None => Ok(None),
            Some(Kind::Boolean(value)) => Ok(Some(value)),
            Some(other) => Err(OptionsError::invalid(
                option,
                "must be a boolean",
                &describe(other),
            )),
        }
    }

    /// What one of these words stands for; `rule` says what they are.
    pub(crate) fn word<T: Copy>(
        &self,
        option: &'static str,
        words: &[(&str, T)],
        rule: &'static str,
    ) -> Result<Option<T>, OptionsError> {
        let Some(given) = self.find(option) else {
            return Ok(None);
        };
        let got = if given.kind == Kind::String {
            if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == given.text) {
                return Ok(Some(*meaning));
            }
            format!("`{}`", given.text)
        } else {
            describe(given.kind)
        };
        Err(OptionsError::invalid(option, rule, &got))
    }

    fn strings(
        &self,
        option: &'static str,
        rule: &'static str,
    ) -> Result<Vec<String>, OptionsError> {
        let Some(given) = self.find(option) else {
            return Ok(Vec::new());
        };
        if given.kind != Kind::Array {
            return Err(OptionsError::invalid(option, rule, &describe(given.kind)));
        }
        given.texts.clone().map_err(|(index, kind)| {
            let item = Part::Option(format!("{option}[{index}]").into());
            let problem = format!(" must be a string, got {}", describe(kind));
            OptionsError::new("invalid_option", option, [item, problem.into()])
        })
    }

    fn final_poll(&self) -> Result<FinalPoll, OptionsError> {
        let grace = self.duration(&FINAL_POLL_GRACE)?;
        const RULE: &str = "must be `beforeDeadline` or `atDeadline`";
        let words = [("atDeadline", true), ("beforeDeadline", false)];
        let at_deadline = self.word("finalPoll", &words, RULE)?.unwrap_or(false);
        last_poll(at_deadline, grace)
    }
}

fn given<V: Value>(
    name: &str,
    value: &V,
    known: &[&'static str],
) -> Result<GivenOption, OptionsError> {
    let Some(option) = known.iter().find(|option| **option == name) else {
        return Err(OptionsError::unknown(name, known, ""));
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
    read().map_err(|error: ReadError| OptionsError::refused(option, &error))
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
            let parts = [
                "a final poll at the deadline needs ".into(),
                error::option("finalPollGrace"),
                ": the time that request has to answer".into(),
            ];
            Err(OptionsError::new("missing_option", "finalPollGrace", parts))
        }
        (false, Some(_)) => {
            let parts = [
                error::option("finalPollGrace"),
                " is only for a final poll at the deadline".into(),
            ];
            Err(OptionsError::conflict("finalPollGrace", parts))
        }
        (false, None) => Ok(FinalPoll::BeforeDeadline),
    }
}
