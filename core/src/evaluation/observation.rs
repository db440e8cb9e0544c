//! The result of a call, as an evaluation takes it.

use super::error_metadata::ErrorMetadata;

/// The result of a call, as the host has it.
///
/// # Example: an error that is waited for
///
/// ```
/// use serde_json::Value;
/// use smithy_waiters::{ErrorMetadata, Observation, State, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let missing = ErrorMetadata::of_code("NotFound");
/// assert_eq!(ready.evaluate(&Value::Null, Observation::Error(&missing)).state(), State::Retry);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a call gives a response or fails")]
pub enum Observation<'a, V> {
    /// The call succeeded with this response.
    Response(V),
    /// The call failed with this error.
    Error(&'a ErrorMetadata<'a>),
}
