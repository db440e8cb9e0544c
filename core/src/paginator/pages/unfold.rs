//! Pages of a client's own types as a `Stream`.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

/// A [`Stream`] of what `next` gives, until that is nothing: for pages that are walked by [`Tokens`](super::Tokens).
///
/// # Example: what generated paginators do
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

/// What is given one by one.
struct Unfold<S, N, F> {
    /// Between two items.
    state: Option<S>,
    next: N,
    in_flight: Option<Pin<Box<F>>>,
}

// Nothing is pinned in it but the future, which has a place of its own.
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
        let Poll::Ready(given) = next.as_mut().poll(context) else {
            return Poll::Pending;
        };
        this.in_flight = None;
        Poll::Ready(given.map(|(item, state)| {
            this.state = Some(state);
            item
        }))
    }
}
