//! The states of acceptors.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The state that an acceptor leads to, or the implicit one if no acceptor matches.
///
/// Clause: [AcceptorState](https://smithy.io/2.0/additional-specs/waiters.html#acceptorstate-enum).
///
/// # Example: the implicit states
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{ErrorMetadata, Observation, State, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let (nothing, denied) = (json!({}), ErrorMetadata::of_code("AccessDenied"));
/// let state = |seen| ready.evaluate(&Value::Null, seen).state();
/// assert_eq!(state(Observation::Response(&nothing)), State::Retry);
/// assert_eq!(state(Observation::Error(&denied)), State::Failure);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification has exactly three states"
)]
pub enum State {
    /// The resource has reached the desired state. The wait ends.
    Success,
    /// The resource cannot reach the desired state any more. The wait ends.
    Failure,
    /// The resource has not reached the desired state yet. The operation is called again after a delay.
    Retry,
}

impl State {
    /// Returns the state if no acceptor matches: `Failure` for an error (step 4 of the specification's workflow) and
    /// `Retry` for a response (step 5).
    pub(crate) const fn implicit(failed: bool) -> Self {
        if failed { Self::Failure } else { Self::Retry }
    }

    /// Returns the specification's name of the state: `success`, `failure` or `retry`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Retry => "retry",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
