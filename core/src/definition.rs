//! Waiter definitions: parsing and validation.
//!
//! Clause: [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure).

pub(crate) mod acceptor;
pub(crate) mod goal;
#[cfg(feature = "hints")]
mod hints;
pub(crate) mod matcher;
pub(crate) mod member;
mod name;
pub(crate) mod state;

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::time::Duration;

use fnv::FnvHasher;
use serde_json::{Map, Value as Json};

pub(crate) use acceptor::Acceptor;
pub(crate) use goal::CompiledGoal;
pub use goal::Goal;
pub(crate) use matcher::{Expectation, Expected, Matcher, PathMatcher, Root};
use member::At;
pub(crate) use member::{by_name, json_of, missing, wrong_type};

pub(crate) use name::{after_number_sign, base_name};
pub use state::State;

use crate::error::DefinitionError;
use crate::jmespath::{Expression, Names};
use crate::millis::TEN_YEARS_MS;
use crate::value::display_number;

/// The specification's default for `minDelay`.
pub(crate) const MIN_DELAY: Duration = Duration::from_secs(2);
/// The specification's default for `maxDelay`.
pub(crate) const MAX_DELAY: Duration = Duration::from_secs(120);
/// The longest delay, in seconds.
const LONGEST_DELAY: u64 = TEN_YEARS_MS / 1_000;

/// Acceptors as JSON, each with the goals that its matcher expresses.
pub(crate) type Acceptors = Vec<(Json, Box<[Goal]>)>;

/// A valid definition of a waiter.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Option<Box<str>>,
    pub(crate) documentation: Option<Box<str>>,
    pub(crate) deprecated: bool,
    pub(crate) tags: Box<[String]>,
    pub(crate) min_delay: Option<Duration>,
    pub(crate) max_delay: Option<Duration>,
    pub(crate) acceptors: Box<[Acceptor]>,
    pub(crate) names: Names,
    /// Paths of the members whose values are hidden in reasons, messages and reports.
    pub(crate) redact: Box<[String]>,
    /// `true` if the host evaluates a predicate and the acceptors read its result.
    pub(crate) is_predicate: bool,
}

impl Definition {
    /// Parses a handwritten definition. Misspelt members are errors.
    pub(crate) fn from_json(text: &str, name: Option<&str>) -> Result<Self, DefinitionError> {
        Self::from_user_value(&json_of("definition", text)?, name)
    }

    /// Validates a handwritten definition. Misspelt members are errors.
    #[cfg(feature = "hints")]
    pub(crate) fn from_user_value(
        json: &Json,
        name: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        // First, because a misspelt member is otherwise ignored, or reported as a missing one.
        if let Some(error) = hints::find_misspelling(json) {
            return Err(error);
        }
        Self::from_value(json, name).map_err(|error| hints::add_hint(error, json))
    }

    /// Validates a handwritten definition, without spelling suggestions.
    #[cfg(not(feature = "hints"))]
    pub(crate) fn from_user_value(
        json: &Json,
        name: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_value(json, name)
    }

    /// Validates a definition. Unknown members are ignored, because models may use a later version of the
    /// specification.
    pub(crate) fn from_value(json: &Json, name: Option<&str>) -> Result<Self, DefinitionError> {
        let name = name.map(check_name).transpose()?;
        let Json::Object(members) = json else {
            return Err(wrong_type("", "the definition", "an object", json));
        };
        let (min_delay, max_delay) = delays(members)?;
        let mut names = Names::default();
        Ok(Self {
            name,
            documentation: member::string(members, "documentation")?.map(Into::into),
            deprecated: member::boolean(members, "deprecated")?.unwrap_or(false),
            tags: member::strings(members, "tags", "a tag")?,
            min_delay,
            max_delay,
            acceptors: acceptors(members, &mut names)?,
            names,
            redact: member::strings(members, "redact", "a path")?,
            is_predicate: false,
        })
    }
}

/// The member with the result of the host's predicate, next to the response.
const PREDICATE: &str = "predicate";

impl Definition {
    /// Returns the definition of a waiter whose host evaluates a predicate. The host passes
    /// `{"predicate": true, "response": …}` as the response.
    pub(crate) fn of_predicate() -> Self {
        let mut names = Names::default();
        let mut acceptors = Box::new([Acceptor::of_member(PREDICATE, &mut names)]);
        share_paths(&mut *acceptors);
        Self {
            name: None,
            documentation: None,
            deprecated: false,
            tags: Box::default(),
            min_delay: None,
            max_delay: None,
            acceptors,
            names,
            redact: Box::default(),
            is_predicate: true,
        }
    }

    /// Returns the definition of these acceptors.
    pub(crate) fn from_acceptors(
        acceptors: Acceptors,
        name: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        let (acceptors, goals): (Vec<_>, Vec<_>) = acceptors.into_iter().unzip();
        let members = [("acceptors".to_owned(), Json::Array(acceptors))];
        let members = Json::Object(members.into_iter().collect());
        Self::from_value(&members, name)?.with_goals(&goals)
    }

    /// Sets the goals of the acceptors.
    pub(crate) fn with_goals(mut self, goals: &[Box<[Goal]>]) -> Result<Self, DefinitionError> {
        for (acceptor, goals) in self.acceptors.iter_mut().zip(goals) {
            let compiled = goals.iter().map(|goal| goal.compile(&mut self.names));
            let compiled = compiled.collect::<Result<_, _>>();
            let in_path = |error| DefinitionError::in_expression("expression", error);
            acceptor.set_goals(compiled.map_err(in_path)?);
        }
        share_paths(&mut self.acceptors);
        Ok(self)
    }

    /// Sets the name and appends acceptors.
    pub(crate) fn extend(
        mut self,
        name: Option<&str>,
        further: &[Json],
    ) -> Result<Self, DefinitionError> {
        self.name = name.map(check_name).transpose()?;
        let mut acceptors = self.acceptors.into_vec();
        for acceptor in further {
            let at = At::new("acceptors").item(acceptors.len());
            acceptors.push(Acceptor::new(acceptor, &at, &mut self.names)?);
        }
        self.acceptors = acceptors.into();
        Ok(self)
    }

    /// Returns a hash of everything that affects decisions. Documentation, tags and names are not included.
    pub(crate) fn fingerprint(&self) -> String {
        let mut hasher = FnvHasher::default();
        hasher.write_u64(self.min_delay.unwrap_or(MIN_DELAY).as_secs());
        hasher.write_u64(self.max_delay.unwrap_or(MAX_DELAY).as_secs());
        for acceptor in &self.acceptors {
            // Only what decides: a change of the documentation or of a name must not end the saved waits.
            let decides = format!("{:?} {} ", acceptor.state(), acceptor.matcher());
            hasher.write(decides.as_bytes());
            hasher.write(acceptor.message().map_or("", Expression::text).as_bytes());
            if acceptor.unexpected() {
                hasher.write(b"unexpected");
            }
        }
        format!("{:016x}", hasher.finish())
    }
}

/// Returns `true` for a name of the grammar of [waiter names]: `upper-alpha *(ALPHA / DIGIT)`.
///
/// [waiter names]: https://smithy.io/2.0/additional-specs/waiters.html#waiter-names
#[must_use]
pub fn is_waiter_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_uppercase())
        && bytes.all(|byte| byte.is_ascii_alphanumeric())
}

fn check_name(name: &str) -> Result<Box<str>, DefinitionError> {
    if is_waiter_name(name) {
        return Ok(name.into());
    }
    let message = format!(
        "the waiter name `{name}` must be an uppercase letter, followed by letters and digits only"
    );
    Err(DefinitionError::new("invalid_name", "", message))
}

fn acceptors(
    members: &Map<String, Json>,
    names: &mut Names,
) -> Result<Box<[Acceptor]>, DefinitionError> {
    let items = match members.get("acceptors") {
        Some(Json::Array(items)) => items,
        Some(other) => return Err(wrong_type("acceptors", "`acceptors`", "an array", other)),
        None => return Err(missing("", "acceptors")),
    };
    if items.is_empty() {
        return Err(DefinitionError::new(
            "no_acceptors",
            "acceptors",
            "a waiter needs at least one acceptor",
        ));
    }
    let parsed = items
        .iter()
        .enumerate()
        .map(|(index, item)| Acceptor::new(item, &At::new("acceptors").item(index), names));
    let mut acceptors = parsed.collect::<Result<Box<[_]>, _>>()?;
    // After all acceptors are parsed, because a path is shared with the acceptors after it.
    share_paths(&mut acceptors);
    if !acceptors
        .iter()
        .any(|acceptor| acceptor.state() == State::Success)
    {
        let message = "no acceptor leads to `success`: the wait could never succeed";
        return Err(DefinitionError::new(
            "no_success_acceptor",
            "acceptors",
            message,
        ));
    }
    Ok(acceptors)
}

/// Stores the expectations of all acceptors that share a path with the first of them, so that the path is evaluated only once.
// One list for each path: a list for each acceptor would need memory in proportion to the square of their number.
fn share_paths(acceptors: &mut [Acceptor]) {
    let mut shared: BTreeMap<_, (usize, Vec<Expectation>)> = BTreeMap::new();
    for (index, acceptor) in acceptors.iter().enumerate() {
        if let Some(matcher) = acceptor.path_matcher() {
            let (_, expectations) = shared
                .entry((matcher.root(), matcher.path().text().to_owned()))
                .or_insert_with(|| (index, Vec::new()));
            let expected = matcher.expected().clone();
            expectations.push(Expectation {
                acceptor: index,
                expected,
            });
        }
    }
    let mut shared: BTreeMap<_, _> = shared.into_values().collect();
    for (index, acceptor) in acceptors.iter_mut().enumerate() {
        if let Some(matcher) = acceptor.matcher_mut().path_matcher_mut() {
            matcher.set_expectations(shared.remove(&index).unwrap_or_default());
        }
    }
}

fn delays(
    members: &Map<String, Json>,
) -> Result<(Option<Duration>, Option<Duration>), DefinitionError> {
    let (explicit_min, explicit_max) =
        (seconds(members, "minDelay")?, seconds(members, "maxDelay")?);
    // Compared with the defaults, too: a `minDelay` of 200 alone is above the default `maxDelay`.
    let (min, max) = (
        explicit_min.unwrap_or(MIN_DELAY),
        explicit_max.unwrap_or(MAX_DELAY),
    );
    if min <= max {
        return Ok((explicit_min, explicit_max));
    }
    let default = |explicit: Option<Duration>| {
        if explicit.is_none() {
            " (the default)"
        } else {
            ""
        }
    };
    let message = format!(
        "`minDelay` {}{} is above `maxDelay` {}{}",
        min.as_secs(),
        default(explicit_min),
        max.as_secs(),
        default(explicit_max)
    );
    Err(DefinitionError::new(
        "invalid_delay",
        if explicit_min.is_some() {
            "minDelay"
        } else {
            "maxDelay"
        },
        message,
    ))
}

fn seconds(members: &Map<String, Json>, name: &str) -> Result<Option<Duration>, DefinitionError> {
    let Some(value) = members.get(name) else {
        return Ok(None);
    };
    let Json::Number(number) = value else {
        return Err(wrong_type(
            name,
            &format!("`{name}`"),
            "an integer number of seconds",
            value,
        ));
    };
    // Hosts without integers write `2` as `2.0`, so that integral doubles are accepted.
    let integer = number.as_u64().or_else(|| {
        number
            .as_f64()
            .filter(|number| number.fract() == 0.0 && *number >= 0.0)
            .map(|number| number as u64)
    });
    match integer {
        // The specification requires at least one second. The upper limit is that of the options.
        Some(seconds) if (1..=LONGEST_DELAY).contains(&seconds) => {
            Ok(Some(Duration::from_secs(seconds)))
        }
        _ => {
            let got = display_number(number.as_f64().unwrap_or(f64::NAN));
            let message = format!(
                "`{name}` must be an integer number of seconds from 1 to {LONGEST_DELAY}, got {got}"
            );
            Err(DefinitionError::new("invalid_delay", name, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Definition;

    #[test]
    fn acceptors_of_one_path_share_its_expectations() {
        let one = |n: i32| {
            json!({"state": "success", "matcher": {"output": {
            "path": "a", "comparator": "stringEquals", "expected": n.to_string()}}})
        };
        let acceptors: Vec<_> = (0..20).map(one).collect();
        let definition = Definition::from_value(&json!({"acceptors": acceptors}), None);
        let lists = definition.map(|definition| {
            let matchers = definition
                .acceptors
                .iter()
                .filter_map(|one| one.path_matcher());
            matchers
                .map(|matcher| matcher.expectations().len())
                .collect::<Vec<_>>()
        });
        let lists = lists.unwrap_or_default();
        assert_eq!(
            (lists.first(), lists.iter().sum::<usize>()),
            (Some(&20), 20)
        );
    }
}
