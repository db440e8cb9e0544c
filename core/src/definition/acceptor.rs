//! Acceptors and their matchers.
//!
//! Clause: [Acceptor structure](https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure).

use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};

use super::goal::CompiledGoal;
use super::matcher::{Expected, Matcher, PathMatcher, Root};
use super::member::{At, by_name, wrong_type};
use super::name::base_name;
use super::state::State;
use crate::error::DefinitionError;
use crate::jmespath::{Expression, Names};

/// A matcher, and the state that it leads to.
#[derive(Debug)]
pub(crate) struct Acceptor {
    state: State,
    matcher: Matcher,
    message: Option<Expression>,
    unexpected: bool,
    /// What `matcher` expresses as one condition, if it comes from the goals of a short form.
    goals: Box<[CompiledGoal]>,
    text: Box<str>,
}

impl Acceptor {
    pub(crate) fn new(json: &Json, at: &At, names: &mut Names) -> Result<Self, DefinitionError> {
        let members = at.object("an acceptor", json)?;
        let state = state(members, at)?;
        let at_matcher = at.member("matcher");
        let json_matcher = at.required(members, "matcher")?;
        Ok(Self {
            state,
            matcher: matcher(json_matcher, &at_matcher, names)?,
            message: message(members, at, state, names)?,
            unexpected: unexpected(members, at, state)?,
            goals: Box::default(),
            text: text(members).into(),
        })
    }

    /// Returns an acceptor that succeeds if a member of the response is `true`.
    pub(crate) fn of_member(name: &str, names: &mut Names) -> Self {
        let path = Expression::of_member(name, names);
        let matcher = PathMatcher::new(Root::Output, path, Expected::Boolean(true));
        Self {
            state: State::Success,
            matcher: Matcher::Path(matcher),
            message: None,
            unexpected: false,
            goals: Box::default(),
            text: format!(r#"{{"state":"success","matcher":{{"{name}":true}}}}"#).into(),
        }
    }

    pub(crate) const fn state(&self) -> State {
        self.state
    }

    pub(crate) const fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// The goals that are tested instead of the matcher, which is equal to them. See docs/rules.md#goals.
    pub(crate) const fn goals(&self) -> &[CompiledGoal] {
        &self.goals
    }

    /// Returns the path of a response that is compared with texts, if there is only one.
    pub(crate) fn compared_path(&self) -> Option<&str> {
        match self.goals() {
            [] => {
                let matcher = self.matcher().path_matcher()?;
                let is_text = matcher.root() == Root::Output && matcher.expected().text().is_some();
                is_text.then(|| matcher.path().text())
            }
            [goal] => (!goal.goal().values().is_empty()).then(|| goal.path().text()),
            _ => None,
        }
    }

    pub(crate) fn set_goals(&mut self, goals: Box<[CompiledGoal]>) {
        self.goals = goals;
    }

    /// The path and its expected value, unless goals are tested instead.
    pub(crate) const fn path_matcher(&self) -> Option<&PathMatcher> {
        if self.goals.is_empty() {
            self.matcher.path_matcher()
        } else {
            None
        }
    }

    pub(crate) const fn matcher_mut(&mut self) -> &mut Matcher {
        &mut self.matcher
    }

    /// The expression of the failure's message. See docs/rules.md#failure-messages.
    pub(crate) const fn message(&self) -> Option<&Expression> {
        self.message.as_ref()
    }

    /// Returns `true` if a match means that the resource is in an unexpected state. See
    /// docs/rules.md#unexpected-states.
    pub(crate) const fn unexpected(&self) -> bool {
        self.unexpected
    }

    /// The acceptor as compact JSON.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

pub(crate) fn state(members: &Map<String, Json>, at: &At) -> Result<State, DefinitionError> {
    match at.required_string(members, "state")? {
        "success" => Ok(State::Success),
        "failure" => Ok(State::Failure),
        "retry" => Ok(State::Retry),
        other => {
            let message =
                format!("unknown state `{other}`: it must be `success`, `failure` or `retry`");
            Err(at.member("state").error("unknown_state", message))
        }
    }
}

fn matcher(json: &Json, at: &At, names: &mut Names) -> Result<Matcher, DefinitionError> {
    let members = at.object("`matcher`", json)?;
    let mut members = by_name(members).into_iter();
    let known = "`output`, `inputOutput`, `success` or `errorType`";
    let Some((name, value)) = members.next() else {
        return Err(at.error(
            "no_matcher",
            format!("a matcher must have exactly one of {known}, got none"),
        ));
    };
    // Unknown names come first: with a misspelt matcher beside a known one, the misspelling is the cause.
    let rest: Vec<&str> = members.map(|(name, _)| name).collect();
    for name in std::iter::once(name).chain(rest.iter().copied()) {
        if !matches!(name, "output" | "inputOutput" | "success" | "errorType") {
            let message = format!("unknown matcher `{name}`: it must be {known}");
            return Err(at.member(name).error("unknown_matcher", message));
        }
    }
    if !rest.is_empty() {
        let got: Vec<String> = std::iter::once(name)
            .chain(rest)
            .map(|name| format!("`{name}`"))
            .collect();
        let message = format!(
            "a matcher must have exactly one of {known}, got {}",
            got.join(" and ")
        );
        return Err(at.error("ambiguous_matcher", message));
    }
    let at = at.member(name);
    match name {
        "errorType" => error_type(value, &at),
        "inputOutput" => path_matcher(Root::InputOutput, value, &at, names),
        "output" => path_matcher(Root::Output, value, &at, names),
        _ => match value {
            Json::Bool(success) => Ok(Matcher::Success(*success)),
            other => Err(wrong_type(at.as_str(), "`success`", "a boolean", other)),
        },
    }
}

fn error_type(value: &Json, at: &At) -> Result<Matcher, DefinitionError> {
    match value {
        Json::String(name) if base_name(name).is_empty() => {
            let message = format!("`errorType` must name an error, got `{name}`");
            Err(at.error("invalid_error_type", message))
        }
        Json::String(name) => Ok(Matcher::ErrorType(name.as_str().into())),
        other => Err(wrong_type(at.as_str(), "`errorType`", "a string", other)),
    }
}

fn path_matcher(
    root: Root,
    json: &Json,
    at: &At,
    names: &mut Names,
) -> Result<Matcher, DefinitionError> {
    let members = at.object("a path matcher", json)?;
    let path = at.required_string(members, "path")?;
    let expected = expected_text(members, at)?;
    let comparator = at.required_string(members, "comparator")?;
    let expected = self::expected(comparator, expected, at, names)?;
    let path = expression(path, &at.member("path"), names)?;
    Ok(Matcher::Path(PathMatcher::new(root, path, expected)))
}

fn expected_text<'a>(members: &'a Map<String, Json>, at: &At) -> Result<&'a str, DefinitionError> {
    let text = at.required_string(members, "expected");
    text.map_err(|mut error| {
        if let Some(Json::Bool(value)) = members.get("expected") {
            error.message += &format!(": write `\"{value}\"`");
        }
        error
    })
}

fn expected(
    comparator: &str,
    expected: &str,
    at: &At,
    names: &mut Names,
) -> Result<Expected, DefinitionError> {
    Ok(match comparator {
        "allStringEquals" => Expected::AllStrings(names.intern(expected)),
        "anyStringEquals" => Expected::AnyString(names.intern(expected)),
        "booleanEquals" => Expected::Boolean(expected.parse().map_err(|_| {
            let message = format!(
                "with `booleanEquals`, `expected` must be `true` or `false`, got `{expected}`"
            );
            at.member("expected").error("invalid_expected", message)
        })?),
        "stringEquals" => Expected::String(names.intern(expected)),
        other => {
            let known = "`stringEquals`, `booleanEquals`, `allStringEquals` or `anyStringEquals`";
            let message = format!("unknown comparator `{other}`: it must be {known}");
            return Err(at.member("comparator").error("unknown_comparator", message));
        }
    })
}

// Smithy added `message` to acceptors in June 2026. Only failures have one. Rule: docs/rules.md#failure-messages
fn message(
    members: &Map<String, Json>,
    at: &At,
    state: State,
    names: &mut Names,
) -> Result<Option<Expression>, DefinitionError> {
    if !members.contains_key("message") {
        return Ok(None);
    }
    let text = at.required_string(members, "message")?;
    let at = at.member("message");
    if state != State::Failure {
        let message = format!("`message` requires the state `failure`, got `{state}`");
        return Err(at.error("misplaced_message", message));
    }
    expression(text, &at, names).map(Some)
}

// `unexpected` isn't in the specification. Its failures have the code `unexpected_state`.
// Rule: docs/rules.md#unexpected-states
fn unexpected(members: &Map<String, Json>, at: &At, state: State) -> Result<bool, DefinitionError> {
    let at = at.member("unexpected");
    match members.get("unexpected") {
        None | Some(Json::Bool(false)) => Ok(false),
        Some(Json::Bool(true)) if state == State::Failure => Ok(true),
        Some(Json::Bool(true)) => {
            let message = format!("`unexpected` requires the state `failure`, got `{state}`");
            Err(at.error("misplaced_unexpected", message))
        }
        Some(other) => Err(wrong_type(at.as_str(), "`unexpected`", "a boolean", other)),
    }
}

fn expression(text: &str, at: &At, names: &mut Names) -> Result<Expression, DefinitionError> {
    Expression::new(text, names).map_err(|error| DefinitionError::in_expression(at.as_str(), error))
}

/// Returns the acceptor as compact JSON: the state first, then the matcher, then other members by name.
fn text(members: &Map<String, Json>) -> String {
    // The order of JSON members differs between hosts, and reports quote this text byte for byte.
    let mut members = by_name(members);
    for name in ["matcher", "state"] {
        if let Some(place) = members.iter().position(|(member, _)| *member == name) {
            members
                .get_mut(..=place)
                .unwrap_or_default()
                .rotate_right(1);
        }
    }
    // Parsed JSON always serializes.
    serde_json::to_string(&Ordered(members)).unwrap_or_default()
}

/// Serializes members in this order, and nested members in the order of their names.
struct Ordered<'a>(Vec<(&'a str, &'a Json)>);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Sorted(value))))
    }
}

struct Sorted<'a>(&'a Json);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Json::Array(items) => serializer.collect_seq(items.iter().map(Sorted)),
            Json::Object(members) => Ordered(by_name(members)).serialize(serializer),
            scalar => scalar.serialize(serializer),
        }
    }
}
