//! Transient errors of a wait, which may disappear by waiting.

use super::failed_request::{RequestFailure, Transport};
use super::retry_after;
use crate::millis::rounded_up;
use crate::operation::ErrorFault;

/// The code for a host name that does not resolve. A resolver that doesn't respond has `EAI_AGAIN`.
const HOST_NOT_FOUND: &str = "ENOTFOUND";

/// The codes for credentials that have expired, which a client can renew before the next call.
pub(super) const EXPIRED_CREDENTIALS: [&str; 3] =
    ["ExpiredToken", "ExpiredTokenException", "RequestExpired"];

/// The code that a few services use for throttling and most for a resource limit, which waiting does not raise.
const LIMIT_EXCEEDED: &str = "LimitExceededException";

/// A transient error, after which a wait repeats the call unless an acceptor matches the error.
///
/// See [docs/rules.md#transient-errors](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#transient-errors).
///
/// # Example: throttling five seconds after the start of a wait
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, Transient};
///
/// let throttled = RequestFailure::default().status(429).retry_after("3");
/// let transient = throttled.transient(5_000).ok_or("not transient")?;
/// assert_eq!(transient, Transient { not_before_ms: 8_000, answered: true, once: false });
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "hosts that classify errors themselves construct it"
)]
pub struct Transient {
    /// The earliest time of the next attempt, in milliseconds since the wait started; 0 for any time.
    pub not_before_ms: u64,
    /// `true` if the service responded. `false` if the connection failed or no response arrived in time.
    pub answered: bool,
    /// `true` if a second such error in a row is permanent. See [docs/rules.md#expired-credentials](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#expired-credentials).
    pub once: bool,
}

impl RequestFailure<'_> {
    /// Returns the failure as a transient error of a wait that started `now_ms` milliseconds ago, or `None` if the
    /// failure is permanent.
    ///
    /// Transient failures are throttling, server faults, failed connections and timeouts. An unresolved host name, an
    /// invalid certificate, missing credentials and other client faults are permanent. Expired credentials are transient
    /// [once](Transient::once), unless they are [static](Self::static_credentials).
    #[must_use]
    pub fn transient(&self, now_ms: u64) -> Option<Transient> {
        if self.is_permanent() || self.retry_safe == Some(false) {
            return None;
        }
        let once = self.has_code(&EXPIRED_CREDENTIALS);
        let answered = once || self.has_response();
        let may_recover = if once {
            !self.static_credentials
        } else if answered {
            self.is_throttled() || self.is_fault_of_server()
        } else {
            self.is_transient() && !self.is_host_missing()
        };
        let (retry_after, _) = retry_after::read(self);
        may_recover.then(|| Transient {
            not_before_ms: retry_after.map_or(0, |pause| now_ms.saturating_add(rounded_up(pause))),
            answered,
            once,
        })
    }

    /// Returns `true` if the service responded: there is a status, or the service named the error.
    fn has_response(&self) -> bool {
        // Only a service throttles, so that a throttling code counts as a response even without a status. Clients also set a
        // fault on their own timeouts, so that a fault without a status does not imply a response to a lost request.
        let is_described = self.modeled.is_some() || self.retry_safe.is_some();
        self.error_status().is_some()
            || self.is_throttle()
            || (is_described && self.transport.is_none())
    }

    // Services report exceeded resource limits with a throttling code and the status 400. These don't end by waiting.
    // Rule: docs/rules.md#transient-errors
    pub(crate) fn is_throttled(&self) -> bool {
        let is_modeled = self
            .modeled
            .is_some_and(|modeled| modeled.retryable || modeled.throttling);
        self.status == Some(429)
            || is_modeled
            || self.retry_safe == Some(true)
            || (self.is_throttle() && !self.has_code(&[LIMIT_EXCEEDED]))
    }

    fn is_fault_of_server(&self) -> bool {
        // 408 blames the client, but only for being slow: the same call can succeed.
        matches!(self.status, Some(408 | 500..600))
            // A status is more specific than the model's fault.
            || (self.error_status().is_none()
                && self
                    .modeled
                    .is_some_and(|modeled| modeled.fault == ErrorFault::Server))
            || self.is_request_timeout()
    }

    fn is_host_missing(&self) -> bool {
        self.lost() == Some(Transport::HostNotFound) || self.has_code(&[HOST_NOT_FOUND])
    }
}
