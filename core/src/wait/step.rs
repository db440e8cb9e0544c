//! The steps of a wait.

use std::sync::Arc;

use super::report::WaitReport;

/// The next action of a wait. All times are milliseconds since the wait started.
///
/// # Example: the loop of a host
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// let mut now = 0;
/// let mut step = wait.poll(now);
/// let report = loop {
///     step = match step {
///         Step::Call { attempt, .. } => {
///             let response = json!({"Status": if attempt < 3 { "PENDING" } else { "READY" }});
///             wait.handle(Event::response(&response), now)?
///         }
///         Step::Sleep { until_ms, .. } => {
///             now = until_ms;
///             wait.poll(now)
///         }
///         Step::Done(report) => break report,
///     };
/// };
/// assert_eq!((report.attempts, report.kind), (3, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every step")]
pub enum Step {
    /// Call the operation, then [`handle`](crate::Wait::handle) the result.
    Call {
        /// The number of the attempt, from 1.
        attempt: u64,
        /// The time at which to cancel the call and report [`Event::DeadlineReached`](crate::Event::DeadlineReached).
        /// `None` without a deadline.
        deadline_ms: Option<u64>,
    },
    /// Sleep, then [`poll`](crate::Wait::poll).
    Sleep {
        /// The end of the pause.
        until_ms: u64,
        /// `true` if the next attempt is the last one that fits before the deadline.
        last: bool,
    },
    /// The wait ended.
    Done(Arc<WaitReport>),
}
