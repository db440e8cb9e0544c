//! Pages as an iterator and as asynchronous calls.

mod items;
#[cfg(feature = "stream")]
mod stream;
mod typed;

use std::future::Future;

pub use items::{Entry, Items};
use serde_json::Value as Json;
#[cfg(feature = "stream")]
pub use stream::unfold;
pub use typed::Tokens;

use super::{PaginationError, Paginator, Paging, Walk, WalkStep};
use crate::error::OptionsError;
use crate::response::{Response, owned};

/// The pages of an operation. Each page is requested only when the caller reads it.
///
/// The call receives the token of the page, or `None` for the first page, and creates its own input with that token. It
/// may change the page size for each call.
///
/// As an [`Iterator`], it calls on this thread. [`next_page`](Self::next_page) awaits the calls, and
/// [`into_stream`](Self::into_stream) (feature `stream`) returns a `Stream`.
///
/// # Example: all pages of a list
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::paginator::{Pages, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "Marker", "outputToken": "Next", "items": "Keys"}"#)?;
/// let list = |marker: Option<Value>| match marker.as_ref().and_then(Value::as_str) {
///     None => Ok::<_, ErrorMetadata>(json!({"Next": "a", "Keys": [1, 2]})),
///     Some(_) => Ok(json!({"Keys": [3]})),
/// };
/// let pages: Vec<Value> = Pages::new(&paginator, list).collect::<Result<_, _>>()?;
/// assert_eq!(pages.len(), 2);
/// let keys: Vec<_> = pages.into_iter().flat_map(|page| paginator.json_items(page)).collect();
/// assert_eq!(keys.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pages<'p, C> {
    paginator: &'p Paginator,
    walk: Walk,
    call: C,
    next: Next<Json>,
}

/// The token of the next page, or the error of a walk that cannot continue; `None` after the last page.
type Next<T> = Option<Result<Option<T>, PaginationError>>;

/// Returns the token of the next call. An error is returned once.
fn due<T: Clone>(next: &mut Next<T>) -> Next<T> {
    match next {
        Some(Ok(token)) => Some(Ok(token.clone())),
        _ => next.take(),
    }
}

/// Error returned when a page cannot be read. Earlier pages remain valid.
///
/// # Example: a service that repeats a token
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::paginator::{PageError, Pages, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "Marker", "outputToken": "Next"}"#)?;
/// let mut pages = Pages::new(&paginator, |_| Ok::<_, ErrorMetadata>(json!({"Next": "a"})));
/// assert!(matches!((pages.next(), pages.next()), (Some(Ok(_)), Some(Ok(_)))));
/// let Some(Err(PageError::Pagination(error))) = pages.next() else { panic!() };
/// assert_eq!(error.code(), "repeated_token");
/// assert!(pages.next().is_none());
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a page fails by its call or by the walk"
)]
pub enum PageError<E> {
    /// The call failed. The next call requests the same page again.
    #[error(transparent)]
    Call(E),
    /// The walk cannot continue from the previous page.
    #[error("{0}")]
    Pagination(#[source] PaginationError),
}

impl<'p, C> Pages<'p, C> {
    /// Creates the pages of a paginator, starting at the first one. `call` requests a page.
    #[must_use]
    pub fn new(paginator: &'p Paginator, call: C) -> Self {
        Self {
            paginator,
            walk: paginator.walk(Paging::default()),
            call,
            next: Some(Ok(None)),
        }
    }

    /// Starts at the page of this token. An empty token starts at the first page.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a token that is neither a string nor a map, or longer than 64 KiB.
    pub fn start_token(mut self, token: Json) -> Result<Self, OptionsError> {
        if let WalkStep::Call { token, .. } = self.walk.begin(Some(&token), None)? {
            self.next = Some(Ok(token.cloned()));
        }
        Ok(self)
    }

    /// Sets the options of the walk.
    #[must_use]
    pub fn paging(mut self, paging: Paging) -> Self {
        self.walk.set_paging(paging);
        self
    }

    /// Returns the token of the next page, to continue from it later. `None` before the first page and after the last
    /// one.
    #[must_use]
    pub const fn token(&self) -> Option<&Json> {
        match &self.next {
            Some(Ok(Some(token))) => Some(token),
            _ => None,
        }
    }

    /// Requests the next page and awaits it. Returns `None` after the last page.
    ///
    /// # Errors
    ///
    /// Returns [`PageError`]. After a failed call, the next call requests the same page again.
    ///
    /// # Example: awaiting the pages
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use smithy_waiters::ErrorMetadata;
    /// use smithy_waiters::paginator::{Pages, Paginator};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#)?;
    /// let list = async |token: Option<Value>| Ok::<_, ErrorMetadata>(match token {
    ///     None => json!({"T": "a"}),
    ///     Some(_) => json!({}),
    /// });
    /// let mut pages = Pages::new(&paginator, |token| list(token));
    /// while let Some(page) = pages.next_page().await {
    ///     println!("{}", page?);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next_page<F, T, E>(&mut self) -> Option<Result<T, PageError<E>>>
    where
        C: FnMut(Option<Json>) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
    {
        let result = match due(&mut self.next)? {
            Ok(token) => (self.call)(token).await,
            Err(error) => return Some(Err(PageError::Pagination(error))),
        };
        Some(self.take(result))
    }

    /// Handles the result of a call. After an error, the next call requests the same page.
    fn take<T: Response, E>(&mut self, result: Result<T, E>) -> Result<T, PageError<E>> {
        let page = result.map_err(PageError::Call)?;
        self.next = match self.walk.handle(page.view()) {
            Ok(WalkStep::Call { token, .. }) => {
                let token = token.map(|token| owned(&token)).transpose();
                Some(token.map_err(PaginationError::from))
            }
            Ok(WalkStep::Done) => None,
            Err(error) => Some(Err(error)),
        };
        Ok(page)
    }
}

impl<C, T, E> Iterator for Pages<'_, C>
where
    C: FnMut(Option<Json>) -> Result<T, E>,
    T: Response,
{
    type Item = Result<T, PageError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        let result = match due(&mut self.next)? {
            Ok(token) => (self.call)(token),
            Err(error) => return Some(Err(PageError::Pagination(error))),
        };
        Some(self.take(result))
    }
}
