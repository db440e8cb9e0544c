//! The deadline of a call: the future that has no result by then is dropped.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;

use super::Runtime;
use super::clock::Clock;
use super::host::Awaited;

/// So often in a row a timer may fire although the clock stands still; then it never will, and the deadline counts as passed.
const MOST_FROZEN: u32 = 1_000;

/// Returns the call's result, or `None` at its deadline.
pub(super) async fn before_deadline<R: Runtime, F: Future>(
    clock: &Clock<Awaited<R>>,
    deadline_ms: Option<u64>,
    call: F,
) -> Option<F::Output> {
    let Some(deadline_ms) = deadline_ms else {
        return Some(call.await);
    };
    let mut call = pin!(call);
    let mut frozen = 0_u32;
    loop {
        let rest = clock.until(deadline_ms);
        if rest.is_zero() {
            return None;
        }
        if frozen == MOST_FROZEN {
            clock.pass(rest);
            return None;
        }
        let output = first(call.as_mut(), clock.host.0.alarm(rest)).await;
        if output.is_some() {
            return output;
        }
        frozen = if clock.until(deadline_ms) == rest {
            frozen.saturating_add(1)
        } else {
            0
        };
        // A timer may fire early, and must not starve what the call waits for.
        give_way().await;
    }
}

/// Lets other tasks run.
pub(super) async fn give_way() {
    let mut gave_way = false;
    poll_fn(|context| {
        if gave_way {
            return Poll::Ready(());
        }
        gave_way = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Returns the output of the future, or `None` if the timer ends first; the future is polled first.
pub(super) async fn first<F: Future>(
    mut future: Pin<&mut F>,
    timer: impl Future<Output = ()>,
) -> Option<F::Output> {
    let mut timer = pin!(timer);
    poll_fn(|context| {
        if let Poll::Ready(output) = future.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        timer.as_mut().poll(context).map(|()| None)
    })
    .await
}
