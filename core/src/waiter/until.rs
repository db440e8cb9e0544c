//! The short form of a waiter: paths and their values.

use serde_json::{Map, Value as Json, json};

use super::failure::{StatePath, failure, validate};
use super::json::{acceptor, error_type, path_matcher};
use crate::definition::goal::{Goal, Test, is_one_of};
use crate::definition::matcher::Root;
use crate::definition::member::{self, At, members_of, wrong_type};
use crate::definition::state::State;
use crate::definition::{Acceptors, Definition};
use crate::error::DefinitionError;
use crate::jmespath::{Expression, Names};
use crate::options::Defaults;
use crate::waiter::Waiter;

/// A builder for waiters that compare the values of paths.
///
/// [`build`](Self::build) creates an ordinary definition, which [`Waiter::definition`] returns. If the path is a
/// projection, such as `Tasks[].Status`, every item must have the expected value, and a single failed item fails the
/// wait. Failures are tested before the success. See [docs/rules.md#short-form](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#short-form).
///
/// # Example: a table with pending states
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Observation, State, Waiter};
///
/// let table_active = Waiter::until("Table.TableStatus", "ACTIVE")
///     .fail(["ARCHIVED"])
///     .pending(["CREATING", "UPDATING"])
///     .retry_errors(["ResourceNotFoundException"])
///     .build()?;
/// let state = |status: &str| {
///     let response = json!({"Table": {"TableStatus": status}});
///     table_active.evaluate(&Value::Null, Observation::Response(&response)).state()
/// };
/// assert_eq!(state("CREATING"), State::Retry);
/// assert_eq!(state("ACTIVE"), State::Success);
/// // `DELETING` is neither the expected nor a pending value.
/// assert_eq!(state("DELETING"), State::Failure);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Until {
    goals: Vec<Goal>,
    /// `true` if the host evaluates a predicate.
    is_predicate: bool,
    any: bool,
    text: bool,
    fail: Vec<Failure>,
    pending: Vec<String>,
    retry_errors: Errors,
    /// `true` if all errors are retried.
    retry_any_error: bool,
    success_errors: Errors,
    name: Option<String>,
}

#[derive(Clone, Debug)]
enum Failure {
    Goal(Goal),
    /// A value of the only path, or a matcher.
    Json(Json),
}

/// Names of errors, with the host's spelling of the member.
#[derive(Clone, Debug)]
struct Errors {
    member: &'static str,
    names: Vec<String>,
}

/// The members of the short form in JSON.
const SHORT_FORM: [&str; 11] = [
    "any",
    "expected",
    "expression",
    "fail",
    "name",
    "pending",
    "retryErrors",
    "retry_errors",
    "successErrors",
    "success_errors",
    "text",
];

/// The members of a goal in JSON.
const GOAL: [&str; 4] = ["any", "expected", "path", "present"];

/// The spellings of members in the hosts, Rust's first.
const RETRY_ERRORS: [&str; 2] = ["retry_errors", "retryErrors"];
const SUCCESS_ERRORS: [&str; 2] = ["success_errors", "successErrors"];

/// The value of `retryErrors` for all errors.
const ANY: &str = "any";

impl Waiter {
    /// Starts building a waiter that succeeds when the value of a path equals `expected`.
    pub fn until(path: impl Into<String>, expected: impl Into<String>) -> Until {
        Until::new([Goal::equals(path, [expected])])
    }

    /// Starts building a waiter that succeeds when a boolean expression is `true`, such as ``length(Items) >= `3` ``.
    ///
    /// The expression must be a comparison, a call of a function that returns a boolean, or a combination of these.
    pub fn until_true(expression: impl Into<String>) -> Until {
        Until::new([Goal::condition(expression)])
    }

    /// Starts building a waiter that succeeds when a response reaches all goals.
    pub fn until_all(goals: impl IntoIterator<Item = Goal>) -> Until {
        Until::new(goals)
    }
}

impl Until {
    fn new(goals: impl IntoIterator<Item = Goal>) -> Self {
        let errors = |member| Errors {
            member,
            names: Vec::new(),
        };
        Self {
            goals: goals.into_iter().collect(),
            is_predicate: false,
            any: false,
            text: false,
            fail: Vec::new(),
            pending: Vec::new(),
            retry_errors: errors(RETRY_ERRORS[0]),
            retry_any_error: false,
            success_errors: errors(SUCCESS_ERRORS[0]),
            name: None,
        }
    }

    /// Lets a single list item with the expected value be enough to succeed.
    pub const fn any(mut self) -> Self {
        self.any = true;
        self
    }

    /// Compares numbers and booleans by their texts, too: `3` equals `"3"`.
    pub const fn text(mut self) -> Self {
        self.text = true;
        self
    }

    /// Adds failures. A string is a value of the path; an object is a matcher of the specification, such as
    /// `{"errorType": "AccessDenied"}`.
    pub fn fail<F: Into<Json>>(mut self, fail: impl IntoIterator<Item = F>) -> Self {
        let fail = fail.into_iter().map(|item| Failure::Json(item.into()));
        self.fail.extend(fail);
        self
    }

    /// Adds a failure with a path of its own. Of a list, one item with the value is enough.
    pub fn fail_when(mut self, goal: Goal) -> Self {
        self.fail.push(Failure::Goal(goal));
        self
    }

    /// Adds values that the path may have before it reaches the expected one.
    ///
    /// If there are pending values, every other value fails the wait with the code `unexpected_state`. Missing and null
    /// values don't. See [docs/rules.md#unexpected-states](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#unexpected-states).
    pub fn pending<P: Into<String>>(mut self, pending: impl IntoIterator<Item = P>) -> Self {
        self.pending.extend(pending.into_iter().map(Into::into));
        self
    }

    /// Adds names of errors that are retried.
    pub fn retry_errors<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(Into::into);
        self.retry_errors.names.extend(names);
        self
    }

    /// Retries every error that is neither a failure nor a success, including denied access and errors of your own code.
    ///
    /// An error ends such a wait only at its deadline: it does not become `unreachable`.
    pub const fn retry_any_error(mut self) -> Self {
        self.retry_any_error = true;
        self
    }

    /// Adds names of errors that are a success, such as the error for a deleted resource.
    pub fn success_errors<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(Into::into);
        self.success_errors.names.extend(names);
        self
    }

    /// Sets the waiter's name. It must be an uppercase letter followed by letters and digits.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Builds the waiter.
    ///
    /// # Errors
    ///
    /// Returns an error whose path starts with the culprit's member, such as `expression` or `fail[0]`:
    ///
    /// - `invalid_expression` and the other codes of expressions if the expression does not parse.
    /// - `no_condition` if the expression is not boolean and no value is expected, or if there is no goal.
    /// - `no_state_path` if a member needs an expected text, or a list cannot be compared.
    /// - `conflicting_values` if a value is in two of `expected`, `fail` and `pending`.
    /// - `invalid_name`, and the codes of invalid matchers.
    pub fn build(&self) -> Result<Waiter, DefinitionError> {
        let name = self.name.as_deref();
        if self.is_predicate {
            let errors = self.errors()?;
            let definition = Definition::of_predicate().extend(name, &errors);
            return Ok(Waiter::with(definition)?.with_defaults(Defaults::SHORT_FORM));
        }
        let goals = self.checked_goals()?;
        let only = match &*goals {
            [only] => Some(only),
            _ => None,
        };
        self.check_members(only)?;
        let is_list = only.is_some_and(|only| self.any || returns_list(only));
        // The order decides: failures come before the success. Rule: docs/rules.md#short-form
        let mut acceptors = Acceptors::new();
        for (index, item) in self.fail.iter().enumerate() {
            acceptors.push(self.failure(index, item, only, is_list)?);
        }
        match only {
            Some(only) => acceptors.push(success_of(only, is_list)),
            None if goals.is_empty() => {}
            None => acceptors.push(of_goals(State::Success, &goals)),
        }
        acceptors.extend(self.errors()?.into_iter().map(plain));
        // Last, because it matches everything that the acceptors before it do not list.
        if let Some(only) = only.filter(|_| !self.pending.is_empty()) {
            acceptors.push(plain(self.unexpected(only, is_list)));
        }
        let waiter = Waiter::with(Definition::from_acceptors(acceptors, name))?;
        Ok(waiter.with_defaults(Defaults::SHORT_FORM))
    }

    /// Returns the goals with the members that apply to all of them.
    fn checked_goals(&self) -> Result<Vec<Goal>, DefinitionError> {
        if self.goals.is_empty() && self.success_errors.names.is_empty() {
            let message = "at least one goal is required";
            return Err(At::new("expression").error("no_condition", message));
        }
        let is_only = self.goals.len() == 1;
        let checked = |(index, goal): (usize, &Goal)| {
            let at = if is_only {
                At::new("expression")
            } else {
                At::new("expression").item(index)
            };
            check_goal(goal, &at)?;
            let goal = if self.text {
                goal.clone().by_text()
            } else {
                goal.clone()
            };
            Ok(if self.any { goal.any() } else { goal })
        };
        self.goals.iter().enumerate().map(checked).collect()
    }

    /// Returns the acceptors of the errors that succeed, then of those to retry.
    fn errors(&self) -> Result<Vec<Json>, DefinitionError> {
        let of = |errors: &Errors, state| {
            let names = errors.names.iter().enumerate();
            let acceptors = names.map(|(index, name)| {
                let at = At::new(errors.member).item(index);
                let acceptor = validate(acceptor(state, error_type(name)), &at);
                acceptor.map_err(|error| DefinitionError {
                    path: at.as_str().to_owned(),
                    ..error
                })
            });
            acceptors.collect::<Result<Vec<_>, _>>()
        };
        let mut acceptors = of(&self.success_errors, State::Success)?;
        acceptors.extend(of(&self.retry_errors, State::Retry)?);
        if self.retry_any_error {
            acceptors.push(acceptor(State::Retry, json!({"success": false})));
        }
        Ok(acceptors)
    }

    fn failure(
        &self,
        index: usize,
        item: &Failure,
        only: Option<&Goal>,
        is_list: bool,
    ) -> Result<(Json, Box<[Goal]>), DefinitionError> {
        let path = only.filter(|only| matches!(only.test, Test::Values { .. }));
        let goal = match (item, path) {
            (Failure::Goal(goal), _) => {
                check_goal(goal, &At::new("fail").item(index))?;
                goal.clone()
            }
            (Failure::Json(Json::String(value)), Some(only)) if self.text => {
                Goal::equals(&only.path, [value])
            }
            (Failure::Json(json), _) => {
                let path = path.map(|only| StatePath::of_output(&only.path, "", is_list));
                let without = if self.goals.len() > 1 {
                    "there are several goals"
                } else {
                    "`expected` is not a string"
                };
                return failure(index, json, path, without).map(plain);
            }
        };
        let goal = if self.text { goal.by_text() } else { goal };
        Ok(of_goals(State::Failure, &[goal.any()]))
    }

    /// Returns the acceptor that fails for values that are not listed.
    fn unexpected(&self, only: &Goal, is_list: bool) -> Json {
        let failures = self.failure_values().map(|(_, value)| value.to_owned());
        let mut known = only.values().to_vec();
        known.extend(self.pending.iter().cloned());
        known.extend(failures);
        let is_known = is_one_of(&known, self.text);
        let is_known = if self.text {
            format!("({is_known})")
        } else {
            is_known
        };
        let path = &only.path;
        let path = if is_list {
            format!("{path} | [?!{is_known}] | [0] != `null`")
        } else {
            // Null is not a state: a member can be missing until the resource exists. Rule: docs/rules.md#short-form
            format!("{path} | @ != `null` && !{is_known}")
        };
        let matcher = path_matcher(Root::Output, &path, "booleanEquals", "true");
        let mut unexpected = acceptor(State::Failure, matcher);
        if let Some(members) = unexpected.as_object_mut() {
            members.insert("unexpected".to_owned(), true.into());
        }
        unexpected
    }

    /// The failures that are values of the only path.
    fn failure_values(&self) -> impl Iterator<Item = (usize, &str)> {
        let failures = self.fail.iter().enumerate();
        failures.filter_map(|(index, item)| match item {
            Failure::Json(Json::String(value)) => Some((index, &**value)),
            _ => None,
        })
    }

    /// Rejects members without the goal that they need, lists that are compared with a boolean, and values with two
    /// meanings.
    fn check_members(&self, only: Option<&Goal>) -> Result<(), DefinitionError> {
        let has_values = |goal: &Goal| matches!(goal.test, Test::Values { .. });
        let needs_text = |member: &str| {
            let message = "cannot be used without an expected string";
            Err(At::new(member).error("no_state_path", message))
        };
        if self.any && !self.goals.iter().any(has_values) {
            return needs_text("any");
        }
        if !self.pending.is_empty() && !only.is_some_and(has_values) {
            return match only {
                None if !self.goals.is_empty() => {
                    let message = "requires a path, but there are several goals";
                    Err(At::new("pending").error("no_state_path", message))
                }
                _ => needs_text("pending"),
            };
        }
        let expected = only.map_or(&[][..], Goal::values);
        let is_expected = |value: &str| expected.iter().any(|expected| expected == value);
        let both = |(list, index): (&str, usize), value: &str, other: &str| {
            let message = format!("`{value}` is also {other}");
            Err(At::new(list)
                .item(index)
                .error("conflicting_values", message))
        };
        for (index, value) in self.failure_values() {
            if is_expected(value) {
                return both(("fail", index), value, "the expected value");
            }
        }
        for (index, value) in self.pending.iter().enumerate() {
            if is_expected(value) {
                return both(("pending", index), value, "the expected value");
            }
            if self.failure_values().any(|(_, failure)| failure == value) {
                return both(("pending", index), value, "a failure");
            }
        }
        Ok(())
    }
}

/// Returns the acceptor of the only goal: a comparator of the specification if there is one that is equal.
fn success_of(goal: &Goal, is_list: bool) -> (Json, Box<[Goal]>) {
    let (comparator, expected) = match &goal.test {
        Test::Values {
            values,
            any,
            text: false,
        } => match (&**values, any) {
            ([value], true) => ("anyStringEquals", &**value),
            ([value], false) if is_list => ("allStringEquals", &**value),
            ([value], false) => ("stringEquals", &**value),
            _ => return of_goals(State::Success, std::slice::from_ref(goal)),
        },
        Test::Boolean(false) => ("booleanEquals", "false"),
        Test::Boolean(true) | Test::Condition => ("booleanEquals", "true"),
        Test::Values { .. } | Test::Present => {
            return of_goals(State::Success, std::slice::from_ref(goal));
        }
    };
    plain(acceptor(
        State::Success,
        path_matcher(Root::Output, &goal.path, comparator, expected),
    ))
}

/// Returns an acceptor without goals.
fn plain(acceptor: Json) -> (Json, Box<[Goal]>) {
    (acceptor, Box::default())
}

/// Returns the acceptor of several goals, or of one without a comparator of the specification. Its condition is equal.
fn of_goals(state: State, goals: &[Goal]) -> (Json, Box<[Goal]>) {
    let condition = match goals {
        [goal] => goal.expression(),
        _ => {
            let parts = goals.iter().map(|goal| format!("({})", goal.expression()));
            parts.collect::<Vec<_>>().join(" && ")
        }
    };
    let matcher = path_matcher(Root::Output, &condition, "booleanEquals", "true");
    (acceptor(state, matcher), goals.into())
}

/// Returns `true` if the value of the goal's path is always a list.
fn returns_list(goal: &Goal) -> bool {
    let expression = Expression::new(&goal.path, &mut Names::default());
    expression.is_ok_and(|expression| expression.root().returns_list())
}

/// Rejects a path that does not parse or that its test cannot match.
fn check_goal(goal: &Goal, at: &At) -> Result<(), DefinitionError> {
    let expression = Expression::new(&goal.path, &mut Names::default());
    let expression =
        expression.map_err(|error| DefinitionError::in_expression(at.as_str(), error))?;
    match &goal.test {
        // `Waiter.until("status")` would never match. Rule: docs/rules.md#short-form
        Test::Condition if !expression.root().is_condition() => {
            let message = format!(
                "without an expected value, the expression must be a comparison such as `status == 'DONE'` or a call of `contains`, `starts_with` or `ends_with`, got `{}`",
                expression.text()
            );
            Err(at.error("no_condition", message))
        }
        Test::Boolean(_) if expression.root().returns_list() => {
            let message = format!(
                "a list cannot be compared with a boolean: compare the items of `{}` in the expression",
                goal.path
            );
            Err(At::new("expected").error("no_state_path", message))
        }
        Test::Values { values, .. } if values.is_empty() => {
            let message = "at least one value is required";
            Err(At::new("expected").error("no_condition", message))
        }
        _ => Ok(()),
    }
}

/// Returns the goal of a path and its expected value: a string, a boolean, a list of strings, or nothing.
fn goal_of(path: &str, expected: Option<&Json>, at: &str) -> Result<Goal, DefinitionError> {
    let test = match expected {
        None => Test::Condition,
        Some(Json::Bool(expected)) => Test::Boolean(*expected),
        Some(Json::String(expected)) => return Ok(Goal::equals(path, [expected])),
        Some(Json::Array(items)) => {
            let text = |(index, item): (usize, &Json)| {
                let at = format!("{at}[{index}]");
                let text = item.as_str().map(ToOwned::to_owned);
                text.ok_or_else(|| wrong_type(&at, "an expected value", "a string", item))
            };
            let values = items.iter().enumerate().map(text);
            return Ok(Goal::equals(path, values.collect::<Result<Vec<_>, _>>()?));
        }
        Some(other) => {
            let rule =
                "a string, a list of strings or a boolean (compare other values in the expression)";
            return Err(wrong_type(at, "`expected`", rule, other));
        }
    };
    Ok(Goal {
        path: path.to_owned(),
        test,
    })
}

/// Reads a goal: a condition, or an object with a path.
fn goal_from(json: &Json, at: &At) -> Result<Goal, DefinitionError> {
    if let Json::String(condition) = json {
        return Ok(Goal::condition(condition));
    }
    let members = at.object("a goal", json)?;
    if let Some(name) = members.keys().find(|name| !GOAL.contains(&&***name)) {
        let message = format!(
            "a goal has no such member: its members are {}",
            GOAL.join(", ")
        );
        return Err(at.member(name).error("unknown_member", message));
    }
    let set = |name: &str| members.get(name).filter(|value| !value.is_null());
    let path = at.required_string(members, "path")?;
    let is = |name: &str| match set(name) {
        None => Ok(false),
        Some(Json::Bool(value)) => Ok(*value),
        Some(other) => {
            let at = at.member(name);
            Err(wrong_type(
                at.as_str(),
                &format!("`{name}`"),
                "a boolean",
                other,
            ))
        }
    };
    let (any, expected) = (is("any")?, set("expected"));
    if is("present")? {
        if expected.is_some() || any {
            let message = "cannot be combined with `expected` or `any`";
            return Err(at.member("present").error("no_state_path", message));
        }
        return Ok(Goal::present(path));
    }
    let goal = goal_of(path, expected, at.member("expected").as_str())?;
    Ok(if any { goal.any() } else { goal })
}

#[doc(hidden)]
impl Until {
    /// Reads the short form from a host's JSON: `expression`, `expected`, `any`, `text`, `fail`, `pending`, `name`, and
    /// `retryErrors`, `successErrors` or `retry_errors`, `success_errors` in the host's spelling. The expression may be a
    /// list of goals, and `retryErrors` the string `any`. Null members count as missing. Without an expression, the host evaluates a predicate.
    ///
    /// # Errors
    ///
    /// - `invalid_json`, `unknown_member` or `wrong_type` for other JSON.
    /// - `predicate` for a member that cannot be combined with a predicate.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let members = &members_of("short form of a waiter", text, &SHORT_FORM)?;
        let expected = members.get("expected");
        let goals = match members.get("expression") {
            None => {
                let predicate = Self {
                    is_predicate: true,
                    ..Self::new([])
                };
                return predicate.read_common(members);
            }
            Some(Json::String(path)) => vec![goal_of(path, expected, "expected")?],
            Some(Json::Array(goals)) if expected.is_none() => {
                let goal = |(index, json)| goal_from(json, &At::new("expression").item(index));
                let goals = goals.iter().enumerate().map(goal);
                goals.collect::<Result<_, _>>()?
            }
            Some(Json::Array(_)) => {
                let message = "cannot be combined with several goals: each has its own";
                return Err(At::new("expected").error("no_state_path", message));
            }
            Some(other) => {
                let rule = "a string or a list of goals";
                return Err(wrong_type("expression", "`expression`", rule, other));
            }
        };
        let fail = member::items(members, "fail", "an array of values, goals and matchers")?;
        let failure = |(index, item): (usize, &Json)| match item.get("path") {
            Some(_) => goal_from(item, &At::new("fail").item(index)).map(Failure::Goal),
            None => Ok(Failure::Json(item.clone())),
        };
        Self {
            any: member::boolean(members, "any")?.unwrap_or_default(),
            text: member::boolean(members, "text")?.unwrap_or_default(),
            fail: fail
                .iter()
                .enumerate()
                .map(failure)
                .collect::<Result<_, _>>()?,
            pending: member::strings(members, "pending", "a state")?.into(),
            ..Self::new(goals)
        }
        .read_common(members)
    }

    /// Reads the members that waiters with and without a predicate have.
    fn read_common(self, members: &Map<String, Json>) -> Result<Self, DefinitionError> {
        let first = |names: &[&'static str]| {
            let mut names = names.iter().copied();
            names.find(|name| members.contains_key(*name))
        };
        let excluded = first(&["any", "expected", "fail", "pending", "text"]);
        if let Some(name) = excluded.filter(|_| self.is_predicate) {
            let message = "cannot be combined with a predicate: it requires a path";
            return Err(At::new(name).error("predicate", message));
        }
        let spelling = |spellings: [&'static str; 2]| first(&spellings).unwrap_or(spellings[0]);
        let errors = |member: &'static str| {
            let names = member::strings(members, member, "the name of an error")?.into();
            Ok(Errors { member, names })
        };
        let member = spelling(RETRY_ERRORS);
        let retry_any_error = match members.get(member) {
            Some(Json::String(text)) if text == ANY => true,
            Some(other) if !other.is_array() => {
                let rule = "an array of strings or `any`";
                return Err(wrong_type(member, &format!("`{member}`"), rule, other));
            }
            _ => false,
        };
        Ok(Self {
            retry_errors: if retry_any_error {
                self.retry_errors
            } else {
                errors(member)?
            },
            retry_any_error,
            success_errors: errors(spelling(SUCCESS_ERRORS))?,
            name: member::string(members, "name")?.map(Into::into),
            ..self
        })
    }
}
