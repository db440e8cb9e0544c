//! What a failure means for a retry.

use super::failed_request::{RequestFailure, Transport};
use super::note::RetryNote;
use super::{FailureInfo, RetryInfo, RetrySafety, retry_after};
use crate::definition::base_name;
use crate::operation::{ErrorFault, ModeledError};

/// Codes by which services say that there were too many requests.
const THROTTLING: [&str; 14] = [
    "BandwidthLimitExceeded",
    "EC2ThrottledException",
    "LimitExceededException",
    "PriorRequestNotComplete",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "RequestThrottledException",
    "SlowDown",
    "ThrottledException",
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "TransactionInProgressException",
];

/// Codes of a request that no answer came to in time.
const TIMEOUTS: [&str; 2] = ["ETIMEDOUT", "TimeoutError"];

/// Codes of services that did not receive the request in time.
const REQUEST_TIMEOUTS: [&str; 2] = ["RequestTimeout", "RequestTimeoutException"];

/// Codes of a connection that failed.
const CONNECTION: [&str; 10] = [
    "EAI_AGAIN",
    "ECONNABORTED",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ENETDOWN",
    "ENETUNREACH",
    "ENOTCONN",
    "ENOTFOUND",
    "EPIPE",
];

/// What a failure means for a retry, and what is to be said of it beside that.
///
/// # Example: a header that says nothing
///
/// ```
/// use smithy_waiters::retry::{RequestFailure, RetryNote};
///
/// let classified = RequestFailure::default().status(503).retry_after("soon").classify();
/// assert_eq!(classified.note, Some(RetryNote::NoSecondsOrDate));
/// assert!(classified.info.retry.is_some_and(|retry| retry.retry_after.is_none()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Classified {
    /// What a strategy is told.
    pub info: FailureInfo,
    /// Which header was ignored, or what else keeps the error from being retried.
    pub note: Option<RetryNote>,
    /// Whether the error is one to retry, if the request were known to be idempotent; a `note` of a header does not hide it.
    pub not_idempotent: bool,
}

/// A failure that the host has classified, or one of which nothing is known.
impl From<FailureInfo> for Classified {
    fn from(info: FailureInfo) -> Self {
        Self {
            info,
            note: None,
            not_idempotent: false,
        }
    }
}

impl RequestFailure<'_> {
    /// What the failure means for a retry.
    ///
    /// - A service invites to retry by `Retry-After`, the status 429 or 503, a `retryable` error, or, where the error is not
    ///   modeled, a code that says that it throttles, whatever the status: it has not processed the request, and so that is safe
    ///   always.
    /// - A transient failure (500, 502, 504, a connection that failed, a timeout) is safe for an idempotent request only.
    ///   Other faults of the server may be.
    /// - Faults of the client are not. A difference: one with a code that says that the service throttles is transient, too, though
    ///   the model calls it the client's and not retryable; AWS's models leave the trait off
    ///   `ProvisionedThroughputExceededException`.
    ///
    /// Of an error of which nothing is known nothing is said, and no strategy retries it.
    ///
    /// Clauses: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors),
    /// [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub fn classify(&self) -> Classified {
        let (retry_after, note) = retry_after::read(self);
        let invited = retry_after.is_some() || self.is_invited();
        let fault = self.fault();
        let safety = if invited {
            Some(RetrySafety::Yes)
        } else {
            self.of_idempotent(fault)
        };
        let held_back = !invited && !self.idempotent && safety != Some(RetrySafety::No);
        let retry = safety.map(|safety| RetryInfo {
            // SPEC: 9.1 of the behavior traits: what is not idempotent is retried only where the service says that it may be.
            safety: if held_back { RetrySafety::No } else { safety },
            throttle: self.is_throttle(),
            timeout: self.is_timeout(),
            retry_after,
        });
        let not_idempotent = held_back && retry.is_some();
        Classified {
            info: FailureInfo { retry, fault },
            note: note.or(not_idempotent.then_some(RetryNote::NotIdempotent)),
            not_idempotent,
        }
    }

    // SPEC: 9.1 names the hints of HTTP "for example": a code that says that the service throttles is such a hint of the
    // service's protocol. Many services send it with the status 400. Of an error that is modeled the model says it.
    /// Whether the service says, without a time, that the request may be made again.
    fn is_invited(&self) -> bool {
        matches!(self.status, Some(429 | 503))
            || self.modeled.map_or_else(
                || self.has_code(&THROTTLING),
                |modeled| modeled.retryable || modeled.throttling,
            )
    }

    // SPEC: the guide's example says "no" of a client's error without `@retryable`. A difference: models leave the trait off
    // `ProvisionedThroughputExceededException` and its like. What a code of `THROTTLING` says counts too where the request may
    // be repeated anyway; where it may not, the model's word stands (`is_invited`).
    /// Whether it is safe for a request that is idempotent.
    fn of_idempotent(&self, fault: Option<ErrorFault>) -> Option<RetrySafety> {
        match fault {
            _ if self.is_transient() => Some(RetrySafety::Yes),
            None => None,
            Some(ErrorFault::Client) => Some(RetrySafety::No),
            Some(_) => Some(RetrySafety::Maybe),
        }
    }

    /// The model's word where there is one, else the status's.
    fn fault(&self) -> Option<ErrorFault> {
        match (self.modeled, self.status) {
            (Some(ModeledError { fault, .. }), _) => Some(fault),
            (None, Some(400..500)) => Some(ErrorFault::Client),
            (None, Some(500..600)) => Some(ErrorFault::Server),
            (None, _) => self.transport.map(|_| ErrorFault::Other),
        }
    }

    pub(super) fn is_throttle(&self) -> bool {
        self.status == Some(429)
            || self.modeled.is_some_and(|modeled| modeled.throttling)
            || self.has_code(&THROTTLING)
    }

    pub(super) fn is_timeout(&self) -> bool {
        self.status == Some(504)
            || self.transport == Some(Transport::Timeout)
            || self.has_code(&TIMEOUTS)
    }

    pub(super) fn is_transient(&self) -> bool {
        matches!(self.status, Some(500 | 502 | 503 | 504))
            || self.transport.is_some()
            || self.is_throttle()
            || self.is_timeout()
            || self.has_code(&CONNECTION)
            || self.is_request_timeout()
    }

    /// Returns `true` for a request that the service did not receive in time.
    pub(super) fn is_request_timeout(&self) -> bool {
        self.has_code(&REQUEST_TIMEOUTS)
    }

    pub(super) fn has_code(&self, codes: &[&str]) -> bool {
        self.code
            .as_deref()
            .is_some_and(|code| codes.contains(&base_name(code)))
    }
}
