//! Requests that are made again, on virtual clocks.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use smithy_waiters::driver::{BlockingRuntime, Retry, RetryEnd, TokioRuntime};
use smithy_waiters::retry::{
    RequestFailure, RetryOptions, RetryRefusal, StandardRetryStrategy, Transport,
};

fn strategy() -> StandardRetryStrategy {
    StandardRetryStrategy::new(&RetryOptions::default(), 11).unwrap()
}

fn throttled() -> RequestFailure<'static> {
    RequestFailure::default().status(429)
}

#[tokio::test(start_paused = true)]
async fn a_request_is_made_until_it_succeeds() {
    let strategy = strategy();
    let began = tokio::time::Instant::now();
    let call = async |attempt: u64| {
        if attempt < 4 {
            Err(throttled().retry_after("10"))
        } else {
            Ok(attempt)
        }
    };
    let retry = Retry::new(&strategy, TokioRuntime::new());
    assert_eq!(retry.call(|attempt| call(attempt.number)).await.unwrap(), 4);
    assert_eq!(began.elapsed(), Duration::from_secs(30));
    assert_eq!(strategy.quota().unwrap().available(), 486);
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_repeated_is_sent_once() {
    let strategy = strategy();
    let broken = || RequestFailure::default().transport(Transport::Connection);
    let calls = Cell::new(0);
    let call = || {
        calls.set(calls.get() + 1);
        async { Err::<(), _>(broken()) }
    };
    let retry = Retry::new(&strategy, TokioRuntime::new());
    let error = retry.clone().call(|_| call()).await.unwrap_err();
    assert_eq!(
        (calls.get(), error.end),
        (1, RetryEnd::Refused(RetryRefusal::NotRetryable))
    );
    let error = retry.idempotent(true).call(|_| call()).await.unwrap_err();
    assert_eq!((error.attempts, error.end.code()), (6, "max_retries"));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_cut_when_the_time_is_over() {
    let strategy = strategy();
    let began = tokio::time::Instant::now();
    let retry = Retry::new(&strategy, TokioRuntime::new()).max_time(Duration::from_secs(3));
    let error = retry
        .call(|_| std::future::pending::<Result<(), RequestFailure<'_>>>())
        .await;
    let error = error.unwrap_err();
    assert!(error.error.is_none());
    assert_eq!((error.attempts, error.end), (1, RetryEnd::OutOfTime));
    assert_eq!(began.elapsed(), Duration::from_secs(3));
}

#[derive(Default)]
struct Virtual {
    now: Cell<Duration>,
    sleeps: RefCell<Vec<Duration>>,
}

impl BlockingRuntime for &Virtual {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn sleep(&self, duration: Duration) {
        self.sleeps.borrow_mut().push(duration);
        // Half of it: a sleep may end early.
        let least = Duration::from_millis(1).min(duration);
        self.now.set(
            self.now
                .get()
                .saturating_add(least.max(duration.mul_f64(0.5))),
        );
    }
}

#[test]
fn no_attempt_begins_after_the_time_is_over() {
    let strategy = strategy();
    let clock = Virtual::default();
    let mut seen = Vec::new();
    let retry = Retry::new(&strategy, &clock)
        .max_time(Duration::from_secs(15))
        .date(|| Some(SystemTime::UNIX_EPOCH))
        .on_failure(|progress| seen.push((progress.attempt, progress.next)));
    let asked = || throttled().retry_after("Thu, 01 Jan 1970 00:00:10 GMT");
    let error = retry.call_blocking(|_| Err::<(), _>(asked())).unwrap_err();
    assert_eq!((error.attempts, error.end), (2, RetryEnd::OutOfTime));
    assert_eq!(
        seen,
        [
            (1, Ok(Duration::from_secs(10))),
            (2, Err(RetryEnd::OutOfTime))
        ]
    );
    assert_eq!(clock.now.get(), Duration::from_secs(10));
}
