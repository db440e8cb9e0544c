//! Errors of an operation, as the engine can name them.

use std::convert::Infallible;

use crate::failure::ErrorFacts;

/// An error of an operation, which `errorType` matchers look at.
///
/// With the feature `aws-sdk` it is implemented for the AWS SDK's `SdkError`.
///
/// # Example: an error of one's own
///
/// ```
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::driver::OperationError;
///
/// struct NotFound { bucket: String }
///
/// impl OperationError for NotFound {
///     fn facts(&self) -> ErrorFacts<'_> {
///         ErrorFacts::of_code("NotFound").message(format!("no bucket {}", self.bucket))
///     }
/// }
/// ```
pub trait OperationError {
    /// What is known of the error: the service's code where there is one, else the name of its type.
    fn facts(&self) -> ErrorFacts<'_>;
}

impl OperationError for ErrorFacts<'_> {
    fn facts(&self) -> ErrorFacts<'_> {
        self.clone()
    }
}

/// An operation that cannot fail.
impl OperationError for Infallible {
    fn facts(&self) -> ErrorFacts<'_> {
        match *self {}
    }
}

/// An error of which only the message is known: `success` matchers see it, `errorType` matchers do not.
impl OperationError for Box<dyn std::error::Error + Send + Sync> {
    fn facts(&self) -> ErrorFacts<'_> {
        ErrorFacts::unnamed().message(self.to_string())
    }
}
