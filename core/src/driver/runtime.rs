//! The clock and the sleep of a host.

use std::future::Future;
use std::time::Duration;

/// A monotonic clock and a sleep that follows it.
///
/// Implement it for an executor of your own, or for a virtual clock in tests: then a wait of a day takes no time.
pub trait Runtime {
    /// The time since some fixed moment. Suspended time counts only if the clock counts it.
    fn now(&self) -> Duration;

    /// Ends after `duration`; ending early does no harm.
    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send;
}

/// tokio's clock and sleep. tokio's paused time is followed.
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

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send {
        tokio::time::sleep(duration)
    }
}
