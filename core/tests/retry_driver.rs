//! Retries of requests on virtual clocks.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::cell::{Cell, RefCell};
use std::time::{Duration, SystemTime};

use smithy_waiters::driver::{BlockingRuntime, Retry, TokioRuntime};
use smithy_waiters::retry::{
    FailureInfo, NoRetries, RefreshError, RequestFailure, RetryEnd, RetryOptions, RetryRefusal,
    RetryStrategy, RetryToken, StandardRetryStrategy, TokenError, Transport,
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
        (1, RetryEnd::Refused(RetryRefusal::NotIdempotent))
    );
    let error = retry.idempotent(true).call(|_| call()).await.unwrap_err();
    assert_eq!((error.attempts, error.code()), (6, "max_retries"));
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

/// A custom strategy with a delay before the first attempt and a single retry.
struct Cautious;

struct Turn(u64);

impl RetryToken for Turn {
    fn delay(&self) -> Duration {
        Duration::from_secs(3)
    }
}

impl RetryStrategy for Cautious {
    type Token = Turn;

    fn acquire_initial_token(&self) -> Result<Turn, RetryRefusal> {
        Ok(Turn(0))
    }

    fn refresh_retry_token(&self, token: Turn, _: &FailureInfo) -> Result<Turn, RefreshError> {
        match token.0 {
            0 => Ok(Turn(1)),
            _ => Err(RetryRefusal::max_retries(1).into()),
        }
    }

    fn record_success(&self, _: Turn) -> Result<(), TokenError> {
        Err(TokenError::Used)
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_attempt_waits_for_its_token_too() {
    let began = tokio::time::Instant::now();
    let retry = Retry::new(Cautious, TokioRuntime::new());
    let seen = RefCell::new(Vec::new());
    let call = |_| {
        seen.borrow_mut().push(began.elapsed().as_secs());
        async { Err::<(), _>(throttled()) }
    };
    let error = retry.call(call).await.unwrap_err();
    assert_eq!(error.code(), "max_retries");
    assert_eq!(*seen.borrow(), [3, 6]);
}

#[tokio::test(start_paused = true)]
async fn a_success_stays_one_whatever_the_strategy_makes_of_it() {
    let retry = Retry::new(Cautious, TokioRuntime::new());
    let call = async |_| Ok::<_, RequestFailure<'_>>(7);
    assert_eq!(retry.call(call).await.unwrap(), 7);
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
