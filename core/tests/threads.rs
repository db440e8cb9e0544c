//! The quota, the rate limit, cancellation and fleets in many orders of their threads: `cargo xtask deep --only threads`.
#![cfg(shuttle)]
#![expect(clippy::expect_used, reason = "a panic fails the test")]

use std::collections::BTreeSet;
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};
use shuttle::rand::{Rng as _, thread_rng};
use shuttle::sync::Mutex;
use shuttle::{check_pct, check_random, future, thread};
use smithy_waiters::driver::{BlockingRuntime, CancelToken, Runtime, SharedRateLimit};
use smithy_waiters::retry::{
    FailureInfo, RetryCosts, RetryInfo, RetryOptions, RetryQuota, RetrySafety, RetryStrategy as _,
    StandardRetryStrategy,
};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, FleetOptions, WaitOptions, Waiter};

type Answer = Result<Value, ErrorMetadata<'static>>;

const HOUR: Duration = Duration::from_secs(3_600);

/// Runs a test in many orders of its threads. A thread that nobody wakes fails it.
fn in_many_orders(test: impl Fn() + Send + Sync + 'static) {
    let orders = std::env::var("SMITHY_WAITERS_ORDERS").ok();
    let orders = orders.map_or(1_000, |orders| orders.parse().expect("a number"));
    let test = Arc::new(test);
    let again = Arc::clone(&test);
    check_random(move || test(), orders / 2);
    // Few changes between threads, at any place, where random ones are many and evenly spread.
    check_pct(move || again(), orders / 2, 3);
}

/// Lets the others go on for a random time.
fn pause() {
    for _ in 0..thread_rng().gen_range(0..40) {
        thread::yield_now();
    }
}

fn available() -> Waiter {
    let until = Waiter::until("Volumes[].State", "available").fail(["error"]);
    until.build().expect("a waiter")
}

fn hour() -> WaitOptions {
    WaitOptions::new(HOUR).seed(1)
}

/// Volumes that are available from the second question about them.
#[derive(Clone, Debug, Default)]
struct Volumes(Arc<Mutex<BTreeSet<String>>>);

impl Volumes {
    fn describe(&self, ids: Vec<String>) -> Answer {
        let mut asked = self.0.lock().expect("the lock");
        let volume = |id: String| {
            let state = if asked.insert(id.clone()) {
                "creating"
            } else {
                "available"
            };
            json!({"VolumeId": id, "State": state})
        };
        Ok(json!({"Volumes": ids.into_iter().map(volume).collect::<Vec<_>>()}))
    }
}

/// A clock whose sleeps let other threads run. Without that, a sleeper can spin for ever before the thread that is due.
#[derive(Clone, Debug, Default)]
struct Turns(FakeClock);

impl BlockingRuntime for Turns {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn sleep(&self, duration: Duration) {
        thread::yield_now();
        self.0.advance(duration);
    }
}

impl Runtime for Turns {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        let mut sleep = Box::pin(self.0.sleep(duration));
        poll_fn(move |context| {
            thread::yield_now();
            sleep.as_mut().poll(context)
        })
    }

    fn alarm(&self, duration: Duration) -> impl Future<Output = ()> {
        Runtime::alarm(&self.0, duration)
    }
}

#[test]
fn a_quota_pays_for_exactly_as_many_retries_as_it_has_tokens_for() {
    in_many_orders(|| {
        let quota = RetryQuota::new(20).expect("a quota");
        let costs = RetryCosts {
            refunds_retry: true,
            ..RetryCosts::default()
        };
        let options = RetryOptions::default().quota(&quota).costs(costs);
        let strategy = StandardRetryStrategy::new(&options, 1).expect("a strategy");
        let failure = FailureInfo {
            retry: Some(RetryInfo::new(RetrySafety::Yes)),
            ..FailureInfo::default()
        };
        let threads = [(); 6].map(|()| {
            let (strategy, failure) = (strategy.clone(), failure.clone());
            thread::spawn(move || {
                let token = strategy.acquire_initial_token().expect("a token");
                strategy.refresh_retry_token(token, &failure).ok()
            })
        });
        let tokens = threads.map(|thread| thread.join().expect("no panic"));
        assert_eq!(tokens.iter().flatten().count(), 4);
        assert_eq!(quota.available(), 0);
        let threads = tokens.map(|token| {
            let strategy = strategy.clone();
            thread::spawn(move || token.map(|token| strategy.record_success(token)))
        });
        for thread in threads {
            assert_eq!(thread.join().expect("no panic").unwrap_or(Ok(())), Ok(()));
        }
        assert_eq!(quota.available(), 20);
    });
}

#[test]
fn a_cancellation_wakes_whoever_waits() {
    in_many_orders(|| {
        let token = CancelToken::new();
        let blocked = thread::spawn({
            let token = token.clone();
            move || token.wait_timeout(HOUR)
        });
        let asleep = thread::spawn({
            let token = token.clone();
            move || {
                let driver = Driver::new(FakeClock::new()).cancelled_by(&token);
                let call = |_| pending::<Answer>();
                let ended = future::block_on(driver.wait(&available(), call, hour()));
                ended.expect_err("a cancellation").code()
            }
        });
        pause();
        token.cancel();
        assert!(blocked.join().expect("no panic"));
        assert_eq!(asleep.join().expect("no panic"), "cancelled");
    });
}

#[test]
fn waits_that_share_a_limit_keep_it() {
    in_many_orders(|| {
        let limit = SharedRateLimit::new(0.1).expect("a limit");
        let (clock, calls) = (Turns::default(), Arc::new(Mutex::new(Vec::new())));
        let threads = [(); 3].map(|()| {
            let (limit, clock, calls) = (limit.clone(), clock.clone(), Arc::clone(&calls));
            thread::spawn(move || {
                let volumes = Volumes::default();
                let call = |_| {
                    calls.lock().expect("the lock").push(clock.0.now());
                    volumes.describe(vec!["vol-1".to_owned()])
                };
                let driver = Driver::new(clock.clone()).rate_limit(&limit);
                driver.wait_blocking(&available(), call, hour()).is_ok()
            })
        });
        for thread in threads {
            assert!(thread.join().expect("no panic"));
        }
        assert_eq!(calls.lock().expect("the lock").len(), 6);
        assert!(
            clock.0.now() >= Duration::from_secs(50),
            "{:?}",
            clock.0.now()
        );
    });
}

#[test]
fn the_callers_of_a_fleet_end_although_one_is_dropped() {
    in_many_orders(|| {
        let volumes = Volumes::default();
        let describe = move |ids| {
            let answer = volumes.describe(ids);
            async {
                future::yield_now().await;
                answer
            }
        };
        let fleet = Driver::new(Turns::default()).fleet(
            &available(),
            &FleetOptions::new("Volumes[]", "VolumeId"),
            describe,
        );
        let fleet = fleet.expect("a fleet");
        let stays = ["vol-1", "vol-2", "vol-1"].map(|id| {
            let fleet = fleet.clone();
            thread::spawn(move || future::block_on(fleet.wait(id, &hour())).is_ok())
        });
        let leaves = thread::spawn(move || {
            let polls = thread_rng().gen_range(1..12);
            let options = hour();
            let mut wait = pin!(fleet.wait("vol-3", &options));
            for _ in 0..polls {
                let polled =
                    future::block_on(poll_fn(|context| Poll::Ready(wait.as_mut().poll(context))));
                if polled.is_ready() {
                    return;
                }
                thread::yield_now();
            }
        });
        leaves.join().expect("no panic");
        for stay in stays {
            assert!(stay.join().expect("no panic"));
        }
    });
}

#[test]
fn the_threads_of_a_fleet_end_although_one_is_cancelled() {
    in_many_orders(|| {
        let (volumes, token) = (Volumes::default(), CancelToken::new());
        let fleet = Driver::new(Turns::default()).fleet_blocking(
            &available(),
            &FleetOptions::new("Volumes[]", "VolumeId"),
            move |ids| volumes.describe(ids),
        );
        let fleet = fleet.expect("a fleet");
        let stays = ["vol-1", "vol-2"].map(|id| {
            let fleet = fleet.clone();
            thread::spawn(move || fleet.wait(id, &hour()).is_ok())
        });
        let leaves = thread::spawn({
            let fleet = fleet.cancelled_by(&token);
            move || {
                fleet
                    .wait("vol-3", &hour())
                    .map_or_else(|error| error.code(), |_| "success")
            }
        });
        pause();
        token.cancel();
        let code = leaves.join().expect("no panic");
        assert!(["cancelled", "success"].contains(&code), "{code}");
        for stay in stays {
            assert!(stay.join().expect("no panic"));
        }
    });
}
