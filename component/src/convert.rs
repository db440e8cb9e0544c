//! Conversions between the errors and records of the core and those of the interface `types`.

use serde_json::Value as Json;
use smithy_waiters::internal::snake_case;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{self, Transport};
use smithy_waiters::{DefinitionError, ErrorMetadata, ExpressionError, OptionsError, StateError};
use std::time::{Duration, SystemTime};

use crate::wit::types;
pub(crate) use crate::wit::types::Error;

impl From<DefinitionError> for Error {
    fn from(error: DefinitionError) -> Self {
        Self::Definition(types::DefinitionError {
            code: error.code.to_owned(),
            message: error.to_string(),
            column: error.column.map(number),
            path: error.path,
        })
    }
}

/// Returns the error for a missing member that only the interface requires.
pub(crate) fn missing(member: &str) -> Error {
    Error::Definition(types::DefinitionError {
        code: "missing_member".to_owned(),
        path: member.to_owned(),
        column: None,
        message: format!("`{member}`: the required member is missing"),
    })
}

impl From<ExpressionError> for Error {
    fn from(error: ExpressionError) -> Self {
        Self::Expression(types::ExpressionError {
            code: error.code.to_owned(),
            column: error.column.map(number),
            message: error.message,
        })
    }
}

/// Converts the name of an option to that of the interface, such as `max-wait`.
pub(crate) fn spell(name: &str) -> String {
    snake_case(name).replace('_', "-")
}

impl From<OptionsError> for Error {
    fn from(error: OptionsError) -> Self {
        Self::Options(types::OptionsError {
            code: error.code.to_owned(),
            option: spell(&error.option),
            message: error.message(spell),
        })
    }
}

impl From<StateError> for Error {
    fn from(error: StateError) -> Self {
        Self::State(types::StateError {
            code: error.code().to_owned(),
            message: error.to_string(),
        })
    }
}

/// Parses the JSON text of a value.
pub(crate) fn json(text: &str) -> Result<Json, Error> {
    serde_json::from_str(text)
        .map_err(|error| Error::Value(format!("the value is not JSON: {error}")))
}

/// Parses the JSON text of a value that may be absent.
pub(crate) fn optional_json(text: Option<String>) -> Result<Option<Json>, Error> {
    text.map(|text| json(&text)).transpose()
}

/// Converts an index or a column. The engine's limits keep both far below 2^32.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl From<types::ErrorMetadata> for ErrorMetadata<'static> {
    fn from(error: types::ErrorMetadata) -> Self {
        let metadata = match error.class {
            _ if !error.names.is_empty() => Self::of_codes(error.names),
            Some(class) => Self::of_class(class),
            None => Self::unnamed(),
        };
        let mut metadata = metadata.message(error.message);
        if let Some(status) = error.status {
            metadata = metadata.status(status);
        }
        if error.service_errors_only {
            metadata.service_errors_only()
        } else {
            metadata
        }
    }
}

impl From<types::RequestFailure> for retry::RequestFailure<'static> {
    fn from(failure: types::RequestFailure) -> Self {
        let mut request_failure = Self::default();
        if let Some(code) = failure.code {
            request_failure = request_failure.code(code);
        }
        if let Some(status) = failure.status {
            request_failure = request_failure.status(status);
        }
        if let Some(header) = failure.retry_after {
            request_failure = request_failure.retry_after(header);
        }
        if let Some(header) = failure.amz_retry_after {
            request_failure = request_failure.amz_retry_after(header);
        }
        if let Some(transport) = failure.transport {
            request_failure = request_failure.transport(transport.into());
        }
        if let Some(modeled) = failure.modeled {
            request_failure = request_failure.modeled(modeled.into());
        }
        request_failure.now(failure.now.and_then(date))
    }
}

/// Converts seconds since 1970 to a time. Returns `None` if the system's clock cannot represent it.
fn date(seconds: f64) -> Option<SystemTime> {
    let since = Duration::try_from_secs_f64(seconds).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(since)
}

impl From<types::Transport> for Transport {
    fn from(transport: types::Transport) -> Self {
        match transport {
            types::Transport::Connection => Self::Connection,
            types::Transport::HostNotFound => Self::HostNotFound,
            types::Transport::Timeout => Self::Timeout,
        }
    }
}

impl From<types::ModeledError> for ModeledError {
    fn from(modeled: types::ModeledError) -> Self {
        Self {
            fault: match modeled.fault {
                types::Fault::Client => ErrorFault::Client,
                types::Fault::Server => ErrorFault::Server,
                types::Fault::Other => ErrorFault::Other,
            },
            retryable: modeled.retryable,
            throttling: modeled.throttling,
        }
    }
}

impl From<ErrorFault> for types::Fault {
    fn from(fault: ErrorFault) -> Self {
        match fault {
            ErrorFault::Client => Self::Client,
            ErrorFault::Server => Self::Server,
            ErrorFault::Other => Self::Other,
        }
    }
}

impl From<types::Transient> for retry::Transient {
    fn from(transient: types::Transient) -> Self {
        Self {
            not_before_ms: transient.not_before,
            answered: transient.answered,
            once: transient.once,
        }
    }
}

impl From<retry::Transient> for types::Transient {
    fn from(transient: retry::Transient) -> Self {
        Self {
            not_before: transient.not_before_ms,
            answered: transient.answered,
            once: transient.once,
        }
    }
}
