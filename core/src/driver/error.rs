//! Errors of an operation, as the engine can name them.

#[cfg(feature = "anyhow")]
mod anyhow;
#[cfg(feature = "aws-sdk")]
mod aws_sdk;
mod named;

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::io;

pub use named::NamedError;

use crate::evaluation::ErrorMetadata;
use crate::retry::RequestFailure;

/// An error of an operation, which `errorType` matchers look at.
///
/// | the error is | matched by |
/// |---|---|
/// | [`ErrorMetadata`] | what they say |
/// | `SdkError` of the AWS SDK (feature `aws-sdk`) | the service's code |
/// | [`std::io::Error`] | the name of its kind, and `Error`: `ConnectionRefusedError` |
/// | `Box<dyn Error>`, with or without `Send + Sync` | nothing: only the message is known |
/// | `anyhow::Error` (feature `anyhow`) | the first of the above in its chain |
/// | of somebody else | what [`NamedError`] is told |
///
/// # Example: an error of one's own
///
/// ```
/// use std::error::Error;
/// use std::fmt;
/// use smithy_waiters::driver::OperationError;
/// use smithy_waiters::ErrorMetadata;
///
/// #[derive(Debug)]
/// enum StorageError {
///     NoSuchBucket(String),
///     Unreachable,
/// }
///
/// impl OperationError for StorageError {
///     fn metadata(&self) -> ErrorMetadata<'_> {
///         match self {
///             // The service says so, by a code of its model.
///             Self::NoSuchBucket(_) => ErrorMetadata::of_code("NoSuchBucket").message(self.to_string()),
///             // It did not get as far as to say anything.
///             Self::Unreachable => ErrorMetadata::of_class("Unreachable").message(self.to_string()),
///         }
///     }
///
///     fn as_error(&self) -> Option<&(dyn Error + 'static)> {
///         Some(self)
///     }
/// }
///
/// impl Error for StorageError {}
///
/// impl fmt::Display for StorageError {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         match self {
///             Self::NoSuchBucket(name) => write!(f, "there is no bucket {name}"),
///             Self::Unreachable => f.write_str("the service cannot be reached"),
///         }
///     }
/// }
/// # assert_eq!(StorageError::NoSuchBucket("a".into()).metadata().to_string(), "NoSuchBucket: there is no bucket a");
/// # assert_eq!(StorageError::Unreachable.as_error().map(ToString::to_string).as_deref(), Some("the service cannot be reached"));
/// ```
#[diagnostic::on_unimplemented(
    message = "waiters do not know what `{Self}` is called",
    label = "not an error that `errorType` matchers can look at",
    note = "an error of your own: implement `smithy_waiters::driver::OperationError`, with `facts` and `as_error`",
    note = "any other: `call.map_err(|error| NamedError::new(error, |error| ErrorMetadata::of_code(…)))`",
    note = "the AWS SDK's errors: enable the feature `aws-sdk`; `anyhow::Error`: the feature `anyhow`"
)]
pub trait OperationError {
    /// What is known of the error: the service's code where there is one, else the name of its type.
    fn metadata(&self) -> ErrorMetadata<'_>;

    /// What is known of it for [retries](crate::retry): a status, headers, a connection that failed. By default the name
    /// that [`metadata`](Self::metadata) tells.
    fn failure(&self) -> RequestFailure<'_> {
        self.metadata().into()
    }

    /// The error as the source of a failure's chain: `Some(self)` if it is an [`Error`]. `None` by default.
    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}

impl fmt::Debug for dyn OperationError + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.metadata().fmt(f)
    }
}

impl OperationError for ErrorMetadata<'static> {
    fn metadata(&self) -> ErrorMetadata<'_> {
        self.clone()
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// An error of which that is all that is known.
impl OperationError for RequestFailure<'static> {
    fn metadata(&self) -> ErrorMetadata<'_> {
        self.known_code()
            .map_or_else(ErrorMetadata::unnamed, ErrorMetadata::of_code)
    }

    fn failure(&self) -> RequestFailure<'_> {
        self.clone()
    }
}

/// An operation that cannot fail.
impl OperationError for Infallible {
    fn metadata(&self) -> ErrorMetadata<'_> {
        match *self {}
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// By the name of its kind, and `Error`: `ConnectionRefusedError`. No service error is called so by accident: a file that
/// is not found is no bucket that is not found.
impl OperationError for io::Error {
    fn metadata(&self) -> ErrorMetadata<'_> {
        ErrorMetadata::of_class(format!("{:?}Error", self.kind())).message(self.to_string())
    }

    fn failure(&self) -> RequestFailure<'_> {
        RequestFailure::of_error(self)
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// Errors of which only the message is known: `success` matchers see them, `errorType` matchers do not.
macro_rules! boxes {
    ($($error:ty),+) => {$(
        impl OperationError for Box<$error> {
            fn metadata(&self) -> ErrorMetadata<'_> {
                ErrorMetadata::unnamed().message(self.to_string())
            }

            fn failure(&self) -> RequestFailure<'_> {
                RequestFailure::of_error(&**self)
            }

            fn as_error(&self) -> Option<&(dyn Error + 'static)> {
                Some(&**self)
            }
        }
    )+};
}

boxes!(dyn Error, dyn Error + Send, dyn Error + Send + Sync);
