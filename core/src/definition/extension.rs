//! Acceptors that a caller adds to a waiter.

use serde_json::Value as Json;

use super::acceptor::Acceptor;
use super::failure::{StatePath, checked, failures};
use super::member::{At, items, members_of};
use super::state::State;
use crate::error::DefinitionError;
use crate::waiter::Waiter;

/// Acceptors to add to a waiter, in front of its own.
///
/// # Example: an instance that is terminated never runs
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{Extension, Observation, State, Waiter};
/// use serde_json::Value;
///
/// let running = Waiter::named("InstanceRunning", r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Instances[].State.Name", "comparator": "allStringEquals", "expected": "running"}}}]}"#)?;
/// let running = running.extend(&Extension::new().fail(["terminated", "stopping"]))?;
///
/// let response = json!({"Instances": [{"State": {"Name": "terminated"}}]});
/// let verdict = running.evaluate(&Value::Null, Observation::Response(&response));
/// assert_eq!(verdict.state(), State::Failure);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Extension {
    fail: Vec<Json>,
    first: Vec<Json>,
}

impl Extension {
    /// Returns an extension without acceptors.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            fail: Vec::new(),
            first: Vec::new(),
        }
    }

    /// Adds failures. A text is a value of the path by which the waiter succeeds (of a list, one item is enough); an object is a
    /// matcher of the specification, such as `{"errorType": "AccessDenied"}`.
    #[must_use]
    pub fn fail<F: Into<Json>>(mut self, fail: impl IntoIterator<Item = F>) -> Self {
        self.fail.extend(fail.into_iter().map(Into::into));
        self
    }

    /// Adds acceptors of the specification, which are tried before all others.
    #[must_use]
    pub fn first(mut self, acceptors: impl IntoIterator<Item = Json>) -> Self {
        self.first.extend(acceptors);
        self
    }

    /// Reads an extension that a host language gives as JSON: `fail`, `first`. Null counts as absent.
    ///
    /// # Errors
    ///
    /// `wrong_type`.
    #[doc(hidden)]
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let members = &members_of("extension of a waiter", text, &["fail", "first"])?;
        Ok(Self {
            fail: items(members, "fail", "an array of values and matchers")?.to_vec(),
            first: items(members, "first", "an array of acceptors")?.to_vec(),
        })
    }

    /// Returns all acceptors: the first ones, the failures, and those of the waiter.
    pub(crate) fn acceptors(&self, waiter: &Waiter) -> Result<Vec<Json>, DefinitionError> {
        for (index, acceptor) in self.first.iter().enumerate() {
            checked(acceptor.clone(), &At::new("first").item(index))?;
        }
        let (path, without) = state_path(waiter.definition_acceptors());
        let failures = failures(&self.fail, path, without)?;
        if let Some(path) = path {
            self.check_goal(path.goal)?;
        }
        let own = waiter
            .acceptors()
            .filter_map(|text| serde_json::from_str(text).ok());
        let further = self.first.iter().cloned().chain(failures);
        Ok(further.chain(own).collect())
    }

    /// Refuses the value by which the waiter succeeds.
    fn check_goal(&self, goal: &str) -> Result<(), DefinitionError> {
        let mut failures = self.fail.iter().enumerate();
        let Some((index, value)) = failures.find(|(_, value)| *value == goal) else {
            return Ok(());
        };
        let message = format!("{value} is expected as well");
        Err(At::new("fail")
            .item(index)
            .error("conflicting_values", message))
    }
}

/// Returns the only path by which the acceptors lead to success, or the reason that there is none.
fn state_path(acceptors: &[Acceptor]) -> (Option<StatePath<'_>>, &'static str) {
    let successes = acceptors
        .iter()
        .filter(|acceptor| acceptor.state() == State::Success);
    let mut paths = successes
        .filter_map(|acceptor| acceptor.matcher().path_matcher())
        .filter_map(StatePath::of_matcher);
    let Some(first) = paths.next() else {
        return (None, "no acceptor compares a path with a text to succeed");
    };
    if paths.all(|path| path.is(&first)) {
        (Some(first), "")
    } else {
        (None, "the waiter succeeds by several paths")
    }
}
