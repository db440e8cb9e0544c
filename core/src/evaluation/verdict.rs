//! The result of one evaluation.

use serde::{Deserialize, Serialize};

use crate::definition::State;

/// The result of evaluating one response or error: the next state, and the acceptor that leads to it.
///
/// # Example: the state and the acceptor
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Observation, State, Verdict, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let verdict: Verdict = ready.evaluate(&Value::Null, Observation::Response(&json!({"Status": "FAILED"})));
/// assert_eq!((verdict.state(), verdict.acceptor()), (State::Failure, Some(1)));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    state: State,
    acceptor: Option<usize>,
}

impl Verdict {
    /// Creates the verdict of an acceptor that matched.
    pub(crate) const fn of_acceptor(index: usize, state: State) -> Self {
        Self {
            state,
            acceptor: Some(index),
        }
    }

    /// Creates the verdict for a response, or for an error if `failed`, that no acceptor matched.
    pub(crate) const fn implicit(failed: bool) -> Self {
        Self {
            state: State::implicit(failed),
            acceptor: None,
        }
    }

    /// Returns the next state.
    #[must_use]
    pub const fn state(self) -> State {
        self.state
    }

    /// Returns the index of the acceptor that matched, or `None` if none matched. In that case, an error is a failure
    /// and a response is a retry.
    #[must_use]
    pub const fn acceptor(self) -> Option<usize> {
        self.acceptor
    }
}
