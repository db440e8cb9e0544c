//! Errors of callers, each with a stable code.

#[cfg(feature = "hints")]
mod hint;
mod json;
mod names;
mod options;
mod spelling;

use std::fmt;

#[cfg(feature = "hints")]
pub(crate) use hint::{letters, nearest};
#[cfg(not(feature = "hints"))]
pub(crate) const fn nearest<'k>(_: &str, _: &[&'k str]) -> Option<&'k str> {
    None
}
pub(crate) use names::listed;
pub use options::{OptionsError, snake_case};
pub(crate) use options::{Part, option, render};
pub use spelling::Spelling;

/// Error returned when a definition or a trait is invalid.
///
/// Waiters and other types are validated when they are created.
///
/// # Example: the path and column of the culprit
///
/// ```
/// use smithy_waiters::Waiter;
///
/// let error = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "Table.[", "comparator": "stringEquals", "expected": "ACTIVE"}}}]}"#).unwrap_err();
/// assert_eq!((error.code, &*error.path), ("invalid_expression", "acceptors[0].matcher.output.path"));
/// assert_eq!(error.column, Some(8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", At(.path))]
#[non_exhaustive]
pub struct DefinitionError {
    /// The stable code, for programs: `unknown_state`, `no_success_acceptor`, …
    pub code: &'static str,
    /// The JSON path of the culprit, such as `acceptors[0].matcher.output.path`; empty for the definition as a whole.
    pub path: String,
    /// The column of the culprit in code points, starting at 1, if it is inside a JMESPath expression.
    pub column: Option<usize>,
    /// The message, for people.
    pub message: String,
}

impl DefinitionError {
    pub(crate) fn new(
        code: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            path: path.into(),
            column: None,
            message: message.into(),
        }
    }

    pub(crate) fn in_expression(path: impl Into<String>, error: ExpressionError) -> Self {
        Self {
            code: error.code,
            path: path.into(),
            column: error.column,
            message: error.message,
        }
    }
}

/// Error returned when a JMESPath expression is invalid, exceeds a limit, or cannot be evaluated on a value.
///
/// # Example: a function that does not exist
///
/// ```
/// use smithy_waiters::CompiledExpression;
///
/// let error = CompiledExpression::new("size(Items)").unwrap_err();
/// assert_eq!(error.code, "unknown_function");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ExpressionError {
    /// The stable code, for programs: `invalid_expression`, `expression_too_deep`, …
    pub code: &'static str,
    /// The column of the culprit in code points, starting at 1, if the error has a position.
    pub column: Option<usize>,
    /// The message, for people.
    pub message: String,
}

impl ExpressionError {
    pub(crate) fn new(
        code: &'static str,
        column: Option<usize>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            column,
            message: message.into(),
        }
    }
}

/// Error returned for an event that does not fit the state of a wait, and for a saved wait that cannot be resumed.
///
/// The wait remains unchanged.
///
/// # Example: an event out of order
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Event, StateError, WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// assert_eq!(wait.handle(Event::deadline_reached(), 0), Err(StateError::NotInFlight));
/// wait.poll(0);
/// let early = Err(StateError::BeforeDeadline { deadline_ms: Some(60_000) });
/// assert_eq!(wait.handle(Event::deadline_reached(), 1), early);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// [`Event::DeadlineReached`](crate::Event::DeadlineReached) was reported before the deadline of the call.
    #[error("{}", Early(*.deadline_ms))]
    BeforeDeadline {
        /// The deadline, in milliseconds since the start of the wait; `None` if the call has no deadline.
        deadline_ms: Option<u64>,
    },
    /// The wait was used while another step was in progress, from a getter of the response or from another thread.
    #[error("another step of this wait is in progress")]
    Busy,
    /// The saved wait is truncated or modified.
    #[error("the text is not a saved wait, or it was modified or truncated")]
    Damaged,
    /// The time is negative, above 2^53 - 1 or not a number.
    #[error("the time must be a number of milliseconds from 0 to 2^53 - 1")]
    InvalidTime,
    /// The verdict names an acceptor that does not exist, or that cannot match the result of the call.
    #[error("{}", Verdict { acceptor: *.acceptor, acceptors: *.acceptors, failed: *.failed })]
    InvalidVerdict {
        /// The index of the acceptor.
        acceptor: usize,
        /// The number of the waiter's acceptors.
        acceptors: usize,
        /// `true` if the call returned an error.
        failed: bool,
    },
    /// The saved wait is from a later release.
    #[error("the saved wait is of version {version}, this release reads up to version 2")]
    NewerVersion {
        /// The version of the saved format.
        version: u64,
    },
    /// The result of a call was reported while no call was in flight.
    #[error("no call is in flight: poll for the next step first")]
    NotInFlight,
    /// The result of a retry strategy was reported while the request's step was another one.
    #[error("the strategy has no step: poll for the next step first")]
    OtherStep,
    /// The wait uses a predicate. It cannot be saved, because a function cannot be serialized.
    #[error("a wait with a predicate cannot be saved: use an expression instead of a function")]
    Predicate,
    /// The saved wait belongs to another waiter.
    #[error(
        "the saved wait belongs to another definition: its fingerprint is {saved:016x}, that of this waiter {waiter:016x}"
    )]
    OtherDefinition {
        /// The fingerprint of the definition that the wait was started with.
        saved: u64,
        /// The fingerprint of this waiter's definition.
        waiter: u64,
    },
}

impl StateError {
    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BeforeDeadline { .. } => "before_deadline",
            Self::Busy => "busy",
            Self::Damaged => "damaged_state",
            Self::InvalidTime => "invalid_time",
            Self::InvalidVerdict { .. } => "invalid_verdict",
            Self::NewerVersion { .. } => "newer_version",
            Self::NotInFlight => "not_in_flight",
            Self::OtherDefinition { .. } => "other_definition",
            Self::OtherStep => "other_step",
            Self::Predicate => "predicate",
        }
    }
}

struct Early(Option<u64>);

impl fmt::Display for Early {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(deadline) => write!(f, "the deadline is at {deadline} ms and has not passed"),
            None => f.write_str("the call has no deadline"),
        }
    }
}

struct Verdict {
    acceptor: usize,
    acceptors: usize,
    failed: bool,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            acceptor,
            acceptors,
            failed,
        } = self;
        if acceptor >= acceptors {
            return write!(
                f,
                "acceptor {acceptor} does not exist: this waiter has {acceptors}"
            );
        }
        let result = if *failed { "an error" } else { "a response" };
        write!(f, "acceptor {acceptor} never matches {result}")
    }
}

/// The prefix of a message with the path, empty without a path.
struct At<'a>(&'a str);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(f, "`{}`: ", self.0)
        }
    }
}
