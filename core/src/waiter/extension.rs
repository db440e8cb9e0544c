//! Acceptors that a caller adds to a waiter.

use serde_json::Value as Json;

use super::failure::{StatePath, failure, validate};
use crate::definition::Acceptors;
use crate::definition::acceptor::Acceptor;
use crate::definition::member::{At, items, members_of};
use crate::definition::state::State;
use crate::error::DefinitionError;
use crate::waiter::Waiter;

/// Additional acceptors for a waiter. They are tested before the waiter's existing acceptors.
///
/// Pass the extension to [`Waiter::extend`].
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

    /// Adds failures. A string is a value of the path that the waiter's success acceptors compare; in a list, one item
    /// with the value is enough. An object is a matcher of the specification, such as `{"errorType": "AccessDenied"}`.
    #[must_use]
    pub fn fail<F: Into<Json>>(mut self, fail: impl IntoIterator<Item = F>) -> Self {
        self.fail.extend(fail.into_iter().map(Into::into));
        self
    }

    /// Adds acceptors of the specification. They are tested before all others, including those of
    /// [`fail`](Self::fail).
    #[must_use]
    pub fn first(mut self, acceptors: impl IntoIterator<Item = Json>) -> Self {
        self.first.extend(acceptors);
        self
    }

    /// Reads an extension from a host's JSON: `fail` and `first`. Null members count as missing.
    ///
    /// # Errors
    ///
    /// `invalid_json`, `unknown_member` or `wrong_type` for other JSON.
    #[doc(hidden)]
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        let members = &members_of("extension of a waiter", text, &["fail", "first"])?;
        Ok(Self {
            fail: items(members, "fail", "an array of values and matchers")?.to_vec(),
            first: items(members, "first", "an array of acceptors")?.to_vec(),
        })
    }

    /// Returns the acceptors of the extended waiter, in order: `first`, `fail`, the waiter's.
    pub(crate) fn acceptors(&self, waiter: &Waiter) -> Result<Acceptors, DefinitionError> {
        for (index, acceptor) in self.first.iter().enumerate() {
            validate(acceptor.clone(), &At::new("first").item(index))?;
        }
        let (path, without) = state_path(waiter.definition_acceptors());
        let fail = self.fail.iter().enumerate();
        let fail = fail.map(|(index, item)| failure(index, item, path, without));
        let failures = fail.collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = path {
            self.check_goal(path.goal)?;
        }
        let own = waiter.definition_acceptors().iter().filter_map(|acceptor| {
            let goals = acceptor.goals().iter().map(|goal| goal.goal().clone());
            Some((serde_json::from_str(acceptor.text()).ok()?, goals.collect()))
        });
        // Before the waiter's own acceptors, of which the first match would count.
        let further = self.first.iter().cloned().chain(failures);
        let further = further.map(|acceptor| (acceptor, Box::default()));
        Ok(further.chain(own).collect())
    }

    /// Rejects a failure that is also the value of the waiter's success.
    fn check_goal(&self, goal: &str) -> Result<(), DefinitionError> {
        let mut failures = self.fail.iter().enumerate();
        let Some((index, _)) = failures.find(|(_, value)| *value == goal) else {
            return Ok(());
        };
        let message = format!("`{goal}` is also the expected value");
        Err(At::new("fail")
            .item(index)
            .error("conflicting_values", message))
    }
}

/// Returns the path of the success acceptors, or the reason why there isn't exactly one.
fn state_path(acceptors: &[Acceptor]) -> (Option<StatePath<'_>>, &'static str) {
    let successes = acceptors
        .iter()
        .filter(|acceptor| acceptor.state() == State::Success);
    let mut paths = successes
        .filter_map(Acceptor::path_matcher)
        .filter_map(StatePath::of_matcher);
    let Some(first) = paths.next() else {
        return (None, "no success acceptor compares a path with a string");
    };
    // A text in `fail` needs exactly one path. Rule: docs/rules.md#short-form
    if paths.all(|path| path.is_same_path(&first)) {
        (Some(first), "")
    } else {
        (None, "the success acceptors have different paths")
    }
}
