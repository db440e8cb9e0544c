//! The token bucket that retries take tokens from.

use std::fmt;
use std::sync::Arc;

use super::RetryRefusal;
use crate::error::OptionsError;
use crate::sync::atomic::{AtomicU32, Ordering};

/// A token bucket that limits retries: failures empty it and successes refill it, so that clients don't overload a
/// failing service.
///
/// A clone is a handle to the same quota, which strategies can share. It is safe to use from several threads.
///
/// Specification: [Retry behaviors](https://smithy.io/2.0/guides/client-guidance/retries.html#retry-behaviors).
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
    /// Creates a full quota.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a capacity of 0.
    pub fn new(capacity: u32) -> Result<Self, OptionsError> {
        // Such a quota would refuse every retry, for which there is `maxRetries: 0`.
        if capacity == 0 {
            return Err(OptionsError::invalid("capacity", "must be at least 1", "0"));
        }
        Ok(Self {
            capacity,
            available: Arc::new(AtomicU32::new(capacity)),
        })
    }

    /// Returns the capacity.
    #[must_use]
    pub const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Returns the number of tokens that are currently available.
    #[must_use]
    pub fn available(&self) -> u32 {
        self.available.load(Ordering::Relaxed)
    }

    /// Takes the cost of a retry, or fails if the quota has too few tokens.
    pub(super) fn pay(&self, cost: u32) -> Result<(), RetryRefusal> {
        // Relaxed ordering suffices, because the counter guards no other memory.
        let paid = self
            .available
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |available| {
                available.checked_sub(cost)
            });
        paid.map(|_| ())
            .map_err(|available| RetryRefusal::QuotaExhausted { available, cost })
    }

    // The specification's example adds a refund only if all of it fits below the capacity. With refunds above 1, such a
    // quota would never be full again, so the part that fits is added. Rule: docs/rules.md#quota-refund
    pub(super) fn refund(&self, refund: u32) {
        let full = |available: u32| Some(available.saturating_add(refund).min(self.capacity));
        // The update cannot fail: the closure always returns a value.
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
