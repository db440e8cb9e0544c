//! The calls of a wait and their errors.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;
use smithy_waiters::ErrorMetadata;
use smithy_waiters::driver::{CancelToken, OperationError};
use smithy_waiters::retry::{RequestFailure, Transport};

/// The code of a missing resource.
pub(super) const NOT_FOUND: &str = "NotFound";

/// The code of an error that no rule recognises.
pub(super) const UNRECOGNISED: &str = "Unrecognised";

/// An operation of a wait: a command, a request or a connection.
pub(super) trait Call: Send + Sync {
    /// Calls the operation, at most for `limit` or until the token is cancelled.
    fn call(&self, limit: Duration, cancel: &CancelToken) -> Result<Json, CallError>;
}

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    /// Denied, expired or wrong usage.
    Permanent,
    /// The resource is missing.
    NotFound,
    /// The service did not answer.
    Unanswered,
    /// The service answered that it is busy or broken.
    Busy,
}

/// An error of a call. The engine decides what follows from it.
#[derive(Clone, Debug)]
pub(super) struct CallError {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) class: Class,
    /// The exit code of the whole wait, if the error ends it.
    pub(super) exit: Option<u8>,
}

impl CallError {
    pub(super) fn new(class: Class, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            class,
            exit: None,
        }
    }

    /// Returns the error of a call that the deadline or a signal ended. The engine doesn't read it.
    pub(super) fn stopped() -> Self {
        Self::new(Class::Unanswered, "Stopped", "the call was ended")
    }
}

impl OperationError for CallError {
    fn metadata(&self) -> ErrorMetadata<'_> {
        ErrorMetadata::of_code(&*self.code).message(&*self.message)
    }

    fn failure(&self) -> RequestFailure<'_> {
        let failure = RequestFailure::default().code(&*self.code);
        match self.class {
            Class::Permanent | Class::NotFound => failure,
            Class::Unanswered => failure.transport(Transport::Connection),
            Class::Busy => failure.status(503),
        }
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl Error for CallError {}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

/// Returns the last words of an output: at most three lines and 200 characters.
pub(super) fn last_words(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = lines
        .get(lines.len().saturating_sub(3)..)
        .unwrap_or_default();
    last.join(" / ").chars().take(200).collect()
}
