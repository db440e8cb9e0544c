//! The results that a driver returns.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::driver::clock::remaining;
use crate::driver::error::OperationError;
use crate::error::{OptionsError, StateError};
use crate::evaluation::Hint;
use crate::wait::{AttemptRecord, AttemptResult, FailureKind, Level, Wait, WaitReport};

/// A wait that succeeded.
///
/// The successful result may be an error, for example if the waiter waits until a table is not found. The outcome
/// serializes with the same names and values as in the other languages, and displays as one line without the response.
///
/// # Example: the result of a successful wait
///
/// ```
/// use std::time::Duration;
/// use serde_json::{Value, json};
/// use smithy_waiters::{ErrorMetadata, Outcome, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |_| Ok(json!({"Status": "READY", "Size": 7}));
/// let options = WaitOptions::new(Duration::from_secs(60));
/// let outcome: Outcome<Value, ErrorMetadata> = ready.wait_blocking(call, options)?;
/// assert_eq!(outcome.result?["Size"], 7);
/// assert_eq!((outcome.report.attempts, outcome.report.acceptor), (1, Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome<T, E> {
    /// The result of the last call, which the successful acceptor matched.
    pub result: Result<T, E>,
    /// The acceptor, the attempts, the elapsed time and the history.
    pub report: Arc<WaitReport>,
}

impl<T, E> fmt::Display for Outcome<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

impl<T, E> Outcome<T, E> {
    /// Returns references to the response or the error that ended the wait.
    ///
    /// # Errors
    ///
    /// The error that the successful acceptor matched.
    pub const fn as_result(&self) -> Result<&T, &E> {
        self.result.as_ref()
    }

    /// Returns the response or the error that ended the wait.
    ///
    /// # Errors
    ///
    /// The error that the successful acceptor matched.
    pub fn into_result(self) -> Result<T, E> {
        self.result
    }
}

/// A wait that ended without success.
///
/// It serializes with the same names and values as in the other languages, including the response and the error.
///
/// # Example: the last response
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter, WaiterError};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |_| Ok::<_, ErrorMetadata>(json!({"Status": "FAILED", "Why": "no space"}));
/// match ready.wait_blocking(call, WaitOptions::new(Duration::from_secs(60))) {
///     Err(WaiterError::Failure(failure)) => {
///         assert_eq!(failure.kind.code(), "failure_state");
///         assert_eq!(failure.response.unwrap()["Why"], "no space");
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct WaitFailure<T, E> {
    /// The reason, for programs.
    pub kind: FailureKind,
    /// The latest response of all attempts.
    pub response: Option<T>,
    /// The latest error of all attempts.
    pub error: Option<E>,
    /// The acceptor, the attempts, the elapsed time and the history.
    pub report: Arc<WaitReport>,
}

/// Error returned when a wait has no outcome.
///
/// # Example: the explanation and the cause
///
/// ```
/// use std::error::Error;
/// use std::time::Duration;
/// use serde_json::Value;
/// use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let call = |_| Err::<Value, _>(ErrorMetadata::of_code("AccessDenied").message("not yours"));
/// let error = ready.wait_blocking(call, WaitOptions::new(Duration::from_secs(60))).unwrap_err();
/// assert_eq!(error.code(), "unmatched_error");
/// assert_eq!(error.source().unwrap().to_string(), "AccessDenied: not yours");
/// println!("{}", error.explain()); // the attempts in the history, and why no acceptor matched
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WaiterError<T, E> {
    /// The wait ended without success.
    #[error(transparent)]
    Failure(Box<WaitFailure<T, E>>),
    /// The wait never began: an option is invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The driver called a step out of order. The drivers of this crate don't, unless a compiled matcher returns an
    /// acceptor that cannot match.
    #[error(transparent)]
    State(#[from] StateError),
}

/// An attempt that just ended, for the hook [`Waiter::on_attempt`](crate::Waiter::on_attempt).
///
/// # Example: a line for each attempt
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::StdRuntime;
/// use smithy_waiters::{Driver, ErrorMetadata, Progress, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut lines = Vec::new();
/// let watch = |progress: Progress<'_>| {
///     let Progress { attempt, remaining, .. } = progress;
///     lines.push(format!("attempt {}: {:?}, {} s left", attempt.attempt, attempt.state, remaining.as_secs()));
/// };
/// let call = |_| Ok::<_, ErrorMetadata>(json!({"Status": "READY"}));
/// let driver = Driver::new(StdRuntime::new()).on_attempt(watch);
/// driver.wait_blocking(&ready, call, WaitOptions::new(Duration::from_secs(60)))?;
/// assert!(lines[0].starts_with("attempt 1: Some(Success)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The result of the attempt, the reasons for it, and the delay that follows.
    pub attempt: &'a AttemptRecord,
    /// The time until the deadline.
    pub remaining: Duration,
    pub(super) wait: &'a Wait,
}

impl<'a> Progress<'a> {
    /// Returns the progress of a wait whose latest attempt this is.
    #[doc(hidden)]
    #[must_use]
    pub fn of(wait: &'a Wait, attempt: &'a AttemptRecord) -> Self {
        Self {
            attempt,
            remaining: remaining(wait.deadline_ms(), wait.now_ms()),
            wait,
        }
    }

    /// Returns a one-line description of the attempt for people. See [`Wait::summary`].
    #[must_use]
    pub fn summary(&self) -> String {
        self.wait.summary().unwrap_or_default()
    }

    /// Returns the hints that the attempt shows. See [`Wait::hints`].
    #[must_use]
    pub fn hints(&self) -> &[Hint] {
        self.wait.hints()
    }

    /// Returns the level at which the attempt is logged. See [`Wait::level`].
    #[must_use]
    pub fn level(&self) -> Level {
        self.wait.level().unwrap_or(Level::Debug)
    }

    /// Returns the label of the wait.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.wait.label()
    }
}

impl<T, E> WaiterError<T, E> {
    /// Returns the stable code, for programs: the code of the [`FailureKind`], the option error or the state error.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Failure(failure) => failure.kind.code(),
            Self::Options(error) => error.code,
            Self::State(error) => error.code(),
        }
    }

    /// Returns the full explanation for people. See [`WaitReport::explain`]. If the wait never began, it is only the
    /// message.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Self::Failure(failure) => failure.explain(),
            Self::Options(_) | Self::State(_) => self.to_string(),
        }
    }

    /// Returns the failure if the wait began and ended without success.
    pub const fn failure(&self) -> Option<&WaitFailure<T, E>> {
        match self {
            Self::Failure(failure) => Some(failure),
            _ => None,
        }
    }
}

impl<T, E> WaitFailure<T, E> {
    /// Returns the error that caused the failure.
    pub(super) fn cause(&self) -> Option<&E> {
        self.report.cause(self.error.as_ref(), None)
    }

    /// Returns the full explanation for people. See [`WaitReport::explain`].
    #[must_use]
    pub fn explain(&self) -> String {
        self.report.explain()
    }
}

impl<T, E> fmt::Display for WaitFailure<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// Prints the message, for a `main` that returns the error. [`explain`](WaiterError::explain) returns the attempts. The
/// response and the error are omitted: they may be long or contain secrets.
impl<T, E> fmt::Debug for WaiterError<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure(failure) => fmt::Display::fmt(failure, f),
            Self::Options(error) => fmt::Display::fmt(error, f),
            Self::State(error) => fmt::Display::fmt(error, f),
        }
    }
}

/// Prints the message. See [`WaiterError`].
impl<T, E> fmt::Debug for WaitFailure<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// The source is the error of the last attempt, if that attempt returned an error.
impl<T, E: OperationError> Error for WaitFailure<T, E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause()?.as_error()
    }
}

/// Returns the outcome or the failure of a wait that ended, from its latest response and its latest error.
///
/// # Errors
///
/// Returns [`WaiterError::Failure`] if the wait failed, and [`WaiterError::State`] for a success without a result.
pub fn end<T, E>(
    response: Option<T>,
    error: Option<E>,
    report: Arc<WaitReport>,
) -> Result<Outcome<T, E>, WaiterError<T, E>> {
    let failed = report.last_result == Some(AttemptResult::Error);
    let Some(kind) = report.kind else {
        // The response of an earlier attempt is still stored if an error made the wait succeed.
        let response = response.filter(|_| !failed).map(Ok);
        let result = response.or_else(|| error.map(Err));
        // A success matched one of them, so at least one is present.
        let result = result.ok_or(StateError::NotInFlight)?;
        return Ok(Outcome { result, report });
    };
    Err(WaiterError::Failure(Box::new(WaitFailure {
        kind,
        response,
        error,
        report,
    })))
}
