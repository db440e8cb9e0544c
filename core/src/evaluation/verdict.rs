//! The result of one evaluation.

use serde::{Deserialize, Serialize};

use crate::definition::State;

/// The result of evaluating one response or error: the next state, and the acceptor that leads to it.
///
/// # Example: by which acceptor
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
    /// The acceptor at this index matched, and leads to the state.
    pub(crate) const fn of_acceptor(index: usize, state: State) -> Self {
        Self {
            state,
            acceptor: Some(index),
        }
    }

    /// No acceptor matched the response, or the error of a call that failed.
    pub(crate) const fn implicit(failed: bool) -> Self {
        Self {
            state: State::implicit(failed),
            acceptor: None,
        }
    }

    /// The next state.
    #[must_use]
    pub const fn state(self) -> State {
        self.state
    }

    /// The index of the acceptor that matched; `None` if none did: an error is then a failure, a response a retry.
    #[must_use]
    pub const fn acceptor(self) -> Option<usize> {
        self.acceptor
    }
}
