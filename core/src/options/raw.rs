//! Untyped options from an object of a host language.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

use serde_json::Value as Json;

use super::spec::{IntegerSpec, OptionSpec};
use crate::error::{OptionsError, Part};
use crate::value::{Kind, ReadError, Value, describe, number_of};

/// The most members of an option that are read. A host's object may have no end.
const MAX_MEMBERS: usize = 1_000;

/// Options that can be read from an object of a host language.
pub trait FromHost: Sized {
    /// The names of the options in camel case.
    const NAMES: &'static [&'static str];

    /// Reads the options. Null members count as unset.
    ///
    /// # Errors
    ///
    /// - `unknown_option` for an unknown name.
    /// - `invalid_option` for a value of the wrong type or out of range.
    /// - `missing_option` if a required option is missing.
    /// - `conflicting_options` for options that cannot be combined.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError>;
}

/// Options with an optional seed.
pub trait Seeded {
    /// Returns the caller's seed.
    fn seed_option(&self) -> Option<u64>;
}

/// All options that are not null.
pub(crate) struct RawOptions(Vec<RawOption>);

pub(super) struct RawOption {
    option: &'static str,
    kind: Kind,
    /// The text of a string.
    text: String,
    /// The members of an object: strings, numbers and booleans as JSON, arrays and objects as empty ones.
    members: Vec<(String, Json)>,
    /// The items of an array of strings, or the index and kind of the first other item.
    texts: Result<Vec<String>, (usize, Kind)>,
}

impl RawOption {
    fn read<V: Value>(name: &str, value: &V, known: &[&'static str]) -> Result<Self, OptionsError> {
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
            Ok(Self {
                option,
                kind,
                text,
                members: scalars(value, kind)?,
                texts,
            })
        };
        read().map_err(|error: ReadError| OptionsError::from_cause(option, &error))
    }
}

impl RawOptions {
    /// Reads every option of an object. A name that isn't in `known` is an error.
    pub(crate) fn read<V: Value>(object: V, known: &[&'static str]) -> Result<Self, OptionsError> {
        let unreadable = |error: ReadError| {
            let problem = format!("the options cannot be read: {error}");
            OptionsError::new("invalid_option", "", [problem.into()])
        };
        let kind = object.kind().map_err(unreadable)?;
        if kind != Kind::Null {
            check_object("", "the options".into(), kind)?;
        }
        let (mut options, mut result) = (Vec::new(), Ok(()));
        let read = object.members(&mut |name, value| {
            match RawOption::read(name, &value, known) {
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
        read.map_err(unreadable)?;
        Ok(Self::set(options))
    }

    /// Reads these members of an object, and ignores all others.
    pub(crate) fn of_members<V: Value>(
        object: &V,
        names: &[&'static str],
    ) -> Result<Self, OptionsError> {
        let mut options = Vec::new();
        for name in names {
            let member = object.member(name);
            let member = member.map_err(|error| OptionsError::from_cause(name, &error))?;
            if let Some(member) = member {
                options.push(RawOption::read(name, &member, names)?);
            }
        }
        Ok(Self::set(options))
    }

    /// Returns the options that are set.
    fn set(mut options: Vec<RawOption>) -> Self {
        // Null counts as absent. Rule: docs/rules.md#options
        options.retain(|option| option.kind != Kind::Null);
        Self(options)
    }

    /// Returns the first of these options that is set.
    pub(crate) fn first_of(&self, options: &[&'static str]) -> Option<&'static str> {
        options
            .iter()
            .copied()
            .find(|option| self.find(option).is_some())
    }

    /// Returns the kind of an option that is set.
    pub(crate) fn kind(&self, option: &str) -> Option<Kind> {
        self.find(option).map(|raw| raw.kind)
    }

    pub(super) fn find(&self, option: &str) -> Option<&RawOption> {
        self.0.iter().find(|raw| raw.option == option)
    }

    pub(crate) fn number(
        &self,
        option: &'static str,
        rule: &'static str,
    ) -> Result<Option<f64>, OptionsError> {
        match self.kind(option) {
            None => Ok(None),
            Some(Kind::Number(number)) => Ok(Some(number)),
            Some(other) => Err(OptionsError::invalid(option, rule, &describe(other))),
        }
    }

    /// Returns a duration from a number of seconds. The option's range is checked later, together with all options.
    pub(crate) fn duration(&self, spec: &OptionSpec) -> Result<Option<Duration>, OptionsError> {
        let Some(seconds) = self.number(spec.option, "must be a number of seconds")? else {
            return Ok(None);
        };
        spec.duration(seconds).map(Some)
    }

    /// Returns the duration until a time in seconds from now, or zero if the time has passed.
    pub(super) fn time_left(&self, spec: &OptionSpec) -> Result<Option<Duration>, OptionsError> {
        let seconds = self.number(spec.option, "must be a number of seconds")?;
        // A deadline that has passed is valid: the wait times out without a call. Rule: docs/rules.md#deadline
        let time_left = |seconds: f64| spec.duration(if seconds < 0.0 { 0.0 } else { seconds });
        seconds.map(time_left).transpose()
    }

    pub(crate) fn text(&self, spec: &OptionSpec) -> Result<Option<String>, OptionsError> {
        match self.find(spec.option) {
            None => Ok(None),
            Some(raw) if raw.kind == Kind::String => Ok(Some(raw.text.clone())),
            Some(raw) => Err(spec.invalid(&describe(raw.kind))),
        }
    }

    pub(crate) fn integer(&self, integer: &IntegerSpec) -> Result<Option<u64>, OptionsError> {
        let Some(kind) = self.kind(integer.spec.option) else {
            return Ok(None);
        };
        let value = whole_number(kind, integer.least..=integer.greatest);
        value
            .map(Some)
            .ok_or_else(|| integer.spec.invalid(&describe(kind)))
    }

    pub(crate) fn boolean(&self, option: &'static str) -> Result<Option<bool>, OptionsError> {
        match self.kind(option) {
            None => Ok(None),
            Some(Kind::Boolean(value)) => Ok(Some(value)),
            Some(other) => Err(OptionsError::invalid(
                option,
                "must be a boolean",
                &describe(other),
            )),
        }
    }

    /// Returns the meaning of a keyword. `rule` lists the keywords, for the message.
    pub(crate) fn word<T: Copy>(
        &self,
        option: &'static str,
        words: &[(&str, T)],
        rule: &'static str,
    ) -> Result<Option<T>, OptionsError> {
        let Some(raw) = self.find(option) else {
            return Ok(None);
        };
        let got = if raw.kind == Kind::String {
            if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == raw.text) {
                return Ok(Some(*meaning));
            }
            format!("`{}`", raw.text)
        } else {
            describe(raw.kind)
        };
        Err(OptionsError::invalid(option, rule, &got))
    }

    /// Returns a rule's name and its number: `"specification"` has no number, `{"every": 15}` has the number 15.
    pub(super) fn rule(
        &self,
        option: &'static str,
        rule: &'static str,
    ) -> Result<Option<(String, Option<f64>)>, OptionsError> {
        let Some(raw) = self.find(option) else {
            return Ok(None);
        };
        match (raw.kind, &*raw.members) {
            (Kind::String, _) => Ok(Some((raw.text.clone(), None))),
            (_, [(name, Json::Number(number))]) => Ok(Some((name.clone(), number.as_f64()))),
            _ => Err(OptionsError::invalid(option, rule, &describe(raw.kind))),
        }
    }

    /// Returns the value of an option that is a string, a number or a boolean.
    pub(super) fn scalar(&self, option: &str) -> Option<Json> {
        let raw = self.find(option)?;
        scalar_of(raw.kind, || Ok(raw.text.clone()))
            .ok()
            .filter(|value| value.is_string() || value.is_number() || value.is_boolean())
    }

    /// Returns the members of an option that is an object; strings, numbers and booleans as JSON, anything else as null.
    pub(crate) fn object(
        &self,
        spec: &OptionSpec,
    ) -> Result<Option<&[(String, Json)]>, OptionsError> {
        match self.find(spec.option) {
            None => Ok(None),
            Some(raw) if raw.kind == Kind::Object => Ok(Some(&raw.members)),
            Some(raw) => Err(spec.invalid(&describe(raw.kind))),
        }
    }

    pub(crate) fn strings(
        &self,
        option: &'static str,
        rule: &'static str,
    ) -> Result<Vec<String>, OptionsError> {
        let Some(raw) = self.find(option) else {
            return Ok(Vec::new());
        };
        if raw.kind != Kind::Array {
            return Err(OptionsError::invalid(option, rule, &describe(raw.kind)));
        }
        raw.texts.clone().map_err(|(index, kind)| {
            let item = Part::Option(format!("{option}[{index}]").into());
            let problem = format!(" must be a string, got {}", describe(kind));
            OptionsError::new("invalid_option", option, [item, problem.into()])
        })
    }
}

/// Rejects a value that is not an object. `culprit` names it in the message.
pub(crate) fn check_object(
    name: &'static str,
    culprit: Part,
    kind: Kind,
) -> Result<(), OptionsError> {
    match kind {
        Kind::Object => Ok(()),
        other => Err(wrong_kind(name, culprit, "an object", other)),
    }
}

/// Returns the error for a value of another kind than `rule` requires.
pub(crate) fn wrong_kind(name: &'static str, culprit: Part, rule: &str, got: Kind) -> OptionsError {
    let problem = format!(" must be {rule}, got {}", describe(got));
    OptionsError::new("invalid_option", name, [culprit, problem.into()])
}

/// Returns an integer of a host in a range.
pub(crate) fn whole_number(kind: Kind, range: RangeInclusive<u64>) -> Option<u64> {
    let limits = *range.start() as f64..=*range.end() as f64;
    match kind {
        Kind::Number(number) if number.fract() == 0.0 && limits.contains(&number) => {
            Some(number as u64)
        }
        _ => None,
    }
}

/// Returns the items of an array of strings, or the index and kind of the first other item.
fn strings<V: Value>(array: &V) -> Result<Result<Vec<String>, (usize, Kind)>, ReadError> {
    let mut texts = Vec::new();
    for index in 0..array.len()? {
        // An array may become shorter while the host's getters run.
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

/// Returns the members of an object: strings, numbers and booleans as JSON, arrays and objects as empty ones.
fn scalars<V: Value>(object: &V, kind: Kind) -> Result<Vec<(String, Json)>, ReadError> {
    let (mut members, mut result) = (Vec::new(), Ok(()));
    if kind != Kind::Object {
        return Ok(members);
    }
    object.members(&mut |name, value| {
        let read = value
            .kind()
            .and_then(|kind| scalar_of(kind, || Ok(value.text()?.into_owned())));
        match read {
            Ok(value) => members.push((name.to_owned(), value)),
            Err(error) => result = Err(error),
        }
        if members.len() > MAX_MEMBERS {
            let problem = format!("it has more than {MAX_MEMBERS} members");
            result = Err(ReadError::new(problem));
        }
        if result.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    result.map(|()| members)
}

/// Returns an invalid member for messages.
pub(crate) fn describe_member(value: &Json) -> String {
    match value {
        Json::Array(_) => describe(Kind::Array),
        Json::Object(_) => describe(Kind::Object),
        other => other.to_string(),
    }
}

fn scalar_of(
    kind: Kind,
    text: impl FnOnce() -> Result<String, ReadError>,
) -> Result<Json, ReadError> {
    Ok(match kind {
        Kind::Boolean(value) => value.into(),
        Kind::Number(number) => number_of(number),
        Kind::String => text()?.into(),
        Kind::Null => Json::Null,
        Kind::Array => Json::Array(Vec::new()),
        Kind::Object => Json::Object(serde_json::Map::new()),
    })
}
