//! Pages and items as a `Stream`.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::{Entry, Items, JsonItems, PageError, Pages};
use crate::response::Response;

/// The pages of an operation as a [`Stream`].
///
/// # Example: three pages
///
/// ```
/// use std::pin::pin;
/// use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use serde_json::{Value, json};
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::paginator::{Pages, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#)?;
/// let list = async |token: Option<Value>| Ok::<_, ErrorFacts>(match token {
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
pub struct PageStream<'p, C, F> {
    pages: Pages<'p, C>,
    in_flight: Option<Pin<Box<F>>>,
}

impl<'p, C> Pages<'p, C> {
    /// The pages as a [`Stream`].
    #[must_use]
    pub fn into_stream<F>(self) -> PageStream<'p, C, F>
    where
        C: FnMut(Option<serde_json::Value>) -> F,
        F: Future,
    {
        PageStream {
            pages: self,
            in_flight: None,
        }
    }
}

// Nothing is pinned in it but the future, which has a place of its own.
impl<C, F> Unpin for PageStream<'_, C, F> {}

impl<C, F, T, E> Stream for PageStream<'_, C, F>
where
    C: FnMut(Option<serde_json::Value>) -> F,
    F: Future<Output = Result<T, E>>,
    T: Response,
{
    type Item = Result<T, PageError<E>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.in_flight.is_none() {
            match this.pages.due() {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(PageError::Pagination(error)))),
                Some(Ok(token)) => this.in_flight = Some(Box::pin((this.pages.call)(token))),
            }
        }
        let Some(call) = &mut this.in_flight else {
            return Poll::Ready(None);
        };
        let Poll::Ready(result) = call.as_mut().poll(context) else {
            return Poll::Pending;
        };
        this.in_flight = None;
        Poll::Ready(Some(this.pages.take(result)))
    }
}

/// The items of all pages as a [`Stream`].
///
/// # Example: the first two
///
/// ```
/// use std::pin::pin;
/// use std::task::{Context, Poll, Waker};
/// use futures_core::Stream;
/// use serde_json::{Value, json};
/// use smithy_waiters::ErrorFacts;
/// use smithy_waiters::paginator::{ItemStream, Pages, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Rows"}"#)?;
/// let list = async |_: Option<Value>| Ok::<_, ErrorFacts>(json!({"T": "more", "Rows": [1, 2, 3]}));
/// let items = Pages::new(&paginator, |token| list(token)).items()?.max_items(2);
/// let mut items: std::pin::Pin<&mut ItemStream<_, _>> = pin!(items.into_stream());
/// let mut context = Context::from_waker(Waker::noop());
/// let mut count = 0;
/// while let Poll::Ready(Some(Ok(_))) = items.as_mut().poll_next(&mut context) {
///     count += 1;
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Debug)]
pub struct ItemStream<'p, C, F> {
    pages: PageStream<'p, C, F>,
    page: JsonItems,
    left: u64,
}

impl<'p, C> Items<'p, C> {
    /// The items as a [`Stream`].
    #[must_use]
    pub fn into_stream<F>(self) -> ItemStream<'p, C, F>
    where
        C: FnMut(Option<serde_json::Value>) -> F,
        F: Future,
    {
        ItemStream {
            pages: self.pages.into_stream(),
            page: self.page,
            left: self.left,
        }
    }
}

impl<C, F, E> Stream for ItemStream<'_, C, F>
where
    C: FnMut(Option<serde_json::Value>) -> F,
    F: Future<Output = Result<serde_json::Value, E>>,
{
    type Item = Result<Entry, PageError<E>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        while this.left > 0 {
            if let Some(item) = this.page.next() {
                this.left = this.left.saturating_sub(1);
                return Poll::Ready(Some(Ok(item)));
            }
            match Pin::new(&mut this.pages).poll_next(context) {
                Poll::Ready(Some(Ok(page))) => {
                    this.page = this.pages.pages.paginator.json_items(page);
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => break,
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(None)
    }
}

impl<C: fmt::Debug, F> fmt::Debug for PageStream<'_, C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageStream")
            .field("pages", &self.pages)
            .field("in_flight", &self.in_flight.is_some())
            .finish()
    }
}
