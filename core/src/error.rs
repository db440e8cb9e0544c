//! What a caller can do wrong: one type for each thing that is bad, each with a stable code and the culprit's place.

mod json;

use std::fmt;

use crate::verdict::State;

/// A waiter definition that the specification does not allow.
///
/// Raised when the waiter is made, so that one that exists can be trusted.
///
/// # Example: where it is wrong
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
    /// The JSON path of the culprit, `acceptors[0].matcher.output.path`; empty for the definition as a whole.
    pub path: String,
    /// The column of the culprit, in code points from 1, where it is inside a JMESPath expression.
    pub column: Option<usize>,
    /// What is wrong, for people.
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

/// A JMESPath expression that does not parse, goes beyond a limit, or cannot be evaluated on a value.
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
    /// The column of the culprit, in code points from 1, where one character is to blame.
    pub column: Option<usize>,
    /// What is wrong, for people.
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

/// An option that is missing, of the wrong type, or out of its range.
///
/// # Example: delays that contradict each other
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}], "maxDelay": 5}"#)?;
/// let options = WaitOptions::new(Duration::from_secs(60)).min_delay(Duration::from_secs(10));
/// let error = ready.start(&options, 1).unwrap_err();
/// assert_eq!((error.code, &*error.option), ("conflicting_options", "minDelay"));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct OptionsError {
    /// The stable code, for programs: `missing_option`, `invalid_option`, `unknown_option`, `conflicting_options`.
    pub code: &'static str,
    /// The option to blame, as vectors and JavaScript write it: `minDelay`.
    pub option: String,
    /// What is wrong, for people.
    pub message: String,
}

impl OptionsError {
    pub(crate) fn new(
        code: &'static str,
        option: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            option: option.into(),
            message: message.into(),
        }
    }
}

/// A step taken out of order; the wait stays as it was.
///
/// # Example: a step out of order
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{StateError, WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// assert_eq!(wait.expire(0), Err(StateError::NotInFlight));
/// wait.next(0)?;
/// assert_eq!(wait.next(1), Err(StateError::InFlight { attempt: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// [`expire`](crate::Wait::expire) before the deadline.
    #[error("the deadline is not over: {remaining} ms remain")]
    BeforeDeadline {
        /// Milliseconds until the deadline.
        remaining: u64,
    },
    /// A step while another one is being taken: from a getter of the response that is looked at, or from another thread.
    #[error("another step of this wait is being taken")]
    Busy,
    /// A saved wait that is cut short or changed.
    #[error("the saved wait is damaged: its content does not match its checksum")]
    Damaged,
    /// [`next`](crate::Wait::next) while a call is in flight.
    #[error("attempt {attempt} is in flight: observe its end before the next step")]
    InFlight {
        /// The attempt that is in flight.
        attempt: u64,
    },
    /// An elapsed that is no time: below 0, or no finite number.
    #[error("elapsed must be a finite number of milliseconds, at least 0")]
    InvalidElapsed,
    /// A verdict that the waiter cannot give: of an acceptor that it does not have, that leads to another state, or that
    /// looks at responses only where the call failed, or at errors only where it did not.
    #[error("this waiter never gives the verdict `{state}` {}", By(.acceptor, *.failed))]
    InvalidVerdict {
        /// The verdict's state.
        state: State,
        /// The verdict's acceptor.
        acceptor: Option<usize>,
        /// Whether the call failed.
        failed: bool,
    },
    /// A saved wait of a later release.
    #[error("the saved wait is of version {version}, this release reads up to version 1")]
    NewerVersion {
        /// The version it says.
        version: u64,
    },
    /// [`observe`](crate::Wait::observe) or [`expire`](crate::Wait::expire) while no call is in flight.
    #[error("no call is in flight: ask for the next step first")]
    NotInFlight,
    /// A saved wait of another waiter.
    #[error("the saved wait belongs to another definition")]
    OtherDefinition,
}

impl StateError {
    /// The stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BeforeDeadline { .. } => "before_deadline",
            Self::Busy => "busy",
            Self::Damaged => "damaged_state",
            Self::InFlight { .. } => "in_flight",
            Self::InvalidElapsed => "invalid_elapsed",
            Self::InvalidVerdict { .. } => "invalid_verdict",
            Self::NewerVersion { .. } => "newer_version",
            Self::NotInFlight => "not_in_flight",
            Self::OtherDefinition => "other_definition",
        }
    }
}

/// The path in front of a message, where there is one.
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

/// The acceptor that a verdict is by, and what came of the call.
struct By<'a>(&'a Option<usize>, bool);

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(acceptor) => write!(f, "by acceptor {acceptor}")?,
            None => f.write_str("without an acceptor")?,
        }
        f.write_str(if self.1 {
            " for an error"
        } else {
            " for a response"
        })
    }
}
