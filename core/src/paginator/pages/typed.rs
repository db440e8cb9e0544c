//! Tokens of a client's own types, for pages that nobody reads as JSON.

use std::fmt;

use super::{Next, due};
use crate::paginator::{PaginationError, Paging};

/// Which page comes next, by tokens of a client's own type: what [`Pages`](super::Pages) decides, for generated code that
/// reads the token itself.
///
/// A token that is empty, as its type's default is, is none: neither of a page nor to start from.
///
/// # Example: two pages
///
/// ```
/// use smithy_waiters::paginator::Tokens;
///
/// let mut tokens = Tokens::new("NextToken");
/// assert_eq!(tokens.due(), Some(Ok(None)), "the first page has no token");
/// tokens.follow(Some("a".to_owned()), None);
/// assert_eq!(tokens.due(), Some(Ok(Some("a".to_owned()))));
/// tokens.follow(None, None);
/// assert_eq!(tokens.due(), None, "there is no further page");
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<T> {
    path: &'static str,
    paging: Paging,
    next: Next<T>,
}

impl<T: Clone + Default + PartialEq + fmt::Debug> Tokens<T> {
    /// From the first page; `path` is where an output has its token, for messages.
    #[must_use]
    pub fn new(path: &'static str) -> Self {
        Self {
            path,
            paging: Paging::default(),
            next: Some(Ok(None)),
        }
    }

    /// How the pages are walked.
    #[must_use]
    pub fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// From the page that this token asks for; one that is empty is none.
    #[must_use]
    pub fn start_token(mut self, token: T) -> Self {
        self.next = Some(Ok(given(token)));
        self
    }

    /// The token of the page that is due, none for the first; nothing after the last page.
    ///
    /// # Errors
    ///
    /// The page before cannot be gone on from; it is said once.
    pub fn due(&mut self) -> Option<Result<Option<T>, PaginationError>> {
        due(&mut self.next)
    }

    /// Goes on from a page: its token, unless that is empty, and its `IsTruncated`, if it has one.
    pub fn follow(&mut self, next: Option<T>, is_truncated: Option<bool>) {
        let is_over = self.paging.is_over(is_truncated, None);
        let next = next.filter(|_| !is_over).and_then(given);
        self.next = next.and_then(|next| {
            let is_repeated = matches!(&self.next, Some(Ok(Some(token))) if *token == next);
            let repeated = || PaginationError::RepeatedToken {
                path: self.path.to_owned(),
            };
            let goes_on = self.paging.goes_on(is_repeated, repeated);
            goes_on.map(|on| on.then_some(Some(next))).transpose()
        });
    }
}

/// The token, unless it is empty.
fn given<T: Default + PartialEq>(token: T) -> Option<T> {
    (token != T::default()).then_some(token)
}
