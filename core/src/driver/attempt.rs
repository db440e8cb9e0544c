//! The attempt that a call receives.

use std::time::Duration;

/// The attempt that a call is made for.
///
/// # Example: a call with a shorter timeout
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Attempt, ErrorMetadata, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |attempt: Attempt| {
///     let time_limit = attempt.remaining.min(Duration::from_secs(10));
///     assert_eq!((attempt.number, time_limit.as_secs()), (1, 10));
///     Ok::<_, ErrorMetadata>(json!({"Status": "READY"}))
/// };
/// ready.wait_blocking(call, WaitOptions::new(Duration::from_secs(60)))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The number of the attempt, from 1.
    pub number: u64,
    /// The time until the deadline, at which the call's future is dropped. [`Duration::MAX`] if the wait has no
    /// deadline.
    pub remaining: Duration,
}

impl Attempt {
    pub(super) const fn new(number: u64, remaining: Duration) -> Self {
        Self { number, remaining }
    }
}
