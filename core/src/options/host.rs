//! Parsing of options from an object of a host language, with times in seconds.

use std::time::Duration;

use serde_json::Value as Json;

use super::condition::{
    AT_LEAST, ConditionOptions, LEFT, LEFT_WITHIN, Left, LeftElse, SAME, STABLE_FOR, SUCCESSES,
    Same,
};
use super::raw::{FromHost, RawOptions, Seeded, describe_member, whole_number};
use super::spec::{IntegerSpec, OptionSpec};
use super::{
    ATTEMPT_TIMEOUT, DEADLINE, FinalPoll, GREATEST_SEED, HISTORY_LIMIT, INITIAL_DELAY, LABEL,
    MAX_ATTEMPTS, MAX_DELAY, MAX_WAIT, MIN_DELAY, NOT_FOUND_FOR, PACE, Pace, SEED, SHOW_RULE,
    TRANSIENT_WINDOW, TransientErrors, WaitOptions,
};
use crate::delay::DelayInput;
use crate::error::OptionsError;
use crate::millis::to_ten_years;
use crate::value::{Kind, Value, describe};

#[doc(hidden)]
impl FromHost for WaitOptions {
    const NAMES: &'static [&'static str] = &WAIT_OPTIONS;

    /// Reads the options from an object of a host language. Null members count as unset.
    ///
    /// - `maxWait`, `attemptTimeout`, `minDelay`, `maxDelay`, `initialDelay`, `transientWindow`, `notFoundFor`: seconds.
    /// - `deadline`: seconds from the start; 0 or less if it has passed.
    /// - `maxAttempts`, `seed`, `historyLimit`, `successes`: integers.
    /// - `leftWithin`, `stableFor`: seconds. `leftElse`: `"fail"` or `"accept"`.
    /// - `same`: a value or `{"path": …, "is": …}`. `left`: a value or `{"path": …, "value": …}`. `atLeast`: a number for each path.
    /// - `finalPoll`: `"specification"` or `"late"`.
    /// - `transientErrors`: `"retry"` or `"fail"`.
    /// - `pace`: `"specification"`, `"doubling"`, `{"every": seconds}` or `{"proportional": fraction}`.
    /// - `hints`: a boolean.
    /// - `label`: a string. `redact`, `show`: arrays of strings.
    ///
    /// # Errors
    ///
    /// - `unknown_option` for any other name.
    /// - `invalid_option` for a value of the wrong type or out of range.
    /// - `conflicting_options` for options that cannot be combined.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, &WAIT_OPTIONS)?;
        let mut options = Self::new(Duration::ZERO);
        options.max_wait = raw.duration(&MAX_WAIT)?;
        options.deadline = raw.time_left(&DEADLINE)?;
        options.label = raw.text(&LABEL)?;
        options.show = raw.strings("show", SHOW_RULE)?;
        options.attempt_timeout = raw.duration(&ATTEMPT_TIMEOUT)?;
        options.min_delay = raw.duration(&MIN_DELAY)?;
        options.max_delay = raw.duration(&MAX_DELAY)?;
        options.initial_delay = raw.duration(&INITIAL_DELAY)?.unwrap_or_default();
        options.max_attempts = raw.integer(&MAX_ATTEMPTS)?;
        options.seed = raw.integer(&SEED)?;
        let words = [
            ("fail", TransientErrors::Fail),
            ("retry", TransientErrors::Retry),
        ];
        let transient_errors = raw.word("transientErrors", &words, "must be `retry` or `fail`")?;
        options.transient_errors = transient_errors.unwrap_or_default();
        if let Some(window) = raw.duration(&TRANSIENT_WINDOW)? {
            options.transient_window = window;
        }
        options.not_found_for = raw.duration(&NOT_FOUND_FOR)?;
        options.conditions = conditions(&raw)?;
        let limit = raw.integer(&HISTORY_LIMIT)?;
        options.history_limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        options.final_poll = final_poll(&raw)?;
        options.hints = raw.boolean("hints")?.unwrap_or(true);
        options.pace = pace(&raw)?;
        options.redact = raw.strings(
            "redact",
            "must be an array of paths, such as [\"Credentials.SecretKey\"]",
        )?;
        Ok(options)
    }
}

#[doc(hidden)]
impl Seeded for WaitOptions {
    fn seed_option(&self) -> Option<u64> {
        self.seed
    }
}

#[doc(hidden)]
impl FromHost for DelayInput {
    const NAMES: &'static [&'static str] = &DELAY_OPTIONS;

    /// Reads the inputs of a delay from an object of a host language: `attempt` and `random`, and `remaining`,
    /// `minDelay` and `maxDelay` in seconds.
    ///
    /// # Errors
    ///
    /// - `missing_option` if one of them is missing or null.
    /// - `unknown_option` for any other name.
    /// - `invalid_option` for a value of the wrong type or out of range.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, &DELAY_OPTIONS)?;
        if let Some(option) = DELAY_OPTIONS
            .iter()
            .find(|option| raw.find(option).is_none())
        {
            return Err(OptionsError::missing(option));
        }
        Ok(Self {
            attempt: raw.integer(&ATTEMPT)?.unwrap_or_default(),
            remaining: raw.duration(&REMAINING)?.unwrap_or_default(),
            min_delay: raw.duration(&MIN_DELAY)?.unwrap_or_default(),
            max_delay: raw.duration(&MAX_DELAY)?.unwrap_or_default(),
            // `delay` checks the range.
            random: raw
                .number("random", "must be a number")?
                .unwrap_or_default(),
        })
    }
}

/// The option `maxWait` of a host that shares one deadline among several waits.
#[derive(Clone, Copy, Debug)]
pub struct MaxWait(pub Duration);

impl FromHost for MaxWait {
    const NAMES: &'static [&'static str] = &["maxWait"];

    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let max_wait = RawOptions::read(object, Self::NAMES)?.duration(&MAX_WAIT)?;
        let max_wait = max_wait.ok_or_else(|| OptionsError::missing("maxWait"))?;
        MAX_WAIT.positive_millis(max_wait)?;
        Ok(Self(max_wait))
    }
}

/// Reads an integer of a host that is at least 0, or null.
///
/// # Errors
///
/// `invalid_option` for another value.
pub fn count<V: Value>(option: &str, value: &V) -> Result<Option<u64>, OptionsError> {
    let invalid = |got: &str| OptionsError::must_be(option, "count", got);
    let kind = value.kind().map_err(|error| invalid(&error.to_string()))?;
    if kind == Kind::Null {
        return Ok(None);
    }
    let count = whole_number(kind, 0..=GREATEST_SEED);
    count.map(Some).ok_or_else(|| invalid(&describe(kind)))
}

const ATTEMPT: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("attempt", "must be an integer from 1 to 2^53 - 1"),
    least: 1,
    greatest: GREATEST_SEED,
};
const REMAINING: OptionSpec = OptionSpec::new("remaining", to_ten_years!("must be from 0 to"));

const WAIT_OPTIONS: [&str; 25] = [
    "atLeast",
    "attemptTimeout",
    "deadline",
    "finalPoll",
    "hints",
    "historyLimit",
    "initialDelay",
    "label",
    "left",
    "leftElse",
    "leftWithin",
    "maxAttempts",
    "maxDelay",
    "maxWait",
    "minDelay",
    "notFoundFor",
    "pace",
    "redact",
    "same",
    "seed",
    "show",
    "stableFor",
    "successes",
    "transientErrors",
    "transientWindow",
];
const DELAY_OPTIONS: [&str; 5] = ["attempt", "maxDelay", "minDelay", "random", "remaining"];

fn conditions(raw: &RawOptions) -> Result<ConditionOptions, OptionsError> {
    let words = [("accept", LeftElse::Accept), ("fail", LeftElse::Fail)];
    let same = match raw.scalar("same") {
        Some(value) => Some(Same::of(value)),
        None => same(raw)?,
    };
    let left = match raw.scalar("left") {
        Some(value) => Some(Ok(Left::new(value))),
        None => raw.object(&LEFT)?.map(|members| {
            let (path, value, text) = compared(&LEFT, members, "value")?;
            let path = path.ok_or_else(|| LEFT.invalid("no `path`"))?;
            let value = value.ok_or_else(|| LEFT.invalid("no `value`"))?;
            let left = Left::new(value).path(path);
            Ok(if text { left.text() } else { left })
        }),
    };
    Ok(ConditionOptions {
        same,
        left: left.transpose()?,
        at_least: raw.object(&AT_LEAST)?.unwrap_or_default().to_vec(),
        left_within: raw.duration(&LEFT_WITHIN)?,
        left_else: raw.word("leftElse", &words, "must be `fail` or `accept`")?,
        successes: raw.integer(&SUCCESSES)?,
        stable_for: raw.duration(&STABLE_FOR)?,
    })
}

/// Reads `same` as an object. The path of the waiter's defaults replaces a missing one.
pub(super) fn same(raw: &RawOptions) -> Result<Option<Same>, OptionsError> {
    let Some(members) = raw.object(&SAME)? else {
        return Ok(None);
    };
    let (path, is, text) = compared(&SAME, members, "is")?;
    Ok(Some(Same { path, is, text }))
}

/// Returns the members of `same` or `left`: the path, the value with this name, and `text`.
fn compared(
    spec: &OptionSpec,
    members: &[(String, Json)],
    name: &str,
) -> Result<(Option<String>, Option<Json>, bool), OptionsError> {
    let (mut path, mut value, mut text) = (None, None, false);
    for (member, given) in members {
        match (&**member, given) {
            ("path", Json::String(given)) => path = Some(given.clone()),
            ("text", Json::Bool(given)) => text = *given,
            ("path" | "text", other) => {
                return Err(spec.invalid(&format!("the `{member}` {}", describe_member(other))));
            }
            (member, given) if member == name => value = Some(given.clone()),
            _ => return Err(spec.invalid(&format!("the member `{member}`"))),
        }
    }
    Ok((path, value, text))
}

pub(super) fn final_poll(raw: &RawOptions) -> Result<Option<FinalPoll>, OptionsError> {
    let words = [
        ("late", FinalPoll::Late),
        ("specification", FinalPoll::Specification),
    ];
    raw.word("finalPoll", &words, "must be `specification` or `late`")
}

pub(super) fn pace(raw: &RawOptions) -> Result<Option<Pace>, OptionsError> {
    let Some((rule, number)) = raw.rule("pace", PACE.range)? else {
        return Ok(None);
    };
    let pace = match (&*rule, number) {
        ("specification", None) => Ok(Pace::Specification),
        ("doubling", None) => Ok(Pace::Doubling),
        ("every", Some(seconds)) => PACE.duration(seconds).map(Pace::Every),
        ("proportional", Some(part)) => Ok(Pace::Proportional(part)),
        _ => Err(PACE.invalid(&format!("`{rule}`"))),
    };
    pace.map(Some)
}
