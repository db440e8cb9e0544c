//! Retries that were paid for, and whose attempts are never made.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::Value as Json;
use smithy_waiters::driver::{Retry, RetryProgress, Runtime};
use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
use smithy_waiters::testing::FakeClock;

/// Time that stands still: a pause never ends.
struct Still;

impl Runtime for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) -> impl Future<Output = ()> {
        pending()
    }
}

fn strategy() -> StandardRetryStrategy {
    StandardRetryStrategy::new(&RetryOptions::fixed_delay(Duration::from_secs(1)), 1).unwrap()
}

fn left(strategy: &StandardRetryStrategy) -> u32 {
    strategy.quota().unwrap().available()
}

fn throttled() -> RequestFailure<'static> {
    RequestFailure::default().status(429)
}

/// Takes a future as far as it gets, and drops it there.
fn dropped_in_its_pause(future: impl Future) {
    let mut future = pin!(future);
    let polled = future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, Poll::Pending));
}

#[test]
fn a_request_that_is_dropped_in_its_pause_costs_nothing() {
    let strategy = strategy();
    let call = async |_| Err::<(), _>(throttled());
    dropped_in_its_pause(Retry::new(&strategy, Still).call(call));
    assert_eq!(left(&strategy), 500);
}

#[test]
fn an_attempt_that_was_made_has_its_price() {
    let strategy = strategy();
    let call = async |attempt: smithy_waiters::Attempt| match attempt.number {
        1 => Err::<Json, _>(throttled()),
        _ => pending().await,
    };
    // Dropped in the second call: with no pause, the first poll gets there.
    let at_once = RetryOptions::fixed_delay(Duration::ZERO);
    let hurried = StandardRetryStrategy::new(&at_once, 1).unwrap();
    dropped_in_its_pause(Retry::new(&hurried, Still).call(call));
    assert_eq!(left(&hurried), 495);
    // A call that panics was made; a hook that panics comes before the attempt.
    let panics = |_: RetryProgress<'_>| panic!("a bug of the hook");
    let retry = Retry::new(&strategy, FakeClock::new()).on_failure(panics);
    let call = |_| Err::<(), _>(throttled());
    assert!(catch_unwind(AssertUnwindSafe(|| retry.call_blocking(call).is_ok())).is_err());
    assert_eq!(left(&strategy), 500);
}
