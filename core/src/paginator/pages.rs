//! Pages, one after the other: an iterator, and the same with `await`.

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

/// The pages of an operation, as they are asked for: nothing is sent before the first, nor ahead.
///
/// The call is given the token of the page it is to ask for, nothing for the first one, and makes its input by itself: one
/// input for all pages, with the token in its place. It may ask for pages of another size each time.
///
/// As an [`Iterator`] the calls are made on this thread; [`next_page`](Self::next_page) awaits them, and the feature `stream`
/// makes a `Stream` of them ([`into_stream`](Self::into_stream)).
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

/// The token of the next page, or the error of a walk that cannot go on; `None` after the last page.
type Next<T> = Option<Result<Option<T>, PaginationError>>;

/// Returns the token to call with; an error is returned once.
fn due<T: Clone>(next: &mut Next<T>) -> Next<T> {
    match next {
        Some(Ok(token)) => Some(Ok(token.clone())),
        _ => next.take(),
    }
}

/// Why there is no further page; those before it were given.
///
/// # Example: a service that goes round in circles
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
    reason = "the call's errors and the walk's: there are no others"
)]
pub enum PageError<E> {
    /// The call failed; the next call would be for the same page.
    #[error(transparent)]
    Call(E),
    /// The page before cannot be gone on from.
    #[error("{0}")]
    Pagination(#[source] PaginationError),
}

impl<'p, C> Pages<'p, C> {
    /// The pages that the calls return, from the first one.
    #[must_use]
    pub fn new(paginator: &'p Paginator, call: C) -> Self {
        Self {
            paginator,
            walk: paginator.walk(Paging::default()),
            call,
            next: Some(Ok(None)),
        }
    }

    /// Starts from the page of this token, unless it is empty.
    ///
    /// # Errors
    ///
    /// `invalid_option` for a token that is neither a string nor a map, or longer than 64 KiB.
    pub fn start_token(mut self, token: Json) -> Result<Self, OptionsError> {
        if let WalkStep::Call { token, .. } = self.walk.begin(Some(&token), None)? {
            self.next = Some(Ok(token.cloned()));
        }
        Ok(self)
    }

    /// How the pages are walked.
    #[must_use]
    pub fn paging(mut self, paging: Paging) -> Self {
        self.walk.set_paging(paging);
        self
    }

    /// The token of the next page, if that is known: to go on from later.
    #[must_use]
    pub const fn token(&self) -> Option<&Json> {
        match &self.next {
            Some(Ok(Some(token))) => Some(token),
            _ => None,
        }
    }

    /// The next page, awaited; nothing after the last.
    ///
    /// # Errors
    ///
    /// [`PageError`]. After an error of a call the same page can be asked for again.
    ///
    /// # Example: awaited one by one
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

    /// Takes the result of a call. After an error the next call is for the same page.
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
