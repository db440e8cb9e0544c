//! The asynchronous driver on tokio, on async-io (for smol and async-std), and on a minimal executor, without real
//! time.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a panic fails the test"
)]

use std::cell::Cell;
use std::convert::Infallible;
use std::future::{Future, pending, poll_fn, ready};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smithy_waiters::driver::Runtime;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Attempt, Driver, ErrorMetadata, FailureKind, Outcome, WaitOptions, Waiter};

const SECOND: Duration = Duration::from_secs(1);

fn active() -> Waiter {
    Waiter::from_json(
        r#"{"acceptors": [
            {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "active"}}},
            {"state": "retry", "matcher": {"errorType": "Missing"}}],
            "minDelay": 10, "maxDelay": 10}"#,
    )
    .unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(SECOND * 3_600).seed(1)
}

/// Returns `ACTIVE` from the third attempt on.
fn describe(attempt: Attempt) -> Result<Value, ErrorMetadata<'static>> {
    match attempt.number {
        1 => Err(ErrorMetadata::of_code("Missing")),
        2 => Ok(json!({"s": "creating"})),
        _ => Ok(json!({"s": "active"})),
    }
}

async fn waited(clock: FakeClock) -> Outcome<Value, ErrorMetadata<'static>> {
    let driver = Driver::new(clock);
    let call = |attempt| ready(describe(attempt));
    driver.wait(&active(), call, options()).await.unwrap()
}

fn check(clock: &FakeClock, outcome: &Outcome<Value, ErrorMetadata<'static>>) {
    assert_eq!(*outcome.result.as_ref().unwrap(), json!({"s": "active"}));
    assert_eq!(outcome.report.elapsed_ms, 20_000);
    assert_eq!(clock.sleeps(), [SECOND * 10; 2]);
    assert_eq!(clock.now(), SECOND * 20);
}

/// A minimal executor of a future, which parks the thread between wakes.
fn by_hand<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread, AtomicUsize);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.1.fetch_add(1, Ordering::SeqCst);
            self.0.unpark();
        }
    }
    let unpark = Arc::new(Unpark(std::thread::current(), AtomicUsize::new(1)));
    let waker = Waker::from(Arc::clone(&unpark));
    let mut future = pin!(future);
    loop {
        while unpark.1.swap(0, Ordering::SeqCst) == 0 {
            std::thread::park();
        }
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
    }
}

/// Polls a future once, and returns its output if it is ready.
fn asked_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[test]
fn on_an_executor_made_by_hand() {
    let clock = FakeClock::new();
    check(&clock, &by_hand(waited(clock.clone())));
}

#[test]
fn on_async_io() {
    let clock = FakeClock::new();
    check(&clock, &async_io::block_on(waited(clock.clone())));
}

#[test]
fn on_the_threads_of_tokio() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .unwrap();
    let clock = FakeClock::new();
    let wait = runtime.spawn(waited(clock.clone()));
    check(&clock, &runtime.block_on(wait).unwrap());
}

#[test]
fn the_blocking_driver_on_the_same_clock() {
    let clock = FakeClock::new();
    let driver = Driver::new(clock.clone());
    let outcome = driver.wait_blocking(&active(), describe, options());
    check(&clock, &outcome.unwrap());
}

/// The system's clock, with sleeps that return immediately.
struct Hasty(Instant, Cell<u32>);

impl Runtime for Hasty {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }

    async fn sleep(&self, _: Duration) {
        self.1.set(self.1.get().wrapping_add(1));
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a clock")]
fn a_sleep_that_returns_at_once_counts_as_slept() {
    let clock = Hasty(Instant::now(), Cell::new(0));
    let options = options().min_delay(SECOND).max_delay(SECOND);
    let call = |attempt| ready(describe(attempt));
    let report = by_hand(Driver::new(&clock).wait(&active(), call, options)).unwrap();
    let pauses = u32::try_from(report.report.attempts - 1).unwrap();
    assert!(report.report.elapsed_ms >= u64::from(pauses) * 1_000);
    // If the thread is suspended for a millisecond, there is one more sleep.
    assert!(
        (pauses..pauses * 3).contains(&clock.1.get()),
        "{}",
        clock.1.get()
    );
}

/// A clock that another task advances, with sleeps that return immediately.
struct Moved(Cell<Duration>, Cell<u32>);

impl Runtime for Moved {
    fn now(&self) -> Duration {
        self.0.get()
    }

    async fn sleep(&self, _: Duration) {
        self.1.set(self.1.get() + 1);
        assert!(self.1.get() < 1_000, "nobody else runs");
    }
}

#[test]
fn a_sleep_that_returns_at_once_lets_other_tasks_run() {
    let clock = Moved(Cell::default(), Cell::default());
    let (waiter, call) = (active(), |attempt| ready(describe(attempt)));
    let mut wait = pin!(Driver::new(&clock).wait(&waiter, call, options()));
    let mut turns = 0;
    let outcome = by_hand(poll_fn(|context| {
        turns += 1;
        clock.0.set(clock.0.get() + SECOND);
        wait.as_mut().poll(context)
    }));
    let report = outcome.unwrap().report;
    assert!(report.elapsed_ms >= 20_000);
    assert!(turns >= report.attempts, "{turns} turns");
}

#[test]
fn a_wait_that_loses_a_race_is_cancelled_and_its_call_dropped() {
    struct Noted(Rc<Cell<&'static str>>);
    impl Drop for Noted {
        fn drop(&mut self) {
            self.0.set("dropped");
        }
    }
    let (clock, state) = (FakeClock::new(), Rc::new(Cell::new("not called")));
    let call = |_| {
        let noted = Noted(Rc::clone(&state));
        noted.0.set("called");
        async move {
            let _noted = noted;
            pending::<Result<Value, Infallible>>().await
        }
    };
    let waiter = active();
    let mut wait = Box::pin(Driver::new(clock.clone()).wait(&waiter, call, options()));
    let mut stop = pin!(clock.sleep(SECOND * 90));
    by_hand(poll_fn(|context| {
        assert!(wait.as_mut().poll(context).is_pending());
        stop.as_mut().poll(context)
    }));
    assert_eq!((clock.now(), state.get()), (SECOND * 90, "called"));
    drop(wait);
    assert_eq!(state.get(), "dropped");
}

#[test]
fn a_call_that_hangs_is_dropped_when_the_clock_is_advanced_to_its_deadline() {
    let clock = FakeClock::new();
    let call = |_| {
        clock.advance(SECOND * 3_599);
        let clock = clock.clone();
        async move {
            clock.sleep(SECOND * 2).await;
            Ok::<_, Infallible>(json!({"s": "active"}))
        }
    };
    let error = by_hand(Driver::new(clock.clone()).wait(&active(), call, options())).unwrap_err();
    let failure = error.failure().unwrap();
    assert_eq!(
        (failure.kind, failure.report.elapsed_ms),
        (FailureKind::TimedOut, 3_600_000)
    );
    assert_eq!(failure.response, None);
}

#[test]
fn deadlines_let_no_time_pass() {
    let clock = FakeClock::new();
    let call = |_| pending::<Result<Value, Infallible>>();
    assert!(asked_once(Driver::new(clock.clone()).wait(&active(), call, options())).is_none());
    assert_eq!((clock.now(), clock.sleeps()), (Duration::ZERO, vec![]));
}

#[test]
fn waits_on_one_clock_take_their_time_side_by_side() {
    let clock = FakeClock::new();
    let order = Rc::new(std::cell::RefCell::new(Vec::new()));
    let nap = |name: &'static str, seconds: u32| {
        let (clock, order) = (clock.clone(), Rc::clone(&order));
        async move {
            for _ in 0..2 {
                clock.sleep(SECOND * seconds).await;
                order.borrow_mut().push((name, clock.now().as_secs()));
            }
        }
    };
    let (mut long, mut short) = (Box::pin(nap("long", 5)), Box::pin(nap("short", 2)));
    let mut over = (false, false);
    by_hand(poll_fn(|context| {
        over.0 = over.0 || long.as_mut().poll(context).is_ready();
        over.1 = over.1 || short.as_mut().poll(context).is_ready();
        if over == (true, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }));
    assert_eq!(
        *order.borrow(),
        [("short", 2), ("short", 4), ("long", 5), ("long", 10)]
    );
    assert_eq!(clock.sleeps().len(), 4);
}

#[test]
fn a_wait_is_send_where_its_call_and_its_clock_are() {
    fn send<T: Send>(_: &T) {}
    let waiter = active();
    let call = |attempt| ready(describe(attempt));
    send(&Driver::new(FakeClock::new()).wait(&waiter, call, options()));
    send(&Driver::new(&FakeClock::new()).wait(&waiter, call, options()));
    let input = json!({});
    let watched = Driver::new(FakeClock::new())
        .input(&input)
        .on_attempt(|_| ());
    send(&watched.wait(&waiter, call, options()));
    #[cfg(feature = "tokio")]
    send(&waiter.wait(call, options()));
}
