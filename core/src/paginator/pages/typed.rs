//! Tokens of a client's own types, for pages that are not read as JSON.

use std::fmt;

use super::{Next, due};
use crate::paginator::{PaginationError, Paging};

/// The order of pages for tokens of a client's own type. Generated code uses it instead of [`Pages`](super::Pages)
/// because it reads the token itself.
///
/// A token that is equal to the default of its type is empty. An empty token of a page ends the walk, and an empty
/// start token starts at the first page.
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
    /// Creates a walk that starts at the first page. `path` is the path of the token in the output, for messages.
    #[must_use]
    pub fn new(path: &'static str) -> Self {
        Self {
            path,
            paging: Paging::default(),
            next: Some(Ok(None)),
        }
    }

    /// Sets the options of the walk.
    #[must_use]
    pub fn paging(mut self, paging: Paging) -> Self {
        self.paging = paging;
        self
    }

    /// Starts at the page of this token. An empty token starts at the first page.
    #[must_use]
    pub fn start_token(mut self, token: T) -> Self {
        self.next = Some(Ok(non_empty(token)));
        self
    }

    /// Returns the token of the next page, which is `Some(Ok(None))` for the first page. Returns `None` after the last
    /// page.
    ///
    /// # Errors
    ///
    /// Returns [`PaginationError`] if the walk cannot continue from the previous page. The error is returned once.
    pub fn due(&mut self) -> Option<Result<Option<T>, PaginationError>> {
        due(&mut self.next)
    }

    /// Continues from a page with its token, unless it is empty, and its `IsTruncated` flag, if it has one.
    pub fn follow(&mut self, next: Option<T>, is_truncated: Option<bool>) {
        let is_over = self.paging.is_over(is_truncated, None);
        // An empty token is the end, as in `Walk`. Rule: docs/rules.md#page-tokens
        let next = next.filter(|_| !is_over).and_then(non_empty);
        self.next = next.and_then(|next| {
            let is_repeated = matches!(&self.next, Some(Ok(Some(token))) if *token == next);
            let repeated = || PaginationError::RepeatedToken {
                path: self.path.to_owned(),
            };
            let continues = self.paging.continues(is_repeated, repeated);
            continues.map(|on| on.then_some(Some(next))).transpose()
        });
    }
}

/// Returns the token unless it is empty.
fn non_empty<T: Default + PartialEq>(token: T) -> Option<T> {
    (token != T::default()).then_some(token)
}
