//! The result of a call, which is the input of an evaluation.

use super::error_metadata::ErrorMetadata;

/// The result of a call.
///
/// # Example: an error that is retried
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
#[expect(clippy::exhaustive_enums, reason = "a call succeeds or fails")]
pub enum Observation<'a, V> {
    /// The response of a successful call.
    Response(V),
    /// The error of a failed call.
    Error(&'a ErrorMetadata<'a>),
}
