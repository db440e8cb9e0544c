//! Serialization of outcomes and failures. The members are those of [`WaitReport::to_json`].

use std::error::Error;

use serde::{Serialize, Serializer};

use super::outcome::{Outcome, WaitFailure, WaiterError};
use crate::driver::error::OperationError;
use crate::response::{Response, plain};
use crate::wait::WaitReport;

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

/// Serializes the members of [`WaitReport::to_json`]. The response has the form in which paths read it.
impl<T: Response, E: OperationError> Serialize for WaitFailure<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (response, error) = (self.response.as_ref(), self.error.as_ref());
        serialize(&self.report, response, error, self.cause(), serializer)
    }
}

/// Serializes the members of [`WaitReport::to_json`]. The response has the form in which paths read it.
impl<T: Response, E: OperationError> Serialize for Outcome<T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (response, error) = (self.result.as_ref().ok(), self.result.as_ref().err());
        serialize(&self.report, response, error, None, serializer)
    }
}

fn serialize<T: Response, E: OperationError, S: Serializer>(
    report: &WaitReport,
    response: Option<&T>,
    error: Option<&E>,
    cause: Option<&E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let response = response.map(|response| plain(&response.view()));
    let (error, cause) = (error.map(ErrorJson::new), cause.map(ErrorJson::new));
    report
        .with_values(response, error, cause)
        .serialize(serializer)
}

/// An error as its name and message, with its chain of causes.
// Its members are sorted by name, as those of values in the reports of all languages.
#[derive(Serialize)]
struct ErrorJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Box<Self>>,
    message: String,
    name: Option<String>,
}

impl ErrorJson {
    fn new<E: OperationError>(error: &E) -> Self {
        let metadata = error.metadata();
        Self {
            message: metadata.own_message().to_owned(),
            name: metadata.into_name().map(Into::into),
            cause: Self::of_source(error.as_error().and_then(Error::source)),
        }
    }

    fn of_source(source: Option<&(dyn Error + 'static)>) -> Option<Box<Self>> {
        let source = source?;
        Some(Box::new(Self {
            name: None,
            message: source.to_string(),
            cause: Self::of_source(source.source()),
        }))
    }
}
