//! Clocks and sleeps.

// The standard library's clock and sleep panic on this target.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

use std::future::Future;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use system::StdRuntime;

use super::cancel::CancelToken;

/// A monotonic clock with an asynchronous sleep.
///
/// [`TokioRuntime`] implements it for tokio (feature `tokio`), and `FakeClock` for tests (feature `testing`). For
/// another executor, implement `now` and `sleep`.
///
/// The future of a wait is `Send` if the futures of the call and of the sleep are.
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
    message = "`{Self}` does not implement `Runtime`",
    note = "on tokio, use `TokioRuntime::new()` (feature `tokio`); in tests, use `FakeClock` (feature `testing`)",
    note = "on another executor, implement `smithy_waiters::driver::Runtime` with `now` and `sleep`"
)]
pub trait Runtime {
    /// Returns the time since an arbitrary but fixed moment. Whether it includes the time that the system is suspended
    /// depends on the clock.
    fn now(&self) -> Duration;

    /// Resolves after `duration`. Resolving early is harmless: the driver sleeps again for the rest.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()>;

    /// Resolves at the deadline of a call.
    ///
    /// By default it calls [`sleep`](Self::sleep). A virtual clock can override it, because the call usually ends first
    /// and the time of the deadline must not pass.
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

/// A runtime that uses tokio's clock, including its paused time in tests.
///
/// # Example: a hook for each attempt
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
    start: tokio::time::Instant,
}

#[cfg(feature = "tokio")]
impl TokioRuntime {
    /// Creates a clock that starts now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            start: tokio::time::Instant::now(),
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
        self.start.elapsed()
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        tokio::time::sleep(duration)
    }
}

/// A monotonic clock with a blocking sleep.
///
/// # Example: a sleep in short pieces
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
///         // The driver calls `sleep` again for the rest.
///         std::thread::sleep(duration.min(Duration::from_millis(100)));
///     }
/// }
///
/// let driver = Driver::new(Patient(Instant::now()));
/// # let _ = driver;
/// ```
pub trait BlockingRuntime {
    /// Returns the time since an arbitrary but fixed moment.
    fn now(&self) -> Duration;

    /// Returns after `duration`. Returning early is harmless: the driver sleeps again for the rest.
    fn sleep(&self, duration: Duration);

    /// Returns after `duration`, or earlier if `cancelled` is cancelled.
    ///
    /// By default it calls [`sleep`](Self::sleep), so a cancellation takes effect only when that returns.
    /// [`StdRuntime`](super::StdRuntime) returns as soon as the token is cancelled.
    fn sleep_unless(&self, duration: Duration, cancelled: &CancelToken) {
        let _ = cancelled;
        self.sleep(duration);
    }
}
