//! Retries of requests on virtual clocks.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use smithy_waiters::driver::{BlockingRuntime, Retry, TokioRuntime};
use smithy_waiters::retry::{
    NoRetries, RequestFailure, RetryEnd, RetryOptions, StandardRetryStrategy,
};

fn strategy() -> StandardRetryStrategy {
    StandardRetryStrategy::new(&RetryOptions::default(), 11).unwrap()
}

fn throttled() -> RequestFailure<'static> {
    RequestFailure::default().status(429)
}

#[tokio::test(start_paused = true)]
async fn no_attempt_is_made_where_there_is_no_time() {
    let strategy = strategy();
    let calls = Cell::new(0);
    let call = || {
        calls.set(calls.get() + 1);
        Ok::<_, RequestFailure<'_>>(7)
    };
    let retry = Retry::new(&strategy, TokioRuntime::new()).max_time(Duration::ZERO);
    let error = retry.call(async |_| call()).await.unwrap_err();
    assert_eq!((error.attempts, error.end), (0, RetryEnd::OutOfTime));
    let clock = Virtual::default();
    let retry = Retry::new(&strategy, &clock).max_time(Duration::ZERO);
    let error = retry.call_blocking(|_| call()).unwrap_err();
    assert_eq!((error.attempts, error.end), (0, RetryEnd::OutOfTime));
    assert_eq!(calls.get(), 0);
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
        // Sleep only half of the time, because a sleep may end early.
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
        .on_failure(|progress| {
            seen.push((progress.attempt, progress.next.map_err(RetryEnd::clone)))
        });
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

#[tokio::test(start_paused = true)]
async fn a_request_is_sent_once_where_there_is_no_token() {
    let retry = Retry::new(NoRetries, TokioRuntime::new());
    let error = retry
        .clone()
        .call(async |_| Err::<(), _>(throttled()))
        .await;
    let error = error.unwrap_err();
    assert_eq!((error.attempts, error.code()), (1, "max_retries"));
    let call = async |_| Ok::<_, RequestFailure<'_>>(7);
    assert_eq!(retry.call(call).await.unwrap(), 7);
}

#[test]
fn requests_go_between_threads() {
    fn sent<T: Send>(_: T) {}
    let strategy = strategy();
    let call = |_| std::future::ready(Ok::<u8, RequestFailure<'_>>(7));
    sent(Retry::new(&strategy, TokioRuntime::new()).call(call));
}
