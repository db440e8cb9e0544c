//! Serialization of outcomes and failures. The members are those of [`WaitReport::to_json`](crate::WaitReport::to_json).

use std::error::Error;

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::outcome::{Outcome, WaitFailure, WaiterError};
use crate::driver::error::OperationError;
use crate::response::{Response, plain};
use crate::wait::EndValues;

/// Serializes a failure with all its members, and an invalid option or a state error as `name`, `message` and `code`.
impl<T: Response, E: OperationError> Serialize for WaiterError<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Failure(failure) => failure.serialize(serializer),
            Self::Options(error) => error.serialize(serializer),
            Self::State(error) => error.serialize(serializer),
        }
    }
}

/// Serializes the members of [`WaitReport::to_json`](crate::WaitReport::to_json). The response has the form in which paths read it.
impl<T: Response, E: OperationError> Serialize for WaitFailure<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = values(self.response.as_ref(), self.error.as_ref());
        self.report.serialize_with(&values, serializer)
    }
}

/// Serializes the members of [`WaitReport::to_json`](crate::WaitReport::to_json). The response has the form in which paths read it.
impl<T: Response, E: OperationError> Serialize for Outcome<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = values(self.result.as_ref().ok(), self.result.as_ref().err());
        self.report.serialize_with(&values, serializer)
    }
}

fn values<T: Response, E: OperationError>(response: Option<&T>, error: Option<&E>) -> EndValues {
    EndValues {
        response: response.map_or(Json::Null, |response| plain(&response.view())),
        error: error.map_or(Json::Null, error_json),
        // A cancelled driver has no reason: its token is only a signal.
        reason: Json::Null,
    }
}

/// Returns an error as its name and message, with its chain of causes.
fn error_json<E: OperationError>(error: &E) -> Json {
    let metadata = error.metadata();
    let message = metadata.own_message().to_owned();
    let name = metadata.into_name().map(String::from);
    let cause = error.as_error().and_then(Error::source).map(cause_json);
    with_cause(json!({"name": name, "message": message}), cause)
}

/// Returns a cause as its message, with its own chain of causes.
fn cause_json(cause: &(dyn Error + 'static)) -> Json {
    let error = json!({"name": null, "message": cause.to_string()});
    with_cause(error, cause.source().map(cause_json))
}

/// Adds the cause of an error, if there is one.
fn with_cause(mut error: Json, cause: Option<Json>) -> Json {
    if let (Some(members), Some(cause)) = (error.as_object_mut(), cause) {
        members.insert("cause".into(), cause);
    }
    error
}
