//! Failed requests and failed attempts.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::driver::OperationError;
use crate::retry::{FailureInfo, RequestReport, RetryEnd, RetryNote};

/// A failed attempt and what follows it.
///
/// # Example: a line for each failed attempt
///
/// ```
/// use smithy_waiters::driver::{Retry, RetryProgress};
/// use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::testing::FakeClock;
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default().max_retries(1), 1)?;
/// let mut lines = Vec::new();
/// let watch = |progress: RetryProgress<'_>| lines.push(match progress.next {
///     Ok(delay) => format!("{:?}: {}, next in {delay:?}", progress.elapsed, progress.error.unwrap().metadata()),
///     Err(end) => format!("{:?}: {end}", progress.elapsed),
/// });
/// let call = |_| Err::<(), _>(RequestFailure::default().code("SlowDown").status(503).retry_after("7"));
/// Retry::new(&strategy, FakeClock::new()).on_failure(watch).call_blocking(call).unwrap_err();
/// assert_eq!(lines, ["0ns: SlowDown, next in 7s", "7s: 1 retry was made, no more are allowed"]);
/// # }
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RetryProgress<'a> {
    /// The number of the attempt, from 1.
    pub attempt: u64,
    /// The error of the attempt. Use its [`metadata`](OperationError::metadata), or
    /// [`as_error`](OperationError::as_error) for the error itself. `None` if a policy rejected a response.
    pub error: Option<&'a dyn OperationError>,
    /// The classification of the failure.
    pub failure: &'a FailureInfo,
    /// The delay before the next attempt, or the reason why the request is not retried.
    pub next: Result<Duration, &'a RetryEnd>,
    /// A note about a header that was ignored or about a rule that prevents a retry.
    pub note: Option<&'a RetryNote>,
    /// The time since the request began.
    pub elapsed: Duration,
}

/// A request that failed and is not retried.
///
/// # Example: the error and the reason why it was not retried
///
/// ```
/// use smithy_waiters::driver::Retry;
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::retry::{RetryOptions, StandardRetryStrategy};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::testing::FakeClock;
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let call = |_| Err::<(), _>(ErrorMetadata::of_code("AccessDenied"));
/// let error = Retry::new(&strategy, FakeClock::new()).call_blocking(call).unwrap_err();
/// assert_eq!(error.to_string(), "failed after 1 attempt: the error is not retryable");
/// assert_eq!(error.error, Some(ErrorMetadata::of_code("AccessDenied")));
/// # }
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryError<E, T = ()> {
    /// The error of the last attempt that ended. `None` if that attempt returned a response, or if the only attempt was
    /// interrupted.
    pub error: Option<E>,
    /// The response of the last attempt that ended, if a policy rejected it.
    pub response: Option<T>,
    /// The number of attempts that were made.
    pub attempts: u64,
    /// The reason why there was no further attempt.
    pub end: RetryEnd,
}

/// Returns the result of a request with a policy.
pub(super) fn result<T, E>(
    last: Option<Result<T, E>>,
    report: RequestReport,
) -> Result<Result<T, E>, RetryError<E, T>> {
    match (last, report) {
        (Some(result), RequestReport { end: None, .. }) => Ok(result),
        (last, report) => Err(RetryError::new(last, report)),
    }
}

/// Returns the result of a request without a policy: every response is a success.
pub(super) fn response<T, E>(
    last: Option<Result<T, E>>,
    report: RequestReport,
) -> Result<T, RetryError<E>> {
    match (last, report) {
        (Some(Ok(response)), RequestReport { end: None, .. }) => Ok(response),
        (last, report) => {
            let error = last.and_then(Result::err).map(Err);
            Err(RetryError::new(error, report))
        }
    }
}

impl<E, T> RetryError<E, T> {
    fn new(last: Option<Result<T, E>>, report: RequestReport) -> Self {
        let (response, error) = match last {
            Some(Ok(response)) => (Some(response), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        Self {
            error,
            response,
            attempts: report.attempts,
            end: report.end.unwrap_or(RetryEnd::Failed),
        }
    }

    /// Returns the stable code of [`end`](Self::end), for programs.
    pub fn code(&self) -> &str {
        self.end.code()
    }
}

impl<E, T> fmt::Display for RetryError<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = RequestReport {
            attempts: self.attempts,
            end: Some(self.end.clone()),
        };
        report.fmt(f)
    }
}

/// The source is the error of the last attempt.
impl<E: fmt::Debug + OperationError, T: fmt::Debug> Error for RetryError<E, T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.as_ref()?.as_error()
    }
}
