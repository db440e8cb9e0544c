//! The error of a chain of causes that decides.

use std::ops::ControlFlow;

use super::transient::EXPIRED_CREDENTIALS;
use super::{Classified, FailureInfo, RequestFailure};

/// Searches an error and its causes for the first one that can be classified.
///
/// A host describes each error by its own members only, beginning with the outermost one. Rule: docs/rules.md#chains-of-causes
#[derive(Clone, Debug, Default)]
pub struct CauseChain<'a> {
    length: usize,
    found: Option<RequestFailure<'a>>,
}

impl<'a> CauseChain<'a> {
    /// The maximum number of errors that are read. In some languages, an error can be a cause of itself.
    pub const LONGEST: usize = 10;

    /// Adds the next error. Returns `Break` if its causes do not count.
    pub fn push(&mut self, error: RequestFailure<'a>) -> ControlFlow<()> {
        self.length = self.length.saturating_add(1);
        if error.is_known() {
            self.found = Some(error);
            return ControlFlow::Break(());
        }
        // The cause of an abort is the caller's reason, and that of missing credentials is not a failure of the service.
        if error.is_permanent() || self.length >= Self::LONGEST {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Returns the error that decides, or `None` if no error can be classified.
    #[must_use]
    pub fn into_failure(self) -> Option<RequestFailure<'a>> {
        self.found
    }
}

impl<'a> FromIterator<RequestFailure<'a>> for CauseChain<'a> {
    fn from_iter<I: IntoIterator<Item = RequestFailure<'a>>>(errors: I) -> Self {
        let mut chain = Self::default();
        // The rest of the chain is not read.
        let _ = errors.into_iter().try_for_each(|error| chain.push(error));
        chain
    }
}

impl RequestFailure<'_> {
    fn is_known(&self) -> bool {
        let Classified { info, note, .. } = self.classify();
        // No strategy retries expired credentials, but a wait does.
        info != FailureInfo::default() || note.is_some() || self.has_code(&EXPIRED_CREDENTIALS)
    }
}
