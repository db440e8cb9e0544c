//! `anyhow`'s errors.

use std::error::Error;
use std::io;

use super::OperationError;
use crate::evaluation::ErrorFacts;
use crate::retry::RequestFailure;

/// By [`ErrorFacts`] where they are a cause or a context of it, else by the first [`io::Error`] in its chain; the message is
/// the whole chain's.
///
/// # Example: an error with a name as its context
///
/// ```
/// use smithy_waiters::driver::OperationError;
/// use smithy_waiters::ErrorFacts;
///
/// let error = anyhow::anyhow!("HTTP 404").context(ErrorFacts::of_code("NotFound"));
/// assert_eq!(error.facts().to_string(), "NotFound: NotFound: HTTP 404");
/// ```
impl OperationError for anyhow::Error {
    fn facts(&self) -> ErrorFacts<'_> {
        let named = self.downcast_ref::<ErrorFacts<'static>>().cloned();
        let facts = named.or_else(|| self.chain().find_map(known));
        facts
            .unwrap_or_else(ErrorFacts::unnamed)
            .message(format!("{self:#}"))
    }

    fn failure(&self) -> RequestFailure<'_> {
        let named = self.downcast_ref::<ErrorFacts<'static>>().cloned();
        named.map_or_else(
            || RequestFailure::of_error(self.as_ref()),
            RequestFailure::from,
        )
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.as_ref())
    }
}

fn known<'e>(error: &'e (dyn Error + 'static)) -> Option<ErrorFacts<'e>> {
    if let Some(facts) = error.downcast_ref::<ErrorFacts<'static>>() {
        return Some(facts.facts());
    }
    error.downcast_ref::<io::Error>().map(io::Error::facts)
}
