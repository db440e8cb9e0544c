//! Cancelled waits and requests, and retries whose tokens are acquired but which never run. The tests do not depend on
//! real time: a missing cancellation hangs the test.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::cell::{Cell, RefCell};
use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::{
    BlockingRuntime, CancelToken, Driver, Retry, RetryProgress, Runtime, StdRuntime,
};
use smithy_waiters::retry::{RequestFailure, RetryEnd, RetryOptions, StandardRetryStrategy};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{AttemptResult, FailureKind, WaitOptions, Waiter, WaiterError};

const HOUR: Duration = Duration::from_secs(3_600);

fn strategy() -> StandardRetryStrategy {
    StandardRetryStrategy::new(&RetryOptions::fixed_delay(HOUR), 1).unwrap()
}

fn left(strategy: &StandardRetryStrategy) -> u32 {
    strategy.quota().unwrap().available()
}

fn throttled() -> RequestFailure<'static> {
    RequestFailure::default().status(429)
}

fn ready() -> Waiter {
    let definition = r#"{"minDelay": 3600, "maxDelay": 3600, "acceptors": [{"state": "success", "matcher": {"output": {
        "path": "Status", "comparator": "stringEquals", "expected": "READY"}}}]}"#;
    Waiter::named("Ready", definition).unwrap()
}

fn pending_status() -> Result<Json, RequestFailure<'static>> {
    Ok(json!({"Status": "PENDING"}))
}

#[test]
fn a_token_is_shared_by_its_clones() {
    let token = CancelToken::new();
    let other = token.clone();
    assert!(!token.is_cancelled() && !token.wait_timeout(Duration::ZERO));
    other.cancel();
    other.cancel();
    assert!(token.is_cancelled() && token.wait_timeout(HOUR));
    assert_eq!(
        format!("{token:?}"),
        "CancelToken { is_cancelled: true, .. }"
    );
}

#[test]
fn requests_of_many_threads_leave_their_pauses_at_once() {
    let (strategy, token) = (strategy(), CancelToken::new());
    let (failed, failures) = mpsc::channel();
    let errors = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let (failed, token, strategy) = (failed.clone(), &token, &strategy);
                scope.spawn(move || {
                    Retry::new(strategy, StdRuntime::new())
                        .on_failure(|progress| failed.send(progress.attempt).unwrap())
                        .cancelled_by(token)
                        .call_blocking(|_| Err::<(), _>(throttled()))
                        .map_err(Box::new)
                })
            })
            .collect();
        // Each request has acquired the tokens of a retry, and is in the delay before it or about to be.
        assert_eq!(failures.iter().take(8).sum::<u64>(), 8);
        assert_eq!(left(&strategy), 460);
        token.cancel();
        let ended = threads
            .into_iter()
            .map(|thread| thread.join().unwrap().unwrap_err());
        ended.collect::<Vec<_>>()
    });
    for error in errors {
        assert_eq!((error.attempts, &error.end), (1, &RetryEnd::Cancelled));
        assert!(error.code() == "cancelled" && error.error.is_some());
    }
    assert_eq!(left(&strategy), 500);
}

#[test]
fn a_blocking_wait_leaves_its_pause_at_once_with_its_last_result() {
    let token = CancelToken::new();
    let (seen, attempts) = mpsc::channel();
    let error = thread::scope(|scope| {
        let canceller = token.clone();
        scope.spawn(move || attempts.recv().map(|_: u64| canceller.cancel()));
        Driver::new(StdRuntime::new())
            .cancelled_by(&token)
            .on_attempt(move |progress| seen.send(progress.attempt.attempt).unwrap())
            .wait_blocking(&ready(), |_| pending_status(), WaitOptions::new(10 * HOUR))
            .unwrap_err()
    });
    let failure = error.failure().unwrap();
    assert_eq!(failure.kind, FailureKind::Cancelled);
    assert_eq!(failure.response.as_ref().unwrap()["Status"], "PENDING");
    assert_eq!(failure.report.attempts, 1);
    assert_eq!(failure.report.history[0].result, AttemptResult::Response);
    let said = r#"; last seen: Status gave "PENDING", expected "READY""#;
    assert!(error.to_string().ends_with(said), "{error}");
}

#[test]
fn no_call_is_made_once_the_token_is_cancelled() {
    let (token, clock) = (CancelToken::new(), FakeClock::new());
    token.cancel();
    let calls = Cell::new(0);
    let call = |_| {
        calls.set(calls.get() + 1);
        pending_status()
    };
    let driver = Driver::new(clock.clone()).cancelled_by(&token);
    let ended = driver.wait_blocking(&ready(), call, WaitOptions::new(HOUR));
    assert_eq!(ended.unwrap_err().code(), "cancelled");
    let strategy = strategy();
    let retry = Retry::new(&strategy, clock.clone()).cancelled_by(&token);
    let error = retry.call_blocking(call).unwrap_err();
    assert_eq!((error.attempts, error.end), (0, RetryEnd::Cancelled));
    assert_eq!((calls.get(), clock.sleeps().len()), (0, 0));
    assert_eq!(left(&strategy), 500);
}

#[test]
fn a_blocking_call_under_way_runs_to_its_end() {
    let (token, clock) = (CancelToken::new(), FakeClock::new());
    let cancels = |_| {
        token.cancel();
        Ok::<_, RequestFailure<'_>>(json!({"Status": "READY"}))
    };
    // The result of a completed request counts. A wait only reads, so it ends as cancelled.
    let retry = Retry::new(strategy(), clock.clone()).cancelled_by(&token);
    assert_eq!(retry.call_blocking(cancels).unwrap()["Status"], "READY");
    let token = CancelToken::new();
    let cancels = |_| {
        token.cancel();
        Ok::<_, RequestFailure<'_>>(json!({"Status": "READY"}))
    };
    let driver = Driver::new(clock).cancelled_by(&token);
    let error = driver.wait_blocking(&ready(), cancels, WaitOptions::new(HOUR));
    let WaiterError::Failure(failure) = error.unwrap_err() else {
        panic!("the options hold");
    };
    assert_eq!(failure.kind, FailureKind::Cancelled);
    assert_eq!(failure.report.history[0].result, AttemptResult::Cancelled);
    assert_eq!(failure.response.unwrap()["Status"], "READY");
}

#[test]
fn an_asynchronous_call_is_dropped() {
    let (strategy, token) = (strategy(), CancelToken::new());
    let hangs = |attempt: smithy_waiters::Attempt| {
        let token = &token;
        async move {
            match attempt.number {
                1 => Err::<Json, _>(throttled()),
                _ => {
                    token.cancel();
                    pending().await
                }
            }
        }
    };
    let retry = Retry::new(&strategy, FakeClock::new()).cancelled_by(&token);
    let error = async_io::block_on(retry.call(hangs)).unwrap_err();
    assert_eq!((error.attempts, error.end), (2, RetryEnd::Cancelled));
    // The call was made.
    assert_eq!(left(&strategy), 495);

    let token = CancelToken::new();
    let call = |_| {
        token.cancel();
        pending::<Result<Json, RequestFailure<'_>>>()
    };
    let driver = Driver::new(FakeClock::new()).cancelled_by(&token);
    let error = async_io::block_on(driver.wait(&ready(), call, WaitOptions::new(HOUR)));
    let error = error.unwrap_err();
    assert_eq!(error.code(), "cancelled");
    let history = &error.failure().unwrap().report.history;
    assert_eq!(history[0].result, AttemptResult::Cancelled);
}

#[test]
fn an_asynchronous_pause_is_woken_by_another_thread() {
    let token = CancelToken::new();
    let (failed, failures) = mpsc::channel();
    let canceller = token.clone();
    let error = thread::scope(|scope| {
        scope.spawn(move || failures.recv().map(|()| canceller.cancel()));
        let retry = Retry::new(strategy(), Endless)
            .on_failure(move |_| failed.send(()).unwrap())
            .cancelled_by(&token);
        async_io::block_on(retry.call(async |_| Err::<(), _>(throttled()))).map_err(Box::new)
    });
    assert_eq!(error.unwrap_err().end, RetryEnd::Cancelled);
}

/// A clock that never advances: only the token ends a sleep.
struct Endless;

impl Runtime for Endless {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) -> impl Future<Output = ()> {
        pending()
    }
}

/// A custom clock that sleeps in pieces of a minute, and cancels the token in the second one.
struct Pieces<'t> {
    slept: RefCell<Vec<Duration>>,
    token: &'t CancelToken,
}

impl BlockingRuntime for &Pieces<'_> {
    fn now(&self) -> Duration {
        self.slept.borrow().iter().sum()
    }

    fn sleep(&self, duration: Duration) {
        let mut slept = self.slept.borrow_mut();
        slept.push(duration.min(Duration::from_secs(60)));
        if slept.len() == 2 {
            self.token.cancel();
        }
    }
}

#[test]
fn a_sleep_in_pieces_is_cancelled_after_the_piece() {
    let token = CancelToken::new();
    let clock = || Pieces {
        slept: RefCell::default(),
        token: &token,
    };
    let of_retry = clock();
    let retry = Retry::new(strategy(), &of_retry).cancelled_by(&token);
    let error = retry.call_blocking(|_| Err::<(), _>(throttled()));
    assert_eq!(error.unwrap_err().end, RetryEnd::Cancelled);
    assert_eq!(of_retry.slept.borrow().len(), 2);
}

/// Polls a future once, and drops it.
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
    dropped_in_its_pause(Retry::new(&strategy, Endless).call(call));
    assert_eq!(left(&strategy), 500);
}

#[test]
fn an_attempt_that_was_made_has_its_price() {
    let strategy = strategy();
    let call = async |attempt: smithy_waiters::Attempt| match attempt.number {
        1 => Err::<Json, _>(throttled()),
        _ => pending().await,
    };
    // Without a delay, the first poll reaches the second call, in which the future is dropped.
    let at_once = RetryOptions::fixed_delay(Duration::ZERO);
    let hurried = StandardRetryStrategy::new(&at_once, 1).unwrap();
    dropped_in_its_pause(Retry::new(&hurried, Endless).call(call));
    assert_eq!(left(&hurried), 495);
    // A panic in a call happens after the attempt started, and a panic in a hook before.
    let panics = |_: RetryProgress<'_>| panic!("a bug of the hook");
    let retry = Retry::new(&strategy, FakeClock::new()).on_failure(panics);
    let call = |_| Err::<(), _>(throttled());
    assert!(catch_unwind(AssertUnwindSafe(|| retry.call_blocking(call).is_ok())).is_err());
    assert_eq!(left(&strategy), 500);
}
