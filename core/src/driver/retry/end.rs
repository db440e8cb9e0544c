//! Why a request is not made again, and what is told on the way.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::driver::OperationError;
use crate::retry::{Classified, FailureInfo, RefreshError, RetryNote, RetryRefusal, TokenError};

/// A failed attempt, and what follows it.
///
/// # Example: a line for each
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
///     Ok(delay) => format!("{:?}: {}, next in {delay:?}", progress.elapsed, progress.error.unwrap().facts()),
///     Err(end) => format!("{:?}: {end}", progress.elapsed),
/// });
/// let call = |_| Err::<(), _>(RequestFailure::default().code("SlowDown").status(503).retry_after("7"));
/// Retry::new(&strategy, FakeClock::new()).on_failure(watch).call_blocking(call).unwrap_err();
/// assert_eq!(lines, ["0ns: SlowDown, next in 7s", "7s: 1 retry was made, no more are allowed"]);
/// # }
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RetryProgress<'a> {
    /// The number of the attempt, from 1.
    pub attempt: u64,
    /// The error, by its [`facts`](OperationError::facts) or as [it is](OperationError::as_error); none where a policy does not
    /// take a response for a success.
    pub error: Option<&'a dyn OperationError>,
    /// What that means for a retry.
    pub failure: &'a FailureInfo,
    /// The delay before the next attempt, or why there is none.
    pub next: Result<Duration, RetryEnd>,
    /// A header of the response that was ignored, and why; or what keeps the error from being retried.
    pub note: Option<&'a RetryNote>,
    /// The time since the request began.
    pub elapsed: Duration,
}

/// Why a request is not made again.
///
/// # Example: in words
///
/// ```
/// use smithy_waiters::driver::RetryEnd;
///
/// assert_eq!(RetryEnd::OutOfTime.code(), "out_of_time");
/// assert_eq!(RetryEnd::OutOfTime.to_string(), "no further attempt fits in the time there is");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryEnd {
    /// The caller cancelled it.
    Cancelled,
    /// A policy says that it failed.
    Failed,
    /// The next attempt would begin after the time that the caller gives, or the attempt did not end in it.
    OutOfTime,
    /// The strategy says no.
    Refused(RetryRefusal),
    /// The strategy does not take the token back.
    Token(TokenError),
}

/// A request that failed for good.
///
/// # Example: the error, and why there was no other attempt
///
/// ```
/// use smithy_waiters::driver::Retry;
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::retry::{RetryOptions, StandardRetryStrategy};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::testing::FakeClock;
///
/// let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1)?;
/// let call = |_| Err::<(), _>(ErrorFacts::of_code("AccessDenied"));
/// let error = Retry::new(&strategy, FakeClock::new()).call_blocking(call).unwrap_err();
/// assert_eq!(error.to_string(), "failed after 1 attempt: the error is not retryable");
/// assert_eq!(error.error, Some(ErrorFacts::of_code("AccessDenied")));
/// # }
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryError<E, T = ()> {
    /// The error of the last attempt that ended, where it was one; nothing where the only one was cut.
    pub error: Option<E>,
    /// The response of the last attempt that ended, where a policy does not take it for a success.
    pub response: Option<T>,
    /// How many attempts were made.
    pub attempts: u64,
    /// Why there was no other.
    pub end: RetryEnd,
}

impl RetryEnd {
    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::OutOfTime => "out_of_time",
            Self::Refused(refusal) => refusal.code(),
            Self::Token(error) => error.code(),
        }
    }

    /// The same where something is known of the failure that a strategy is not told.
    pub(super) const fn of(self, failure: &Classified) -> Self {
        match self {
            Self::Refused(RetryRefusal::NotRetryable) if failure.not_idempotent => {
                Self::Refused(RetryRefusal::NotIdempotent)
            }
            end => end,
        }
    }
}

impl<E, T> RetryError<E, T> {
    pub(super) fn new(
        last: Option<Result<T, E>>,
        attempts: u64,
        end: Result<(), RetryEnd>,
    ) -> Self {
        let (response, error) = match last {
            Some(Ok(response)) => (Some(response), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        Self {
            error,
            response,
            attempts,
            end: end.err().unwrap_or(RetryEnd::Failed),
        }
    }

    /// The stable code, for programs: that of its end.
    pub const fn code(&self) -> &'static str {
        self.end.code()
    }
}

impl fmt::Display for RetryEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the request was cancelled"),
            Self::Failed => f.write_str("the retry policy says that it failed"),
            Self::OutOfTime => f.write_str("no further attempt fits in the time there is"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Token(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for RetryProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryProgress")
            .field("attempt", &self.attempt)
            .field("error", &self.error.map(OperationError::facts))
            .field("failure", self.failure)
            .field("next", &self.next)
            .field("note", &self.note)
            .field("elapsed", &self.elapsed)
            .finish()
    }
}

impl<E, T> fmt::Display for RetryError<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.attempts == 1 { "" } else { "s" };
        let Self { attempts, end, .. } = self;
        write!(f, "failed after {attempts} attempt{times}: {end}")
    }
}

/// The source is the error of the last attempt.
impl<E: fmt::Debug + OperationError, T: fmt::Debug> Error for RetryError<E, T> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.as_ref()?.as_error()
    }
}

impl From<RefreshError> for RetryEnd {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Refused(refusal) => Self::Refused(refusal),
            RefreshError::Token(error) => Self::Token(error),
        }
    }
}
