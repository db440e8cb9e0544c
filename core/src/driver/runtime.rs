//! Clocks and sleeps.

// The standard library's clock and sleep panic on this target.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system;

use std::future::Future;
#[cfg(any(
    feature = "tokio",
    not(all(target_family = "wasm", target_os = "unknown"))
))]
use std::sync::OnceLock;
use std::time::Duration;
#[cfg(any(
    feature = "tokio",
    not(all(target_family = "wasm", target_os = "unknown"))
))]
use std::time::Instant;

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
    /// and the time of the deadline must not pass. A caller of a fleet also calls it to see whether another one goes on.
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

/// Returns the time at `now` since a moment that all runtimes of this crate share, so that their times can be compared.
#[cfg(any(
    feature = "tokio",
    not(all(target_family = "wasm", target_os = "unknown"))
))]
fn since_epoch(now: Instant) -> Duration {
    const OFFSET: Duration = Duration::from_secs(24 * 60 * 60);
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    let epoch = *EPOCH.get_or_init(|| now);
    match now.checked_duration_since(epoch) {
        Some(passed) => OFFSET.saturating_add(passed),
        // tokio's clock was paused before the first reading of another one.
        None => OFFSET.saturating_sub(epoch.saturating_duration_since(now)),
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
#[derive(Clone, Copy, Debug, Default)]
pub struct TokioRuntime(());

#[cfg(feature = "tokio")]
impl TokioRuntime {
    /// Creates a runtime. All of a process share a clock.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

#[cfg(feature = "tokio")]
impl Runtime for TokioRuntime {
    fn now(&self) -> Duration {
        since_epoch(tokio::time::Instant::now().into_std())
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

#[cfg(all(test, not(all(target_family = "wasm", target_os = "unknown"))))]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a driver's clock is tested")]
    fn a_clock_may_be_behind_the_first_one() {
        let hour = Duration::from_secs(3600);
        let now = Instant::now();
        let later = since_epoch(now + hour);
        assert_eq!(later.checked_sub(since_epoch(now)), Some(hour));
    }
}
