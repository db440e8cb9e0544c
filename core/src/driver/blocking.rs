//! The blocking driver: the loop of the asynchronous driver, on futures that are ready at once.

// There the standard library's clock and sleep panic: what does not work is not there.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

use std::future::ready;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::StdRuntime;

use super::host::{Blocking, block_on};
use super::matcher::DefinitionMatcher;
use super::run::wait;
use super::{Attempt, CancelToken, Driver, OperationError, Outcome, Progress, WaiterError};
use crate::options::WaitOptions;
use crate::response::Response;
use crate::value::Value;
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

    /// The same where a [`CancelToken`] may end it, to return as soon as that is cancelled. By default it sleeps on: a sleep in
    /// pieces, as above, is cancelled after the piece. [`StdRuntime`](super::StdRuntime) is woken by the token.
    fn sleep_unless(&self, duration: Duration, cancelled: &CancelToken) {
        let _ = cancelled;
        self.sleep(duration);
    }
}

impl<R, I, H> Driver<R, I, H>
where
    R: BlockingRuntime,
    I: Value,
    H: FnMut(Progress<'_>),
{
    /// Waits on this thread.
    ///
    /// A call that blocks cannot be cut: the wait ends when it returns, and what it gave after the deadline is not
    /// looked at. The call is told its [`remaining`](Attempt::remaining) time, to use as its own time limit. A [`CancelToken`]
    /// likewise ends the pause at once, but a call only when it returns.
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
        let (host, matcher) = (Blocking(self.runtime), DefinitionMatcher(self.input));
        let call = |attempt| ready(call(attempt));
        block_on(wait(host, self.caller, (waiter, &options), matcher, call))
    }
}
