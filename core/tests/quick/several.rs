//! Several waits of different kinds under one deadline, on a virtual clock.
#![expect(clippy::expect_used, clippy::panic, reason = "a panic fails the test")]

use std::future::ready;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::driver::{
    BlockingRuntime, BlockingWaits, CancelToken, Reports, WaitersError, Waits,
};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Attempt, ErrorMetadata, FailureKind, Outcome, Waiter};

const MINUTE: Duration = Duration::from_secs(60);

type Answer = Result<Value, ErrorMetadata<'static>>;

fn ready_waiter() -> Waiter {
    let until = Waiter::until("Status", "READY").fail(["FAILED"]);
    until.build().expect("a waiter")
}

fn answers(status: &'static str) -> impl Fn(Attempt) -> Answer {
    move |_| Ok(json!({"Status": status}))
}

fn waits<'a>(
    clock: &FakeClock,
    waiter: &'a Waiter,
    statuses: &[&'static str],
) -> Waits<'a, FakeClock> {
    let mut waits = Waits::new(clock.clone(), MINUTE);
    for status in statuses {
        let call = answers(status);
        let call = move |attempt| ready(call(attempt));
        waits = waits.add(*status, |driver, options| async move {
            driver.wait(waiter, call, options).await
        });
    }
    waits
}

fn blocking<'a>(waiter: &'a Waiter, statuses: &[&'static str]) -> BlockingWaits<'a, FakeClock> {
    let mut waits = BlockingWaits::new(FakeClock::new(), MINUTE);
    for status in statuses {
        waits = waits.add(*status, |driver, options| {
            driver.wait_blocking(waiter, answers(status), options)
        });
    }
    waits
}

fn failures(ended: Result<Reports, WaitersError>) -> Vec<(String, FailureKind)> {
    let Err(WaitersError::Failed { failures, .. }) = ended else {
        panic!("{ended:?}");
    };
    let kind = |(name, report): (String, std::sync::Arc<smithy_waiters::WaitReport>)| {
        (name, report.kind.expect("a failure"))
    };
    failures.into_iter().map(kind).collect()
}

#[tokio::test]
async fn the_first_failure_cancels_the_others() {
    let (clock, waiter) = (FakeClock::new(), ready_waiter());
    let reports = waits(&clock, &waiter, &["READY"]).all().await;
    assert_eq!(reports.expect("success").len(), 1);
    let ended = waits(&clock, &waiter, &["PENDING", "READY", "FAILED"])
        .all()
        .await;
    let expected = [
        ("PENDING", FailureKind::Cancelled),
        ("FAILED", FailureKind::FailureState),
    ];
    assert_eq!(
        failures(ended),
        expected.map(|(name, kind)| (name.to_owned(), kind))
    );
    assert_eq!(clock.now(), Duration::ZERO);
    assert!(
        waits(&clock, &waiter, &[])
            .all()
            .await
            .expect("success")
            .is_empty()
    );
    assert!(
        waits(&clock, &waiter, &[])
            .any()
            .await
            .expect("success")
            .is_empty()
    );
}

#[tokio::test]
async fn the_first_success_cancels_the_others() {
    let (clock, waiter) = (FakeClock::new(), ready_waiter());
    let ended = waits(&clock, &waiter, &["PENDING", "FAILED", "READY"])
        .any()
        .await;
    assert!(ended.expect("success").names().eq(["READY"]));
    let ended = waits(&clock, &waiter, &["PENDING", "FAILED"]).any().await;
    let expected = [
        ("PENDING", FailureKind::TimedOut),
        ("FAILED", FailureKind::FailureState),
    ];
    assert_eq!(
        failures(ended),
        expected.map(|(name, kind)| (name.to_owned(), kind))
    );
    assert!(clock.now() <= MINUTE);
}

#[tokio::test]
async fn a_token_cancels_all() {
    let (clock, waiter, token) = (FakeClock::new(), ready_waiter(), CancelToken::new());
    let waits = |token| waits(&clock, &waiter, &["READY", "PENDING"]).cancelled_by(token);
    // Later than the first call of all.
    let cancel = async {
        tokio::task::yield_now().await;
        token.cancel();
    };
    let (ended, ()) = tokio::join!(waits(&token).all(), cancel);
    assert_eq!(
        failures(ended),
        [("PENDING".to_owned(), FailureKind::Cancelled)]
    );
    let ended = waits(&token).any().await;
    assert_eq!(failures(ended).len(), 2);
}

#[tokio::test]
async fn mistakes_cancel_the_others() {
    let (clock, waiter) = (FakeClock::new(), ready_waiter());
    let call = |_| ready(Ok::<Value, ErrorMetadata>(json!({})));
    let wrong = waits(&clock, &waiter, &["PENDING"]).add("wrong", |driver, options| {
        driver.wait(
            &waiter,
            call,
            options.min_delay(MINUTE * 2).max_delay(MINUTE),
        )
    });
    assert!(matches!(wrong.all().await, Err(WaitersError::Options(_))));
    assert_eq!(clock.now(), Duration::ZERO);
    let zero = Waits::new(clock, Duration::ZERO).all().await;
    assert_eq!(
        zero.expect_err("an error").to_string(),
        "`max_wait` must be more than 0 and at most 315360000 seconds (ten years), got 0"
    );
}

/// The call of a wait that must not start.
fn unexpected(_: Attempt) -> std::future::Ready<Answer> {
    panic!("a call");
}

#[tokio::test]
async fn a_name_that_repeats_is_an_error_before_the_first_call() {
    let (clock, waiter) = (FakeClock::new(), ready_waiter());
    let twice = || {
        let mut waits = Waits::new(clock.clone(), MINUTE);
        for name in ["x", "y", "x"] {
            waits = waits.add(name, |driver, options| {
                driver.wait(&waiter, unexpected, options)
            });
        }
        waits
    };
    let message = "`waits` must not repeat a name, got `x` twice";
    for ended in [
        twice().all().await,
        twice().any().await,
        blocking(&waiter, &["x", "y", "x"]).all(),
        blocking(&waiter, &["x", "y", "x"]).any(),
    ] {
        let error = ended.expect_err("an error");
        assert!(matches!(&error, WaitersError::Options(error) if error.option == "waits"));
        assert_eq!(error.to_string(), message);
    }
}

#[tokio::test]
async fn reports_have_the_order_of_the_list() {
    let (clock, waiter) = (FakeClock::new(), ready_waiter());
    let names = ["z", "a", "m"];
    let mut waits = Waits::new(clock, MINUTE);
    for name in names {
        let call = |attempt| ready(answers("READY")(attempt));
        waits = waits.add(name, |driver, options| driver.wait(&waiter, call, options));
    }
    let reports = waits.all().await.expect("success");
    assert!(reports.names().eq(names));
    assert_eq!(reports["a"].attempts, 1);
    assert!(reports.get("b").is_none() && reports.get("m").is_some());
    assert!(reports.into_iter().map(|(name, _)| name).eq(names));
}

#[test]
fn threads_end_as_tasks_do() {
    let waiter = ready_waiter();
    let run = |statuses: &[&'static str]| blocking(&waiter, statuses);
    assert_eq!(run(&["READY"]).all().expect("success").len(), 1);
    let ended = failures(run(&["FAILED"]).all());
    assert_eq!(ended, [("FAILED".to_owned(), FailureKind::FailureState)]);
    assert!(
        run(&["FAILED", "READY"])
            .any()
            .expect("success")
            .names()
            .eq(["READY"])
    );
    let token = CancelToken::new();
    token.cancel();
    let ended = failures(run(&["PENDING"]).cancelled_by(&token).all());
    assert_eq!(ended, [("PENDING".to_owned(), FailureKind::Cancelled)]);
}

/// A clock that stands still, so that only a cancellation ends a sleep.
#[derive(Clone)]
struct Still;

impl BlockingRuntime for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn sleep(&self, _: Duration) {
        panic!("a sleep that nothing ends");
    }

    fn sleep_unless(&self, _: Duration, cancelled: &CancelToken) {
        assert!(cancelled.wait_timeout(Duration::MAX));
    }
}

#[test]
fn a_panic_of_a_wait_cancels_the_others() {
    let waiter = ready_waiter();
    let waits = BlockingWaits::new(Still, MINUTE)
        .add("other", |driver, options| {
            driver.wait_blocking(&waiter, answers("PENDING"), options)
        })
        .add("panics", |_, _| -> Result<Outcome<(), ()>, _> {
            panic!("in a wait")
        });
    assert!(catch_unwind(AssertUnwindSafe(|| waits.all())).is_err());
}
