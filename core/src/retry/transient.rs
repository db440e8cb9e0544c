//! Transient errors of a wait: errors that waiting may cure (D15).

use super::failed_request::{RequestFailure, Transport};
use super::retry_after;
use crate::millis::rounded_up;
use crate::operation::ErrorFault;

/// The code of a host name that does not resolve. A resolver that cannot be reached has `EAI_AGAIN`.
const HOST_NOT_FOUND: &str = "ENOTFOUND";

/// The code that some services use for throttling and most for a quota, which waiting does not raise.
const LIMIT_EXCEEDED: &str = "LimitExceededException";

/// A transient error: a wait makes the call again unless an acceptor matches the error.
///
/// # Example: a service that throttles, five seconds after the start of a wait
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, Transient};
///
/// let throttled = RequestFailure::default().status(429).retry_after("3");
/// let transient = throttled.transient(5_000).ok_or("not transient")?;
/// assert_eq!(transient, Transient { not_before_ms: 8_000, answered: true });
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a host that classifies errors itself makes it"
)]
pub struct Transient {
    /// The earliest time of the next attempt, in milliseconds since the wait started; 0 for any.
    pub not_before_ms: u64,
    /// `true` if the service answered, `false` if the connection failed or no answer came in time.
    pub answered: bool,
}

impl RequestFailure<'_> {
    /// Returns what the failure means for a wait at `now_ms` milliseconds since its start; `None` if waiting does not cure it.
    ///
    /// Transient are throttling, faults of the server, a lost or refused connection, and an answer that did not come in time. A
    /// host name that does not resolve is not, nor is an invalid certificate, missing credentials, or any other fault of the client.
    #[must_use]
    pub fn transient(&self, now_ms: u64) -> Option<Transient> {
        let answered = self.is_answered();
        let cures = if answered {
            self.is_throttled() || self.is_fault_of_server()
        } else {
            self.is_transient() && !self.is_host_missing()
        };
        let (retry_after, _) = retry_after::read(self);
        cures.then(|| Transient {
            not_before_ms: retry_after.map_or(0, |pause| now_ms.saturating_add(rounded_up(pause))),
            answered,
        })
    }

    /// Returns `true` if a response came: it has a status, or the service named the error.
    fn is_answered(&self) -> bool {
        self.status.is_some() || self.modeled.is_some() || self.is_throttle()
    }

    // SPEC: D15. Services report quotas by the same code, with the status 400: these do not end by waiting.
    fn is_throttled(&self) -> bool {
        let is_modeled = self
            .modeled
            .is_some_and(|modeled| modeled.retryable || modeled.throttling);
        self.status == Some(429)
            || is_modeled
            || (self.is_throttle() && !self.has_code(&[LIMIT_EXCEEDED]))
    }

    fn is_fault_of_server(&self) -> bool {
        matches!(self.status, Some(408 | 500..600))
            || (self.status.is_none()
                && self
                    .modeled
                    .is_some_and(|modeled| modeled.fault == ErrorFault::Server))
            || self.is_request_timeout()
    }

    fn is_host_missing(&self) -> bool {
        self.transport == Some(Transport::HostNotFound) || self.has_code(&[HOST_NOT_FOUND])
    }
}
