//! The native driver on tokio's paused clock: deadlines, dropped calls, hooks and results, without real time.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a panic fails the test"
)]

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::driver::{BlockingRuntime, NamedError, Runtime, TokioRuntime};
use smithy_waiters::retry::RequestFailure;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, FailureKind, WaitOptions, Waiter, WaiterError};
use tokio::time::{Instant, sleep};

const READY: &str = r#"{"acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "ready"}}},
    {"state": "failure", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "broken"}}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

fn ready() -> Waiter {
    Waiter::named("Ready", READY).unwrap()
}

fn seconds(seconds: u64) -> WaitOptions {
    WaitOptions::new(Duration::from_secs(seconds)).seed(1)
}

/// Records the drop of a future.
struct Dropped(Rc<Cell<bool>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_is_dropped_at_the_deadline() {
    let (began, dropped) = (Instant::now(), Rc::new(Cell::new(false)));
    let call = |_| {
        let guard = Dropped(Rc::clone(&dropped));
        async move {
            let _guard = guard;
            pending::<Result<Value, Infallible>>().await
        }
    };
    let error = ready().wait(call, seconds(3)).await.unwrap_err();
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    assert!(dropped.get());
    let failure = error.failure().unwrap();
    assert_eq!(
        (failure.kind, failure.report.elapsed_ms),
        (FailureKind::TimedOut, 3_000)
    );
    assert_eq!(
        error.to_string(),
        "Ready timed out after 3 s and 1 attempt: attempt 1 was still running at the deadline (max wait 3 s)"
    );
}

#[tokio::test(start_paused = true)]
async fn the_hook_sees_every_attempt_and_the_call_its_number_and_time() {
    let (seen, calls) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let call = |attempt: smithy_waiters::Attempt| {
        calls
            .borrow_mut()
            .push((attempt.number, attempt.remaining.as_millis()));
        async move {
            sleep(Duration::from_millis(500)).await;
            let status = if attempt.number < 3 {
                "pending"
            } else {
                "ready"
            };
            Ok::<_, Infallible>(json!({ "s": status }))
        }
    };
    let driver = Driver::new(TokioRuntime::new()).on_attempt(|progress| {
        seen.borrow_mut().push((
            progress.attempt.attempt,
            progress.attempt.delay_ms,
            progress.remaining.as_millis(),
        ));
    });
    let options = seconds(60)
        .min_delay(Duration::from_secs(1))
        .max_delay(Duration::from_secs(1));
    let outcome = driver.wait(&ready(), call, options).await.unwrap();
    assert_eq!(outcome.report.elapsed_ms, 3_500);
    assert_eq!(outcome.to_string(), outcome.report.to_string());
    assert_eq!(*calls.borrow(), [(1, 60_000), (2, 58_500), (3, 57_000)]);
    assert_eq!(
        *seen.borrow(),
        [
            (1, Some(1_000), 59_500),
            (2, Some(1_000), 58_000),
            (3, None, 56_500)
        ]
    );
}

#[test]
fn the_time_of_on_attempt_is_part_of_the_pause() {
    let clock = FakeClock::new();
    let wait = |takes: u64| {
        let told = clock.clone();
        let driver = Driver::new(clock.clone())
            .on_attempt(move |_| told.advance(Duration::from_millis(takes)));
        let statuses = RefCell::new(vec!["ready", "pending"]);
        let call = |_| Ok::<_, Infallible>(json!({"s": statuses.borrow_mut().pop().unwrap()}));
        driver.wait_blocking(&ready(), call, seconds(60))
    };
    assert_eq!(wait(500).unwrap().report.elapsed_ms, 2_000);
    assert_eq!(clock.sleeps(), [Duration::from_millis(1_500)]);
    assert_eq!(wait(60_000).unwrap_err().code(), "timed_out");
    assert_eq!(clock.sleeps().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_status_of_a_failure_says_that_the_resource_is_missing() {
    let calls = Cell::new(0);
    let call = |status| {
        let calls = &calls;
        move |_: smithy_waiters::Attempt| async move {
            calls.set(calls.get() + 1);
            if calls.get() == 2 {
                return Ok(json!({"s": "ready"}));
            }
            let error = NamedError::new(io::Error::other("HTTP"), |_| ErrorMetadata::of_class("H"));
            Err(error.with_failure(|_| RequestFailure::default().status(status)))
        }
    };
    let options = || seconds(60).not_found_for(Duration::from_secs(30));
    let outcome = ready().wait(call(404), options()).await.unwrap();
    assert_eq!(outcome.report.attempts, 2);
    calls.set(0);
    let error = ready().wait(call(410), options()).await.unwrap_err();
    assert_eq!((error.code(), calls.get()), ("unmatched_error", 1));
    // Compiled matchers have the same rule.
    calls.set(0);
    let matcher = |result: Result<&Value, &ErrorMetadata<'_>>| result.is_ok().then_some(0);
    let (waiter, driver) = (ready(), Driver::new(TokioRuntime::new()));
    let outcome = driver.wait_by(&waiter, matcher, call(404), options());
    assert_eq!(outcome.await.unwrap().report.attempts, 2);
}

#[tokio::test(start_paused = true)]
async fn options_that_do_not_hold_call_nothing() {
    let calls = Cell::new(0);
    let call = async |_| {
        calls.set(calls.get() + 1);
        Ok::<_, Infallible>(json!({}))
    };
    let error = ready()
        .wait(call, WaitOptions::new(Duration::ZERO))
        .await
        .unwrap_err();
    assert!(
        matches!(&error, WaiterError::Options(error) if error.option == "maxWait"),
        "{error}"
    );
    assert_eq!(calls.get(), 0);
}

/// A clock that advances only when sleeping.
#[derive(Default)]
struct Virtual(Cell<Duration>);

impl BlockingRuntime for &Virtual {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn sleep(&self, duration: Duration) {
        self.0.set(self.0.get() + duration);
    }
}

#[test]
fn a_blocking_call_that_ends_late_is_not_looked_at() {
    let clock = Virtual::default();
    let call = |attempt: smithy_waiters::Attempt| {
        let takes = if attempt.number == 1 {
            Duration::ZERO
        } else {
            attempt.remaining * 2
        };
        (&clock).sleep(takes);
        let status = if attempt.number == 1 {
            "pending"
        } else {
            "ready"
        };
        Ok::<_, Infallible>(json!({ "s": status }))
    };
    let error = Driver::new(&clock)
        .wait_blocking(&ready(), call, seconds(10))
        .unwrap_err();
    let failure = error.failure().unwrap();
    assert_eq!(
        (failure.kind, failure.report.attempts),
        (FailureKind::TimedOut, 2)
    );
    assert_eq!(failure.report.elapsed_ms, 18_000);
    assert_eq!(failure.response, Some(json!({"s": "ready"})));
}

/// A clock that advances a millisecond each time it is read, and whose sleeps return at once.
struct Hasty(Cell<u64>);

impl Runtime for Hasty {
    fn now(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_millis(self.0.get())
    }

    async fn sleep(&self, _: Duration) {}
}

#[tokio::test]
async fn timers_that_end_early_do_not_starve_other_tasks() {
    let call = async |_| {
        let other = tokio::spawn(tokio::task::yield_now());
        other.await.unwrap();
        Ok::<_, Infallible>(json!({"s": "ready"}))
    };
    let driver = Driver::new(Hasty(Cell::new(0)));
    let outcome = driver.wait(&ready(), call, seconds(60)).await.unwrap();
    assert_eq!(outcome.report.attempts, 1);
}

/// A clock that never advances, and whose sleeps return immediately.
#[derive(Default)]
struct Mocked(RefCell<Vec<Duration>>);

impl BlockingRuntime for &Mocked {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, duration: Duration) {
        self.0.borrow_mut().push(duration);
    }
}

impl Runtime for &Mocked {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, duration: Duration) {
        self.0.borrow_mut().push(duration);
    }

    async fn alarm(&self, _: Duration) {
        pending().await
    }
}

#[tokio::test]
async fn a_sleep_that_returns_at_once_counts_as_slept() {
    let options = || seconds(60).max_delay(Duration::from_secs(2));
    let (awaited, blocking) = (Mocked::default(), Mocked::default());
    let call = async |_| Ok::<_, Infallible>(json!({"s": "pending"}));
    let error = Driver::new(&awaited).wait(&ready(), call, options()).await;
    let report = &error.unwrap_err().failure().unwrap().report.clone();
    assert_eq!((report.attempts, report.elapsed_ms), (30, 58_000));
    assert_eq!(*awaited.0.borrow(), [Duration::from_secs(2); 29]);

    let call = |_| Ok::<_, Infallible>(json!({"s": "pending"}));
    let error = Driver::new(&blocking).wait_blocking(&ready(), call, options());
    let report = &error.unwrap_err().failure().unwrap().report.clone();
    assert_eq!((report.attempts, report.elapsed_ms), (30, 58_000));
    assert_eq!(*blocking.0.borrow(), [Duration::from_secs(2); 29]);
}

/// A clock that never advances, and whose timers fire immediately.
struct Frozen;

impl Runtime for Frozen {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _: Duration) {}
}

#[tokio::test]
async fn a_call_that_hangs_ends_on_a_frozen_clock() {
    let call = |_| pending::<Result<Value, Infallible>>();
    let error = Driver::new(Frozen).wait(&ready(), call, seconds(60)).await;
    let error = error.unwrap_err();
    assert_eq!(error.code(), "timed_out");
    assert_eq!(error.failure().unwrap().report.elapsed_ms, 60_000);
}

/// A clock that wakes up after half of each sleep.
#[derive(Default)]
struct Restless {
    now: Cell<Duration>,
    sleeps: Cell<u32>,
}

impl BlockingRuntime for &Restless {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn sleep(&self, duration: Duration) {
        self.sleeps.set(self.sleeps.get() + 1);
        let half = (duration / 2).max(Duration::from_millis(1));
        self.now.set(self.now.get() + half);
    }
}

#[test]
fn an_early_wake_up_is_slept_again() {
    let restless = Restless::default();
    let call = |attempt: smithy_waiters::Attempt| {
        let status = ["pending", "ready"][usize::try_from(attempt.number - 1).unwrap()];
        Ok::<_, Infallible>(json!({ "s": status }))
    };
    let outcome = Driver::new(&restless)
        .wait_blocking(&ready(), call, seconds(60))
        .unwrap();
    assert!((2_000..2_010).contains(&outcome.report.elapsed_ms));
    assert!(restless.sleeps.get() > 5);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_takes_too_long_is_dropped_and_made_again() {
    let dropped = Rc::new(Cell::new(false));
    let call = |attempt: smithy_waiters::Attempt| {
        let guard = Dropped(Rc::clone(&dropped));
        async move {
            if attempt.number == 1 {
                assert_eq!(attempt.remaining, Duration::from_secs(5));
                pending::<()>().await;
            }
            drop(guard);
            Ok::<_, Infallible>(json!({"s": "ready"}))
        }
    };
    let options = seconds(60).attempt_timeout(Duration::from_secs(5));
    let outcome = ready().wait(call, options).await.unwrap();
    assert!(dropped.get());
    assert_eq!(
        (outcome.report.attempts, outcome.report.elapsed_ms),
        (2, 7_000)
    );
    assert_eq!(outcome.report.history[0].result.as_str(), "cut");
}
