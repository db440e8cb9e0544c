//! Whole polls: `wait` beside the waiters of the AWS SDK for Rust, both over the same calls; and the engine's share of a poll.
//!
//! `cargo bench -p smithy-waiters-bench`: prints one JSON object a case, times in nanoseconds.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark on data of its own"
)]

mod responses;
#[path = "../../../core/benches/timing/mod.rs"]
mod timing;

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::future::{Future, Ready, pending, ready};
use std::hint::black_box;
use std::time::{Duration, Instant};

use aws_smithy_async::rt::sleep::{AsyncSleep, SharedAsyncSleep, Sleep, TokioSleep};
use aws_smithy_async::time::{SharedTimeSource, StaticTimeSource, SystemTimeSource};
use aws_smithy_runtime::client::waiters::{
    AcceptorState, WaiterOrchestrator, attach_waiter_tracing_span,
};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::{CreateUnhandledError, SdkError};
use aws_smithy_types::error::ErrorMetadata as SdkErrorMetadata;
use responses::Case;
use serde_json::{Value, json};
use smithy_waiters::driver::{OperationError, Runtime, TokioRuntime};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, Event, Observation, Wait, WaitOptions};
use timing::{Contestant, Stopwatch, medians, medians_of};
use tokio::runtime;

/// The attempts of one wait; the last one succeeds.
const POLLS: u32 = 200;

/// Enough for that many of the longest delays. Beyond a day, each wait would also report a hint.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3600);

/// Waits that are taken one step further in a row, so that reading the clock does not count.
const WAITS: u32 = 64;

/// Longer than any delay of the definitions.
const PAUSE_MS: u64 = 200_000;

fn main() {
    // tokio's paused time goes on as soon as everything sleeps.
    let mut builder = runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    for case in [responses::table(), responses::instances()] {
        polls(&runtime, &case);
        share(&case);
    }
}

fn polls(runtime: &runtime::Runtime, case: &Case) {
    let waiter = &case.waiter;
    let matcher = |result: Result<&&Value, &ErrorMetadata<'_>>| match result {
        Ok(response) => (case.matches)(response).then_some(0),
        Err(error) => error.is("NotFound").then_some(1),
    };
    let on_tokio = || {
        let sleep = SharedAsyncSleep::new(TokioSleep::new());
        let time = SharedTimeSource::new(SystemTimeSource::new());
        runtime.block_on(sdk_wait(case, sleep, time));
    };
    let injected = || {
        let sleep = SharedAsyncSleep::new(NoSdkSleep);
        let time = SharedTimeSource::new(StaticTimeSource::from_secs(0));
        runtime.block_on(sdk_wait(case, sleep, time));
    };
    let measure = |name, engine: &dyn Fn() -> u64, sdk: &dyn Fn()| {
        let contestants: Vec<Contestant<'_>> = vec![
            ("bare", Box::new(|| runtime.block_on(bare_calls(case)))),
            (
                "engine",
                Box::new(|| assert_eq!(engine(), u64::from(POLLS))),
            ),
            ("smithy-rs", Box::new(sdk)),
        ];
        figure(name, case, medians(contestants), POLLS);
    };

    let wait = || {
        let call = case.call();
        let ended = runtime.block_on(waiter.wait(|_| call(), MAX_WAIT.into()));
        ended.unwrap().report.attempts
    };
    measure("poll, default clock", &wait, &on_tokio);
    let wait_by = || {
        let (call, driver) = (case.call(), Driver::new(TokioRuntime::new()));
        let waiting = driver.wait_by(waiter, matcher, |_| call(), MAX_WAIT.into());
        runtime.block_on(waiting).unwrap().report.attempts
    };
    measure("poll, compiled matcher", &wait_by, &on_tokio);
    let wait_on_fake = || {
        let (call, driver) = (case.call(), Driver::new(FakeClock::new()));
        let waiting = driver.wait(waiter, |_| call(), MAX_WAIT.into());
        runtime.block_on(waiting).unwrap().report.attempts
    };
    measure("poll, FakeClock", &wait_on_fake, &on_tokio);
    let wait_on = || {
        let (call, driver) = (case.call(), Driver::new(NoSleep::default()));
        let waiting = driver.wait(waiter, |_| call(), MAX_WAIT.into());
        runtime.block_on(waiting).unwrap().report.attempts
    };
    measure("poll, injected clock and sleep", &wait_on, &injected);
}

async fn bare_calls(case: &Case) {
    let call = case.call();
    for _ in 0..POLLS {
        let _ = black_box(call().await);
    }
}

/// As the SDK's generated waiters do.
async fn sdk_wait(case: &Case, sleep: SharedAsyncSleep, time: SharedTimeSource) {
    let call = case.call();
    let acceptor = |result: Result<&&Value, &NotFound>| match result {
        Ok(response) if (case.matches)(response) => AcceptorState::Success,
        Ok(_) => AcceptorState::NoAcceptorsMatched,
        Err(NotFound) => AcceptorState::Retry,
    };
    let operation = || {
        let called = call();
        async { Ok::<_, SdkError<NotFound, HttpResponse>>(called.await.unwrap()) }
    };
    let orchestrator = WaiterOrchestrator::builder()
        .min_delay(case.waiter.min_delay())
        .max_delay(case.waiter.max_delay())
        .max_wait(MAX_WAIT)
        .time_source(time)
        .sleep_impl(sleep)
        .acceptor(acceptor)
        .operation(operation)
        .build();
    let ended = attach_waiter_tracing_span(orchestrator.orchestrate()).await;
    black_box(ended.unwrap());
}

/// `handle` of a response beside `evaluate` of the same one, without a history.
fn share(case: &Case) {
    let response = &case.pending;
    let options = WaitOptions::new(MAX_WAIT * 500).history_limit(0);
    let start = |seed| case.waiter.start(&options, seed).unwrap();
    let mut waits: Vec<Wait> = (0..u64::from(WAITS)).map(start).collect();
    let mut now = 0;
    let handle = |runs: u32| {
        let mut spent = Duration::ZERO;
        for _ in 0..runs.div_ceil(WAITS) {
            now += PAUSE_MS;
            for wait in &mut waits {
                wait.poll(now);
            }
            let began = Instant::now();
            for wait in &mut waits {
                let step = wait.handle(Event::response(black_box(response)), now);
                black_box(step.unwrap());
            }
            spent += began.elapsed();
        }
        spent * runs / (runs.div_ceil(WAITS) * WAITS)
    };
    let evaluate = |runs| {
        let began = Instant::now();
        for _ in 0..runs {
            let seen = Observation::Response(black_box(response));
            black_box(case.waiter.evaluate(&Value::Null, seen));
        }
        began.elapsed()
    };
    let contestants: Vec<Stopwatch<'_>> = vec![
        ("engine", Box::new(handle)),
        ("evaluate", Box::new(evaluate)),
    ];
    figure("handle", case, medians_of(contestants), 1);
}

fn figure(name: &str, case: &Case, times: Vec<(&str, f64)>, parts: u32) {
    let mut figure = json!({"case": name, "size": case.size});
    for (contestant, time) in times {
        figure[contestant] = (time / f64::from(parts)).into();
    }
    println!("{figure}");
}

impl Case {
    /// An operation that returns at once: the resource is ready in the last poll.
    fn call<'a>(&'a self) -> impl Fn() -> Ready<Result<&'a Value, NotFound>> {
        let left = Cell::new(POLLS);
        move || {
            left.set(left.get() - 1);
            ready(Ok(black_box(match left.get() {
                0 => &self.ready,
                _ => &self.pending,
            })))
        }
    }
}

/// An injected clock that only sleeping moves, and a sleep that is over at once.
#[derive(Default)]
struct NoSleep(Cell<Duration>);

impl Runtime for NoSleep {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        self.0.set(self.0.get() + duration);
        ready(())
    }

    fn alarm(&self, _: Duration) -> impl Future<Output = ()> {
        pending()
    }
}

/// The same for the SDK.
#[derive(Debug)]
struct NoSdkSleep;

impl AsyncSleep for NoSdkSleep {
    fn sleep(&self, _: Duration) -> Sleep {
        Sleep::new(ready(()))
    }
}

/// The operation's error.
#[derive(Debug)]
struct NotFound;

impl Error for NotFound {}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not found")
    }
}

impl OperationError for NotFound {
    fn metadata(&self) -> ErrorMetadata<'_> {
        ErrorMetadata::of_code("NotFound")
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl CreateUnhandledError for NotFound {
    fn create_unhandled_error(
        _: Box<dyn Error + Send + Sync>,
        _: Option<SdkErrorMetadata>,
    ) -> Self {
        Self
    }
}
