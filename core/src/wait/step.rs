//! The next thing to do.

use std::sync::Arc;

use super::report::WaitReport;

/// The next thing to do. All times are milliseconds since the wait started.
///
/// # Example: a host's loop
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
#[expect(
    clippy::exhaustive_enums,
    reason = "a host that drives a wait must handle every step"
)]
pub enum Step {
    /// Call the operation, then [`handle`](crate::Wait::handle) the end of the call.
    Call {
        /// The number of the attempt, from 1.
        attempt: u64,
        /// When to cancel the call and report [`Event::DeadlineReached`](crate::Event::DeadlineReached); `None` if nothing limits it.
        deadline_ms: Option<u64>,
    },
    /// Sleep, then [`poll`](crate::Wait::poll).
    Sleep {
        /// When the pause ends.
        until_ms: u64,
        /// Whether the next attempt is the last one that fits before the deadline.
        last: bool,
    },
    /// The wait has ended.
    Done(Arc<WaitReport>),
}
