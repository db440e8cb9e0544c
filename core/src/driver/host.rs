//! The two kinds of runtimes behind one interface, so that each loop is written once.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::cancel::{CancelToken, unless_cancelled};
use super::clock::{Clock, Host};
use super::race::{first, give_way};
use super::runtime::{BlockingRuntime, Runtime};

/// So often in a row a timer may fire although the clock stands still; then it never will, and the deadline counts as passed.
const MOST_FROZEN: u32 = 1_000;

/// A runtime that is awaited.
#[derive(Debug)]
pub(super) struct Awaited<R>(pub(super) R);

impl<R: Runtime> Host for Awaited<R> {
    fn now(&self) -> Duration {
        self.0.now()
    }

    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>) {
        unless_cancelled(cancel, self.0.sleep(time)).await;
    }

    async fn give_way(&self) {
        give_way().await;
    }

    async fn call<F: Future>(
        clock: &Clock<Self>,
        deadline_ms: Option<u64>,
        call: F,
    ) -> Option<F::Output> {
        let call = before_deadline(clock, deadline_ms, call);
        unless_cancelled(clock.cancel.as_ref(), call)
            .await
            .flatten()
    }
}

/// A runtime that blocks: its futures are ready when they are first polled, and nothing can cut a call.
#[derive(Debug)]
pub(super) struct Blocking<R>(pub(super) R);

impl<R: BlockingRuntime> Host for Blocking<R> {
    fn now(&self) -> Duration {
        self.0.now()
    }

    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>) {
        match cancel {
            Some(token) => self.0.sleep_unless(time, token),
            None => self.0.sleep(time),
        }
    }

    async fn give_way(&self) {}

    async fn call<F: Future>(_: &Clock<Self>, _: Option<u64>, call: F) -> Option<F::Output> {
        Some(call.await)
    }
}

/// Returns the output of a future on a [`Blocking`] host, which is ready when it is first polled.
pub(super) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Returns the call's result, or `None` at its deadline.
async fn before_deadline<R: Runtime, F: Future>(
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
