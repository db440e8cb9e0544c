//! Streams of pages and items.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde_json::Value as Json;

use super::{Entry, Items, PageError, Pages};
use crate::response::Response;

impl<C> Pages<'_, C> {
    /// Returns the pages as a [`Stream`].
    ///
    /// # Example: three pages
    ///
    /// ```
    /// use std::pin::pin;
    /// use std::task::{Context, Poll, Waker};
    /// use futures_core::Stream;
    /// use serde_json::{Value, json};
    /// use smithy_waiters::ErrorMetadata;
    /// use smithy_waiters::paginator::{Pages, Paginator};
    ///
    /// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#)?;
    /// let list = async |token: Option<Value>| Ok::<_, ErrorMetadata>(match token {
    ///     None => json!({"T": "a"}),
    ///     Some(_) => json!({}),
    /// });
    /// let mut pages = pin!(Pages::new(&paginator, |token| list(token)).into_stream());
    /// let mut context = Context::from_waker(Waker::noop());
    /// let mut count = 0;
    /// while let Poll::Ready(Some(Ok(_))) = pages.as_mut().poll_next(&mut context) {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), smithy_waiters::DefinitionError>(())
    /// ```
    pub fn into_stream<F, T, E>(self) -> impl Stream<Item = Result<T, PageError<E>>> + Unpin
    where
        C: FnMut(Option<Json>) -> F,
        F: Future<Output = Result<T, E>>,
        T: Response,
    {
        unfold(self, |mut pages| async move {
            Some((pages.next_page().await?, pages))
        })
    }
}

impl<C> Items<'_, C> {
    /// Returns the items of all pages as a [`Stream`].
    ///
    /// # Example: the first two items
    ///
    /// ```
    /// use std::pin::pin;
    /// use std::task::{Context, Poll, Waker};
    /// use futures_core::Stream;
    /// use serde_json::{Value, json};
    /// use smithy_waiters::ErrorMetadata;
    /// use smithy_waiters::paginator::{Pages, Paginator};
    ///
    /// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Rows"}"#)?;
    /// let list = async |_: Option<Value>| Ok::<_, ErrorMetadata>(json!({"T": "more", "Rows": [1, 2, 3]}));
    /// let items = Pages::new(&paginator, |token| list(token)).items()?.max_items(2);
    /// let mut items = pin!(items.into_stream());
    /// let mut context = Context::from_waker(Waker::noop());
    /// let mut count = 0;
    /// while let Poll::Ready(Some(Ok(_))) = items.as_mut().poll_next(&mut context) {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), smithy_waiters::DefinitionError>(())
    /// ```
    pub fn into_stream<F, E>(self) -> impl Stream<Item = Result<Entry, PageError<E>>> + Unpin
    where
        C: FnMut(Option<Json>) -> F,
        F: Future<Output = Result<Json, E>>,
    {
        unfold(self, |mut items| async move {
            Some((items.next_item().await?, items))
        })
    }
}

/// Creates a [`Stream`] of the items that `next` returns until it returns `None`, for pages of
/// [`Tokens`](super::Tokens).
///
/// # Example: a generated paginator
///
/// ```
/// use std::pin::Pin;
/// use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use smithy_waiters::paginator::unfold;
///
/// let next = async |left: u32| Some((left, left.checked_sub(1)?));
/// let mut stream = unfold(2, |left| next(left));
/// let mut context = Context::from_waker(Waker::noop());
/// let mut poll = || Pin::new(&mut stream).poll_next(&mut context);
/// assert_eq!((poll(), poll(), poll()), (Poll::Ready(Some(2)), Poll::Ready(Some(1)), Poll::Ready(None)));
/// ```
pub fn unfold<S, N, F, T>(state: S, next: N) -> impl Stream<Item = T> + Unpin
where
    N: FnMut(S) -> F,
    F: Future<Output = Option<(T, S)>>,
{
    Unfold {
        state: Some(state),
        next,
        in_flight: None,
    }
}

/// A stream that awaits one future after the other.
struct Unfold<S, N, F> {
    /// The state between two items.
    state: Option<S>,
    next: N,
    in_flight: Option<Pin<Box<F>>>,
}

// Only the future is pinned, and it is in a separate allocation.
impl<S, N, F> Unpin for Unfold<S, N, F> {}

impl<S, N, F, T> Stream for Unfold<S, N, F>
where
    N: FnMut(S) -> F,
    F: Future<Output = Option<(T, S)>>,
{
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let this = &mut *self;
        if let Some(state) = this.state.take() {
            this.in_flight = Some(Box::pin((this.next)(state)));
        }
        let Some(next) = &mut this.in_flight else {
            return Poll::Ready(None);
        };
        let Poll::Ready(output) = next.as_mut().poll(context) else {
            return Poll::Pending;
        };
        this.in_flight = None;
        Poll::Ready(output.map(|(item, state)| {
            this.state = Some(state);
            item
        }))
    }
}
