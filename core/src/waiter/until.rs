//! The short form of a waiter: a path and its values.

use serde_json::{Map, Value as Json};

use super::failure::{StatePath, failures, validate};
use super::json::{acceptor, error_type, path_matcher};
use crate::definition::Definition;
use crate::definition::matcher::Root;
use crate::definition::member::{self, At, members_of, wrong_type};
use crate::definition::state::State;
use crate::error::DefinitionError;
use crate::jmespath::{Expression, Names};
use crate::options::Defaults;
use crate::waiter::Waiter;

/// A builder for waiters that compare the value of one path.
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
    expression: String,
    expected: Goal,
    any: bool,
    fail: Vec<Json>,
    pending: Vec<String>,
    retry_errors: Vec<String>,
    /// The host's spelling of the member, for errors.
    retry_errors_name: &'static str,
    name: Option<String>,
}

/// The members of the short form in JSON.
const SHORT_FORM: [&str; 8] = [
    "any",
    "expected",
    "expression",
    "fail",
    "name",
    "pending",
    "retryErrors",
    "retry_errors",
];

/// The spellings of `retry_errors` in the hosts, Rust's first.
const RETRY_ERRORS: [&str; 2] = ["retry_errors", "retryErrors"];

/// The value that the expression must have.
#[derive(Clone, Debug)]
enum Goal {
    Boolean(bool),
    Text(String),
    /// `true`, from a boolean expression.
    Condition,
    /// `true`, from the host's predicate function.
    Predicate,
}

impl Waiter {
    /// Starts building a waiter that succeeds when the value of a path equals `expected`.
    pub fn until(path: impl Into<String>, expected: impl Into<String>) -> Until {
        Until::new(path.into(), Goal::Text(expected.into()))
    }

    /// Starts building a waiter that succeeds when a boolean expression is `true`, such as ``length(Items) >= `3` ``.
    ///
    /// The expression must be a comparison, a call of a function that returns a boolean, or a combination of these.
    pub fn until_true(expression: impl Into<String>) -> Until {
        Until::new(expression.into(), Goal::Condition)
    }
}

impl Until {
    fn new(expression: String, expected: Goal) -> Self {
        Self {
            expression,
            expected,
            any: false,
            fail: Vec::new(),
            pending: Vec::new(),
            retry_errors: Vec::new(),
            retry_errors_name: RETRY_ERRORS[0],
            name: None,
        }
    }

    /// Lets a single list item with the expected value be enough to succeed.
    pub const fn any(mut self) -> Self {
        self.any = true;
        self
    }

    /// Adds failures. A string is a value of the path; an object is a matcher of the specification, such as
    /// `{"errorType": "AccessDenied"}`.
    pub fn fail<F: Into<Json>>(mut self, fail: impl IntoIterator<Item = F>) -> Self {
        self.fail.extend(fail.into_iter().map(Into::into));
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
        self.retry_errors.extend(names.into_iter().map(Into::into));
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
    /// - `no_condition` if the expression is not boolean and no value is expected.
    /// - `no_state_path` if a member needs an expected text, or a list cannot be compared.
    /// - `conflicting_values` if a value is in two of `expected`, `fail` and `pending`.
    /// - `invalid_name`, and the codes of invalid matchers.
    pub fn build(&self) -> Result<Waiter, DefinitionError> {
        let name = self.name.as_deref();
        if matches!(self.expected, Goal::Predicate) {
            let definition = Definition::of_predicate().extend(name, &self.retries()?);
            return Ok(Waiter::with(definition)?.with_defaults(Defaults::SHORT_FORM));
        }
        let expression = Expression::new(&self.expression, &mut Names::default());
        let expression =
            expression.map_err(|error| DefinitionError::in_expression("expression", error))?;
        let (expected, path) = match &self.expected {
            Goal::Text(expected) => {
                let is_list = self.reads_list(&expression);
                let path = StatePath::of_output(&self.expression, expected, is_list);
                (Some(&**expected), Some(path))
            }
            Goal::Boolean(_) => (None, None),
            _ => {
                check_condition(&expression)?;
                (None, None)
            }
        };
        self.check_list(&expression)?;
        self.check_values(expected)?;
        // The order decides: failures come before the success. Rule: docs/rules.md#short-form
        let mut acceptors = failures(&self.fail, path, "`expected` is not a string")?;
        acceptors.push(acceptor(State::Success, self.goal(&expression)));
        acceptors.extend(self.retries()?);
        // Last, because it matches everything that the acceptors before it do not list.
        if let Some(expected) = expected.filter(|_| !self.pending.is_empty()) {
            acceptors.push(self.unexpected(expected, &expression));
        }
        let waiter = Waiter::with(Definition::from_acceptors(acceptors, name))?;
        Ok(waiter.with_defaults(Defaults::SHORT_FORM))
    }

    /// Returns the acceptors of the errors to retry.
    fn retries(&self) -> Result<Vec<Json>, DefinitionError> {
        let retry = |(index, name): (usize, &String)| {
            let at = At::new(self.retry_errors_name).item(index);
            let acceptor = validate(acceptor(State::Retry, error_type(name)), &at);
            acceptor.map_err(|error| DefinitionError {
                path: at.as_str().to_owned(),
                ..error
            })
        };
        self.retry_errors.iter().enumerate().map(retry).collect()
    }

    /// Returns `true` if the value of the expression is a list of states.
    fn reads_list(&self, expression: &Expression) -> bool {
        self.any || expression.root().returns_list()
    }

    fn goal(&self, expression: &Expression) -> Json {
        let is_list = expression.root().returns_list();
        let (comparator, expected) = match &self.expected {
            Goal::Text(expected) if self.any => ("anyStringEquals", &**expected),
            Goal::Text(expected) if is_list => ("allStringEquals", &**expected),
            Goal::Text(expected) => ("stringEquals", &**expected),
            Goal::Boolean(false) => ("booleanEquals", "false"),
            _ => ("booleanEquals", "true"),
        };
        path_matcher(Root::Output, &self.expression, comparator, expected)
    }

    /// Returns the acceptor that fails for values that are not listed.
    fn unexpected(&self, expected: &str, expression: &Expression) -> Json {
        let failures = self.fail.iter().filter_map(Json::as_str);
        let pending = self.pending.iter().map(String::as_str);
        let known: Vec<&str> = std::iter::once(expected)
            .chain(pending)
            .chain(failures)
            .collect();
        // An unescaped backtick would end the JMESPath literal.
        let known = Json::from(known).to_string().replace('`', "\\u0060");
        let is_known = format!("contains(`{known}`, @)");
        let path = &self.expression;
        let path = if self.reads_list(expression) {
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

    /// Rejects `any` without an expected text, and lists that are compared with a boolean.
    fn check_list(&self, expression: &Expression) -> Result<(), DefinitionError> {
        let is_text = matches!(self.expected, Goal::Text(_));
        if self.any && !is_text {
            let message = "cannot be used without an expected string";
            return Err(At::new("any").error("no_state_path", message));
        }
        if matches!(self.expected, Goal::Boolean(_)) && expression.root().returns_list() {
            let message = format!(
                "a list cannot be compared with a boolean: compare the items of `{}` in the expression",
                self.expression
            );
            return Err(At::new("expected").error("no_state_path", message));
        }
        Ok(())
    }

    /// Rejects values with two meanings, and pending values without an expected text.
    fn check_values(&self, expected: Option<&str>) -> Result<(), DefinitionError> {
        if expected.is_none() && !self.pending.is_empty() {
            let message = "cannot be used without an expected string";
            return Err(At::new("pending").error("no_state_path", message));
        }
        let failures = || {
            (0..)
                .zip(&self.fail)
                .filter_map(|(index, item)| Some((index, item.as_str()?)))
        };
        let is_failure = |value: &str| failures().any(|(_, failure)| failure == value);
        let both = |(list, index): (&str, usize), value: &str, other: &str| {
            let message = format!("`{value}` is also {other}");
            Err(At::new(list)
                .item(index)
                .error("conflicting_values", message))
        };
        for (index, value) in failures() {
            if expected == Some(value) {
                return both(("fail", index), value, "the expected value");
            }
        }
        for (index, value) in self.pending.iter().enumerate() {
            if expected == Some(value) {
                return both(("pending", index), value, "the expected value");
            }
            if is_failure(value) {
                return both(("pending", index), value, "a failure");
            }
        }
        Ok(())
    }
}

/// Rejects an expression that is not a boolean condition.
fn check_condition(expression: &Expression) -> Result<(), DefinitionError> {
    // `Waiter.until("status")` would never match. Rule: docs/rules.md#short-form
    if expression.root().is_condition() {
        return Ok(());
    }
    let message = format!(
        "without an expected value, the expression must be a comparison such as `status == 'DONE'` or a call of `contains`, `starts_with` or `ends_with`, got `{}`",
        expression.text()
    );
    Err(At::new("expression").error("no_condition", message))
}

#[doc(hidden)]
impl Until {
    /// Reads the short form from a host's JSON: `expression`, `expected`, `any`, `fail`, `pending`, `name`, and
    /// `retryErrors` or `retry_errors` in the host's spelling. Null members count as missing. Without an expression,
    /// the host evaluates a predicate.
    ///
    /// # Errors
    ///
    /// - `invalid_json`, `unknown_member` or `wrong_type` for other JSON.
    /// - `predicate` for a member that cannot be combined with a predicate.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let members = &members_of("short form of a waiter", text, &SHORT_FORM)?;
        let Some(expression) = member::string(members, "expression")? else {
            return Self::new(String::new(), Goal::Predicate).read_common(members);
        };
        let expected = match members.get("expected") {
            None => Goal::Condition,
            Some(Json::Bool(expected)) => Goal::Boolean(*expected),
            Some(Json::String(expected)) => Goal::Text(expected.clone()),
            Some(other) => {
                let rule = "a string or a boolean (compare other values in the expression)";
                return Err(wrong_type("expected", "`expected`", rule, other));
            }
        };
        Self {
            any: member::boolean(members, "any")?.unwrap_or_default(),
            fail: member::items(members, "fail", "an array of values and matchers")?.to_vec(),
            pending: member::strings(members, "pending", "a state")?.into(),
            ..Self::new(expression.to_owned(), expected)
        }
        .read_common(members)
    }

    /// Reads the members that waiters with and without a predicate have.
    fn read_common(self, members: &Map<String, Json>) -> Result<Self, DefinitionError> {
        let first = |names: &[&'static str]| {
            let mut names = names.iter().copied();
            names.find(|name| members.contains_key(*name))
        };
        let excluded = first(&["any", "expected", "fail", "pending"]);
        if let Some(name) = excluded.filter(|_| matches!(self.expected, Goal::Predicate)) {
            let message = "cannot be combined with a predicate: it requires a path";
            return Err(At::new(name).error("predicate", message));
        }
        let retry_errors_name = first(&RETRY_ERRORS).unwrap_or(RETRY_ERRORS[0]);
        let retry_errors = member::strings(members, retry_errors_name, "the name of an error")?;
        Ok(Self {
            retry_errors: retry_errors.into(),
            retry_errors_name,
            name: member::string(members, "name")?.map(Into::into),
            ..self
        })
    }
}
