//! Classification of failures for retries.

use super::failed_request::{RequestFailure, Transport};
use super::note::RetryNote;
use super::{FailureInfo, RetryInfo, RetrySafety, retry_after};
use crate::definition::base_name;
use crate::operation::{ErrorFault, ModeledError};

/// The codes by which services throttle.
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

/// The codes of timeouts in a client.
const TIMEOUTS: [&str; 2] = ["ETIMEDOUT", "TimeoutError"];

/// The codes of services that did not receive the request in time.
const REQUEST_TIMEOUTS: [&str; 2] = ["RequestTimeout", "RequestTimeoutException"];

/// The codes of failed connections.
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

/// The classification of a failure, with a note.
///
/// # Example: an invalid header
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
    /// The input of a retry strategy.
    pub info: FailureInfo,
    /// A note about a header that was ignored or about a rule that prevents a retry.
    pub note: Option<RetryNote>,
    /// `true` if the error would be retried for an idempotent request. Unlike [`note`](Self::note), it is set even if a
    /// header was ignored.
    pub not_idempotent: bool,
}

/// A classification by the host, without a note.
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
    /// Classifies the failure for a retry strategy.
    ///
    /// - A retry is always safe if the service requests it, because the service has not processed the request. The
    ///   service requests a retry by `Retry-After`, by the status 429 or 503, or by an error that its model marks as
    ///   `retryable`. For an error outside the model, a throttling code requests a retry, too, whatever the status.
    /// - After a transient failure (500, 502, 504, a failed connection or a timeout), a retry is safe only for an
    ///   idempotent request. Other server faults may be safe to retry.
    /// - Client faults are not retried, except those with a throttling code. The specification's example would not
    ///   retry them if the model lacks `@retryable`. AWS's models lack the trait on
    ///   `ProvisionedThroughputExceededException`. See [docs/rules.md#throttling-codes](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#throttling-codes).
    ///
    /// A failure without any information has no [`RetryInfo`], and no strategy retries it.
    ///
    /// Specification: [Retryable errors](https://smithy.io/2.0/guides/client-guidance/retries.html#retryable-errors),
    /// [Idempotency](https://smithy.io/2.0/spec/behavior-traits.html#idempotency).
    #[must_use]
    pub fn classify(&self) -> Classified {
        if self.is_permanent() {
            return FailureInfo::default().into();
        }
        let (retry_after, note) = retry_after::read(self);
        let is_requested = retry_after.is_some() || self.requests_retry();
        let fault = self.fault();
        let safety = match self.retry_safe {
            Some(false) => Some(RetrySafety::No),
            None if !is_requested => self.safety_if_idempotent(fault),
            _ => Some(RetrySafety::Yes),
        };
        let needs_idempotency = self.retry_safe.is_none()
            && !is_requested
            && !self.idempotent
            && safety != Some(RetrySafety::No);
        let retry = safety.map(|safety| RetryInfo {
            // The specification's idempotency rules allow a retry of a non-idempotent request only if the service
            // indicates that it is safe. Rule: docs/rules.md#idempotent-retries
            safety: if needs_idempotency {
                RetrySafety::No
            } else {
                safety
            },
            throttle: self.is_throttle(),
            timeout: self.is_timeout(),
            retry_after,
        });
        let not_idempotent = needs_idempotency && retry.is_some();
        Classified {
            info: FailureInfo { retry, fault },
            note: note.or(not_idempotent.then_some(RetryNote::NotIdempotent)),
            not_idempotent,
        }
    }

    // The specification lists HTTP's hints as examples. A throttling code is the equivalent hint of the service's
    // protocol, and many services send it with the status 400. For a modeled error, the traits decide.
    // Rule: docs/rules.md#throttling-codes
    fn requests_retry(&self) -> bool {
        matches!(self.status, Some(429 | 503))
            || self.modeled.map_or_else(
                || self.has_code(&THROTTLING),
                |modeled| modeled.retryable || modeled.throttling,
            )
    }

    // The guide's example doesn't retry a client error without `@retryable`. Models lack the trait on errors such as
    // `ProvisionedThroughputExceededException`, so a throttling code counts if the request is idempotent. Otherwise the
    // model decides, in `requests_retry`. Rule: docs/rules.md#modeled-errors
    fn safety_if_idempotent(&self, fault: Option<ErrorFault>) -> Option<RetrySafety> {
        match fault {
            _ if self.is_transient() => Some(RetrySafety::Yes),
            None => None,
            Some(ErrorFault::Client) => Some(RetrySafety::No),
            Some(_) => Some(RetrySafety::Maybe),
        }
    }

    /// Returns the fault according to the model, or the status without a model.
    fn fault(&self) -> Option<ErrorFault> {
        match (self.modeled, self.status) {
            // The model comes before the status. Rule: docs/rules.md#modeled-errors
            (Some(ModeledError { fault, .. }), _) => Some(fault),
            (None, Some(400..500)) => Some(ErrorFault::Client),
            (None, Some(500..600)) => Some(ErrorFault::Server),
            // A connection can fail on either side.
            (None, _) => self.lost().map(|_| ErrorFault::Other),
        }
    }

    pub(super) fn is_throttle(&self) -> bool {
        // The status that the specification gives as HTTP's throttling.
        self.status == Some(429)
            || self.modeled.is_some_and(|modeled| modeled.throttling)
            || self.declares_throttle
            || self.has_code(&THROTTLING)
    }

    pub(super) fn is_timeout(&self) -> bool {
        // The specification counts this status as a timeout too.
        self.status == Some(504)
            || self.lost() == Some(Transport::Timeout)
            || self.has_code(&TIMEOUTS)
    }

    pub(super) fn is_transient(&self) -> bool {
        matches!(self.status, Some(500 | 502 | 503 | 504))
            || self.lost().is_some()
            || self.is_throttle()
            || self.is_timeout()
            || self.has_code(&CONNECTION)
            || self.is_request_timeout()
    }

    /// Returns `true` if the service did not receive the request in time.
    pub(super) fn is_request_timeout(&self) -> bool {
        self.has_code(&REQUEST_TIMEOUTS)
    }

    pub(super) fn has_code(&self, codes: &[&str]) -> bool {
        self.base_code().is_some_and(|code| codes.contains(&code))
    }

    /// Returns the code without its namespace.
    pub(super) fn base_code(&self) -> Option<&str> {
        self.code.as_deref().map(base_name)
    }
}
