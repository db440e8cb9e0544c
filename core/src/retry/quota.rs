//! The token bucket that retries are paid from.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::RetryRefusal;
use crate::error::OptionsError;

/// What retries are paid from: it empties while requests fail and fills up as they succeed, so that clients leave a
/// service alone that is down.
///
/// A clone is the same quota: strategies share one by it. No retry is lost or paid twice, whichever thread asks.
///
/// Clause: [Retry behaviors](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-behaviors).
///
/// # Example: one quota for two clients of a service
///
/// ```
/// use smithy_waiters::retry::{RetryOptions, RetryQuota, StandardRetryStrategy};
///
/// let quota = RetryQuota::new(500)?;
/// let reads = StandardRetryStrategy::new(&RetryOptions::default().quota(&quota), 1)?;
/// let writes = StandardRetryStrategy::new(&RetryOptions::default().quota(&quota).max_retries(1), 2)?;
/// # let _ = (reads, writes);
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone)]
pub struct RetryQuota {
    capacity: u32,
    available: Arc<AtomicU32>,
}

impl RetryQuota {
    /// A full quota.
    ///
    /// # Errors
    ///
    /// `invalid_option` for a capacity of 0, from which nothing could be paid.
    pub fn new(capacity: u32) -> Result<Self, OptionsError> {
        if capacity == 0 {
            return Err(OptionsError::invalid("capacity", "must be at least 1", "0"));
        }
        Ok(Self {
            capacity,
            available: Arc::new(AtomicU32::new(capacity)),
        })
    }

    /// What it holds when it is full.
    #[must_use]
    pub const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// What it holds now.
    #[must_use]
    pub fn available(&self) -> u32 {
        self.available.load(Ordering::Relaxed)
    }

    /// Takes the cost of a retry out; all of it or nothing.
    pub(super) fn pay(&self, cost: u32) -> Result<(), RetryRefusal> {
        // Nothing but the number itself is shared, so no order between it and other memory is needed.
        let paid = self
            .available
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |available| {
                available.checked_sub(cost)
            });
        paid.map(|_| ())
            .map_err(|available| RetryRefusal::QuotaExhausted { available, cost })
    }

    // SPEC: the example adds a refund only where all of it fits below the capacity; with refunds above 1 a quota would
    // then never be full again. What fits is added.
    /// Puts a refund back, as much as there is room for.
    pub(super) fn refund(&self, refund: u32) {
        let full = |available: u32| Some(available.saturating_add(refund).min(self.capacity));
        // A full quota stays as it is: nothing that could fail.
        let _ = self
            .available
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, full);
    }
}

impl fmt::Debug for RetryQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryQuota")
            .field("available", &self.available())
            .field("capacity", &self.capacity)
            .finish()
    }
}
