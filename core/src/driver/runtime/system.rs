//! The runtime of the operating system.

use std::thread;
use std::time::{Duration, Instant};

use super::{BlockingRuntime, since_epoch};
use crate::driver::cancel::CancelToken;

/// The clock and the sleep of the operating system.
///
/// # Example: a wait on this thread
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |_| Ok::<_, ErrorMetadata>(json!({"Status": "READY"}));
/// let options = WaitOptions::new(Duration::from_secs(60));
/// let outcome = Driver::new(StdRuntime::new()).wait_blocking(&ready, call, options)?;
/// assert_eq!(outcome.report.attempts, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct StdRuntime(());

impl StdRuntime {
    /// Creates a runtime. All of a process share a clock.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which time is read and spent"
)]
impl BlockingRuntime for StdRuntime {
    fn now(&self) -> Duration {
        since_epoch(Instant::now())
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }

    fn sleep_unless(&self, duration: Duration, cancelled: &CancelToken) {
        cancelled.wait_timeout(duration);
    }
}
