//! The names of an operation's errors.

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
use crate::retry::{RequestFailure, Transient};

/// An error of an operation, with the names that `errorType` matchers compare.
///
/// | Error | Name |
/// |---|---|
/// | [`ErrorMetadata`] | its code or class |
/// | `SdkError` of the AWS SDK (feature `aws-sdk`) | the service's code |
/// | [`std::io::Error`] | its kind followed by `Error`, as in `ConnectionRefusedError` |
/// | `Box<dyn Error>`, with or without `Send + Sync` | none, only a message |
/// | `anyhow::Error` (feature `anyhow`) | the name of the first [`ErrorMetadata`] or [`std::io::Error`] in its chain |
/// | any other error in a [`NamedError`] | the name that the closure returns |
///
/// # Example: a custom error
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
///             // A code of the service's model.
///             Self::NoSuchBucket(_) => ErrorMetadata::of_code("NoSuchBucket").message(self.to_string()),
///             // A client-side failure, without a response.
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
    message = "`{Self}` does not implement `OperationError`",
    label = "`errorType` matchers need the name of this error",
    note = "for your own error type, implement `smithy_waiters::driver::OperationError` with `metadata` and `as_error`",
    note = "for another error type, use `call.map_err(|error| NamedError::new(error, |error| ErrorMetadata::of_code(…)))`",
    note = "for errors of the AWS SDK, enable the feature `aws-sdk`; for `anyhow::Error`, the feature `anyhow`"
)]
pub trait OperationError {
    /// Returns the error's names and message: the service's code if the error has one, otherwise the name of its type.
    fn metadata(&self) -> ErrorMetadata<'_>;

    /// Returns what waits and [retries](crate::retry) need: a status, headers or a failed connection. By default it
    /// contains the code and the status of [`metadata`](Self::metadata).
    fn failure(&self) -> RequestFailure<'_> {
        self.metadata().into()
    }

    /// Returns the error for the [`source`](Error::source) of a failure: `Some(self)` if it implements [`Error`]. By
    /// default `None`.
    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}

/// Returns the metadata of an error, with the status of its failure, and its classification for a wait.
pub(super) fn described<E: OperationError>(
    error: &E,
    now_ms: u64,
) -> (ErrorMetadata<'_>, Option<Transient>) {
    let (metadata, failure) = (error.metadata(), error.failure());
    let transient = failure.transient(now_ms);
    let metadata = match failure.error_status() {
        Some(status) => metadata.status(status),
        None => metadata,
    };
    (metadata, transient)
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

/// A failed request that has at most a code.
impl OperationError for RequestFailure<'static> {
    fn metadata(&self) -> ErrorMetadata<'_> {
        self.error_code()
            .map_or_else(ErrorMetadata::unnamed, ErrorMetadata::of_code)
    }

    fn failure(&self) -> RequestFailure<'_> {
        self.clone()
    }
}

/// The error of an operation that cannot fail.
impl OperationError for Infallible {
    fn metadata(&self) -> ErrorMetadata<'_> {
        match *self {}
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// Named by its kind followed by `Error`, as in `ConnectionRefusedError`.
///
/// The suffix keeps the name apart from a service's codes: a missing file (`NotFoundError`) must not match a service's
/// `NotFound`.
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

/// Implements [`OperationError`] for boxed errors. They match `success` matchers but no `errorType` matcher, because
/// only their message is available.
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
