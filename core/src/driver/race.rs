//! Races between futures.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

/// Yields to other tasks once.
pub(super) async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if has_yielded {
            return Poll::Ready(());
        }
        has_yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Returns the output of the future, or `None` if the timer ends first. The future is polled first.
pub(super) async fn race<F: Future>(
    mut future: Pin<&mut F>,
    timer: impl Future<Output = ()>,
) -> Option<F::Output> {
    let mut timer = pin!(timer);
    poll_fn(|context| {
        // The call comes before the timer, because a result at the deadline counts. Rule: docs/rules.md#deadline
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        timer.as_mut().poll(context).map(|()| None)
    })
    .await
}
