//! A rate limit that several waits and fleets share.

use std::sync::{Arc, PoisonError};

use crate::error::OptionsError;
use crate::rate_limit::RateLimit;
use crate::sync::{Mutex, MutexGuard};

/// A [`RateLimit`] for the waits and fleets of a process, from any thread or task. A clone is a handle to the same limit.
///
/// Whoever is due first calls first. Pass the limit to [`Driver::rate_limit`](super::Driver::rate_limit). Its users must
/// share a clock: all [`TokioRuntime`](super::TokioRuntime)s and [`StdRuntime`](super::StdRuntime)s of a process do, and
/// clones of a custom runtime.
/// See [docs/rules.md#rate-limit](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#rate-limit).
///
/// # Example: one call a minute for two waits
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::SharedRateLimit;
/// use smithy_waiters::testing::FakeClock;
/// use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};
///
/// let ready = Waiter::until("Status", "READY").build()?;
/// let (clock, limit) = (FakeClock::new(), SharedRateLimit::new(1.0 / 60.0)?);
/// for _ in 0..2 {
///     let driver = Driver::new(clock.clone()).rate_limit(&limit);
///     let call = |_| Ok::<_, ErrorMetadata>(json!({"Status": "READY"}));
///     driver.wait_blocking(&ready, call, WaitOptions::new(Duration::from_secs(600)))?;
/// }
/// assert_eq!(clock.now(), Duration::from_secs(60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedRateLimit(Arc<Mutex<RateLimit>>);

impl SharedRateLimit {
    /// Creates a limit in calls per second.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if the rate is not from 0.001 to 1000.
    pub fn new(per_second: f64) -> Result<Self, OptionsError> {
        Ok(RateLimit::new(per_second)?.into())
    }

    /// Locks the limit. A poisoned lock is usable, because no code panics while it holds the lock.
    pub(super) fn lock(&self) -> MutexGuard<'_, RateLimit> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<RateLimit> for SharedRateLimit {
    fn from(limit: RateLimit) -> Self {
        Self(Arc::new(Mutex::new(limit)))
    }
}
