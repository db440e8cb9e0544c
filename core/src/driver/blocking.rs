//! The blocking driver: the same loop without futures.

use std::thread;
use std::time::{Duration, Instant};

use super::run::Run;
use super::{Attempt, Driver, OperationError, Outcome, Progress, WaiterError, millis_since};
use crate::options::WaitOptions;
use crate::response::Response;
use crate::value::Value;
use crate::wait::Step;
use crate::waiter::Waiter;

/// A monotonic clock and a sleep that blocks.
///
/// # Example: a sleep that is cut into pieces
///
/// ```
/// use std::time::{Duration, Instant};
/// use smithy_waiters::Driver;
/// use smithy_waiters::driver::BlockingRuntime;
///
/// struct Patient(Instant);
///
/// impl BlockingRuntime for Patient {
///     fn now(&self) -> Duration {
///         self.0.elapsed()
///     }
///
///     fn sleep(&self, duration: Duration) {
///         // The driver asks again for what is left.
///         std::thread::sleep(duration.min(Duration::from_millis(100)));
///     }
/// }
///
/// let driver = Driver::new(Patient(Instant::now()));
/// # let _ = driver;
/// ```
pub trait BlockingRuntime {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;

    /// Returns after `duration`; returning early does no harm.
    fn sleep(&self, duration: Duration);
}

/// The clock and the sleep of the operating system.
///
/// # Example: a wait on this thread
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{Driver, ErrorFacts, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |_| Ok::<_, ErrorFacts>(json!({"Status": "READY"}));
/// let options = WaitOptions::new(Duration::from_secs(60));
/// let outcome = Driver::new(StdRuntime::new()).wait_blocking(&ready, call, options)?;
/// assert_eq!(outcome.ending.attempts, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StdRuntime {
    began: Instant,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which time is read and spent"
)]
impl StdRuntime {
    /// A clock that begins now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
        }
    }
}

impl Default for StdRuntime {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which time is read and spent"
)]
impl BlockingRuntime for StdRuntime {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}

impl Waiter {
    /// Waits on this thread, as [`Driver::wait_blocking`] does.
    ///
    /// # Errors
    ///
    /// As [`Driver::wait_blocking`].
    pub fn wait_blocking<C, T, E>(
        &self,
        call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        Driver::new(StdRuntime::new()).wait_blocking(self, call, options)
    }
}

impl<R: BlockingRuntime, I: Value, H: FnMut(Progress<'_>)> Driver<R, I, H> {
    /// Waits on this thread.
    ///
    /// A call that blocks cannot be cut: the wait ends when it returns, and what it gave after the deadline is not
    /// looked at. The call is told its [`remaining`](Attempt::remaining) time, to use as its own time limit.
    ///
    /// # Errors
    ///
    /// [`WaiterError::Failure`] with everything that is known of why, [`WaiterError::Options`] for options that do not
    /// hold.
    pub fn wait_blocking<C, T, E>(
        self,
        waiter: &Waiter,
        mut call: C,
        options: WaitOptions,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>>
    where
        C: FnMut(Attempt) -> Result<T, E>,
        T: Response,
        E: OperationError,
    {
        let mut run = Run::start(waiter, &options, self.input, self.on_attempt)?;
        let span = run.span();
        let began = self.runtime.now();
        let elapsed = || millis_since(began, self.runtime.now());
        let mut step = run.next(0)?;
        loop {
            step = match step {
                Step::Call {
                    attempt,
                    remaining_ms,
                } => {
                    let result = span.inside(|| call(Attempt::new(attempt, remaining_ms)));
                    run.observe(result, elapsed())?
                }
                Step::Sleep { delay_ms, .. } => {
                    self.runtime.sleep(Duration::from_millis(delay_ms));
                    run.next(elapsed())?
                }
                Step::Done(ending) => return run.end(ending),
            };
        }
    }
}
