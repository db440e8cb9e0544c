//! Names for third-party errors.

use std::error::Error;
use std::fmt;

use super::OperationError;
use crate::evaluation::ErrorMetadata;
use crate::retry::RequestFailure;

/// An error of any type, with the metadata that a waiter compares.
///
/// Use it for the errors of an HTTP client or an SDK that this crate doesn't support. A failure returns the wrapped
/// error unchanged and has it in its chain.
///
/// # Example: the status of an HTTP client's error
///
/// ```
/// use smithy_waiters::driver::{NamedError, OperationError};
/// use smithy_waiters::ErrorMetadata;
/// # #[derive(Debug)] struct HttpError { status: Option<u16> }
/// # impl std::error::Error for HttpError {}
/// # impl std::fmt::Display for HttpError {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "HTTP {:?}", self.status) }
/// # }
///
/// fn named(error: HttpError) -> NamedError<HttpError> {
///     NamedError::new(error, |error| match error.status {
///         Some(status) => ErrorMetadata::of_class("HttpError").status(status),
///         None => ErrorMetadata::of_class("ConnectError"),
///     })
/// }
///
/// // In the call: `client.head(url).await.map_err(named)`.
/// let error = named(HttpError { status: Some(404) });
/// assert_eq!(error.metadata().to_string(), "HttpError: HTTP Some(404)");
/// assert_eq!(error.inner().status, Some(404));
/// ```
///
/// # Example: a failure that is retried
///
/// ```
/// use smithy_waiters::driver::{NamedError, OperationError};
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::retry::RequestFailure;
///
/// let error = std::io::Error::other("HTTP 503");
/// let named = NamedError::new(error, |_| ErrorMetadata::unnamed())
///     .with_failure(|_| RequestFailure::default().status(503).retry_after("3"));
/// assert!(named.failure().classify().info.retry.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct NamedError<E> {
    inner: E,
    metadata: ErrorMetadata<'static>,
    failure: Option<RequestFailure<'static>>,
}

impl<E: fmt::Display> NamedError<E> {
    /// Wraps an error with its metadata. If the metadata has no message, it uses the error's own.
    pub fn new(inner: E, metadata: impl FnOnce(&E) -> ErrorMetadata<'static>) -> Self {
        let metadata = metadata(&inner).or_message(|| inner.to_string());
        Self {
            inner,
            metadata,
            failure: None,
        }
    }
}

impl<E> NamedError<E> {
    /// Sets what [retries](crate::retry) need, such as a status or headers.
    #[must_use]
    pub fn with_failure(mut self, failure: impl FnOnce(&E) -> RequestFailure<'static>) -> Self {
        self.failure = Some(failure(&self.inner));
        self
    }

    /// Returns the wrapped error.
    pub const fn inner(&self) -> &E {
        &self.inner
    }

    /// Unwraps the error.
    pub fn into_inner(self) -> E {
        self.inner
    }
}

impl<E: Error + 'static> OperationError for NamedError<E> {
    fn metadata(&self) -> ErrorMetadata<'_> {
        self.metadata.clone()
    }

    fn failure(&self) -> RequestFailure<'_> {
        let failure = self.failure.clone();
        failure.unwrap_or_else(|| self.metadata().into())
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

/// Displays the wrapped error.
impl<E: fmt::Display> fmt::Display for NamedError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// Has the source of the wrapped error.
impl<E: Error> Error for NamedError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.inner.source()
    }
}
