//! The clock and the sleep of a host.

// There the standard library's clock and sleep panic.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

use std::future::Future;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::StdRuntime;

use super::cancel::CancelToken;

/// A monotonic clock and a sleep that follows it.
///
/// tokio's is the feature `tokio`; any other executor's takes a few lines. For tests there is `FakeClock`, feature `testing`.
///
/// A wait's future is `Send` where the futures of the call and of the sleep are.
///
/// # Example: smol and async-std
///
/// ```
/// use std::future::Future;
/// use std::time::{Duration, Instant};
/// use async_io::Timer;
/// use serde_json::json;
/// use smithy_waiters::driver::Runtime;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// struct Smol(Instant);
///
/// impl Runtime for Smol {
///     fn now(&self) -> Duration {
///         self.0.elapsed()
///     }
///
///     fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
///         async move {
///             Timer::after(duration).await;
///         }
///     }
/// }
///
/// # async_io::block_on(async {
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// let call = async |_| Ok::<_, ErrorMetadata>(json!({}));
/// let options = WaitOptions::new(Duration::from_secs(60));
/// let outcome = Driver::new(Smol(Instant::now())).wait(&ready, call, options).await?;
/// assert_eq!(outcome.report.attempts, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).map_err(|error| error.to_string())?;
/// # Ok::<(), String>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no clock that an asynchronous wait can sleep on",
    note = "on tokio: `TokioRuntime::new()` (feature `tokio`); in tests: `FakeClock` (feature `testing`)",
    note = "on another executor: implement `smithy_waiters::driver::Runtime`, with `now` and `sleep`"
)]
pub trait Runtime {
    /// The time since some fixed moment. Suspended time counts only if the clock counts it.
    fn now(&self) -> Duration;

    /// Ends after `duration`; ending early does no harm.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()>;

    /// The same for the deadline of a call, which may well end first; a virtual clock may want to tell them apart.
    fn alarm(&self, duration: Duration) -> impl Future<Output = ()> {
        self.sleep(duration)
    }
}

impl<R: Runtime> Runtime for &R {
    fn now(&self) -> Duration {
        R::now(self)
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        R::sleep(self, duration)
    }

    fn alarm(&self, duration: Duration) -> impl Future<Output = ()> {
        R::alarm(self, duration)
    }
}

/// tokio's clock and sleep. tokio's paused time is followed.
///
/// # Example: a wait that is watched
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::TokioRuntime;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}},
///     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = async |attempt: smithy_waiters::Attempt| match attempt.number {
///     1 => Err(ErrorMetadata::of_code("NotFound")),
///     _ => Ok(json!({})),
/// };
/// let mut delays = Vec::new();
/// let driver = Driver::new(TokioRuntime::new()).on_attempt(|progress| delays.push(progress.attempt.delay_ms));
/// driver.wait(&ready, call, WaitOptions::new(Duration::from_secs(60))).await?;
/// assert_eq!(delays, [Some(2_000), None]);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "tokio")]
#[derive(Clone, Copy, Debug)]
pub struct TokioRuntime {
    began: tokio::time::Instant,
}

#[cfg(feature = "tokio")]
impl TokioRuntime {
    /// A clock that begins now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            began: tokio::time::Instant::now(),
        }
    }
}

#[cfg(feature = "tokio")]
impl Default for TokioRuntime {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "tokio")]
impl Runtime for TokioRuntime {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        tokio::time::sleep(duration)
    }
}

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
