//! Support for `anyhow`'s errors.

use std::error::Error;
use std::io;

use super::OperationError;
use crate::evaluation::ErrorMetadata;
use crate::retry::RequestFailure;

/// Named by an [`ErrorMetadata`] that is its cause or its context, otherwise by the first [`io::Error`] in its chain.
/// The message contains the whole chain.
///
/// # Example: an error with a name as its context
///
/// ```
/// use smithy_waiters::driver::OperationError;
/// use smithy_waiters::ErrorMetadata;
///
/// let error = anyhow::anyhow!("HTTP 404").context(ErrorMetadata::of_code("NotFound"));
/// assert_eq!(error.metadata().to_string(), "NotFound: NotFound: HTTP 404");
/// ```
impl OperationError for anyhow::Error {
    fn metadata(&self) -> ErrorMetadata<'_> {
        let named = self.downcast_ref::<ErrorMetadata<'static>>().cloned();
        let metadata = named.or_else(|| self.chain().find_map(find_metadata));
        metadata
            .unwrap_or_else(ErrorMetadata::unnamed)
            .message(format!("{self:#}"))
    }

    fn failure(&self) -> RequestFailure<'_> {
        let named = self.downcast_ref::<ErrorMetadata<'static>>().cloned();
        named.map_or_else(
            || RequestFailure::of_error(self.as_ref()),
            RequestFailure::from,
        )
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.as_ref())
    }
}

fn find_metadata<'e>(error: &'e (dyn Error + 'static)) -> Option<ErrorMetadata<'e>> {
    if let Some(metadata) = error.downcast_ref::<ErrorMetadata<'static>>() {
        return Some(metadata.metadata());
    }
    error.downcast_ref::<io::Error>().map(io::Error::metadata)
}
