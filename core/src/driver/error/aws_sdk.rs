//! Support for the errors of the AWS SDK for Rust.

use std::any::Any;
use std::error::Error;
use std::fmt::Debug;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::display::DisplayErrorContext;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_smithy_types::retry::ErrorKind;

use super::OperationError;
use crate::evaluation::ErrorMetadata;
use crate::retry::{RequestFailure, Transport};

/// A service's error is named by its code; retries also use its status and headers. The SDK's own errors are named by
/// their variant, as in `TimeoutError` or `DispatchFailure`.
impl<E, R> OperationError for SdkError<E, R>
where
    E: ProvideErrorMetadata + Error + 'static,
    R: Debug + 'static,
{
    fn metadata(&self) -> ErrorMetadata<'_> {
        match (self.code(), self.message()) {
            (Some(code), message) => {
                ErrorMetadata::of_code(code).message(message.unwrap_or_default())
            }
            (None, _) => ErrorMetadata::of_class(variant(self))
                .message(DisplayErrorContext(self).to_string()),
        }
    }

    fn failure(&self) -> RequestFailure<'_> {
        let response = self.raw_response().map(|raw| raw as &dyn Any);
        let response = response.and_then(|raw| raw.downcast_ref::<HttpResponse>());
        let failure = match (self, response) {
            // An interrupted response starts with the status of a success.
            (Self::ResponseError(_), Some(response)) if response.status().is_success() => {
                RequestFailure::of_error(self)
            }
            (_, Some(response)) => {
                RequestFailure::of_response(response.status().as_u16(), |name| {
                    response.headers().get(name)
                })
            }
            (_, None) => transport_failure(self),
        };
        match self.code() {
            Some(code) => failure.code(code),
            None => failure,
        }
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

fn transport_failure<E, R>(error: &SdkError<E, R>) -> RequestFailure<'static>
where
    SdkError<E, R>: Error + 'static,
{
    let timeout = RequestFailure::default().transport(Transport::Timeout);
    match error {
        SdkError::TimeoutError(_) => timeout,
        SdkError::DispatchFailure(failure) if failure.is_timeout() => timeout,
        // hyper's `IncompleteMessage`, for a connection that was closed while idle, has no kind except transient.
        SdkError::DispatchFailure(failure)
            if failure.is_io() || failure.as_other() == Some(ErrorKind::TransientError) =>
        {
            RequestFailure::of_connection_error(error)
        }
        _ => RequestFailure::default(),
    }
}

const fn variant<E, R>(error: &SdkError<E, R>) -> &'static str {
    match error {
        SdkError::ConstructionFailure(_) => "ConstructionFailure",
        SdkError::DispatchFailure(_) => "DispatchFailure",
        SdkError::ResponseError(_) => "ResponseError",
        SdkError::ServiceError(_) => "ServiceError",
        SdkError::TimeoutError(_) => "TimeoutError",
        _ => "SdkError",
    }
}
