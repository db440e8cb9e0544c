//! Serialization of outcomes and failures, with the same names and values in all languages.

use std::error::Error;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::outcome::{Outcome, WaitFailure, WaiterError};
use crate::driver::error::OperationError;
use crate::response::{Response, plain};
use crate::wait::{FailureKind, WaitReport};

/// Serializes a failure with all its fields, and an invalid option or a state error as `name`, `message` and `code`.
impl<T: Response, E: OperationError> Serialize for WaiterError<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Failure(failure) => failure.serialize(serializer),
            Self::Options(error) => error.serialize(serializer),
            Self::State(error) => error.serialize(serializer),
        }
    }
}

/// Serializes `name`, `message`, `code`, `waiter`, `label`, `acceptor`, `acceptorText`, `attempts`, `elapsed` in
/// seconds, `response`, `error`, `cause` and `history`. Absent values are null. The response has the form in which
/// paths read it.
impl<T: Response, E: OperationError> Serialize for WaitFailure<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = &self.report;
        let mut failure = serializer.serialize_struct("WaitFailure", 13)?;
        failure.serialize_field("name", name_of(self.kind))?;
        failure.serialize_field("message", &report.message)?;
        failure.serialize_field("code", &self.kind)?;
        failure.serialize_field("waiter", &report.waiter)?;
        failure.serialize_field("label", &report.label)?;
        failure.serialize_field("acceptor", &report.acceptor)?;
        failure.serialize_field("acceptorText", &report.acceptor_text)?;
        failure.serialize_field("attempts", &report.attempts)?;
        failure.serialize_field("elapsed", &elapsed_of(report))?;
        failure.serialize_field("response", &response_of(self.response.as_ref()))?;
        failure.serialize_field("error", &error_of(self.error.as_ref()))?;
        failure.serialize_field("cause", &error_of(self.cause()))?;
        failure.serialize_field("history", &report.history)?;
        failure.end()
    }
}

/// Serializes `result` (`response` or `error`), `response`, `error`, `attempts`, `elapsed` and `noticedWithin` in
/// seconds, `acceptor`, `acceptorText` and `history`. Absent values are null.
impl<T: Response, E: OperationError> Serialize for Outcome<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = &self.report;
        let (response, error) = (self.result.as_ref().ok(), self.result.as_ref().err());
        let result = if error.is_some() { "error" } else { "response" };
        let mut outcome = serializer.serialize_struct("Outcome", 9)?;
        outcome.serialize_field("result", result)?;
        outcome.serialize_field("response", &response_of(response))?;
        outcome.serialize_field("error", &error_of(error))?;
        outcome.serialize_field("attempts", &report.attempts)?;
        outcome.serialize_field("elapsed", &elapsed_of(report))?;
        outcome.serialize_field("noticedWithin", &report.noticed_within_ms.map(seconds_of))?;
        outcome.serialize_field("acceptor", &report.acceptor)?;
        outcome.serialize_field("acceptorText", &report.acceptor_text)?;
        outcome.serialize_field("history", &report.history)?;
        outcome.end()
    }
}

/// Returns the name of the exception class in the other languages.
const fn name_of(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Cancelled => "WaiterCancelled",
        FailureKind::FailureState
        | FailureKind::UnexpectedState
        | FailureKind::Unreachable
        | FailureKind::UnmatchedError => "WaiterFailed",
        FailureKind::TimedOut => "WaiterTimeout",
        FailureKind::TooManyAttempts => "WaiterAttemptsExceeded",
    }
}

fn elapsed_of(report: &WaitReport) -> f64 {
    seconds_of(report.elapsed_ms)
}

fn seconds_of(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

fn response_of<T: Response>(response: Option<&T>) -> Json {
    response.map_or(Json::Null, |response| plain(&response.view()))
}

/// Returns an error as its name and message, with its chain of causes.
fn error_of<E: OperationError>(error: Option<&E>) -> Json {
    let Some(error) = error else {
        return Json::Null;
    };
    let source = error.as_error().and_then(Error::source);
    let metadata = error.metadata();
    let message = metadata.own_message().to_owned();
    with_cause(
        json!({"name": metadata.into_name(), "message": message}),
        source,
    )
}

fn with_cause(mut error: Json, source: Option<&(dyn Error + 'static)>) -> Json {
    if let (Some(members), Some(source)) = (error.as_object_mut(), source) {
        let cause = json!({"name": null, "message": source.to_string()});
        members.insert("cause".to_owned(), with_cause(cause, source.source()));
    }
    error
}
