//! One interface to both kinds of runtimes, for a shared loop.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::cancel::{CancelToken, unless_cancelled};
use super::clock::{Clock, Host};
use super::race::{race, yield_now};
use super::runtime::{BlockingRuntime, Runtime};

/// The maximum number of consecutive timers that fire while the clock stands still. After that, the deadline counts as
/// passed, since the clock would never reach it.
const MAX_FROZEN_TIMERS: u32 = 1_000;

/// The longest pause of a thread for which another one polls. That one may be in a call that takes longer than the deadline
/// of this one.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const FOLLOWER_TIMEOUT: Duration = Duration::from_secs(1);

/// A runtime with asynchronous sleeps.
#[derive(Debug)]
pub(super) struct AsyncHost<R>(pub(super) R);

impl<R: Runtime> Host for AsyncHost<R> {
    const LEADER_CAN_STALL: bool = true;

    fn now(&self) -> Duration {
        self.0.now()
    }

    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>) {
        unless_cancelled(cancel, self.0.sleep(time)).await;
    }

    async fn yield_now(&self) {
        yield_now().await;
    }

    async fn pause<F: Future<Output = ()>>(
        clock: &Clock<Self>,
        until_ms: Option<u64>,
        calls: usize,
        changed: F,
    ) {
        match until_ms {
            Some(until_ms) if calls == 0 => {
                race(pin!(changed), clock.sleep_until(until_ms)).await;
            }
            // A virtual clock does not advance past a call in flight.
            _ => {
                before_deadline(clock, until_ms, changed).await;
            }
        }
    }

    async fn follow<F: Future<Output = ()>>(
        clock: &Clock<Self>,
        until_ms: Option<u64>,
        changed: F,
    ) {
        // A virtual clock does not advance for a caller that only watches.
        before_deadline(clock, until_ms, changed).await;
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

/// A runtime that blocks. Its futures are ready on the first poll, and calls cannot be interrupted.
#[derive(Debug)]
pub(super) struct BlockingHost<R>(pub(super) R);

impl<R: BlockingRuntime> Host for BlockingHost<R> {
    const LEADER_CAN_STALL: bool = false;

    fn now(&self) -> Duration {
        self.0.now()
    }

    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>) {
        match cancel {
            Some(token) => self.0.sleep_unless(time, token),
            None => self.0.sleep(time),
        }
    }

    async fn yield_now(&self) {}

    async fn pause<F: Future<Output = ()>>(
        clock: &Clock<Self>,
        until_ms: Option<u64>,
        _: usize,
        changed: F,
    ) {
        let change = CancelToken::new();
        let waker = change.waker();
        // The future is polled once, and its waker ends the sleep of this thread. It lives until then.
        let mut changed = pin!(changed);
        let mut context = Context::from_waker(&waker);
        if changed.as_mut().poll(&mut context).is_ready() {
            return;
        }
        match until_ms {
            Some(until_ms) => clock.sleep_unless(until_ms, Some(&change)).await,
            None => {
                #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
                change.wait_timeout(FOLLOWER_TIMEOUT);
            }
        }
    }

    async fn follow<F: Future<Output = ()>>(clock: &Clock<Self>, _: Option<u64>, changed: F) {
        // The sleep of a virtual clock would advance it for a caller that only watches.
        Self::pause(clock, None, 0, changed).await;
    }

    async fn call<F: Future>(_: &Clock<Self>, _: Option<u64>, call: F) -> Option<F::Output> {
        // A blocking call cannot be interrupted. The wait discards its late result. Rule: docs/rules.md#deadline
        Some(call.await)
    }
}

/// Returns the output of a future on a [`BlockingHost`], which is ready on the first poll.
pub(super) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        // The futures of a blocking host never wait, so that the first poll is the last one.
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// Returns the result of a call, or `None` if the deadline passes first.
async fn before_deadline<R: Runtime, F: Future>(
    clock: &Clock<AsyncHost<R>>,
    deadline_ms: Option<u64>,
    call: F,
) -> Option<F::Output> {
    let Some(deadline_ms) = deadline_ms else {
        return Some(call.await);
    };
    let mut call = pin!(call);
    let mut frozen = 0_u32;
    loop {
        // The time is read again after each timer: timers only wake the driver. Rule: docs/rules.md#deadline
        let rest = clock.until(deadline_ms);
        if rest.is_zero() {
            return None;
        }
        if frozen == MAX_FROZEN_TIMERS {
            clock.pass(rest);
            return None;
        }
        let output = race(call.as_mut(), clock.host.0.alarm(rest)).await;
        if output.is_some() {
            return output;
        }
        frozen = if clock.until(deadline_ms) == rest {
            frozen.saturating_add(1)
        } else {
            0
        };
        // A timer may fire early. Yielding keeps such timers from starving the tasks that the call waits for.
        yield_now().await;
    }
}
