//! The errors of the AWS SDK for Rust.

use std::error::Error;
use std::fmt::Debug;

use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::display::DisplayErrorContext;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;

use super::error::OperationError;
use crate::failure::ErrorFacts;

/// A service's error by its code; the SDK's own by the name of their variant: `TimeoutError`, `DispatchFailure`, ….
impl<E, R> OperationError for SdkError<E, R>
where
    E: ProvideErrorMetadata + Error + 'static,
    R: Debug + 'static,
{
    fn facts(&self) -> ErrorFacts<'_> {
        match (self.code(), self.message()) {
            (Some(code), message) => ErrorFacts::of_code(code).message(message.unwrap_or_default()),
            (None, _) => {
                ErrorFacts::of_class(variant(self)).message(DisplayErrorContext(self).to_string())
            }
        }
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
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
