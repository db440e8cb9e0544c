//! The conditions on a success beside the definition: `same`, `left`, `atLeast`, `successes` and `stableFor`.
//! See docs/rules.md#conditions-on-a-success.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value as Json};

use super::raw::describe_member;
use super::spec::{IntegerSpec, OptionSpec};
use super::{Defaults, GREATEST_SEED, WAIT_RANGE, WaitOptions, is_default};
use crate::error::{OptionsError, option};
use crate::millis::seconds;

/// The default of the time in which a value must be seen or left.
const DEFAULT_LEFT_WITHIN: Duration = Duration::from_secs(60);

pub(super) const LEFT_WITHIN: OptionSpec = OptionSpec::new("leftWithin", WAIT_RANGE);
pub(super) const STABLE_FOR: OptionSpec = OptionSpec::new("stableFor", WAIT_RANGE);
pub(super) const SUCCESSES: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("successes", "must be an integer from 1 to 2^53 - 1"),
    least: 1,
    greatest: GREATEST_SEED,
};
pub(super) const SAME: OptionSpec = OptionSpec::new(
    "same",
    "must have a `path` and, unless the wait is for a deletion, `is` with a string, number or boolean",
);
pub(super) const LEFT: OptionSpec = OptionSpec::new(
    "left",
    "must be a string, number or boolean, or have a `path` and a `value`",
);
pub(super) const AT_LEAST: OptionSpec =
    OptionSpec::new("atLeast", "must have a number for each path");

/// Whose success counts: the value of a path that names a resource or a change.
///
/// # Example: the deployment that an update started
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Same, WaitOptions};
///
/// let deployment = Same::new("services[0].deployments[?status=='PRIMARY'].id | [0]").is("ecs-svc/13");
/// let options = WaitOptions::new(Duration::from_secs(600)).same(deployment);
/// # let _ = options;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Same {
    /// `None` for the path of the waiter's defaults.
    pub(super) path: Option<String>,
    pub(super) is: Option<Json>,
    pub(super) text: bool,
}

impl Same {
    /// Takes the first value of the path in the wait, for a deletion: another value then belongs to a new resource with
    /// the same name.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            is: None,
            text: false,
        }
    }

    /// Takes this string, number or boolean of the path in the waiter's defaults, which [presets](crate::Waiter::preset)
    /// can have.
    #[must_use]
    pub fn of(value: impl Into<Json>) -> Self {
        Self {
            path: None,
            is: Some(value.into()),
            text: false,
        }
    }

    /// Takes this string, number or boolean, from the response of the change.
    #[must_use]
    pub fn is(self, value: impl Into<Json>) -> Self {
        Self {
            is: Some(value.into()),
            ..self
        }
    }

    /// Compares texts: the text `7` equals the number 7, and `true` the boolean.
    #[must_use]
    pub fn text(self) -> Self {
        Self { text: true, ..self }
    }
}

/// The state before a change, which must be left before a success counts.
///
/// # Example: a database that is modified
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Left, WaitOptions};
///
/// let options = WaitOptions::new(Duration::from_secs(3600)).left(Left::new("available"));
/// # let _ = options;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Left {
    path: Option<String>,
    value: Json,
    text: bool,
}

impl Left {
    /// Takes a string, number or boolean of the path that the success acceptors compare.
    #[must_use]
    pub fn new(value: impl Into<Json>) -> Self {
        Self {
            path: None,
            value: value.into(),
            text: false,
        }
    }

    /// Compares texts: the text `7` equals the number 7, and `true` the boolean.
    #[must_use]
    pub fn text(self) -> Self {
        Self { text: true, ..self }
    }

    /// Takes the value of another path.
    #[must_use]
    pub fn path(self, path: impl Into<String>) -> Self {
        Self {
            path: Some(path.into()),
            ..self
        }
    }
}

/// What follows if the value of [`left`](WaitOptions::left) is not left in time.
///
/// # Example: a change that may be none
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Left, LeftElse, WaitOptions};
///
/// let options = WaitOptions::new(Duration::from_secs(600)).left(Left::new("ACTIVE")).left_else(LeftElse::Accept);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LeftElse {
    /// The verdicts count then.
    Accept,
    /// The wait fails with the code `never_left`.
    #[default]
    Fail,
}

/// The conditions of a wait, after validation. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Conditions {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) same: Option<Compared>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) left: Option<Compared>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) at_least: BTreeMap<String, Number>,
    pub(crate) left_within: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) left_else: LeftElse,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) successes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) stable_for: u64,
}

/// A path and the value that it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Compared {
    pub(crate) path: String,
    /// `None` for the first value of the wait, for `same` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Json>,
    /// Texts are compared with the texts of numbers and booleans.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) text: bool,
}

impl Conditions {
    /// Returns the paths that they compare, in this order.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let compared = self.same.iter().chain(&self.left);
        compared
            .map(|compared| &*compared.path)
            .chain(self.at_least.keys().map(|path| &**path))
    }

    /// Returns the option of the path with this index.
    pub(crate) fn option(&self, index: usize) -> &'static str {
        let same = self.same.iter().map(|_| "same");
        let mut options = same.chain(self.left.iter().map(|_| "left"));
        options.nth(index).unwrap_or("atLeast")
    }
}

/// What a definition says about its successes.
pub(crate) struct Successes {
    /// The path that all success acceptors compare.
    pub(crate) path: Option<String>,
    /// A response can be a success.
    pub(crate) by_response: bool,
}

/// The options as they are given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConditionOptions {
    pub(super) same: Option<Same>,
    pub(super) left: Option<Left>,
    pub(super) at_least: Vec<(String, Json)>,
    pub(super) left_within: Option<Duration>,
    pub(super) left_else: Option<LeftElse>,
    pub(super) successes: Option<u64>,
    pub(super) stable_for: Option<Duration>,
}

impl ConditionOptions {
    /// No conditions.
    pub(super) const NONE: Self = Self {
        same: None,
        left: None,
        at_least: Vec::new(),
        left_within: None,
        left_else: None,
        successes: None,
        stable_for: None,
    };
}

impl WaitOptions {
    /// Validates the conditions together with a definition and the defaults of its waiter. `None` if there are none.
    pub(crate) fn conditions(
        &self,
        successes: &Successes,
        defaults: &Defaults,
        max_wait: u64,
    ) -> Result<Option<Box<Conditions>>, OptionsError> {
        let given = &self.conditions;
        let path = defaults.same.as_deref();
        if let (Some(path), None) = (path, &given.same) {
            return Err(missing_same(path));
        }
        if *given == ConditionOptions::NONE {
            return Ok(None);
        }
        let same = given.same.as_ref();
        let same = same.map(|same| same.checked(path, successes));
        let left = given.left.as_ref().map(|left| left.checked(successes));
        let (same, left) = (same.transpose()?, left.transpose()?);
        if given.left_else.is_some() && left.is_none() {
            return Err(requires("leftElse", "left"));
        }
        let is_timed = left.is_some() || same.as_ref().is_some_and(|same| same.value.is_some());
        if given.left_within.is_some() && !is_timed {
            let parts = [
                option("leftWithin"),
                " requires ".into(),
                option("left"),
                ", or ".into(),
                option("same"),
                " with `is`".into(),
            ];
            return Err(LEFT_WITHIN.conflict(parts));
        }
        let stable_for = match given.stable_for {
            Some(time) => STABLE_FOR.positive_millis(time)?,
            None => 0,
        };
        if stable_for >= max_wait {
            let parts = [
                option("stableFor"),
                " must be less than ".into(),
                option("maxWait"),
                format!(" {}, got {}", seconds(max_wait), seconds(stable_for)).into(),
            ];
            return Err(STABLE_FOR.conflict(parts));
        }
        let left_within = given.left_within.unwrap_or(DEFAULT_LEFT_WITHIN);
        Ok(Some(Box::new(Conditions {
            same,
            left,
            at_least: given.at_least.iter().map(least).collect::<Result<_, _>>()?,
            left_within: LEFT_WITHIN.positive_millis(left_within)?,
            left_else: given.left_else.unwrap_or_default(),
            successes: SUCCESSES.checked(given.successes.unwrap_or(1))?,
            stable_for,
        })))
    }

    /// Returns the first condition for which the engine must read the responses.
    #[cfg(feature = "driver")]
    pub(super) fn condition_on_responses(&self) -> Option<&'static str> {
        let given = &self.conditions;
        let options = [
            ("same", given.same.is_some()),
            ("left", given.left.is_some()),
            ("atLeast", !given.at_least.is_empty()),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }
}

impl Same {
    fn checked(
        &self,
        default: Option<&str>,
        successes: &Successes,
    ) -> Result<Compared, OptionsError> {
        let path = self.path.as_deref().or(default);
        let path = path.ok_or_else(|| SAME.invalid("no `path`"))?;
        if let Some(value) = &self.is {
            check_scalar(&SAME, value)?;
        } else if successes.by_response {
            // The first value could belong to the state from before the change.
            let parts = [
                option("same"),
                " without `is` requires a wait for a deletion: give `is`, the value that the change returned".into(),
            ];
            return Err(SAME.conflict(parts));
        }
        Ok(Compared {
            path: path.to_owned(),
            value: self.is.clone(),
            text: self.text,
        })
    }
}

impl Left {
    fn checked(&self, successes: &Successes) -> Result<Compared, OptionsError> {
        check_scalar(&LEFT, &self.value)?;
        let path = self.path.clone().or_else(|| successes.path.clone());
        let Some(path) = path else {
            let parts = [
                option("left"),
                " must have a `path` and a `value`: the success acceptors do not compare one path"
                    .into(),
            ];
            return Err(LEFT.conflict(parts));
        };
        Ok(Compared {
            path,
            value: Some(self.value.clone()),
            text: self.text,
        })
    }
}

fn least((path, value): &(String, Json)) -> Result<(String, Number), OptionsError> {
    match value {
        Json::Number(number) => Ok((path.clone(), number.clone())),
        other => Err(AT_LEAST.invalid(&describe_member(other))),
    }
}

fn missing_same(path: &str) -> OptionsError {
    let rule =
        format!(" is missing: this waiter needs the value of `{path}` that your change returned");
    OptionsError::new("missing_option", "same", [option("same"), rule.into()])
}

fn check_scalar(spec: &OptionSpec, value: &Json) -> Result<(), OptionsError> {
    match value {
        // Such as an environment variable that is not set.
        Json::String(text) if text.is_empty() => Err(spec.invalid("an empty text")),
        Json::String(_) | Json::Number(_) | Json::Bool(_) => Ok(()),
        other => Err(spec.invalid(&describe_member(other))),
    }
}

fn requires(name: &'static str, other: &'static str) -> OptionsError {
    OptionsError::conflict(name, [option(name), " requires ".into(), option(other)])
}
