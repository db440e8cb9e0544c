//! What a driver gives its caller.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::driver::error::OperationError;
use crate::error::{OptionsError, StateError};
use crate::wait::{AttemptRecord, AttemptResult, FailureKind, Wait, WaitReport};

/// A wait that succeeded. A success may be an error: a table that is not found any more.
///
/// It serialises to the same names and facts as in the other languages.
///
/// # Example: what a successful wait gives
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
    /// What the last call returned, in which the resource's state was seen.
    pub result: Result<T, E>,
    /// The acceptor, the attempts, the time, the history.
    pub report: Arc<WaitReport>,
}

/// A wait that did not succeed, and everything that is known of why.
///
/// It serialises to the same names and facts as in the other languages, the response and the error included.
///
/// # Example: what was seen last
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
    /// Why, for programs.
    pub kind: FailureKind,
    /// The newest response of all attempts.
    pub response: Option<T>,
    /// The newest error of all attempts.
    pub error: Option<E>,
    /// The acceptor, the attempts, the time, the history.
    pub report: Arc<WaitReport>,
}

/// Why a wait gave no outcome.
///
/// # Example: told to people, with its cause
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
/// println!("{}", error.explain()); // every attempt that is remembered, and why no acceptor matched
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WaiterError<T, E> {
    /// It ended without success.
    #[error(transparent)]
    Failure(Box<WaitFailure<T, E>>),
    /// It never began: an option does not hold.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The driver took a step out of order; the drivers of this crate do not.
    #[error(transparent)]
    State(#[from] StateError),
}

/// One attempt, as it has just ended.
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
    /// What came of it, why, and the delay that follows.
    pub attempt: &'a AttemptRecord,
    /// The time until the deadline.
    pub remaining: Duration,
    pub(super) wait: &'a Wait,
}

impl Progress<'_> {
    /// Returns the attempt in one line for people, as [`Wait::summary`] does.
    #[must_use]
    pub fn summary(&self) -> String {
        self.wait.summary().unwrap_or_default()
    }

    /// The label of the wait.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.wait.label()
    }
}

impl<T, E> WaiterError<T, E> {
    /// The stable code, for programs: a [`FailureKind`]'s, an option error's or a state error's.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Failure(failure) => failure.kind.code(),
            Self::Options(error) => error.code,
            Self::State(error) => error.code(),
        }
    }

    /// The whole story for people, as [`WaitReport::explain`] tells it; the message alone where the wait never began.
    #[must_use]
    pub fn explain(&self) -> String {
        match self {
            Self::Failure(failure) => failure.explain(),
            Self::Options(_) | Self::State(_) => self.to_string(),
        }
    }

    /// The failure, where the wait began and ended without success.
    pub const fn failure(&self) -> Option<&WaitFailure<T, E>> {
        match self {
            Self::Failure(failure) => Some(failure),
            _ => None,
        }
    }
}

impl<T, E> WaitFailure<T, E> {
    /// The error that the last attempt returned; `None` if it ended otherwise, whatever earlier attempts returned.
    pub(super) fn cause(&self) -> Option<&E> {
        let failed = self.report.last_result == Some(AttemptResult::Error);
        self.error.as_ref().filter(|_| failed)
    }

    /// The whole story for people, as [`WaitReport::explain`] tells it.
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

/// What `main` prints of an error that it returns: the message and the newest error. The attempts are in
/// [`explain`](WaiterError::explain).
impl<T, E: fmt::Debug> fmt::Debug for WaiterError<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure(failure) => fmt::Debug::fmt(failure, f),
            Self::Options(error) => fmt::Debug::fmt(error, f),
            Self::State(error) => fmt::Debug::fmt(error, f),
        }
    }
}

impl<T, E: fmt::Debug> fmt::Debug for WaitFailure<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitFailure")
            .field("kind", &self.kind)
            .field("message", &self.report.message)
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

/// The source is the error that the last attempt returned, if it did.
impl<T, E: fmt::Debug + OperationError> Error for WaitFailure<T, E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause()?.as_error()
    }
}

/// Returns the outcome or the failure of a wait that has ended, of its newest response and its newest error.
pub(super) fn end<T, E>(
    response: Option<T>,
    error: Option<E>,
    report: Arc<WaitReport>,
) -> Result<Outcome<T, E>, WaiterError<T, E>> {
    let failed = report.last_result == Some(AttemptResult::Error);
    let Some(kind) = report.kind else {
        let response = response.filter(|_| !failed).map(Ok);
        let result = response.or_else(|| error.map(Err));
        // A success was seen in one of them.
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
