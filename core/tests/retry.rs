//! The standard retry strategy and the classification of failures.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Backoff, FailureInfo, RefreshError, RequestFailure, RetryCosts, RetryInfo, RetryNote,
    RetryOptions, RetryQuota, RetryRefusal, RetrySafety, RetryStrategy, RetryToken,
    StandardRetryStrategy, TokenError, Transport,
};

/// Returns costs at which a retry takes as much as a success returns.
fn costs(cost: u32) -> RetryCosts {
    RetryCosts {
        retry: cost,
        success: cost,
        ..RetryCosts::default()
    }
}

fn strategy(options: &RetryOptions) -> StandardRetryStrategy {
    StandardRetryStrategy::new(options, 7).unwrap()
}

fn safe() -> FailureInfo {
    FailureInfo {
        retry: Some(RetryInfo {
            safety: RetrySafety::Yes,
            throttle: false,
            timeout: false,
            retry_after: None,
        }),
        fault: None,
    }
}

fn timeout() -> FailureInfo {
    let mut info = safe();
    info.retry.as_mut().unwrap().timeout = true;
    info
}

fn after(retry_after: Duration) -> FailureInfo {
    let mut info = safe();
    info.retry.as_mut().unwrap().retry_after = Some(retry_after);
    info
}

#[test]
fn five_retries_each_below_its_ceiling() {
    let strategy = strategy(&RetryOptions::default());
    for _ in 0..1_000 {
        let mut token = strategy.acquire_initial_token().unwrap();
        assert_eq!(token.delay(), Duration::ZERO);
        for ceiling in [1, 2, 4, 8, 16] {
            token = strategy.refresh_retry_token(token, &safe()).unwrap();
            assert!(token.delay() < Duration::from_secs(ceiling));
        }
        let refused = strategy.refresh_retry_token(token, &safe()).err();
        assert_eq!(refused, Some(RetryRefusal::max_retries(5).into()));
        refill(&strategy);
    }
}

fn refill(strategy: &StandardRetryStrategy) {
    while strategy.quota().unwrap().available() < 500 {
        let token = strategy.acquire_initial_token().unwrap();
        strategy.record_success(token).unwrap();
    }
}

#[test]
fn delays_stay_below_twenty_seconds_and_come_again_with_the_seed() {
    let options = RetryOptions::default().max_retries(100).without_quota();
    let delays = || {
        let strategy = strategy(&options);
        let mut token = strategy.acquire_initial_token().unwrap();
        let mut delays = Vec::new();
        for _ in 0..100 {
            token = strategy.refresh_retry_token(token, &safe()).unwrap();
            delays.push(token.delay());
        }
        delays
    };
    let first = delays();
    assert_eq!(first, delays());
    assert!(first.iter().all(|delay| *delay < Duration::from_secs(20)));
    assert!(first.iter().any(|delay| *delay > Duration::from_secs(15)));
}

#[test]
fn a_quota_pays_for_a_hundred_retries_or_fifty_after_timeouts() {
    for (failure, retries) in [(safe(), 100), (timeout(), 50)] {
        let strategy = strategy(&RetryOptions::default());
        for _ in 0..retries {
            let token = strategy.acquire_initial_token().unwrap();
            strategy.refresh_retry_token(token, &failure).unwrap();
        }
        assert_eq!(strategy.quota().unwrap().available(), 0);
        let token = strategy.acquire_initial_token().unwrap();
        let refused = strategy.refresh_retry_token(token, &failure);
        assert!(matches!(
            refused.err(),
            Some(RefreshError::Refused(RetryRefusal::QuotaExhausted {
                available: 0,
                ..
            }))
        ));
    }
}

#[test]
fn the_aws_preset_returns_what_a_retry_cost() {
    let strategy = strategy(&RetryOptions::aws());
    let token = strategy.acquire_initial_token().unwrap();
    let token = strategy.refresh_retry_token(token, &safe()).unwrap();
    assert_eq!(strategy.quota().unwrap().available(), 486);
    strategy.record_success(token).unwrap();
    assert_eq!(strategy.quota().unwrap().available(), 500);
}

#[test]
fn a_service_is_waited_for_as_long_as_it_asks() {
    let asked = Duration::from_secs(100);
    let delay = |options: &RetryOptions| {
        let strategy = strategy(options);
        let token = strategy.acquire_initial_token().unwrap();
        let token = strategy.refresh_retry_token(token, &after(asked));
        token.map(|token| token.delay())
    };
    assert_eq!(delay(&RetryOptions::default()), Ok(asked));
    let aws = delay(&RetryOptions::aws()).unwrap();
    assert!(aws >= Duration::from_secs(5) && aws < Duration::from_millis(5_050));
    let most = Duration::from_secs(99);
    let refused = RetryRefusal::RetryAfterTooLong {
        retry_after: asked,
        max_retry_after: most,
    };
    let impatient = RetryOptions::default().max_retry_after(most);
    assert_eq!(delay(&impatient), Err(refused.into()));
}

#[test]
fn a_token_of_another_strategy_is_refused_and_costs_nothing() {
    let quota = RetryQuota::new(10).unwrap();
    let one = strategy(&RetryOptions::default().quota(&quota));
    let other = strategy(&RetryOptions::default().quota(&quota));
    let foreign = other.refresh_retry_token(one.acquire_initial_token().unwrap(), &safe());
    assert_eq!(foreign.err(), Some(TokenError::Foreign.into()));
    let foreign = other.record_success(one.acquire_initial_token().unwrap());
    assert_eq!(foreign, Err(TokenError::Foreign));
    assert_eq!(quota.available(), 10);
}

#[test]
fn a_fault_counts_where_there_is_no_retry_information() {
    let server = FailureInfo {
        retry: None,
        fault: Some(ErrorFault::Server),
    };
    let unsafe_server = FailureInfo {
        retry: Some(RetryInfo {
            safety: RetrySafety::No,
            ..safe().retry.unwrap()
        }),
        ..server
    };
    let client = FailureInfo {
        retry: None,
        fault: Some(ErrorFault::Client),
    };
    let strategy = strategy(&RetryOptions::default());
    let is_retried = |failure: &FailureInfo| {
        let token = strategy.acquire_initial_token().unwrap();
        strategy.refresh_retry_token(token, failure).is_ok()
    };
    assert!(is_retried(&server));
    assert!(!is_retried(&unsafe_server));
    assert!(!is_retried(&client));
    assert!(!is_retried(&FailureInfo::default()));
}

#[test]
fn sixteen_threads_neither_lose_nor_invent_a_token() {
    const OPERATIONS: u32 = 62_500;
    let quota = RetryQuota::new(1_000).unwrap();
    let options = RetryOptions::default().quota(&quota).costs(costs(1));
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let strategy = strategy(&options);
                for _ in 0..OPERATIONS {
                    let token = strategy.acquire_initial_token().unwrap();
                    let token = strategy.refresh_retry_token(token, &safe()).unwrap();
                    assert!(quota.available() <= 1_000);
                    strategy.record_success(token).unwrap();
                }
            });
        }
    });
    assert_eq!(quota.available(), 1_000);
}

/// The quota is empty most of the time. A refused retry must not cost anything.
#[test]
fn sixteen_threads_that_fight_for_seven_tokens_leave_seven() {
    let quota = RetryQuota::new(7).unwrap();
    let options = RetryOptions::default().quota(&quota).costs(costs(2));
    let (granted, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for seed in 0..16 {
            let (quota, options, granted, refused) = (&quota, &options, &granted, &refused);
            scope.spawn(move || {
                let strategy = StandardRetryStrategy::new(options, seed).unwrap();
                for _ in 0..20_000 {
                    let token = strategy.acquire_initial_token().unwrap();
                    match strategy.refresh_retry_token(token, &safe()) {
                        Ok(token) => {
                            assert!(quota.available() <= 5, "what is paid for is gone");
                            thread::yield_now();
                            strategy.record_success(token).unwrap();
                            granted.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(_) => {
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let (granted, refused) = (granted.into_inner(), refused.into_inner());
    assert_eq!(granted.wrapping_add(refused), 320_000);
    assert_eq!(quota.available(), 7);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let refused = |options: RetryOptions| StandardRetryStrategy::new(&options, 0).err().unwrap();
    let code = |options| {
        let error = refused(options);
        (error.code, error.option)
    };
    let second = Duration::from_secs(1);
    assert_eq!(
        code(RetryOptions::default().capacity(0)),
        ("invalid_option", "capacity".to_owned())
    );
    assert_eq!(
        code(RetryOptions::default().backoff(Backoff::exponential(second * 2, second))),
        ("conflicting_options", "baseDelay".to_owned())
    );
    assert_eq!(
        code(RetryOptions::default().backoff(Backoff::Fixed(Duration::MAX))),
        ("invalid_option", "fixedDelay".to_owned())
    );
}

/// A failure, whether the request is idempotent, and the expected classification.
type Case = (
    RequestFailure<'static>,
    bool,
    Option<(RetrySafety, bool, bool)>,
    Option<ErrorFault>,
);

#[test]
fn failures_are_classified() {
    use RetrySafety::{Maybe, No, Yes};
    let status = |status| RequestFailure::default().status(status);
    let code = |code| RequestFailure::default().code(code);
    let modeled = |fault, retryable, throttling| {
        RequestFailure::default().modeled(ModeledError {
            fault,
            retryable,
            throttling,
        })
    };
    let transport = |transport| RequestFailure::default().transport(transport);
    let (client, server, other) = (
        Some(ErrorFault::Client),
        Some(ErrorFault::Server),
        Some(ErrorFault::Other),
    );
    let cases: Vec<Case> = vec![
        (status(429), false, Some((Yes, true, false)), client),
        (status(503), false, Some((Yes, false, false)), server),
        (status(500), false, Some((No, false, false)), server),
        (status(500), true, Some((Yes, false, false)), server),
        (status(501), true, Some((Maybe, false, false)), server),
        (status(504), true, Some((Yes, false, true)), server),
        (status(504), false, Some((No, false, true)), server),
        (status(400), true, Some((No, false, false)), client),
        (
            status(400).retry_after("1"),
            false,
            Some((Yes, false, false)),
            client,
        ),
        (code("SlowDown"), true, Some((Yes, true, false)), None),
        (code("SlowDown"), false, Some((Yes, true, false)), None),
        (
            code("aws.x#Throttling:http"),
            true,
            Some((Yes, true, false)),
            None,
        ),
        (
            code("RequestTimeout").status(400),
            true,
            Some((Yes, false, false)),
            client,
        ),
        (code("ETIMEDOUT"), true, Some((Yes, false, true)), None),
        (code("ECONNRESET"), true, Some((Yes, false, false)), None),
        (
            code("ValidationException").status(400),
            true,
            Some((No, false, false)),
            client,
        ),
        (
            transport(Transport::Connection),
            true,
            Some((Yes, false, false)),
            other,
        ),
        (
            transport(Transport::Timeout),
            true,
            Some((Yes, false, true)),
            other,
        ),
        (
            transport(Transport::Timeout),
            false,
            Some((No, false, true)),
            other,
        ),
        (
            modeled(ErrorFault::Client, true, true),
            false,
            Some((Yes, true, false)),
            client,
        ),
        (
            modeled(ErrorFault::Server, false, false),
            true,
            Some((Maybe, false, false)),
            server,
        ),
        (
            modeled(ErrorFault::Client, false, false),
            true,
            Some((No, false, false)),
            client,
        ),
        (RequestFailure::default(), true, None, None),
        (code("SomethingElse"), true, None, None),
    ];
    for (failure, idempotent, expected, fault) in cases {
        let info = failure.clone().idempotent(idempotent).classify().info;
        let got = info
            .retry
            .map(|retry| (retry.safety, retry.throttle, retry.timeout));
        assert_eq!(
            (got, info.fault),
            (expected, fault),
            "{failure:?} {idempotent}"
        );
    }
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_767);
    let read = |header: &'static str| {
        let classified = RequestFailure::default()
            .status(503)
            .retry_after(header)
            .now(now)
            .classify();
        (classified.info.retry.unwrap().retry_after, classified.note)
    };
    let invalid = (None, Some(RetryNote::NoSecondsOrDate));
    assert_eq!(read("120"), (Some(Duration::from_secs(120)), None));
    assert_eq!(read(" 0 "), (Some(Duration::ZERO), None));
    assert_eq!(read("1.5"), (Some(Duration::from_millis(1_500)), None));
    assert_eq!(read("0.0001"), (Some(Duration::from_millis(1)), None));
    assert_eq!(read("2, 40"), (Some(Duration::from_secs(2)), None));
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    assert_eq!(read(date), (Some(Duration::from_secs(10)), None));
    let past = "Sun, 06 Nov 1994 08:00:00 GMT";
    assert_eq!(read(past), (Some(Duration::ZERO), None));
    for header in [
        "", "-1", "+1", "1e3", "NaN", "inf", "soon", "1.", ".5", "soon, 3",
    ] {
        assert_eq!(read(header), invalid, "{header}");
    }
    let without_clock = RequestFailure::default().retry_after(date).classify();
    assert_eq!(without_clock.note, Some(RetryNote::NoClock));
}

#[test]
fn the_header_in_milliseconds_wins() {
    let failure = RequestFailure::default().status(503).retry_after("9");
    let read = |header: &'static str| failure.clone().amz_retry_after(header).classify();
    let asked = read("1500").info.retry.unwrap().retry_after;
    assert_eq!(asked, Some(Duration::from_millis(1_500)));
    assert_eq!(read("1.5").note, Some(RetryNote::NoMilliseconds));
}

/// An event of one of three requests.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Failure { timeout: bool },
    Success,
}

proptest! {
    /// A simple model of the quota, with which the implementation is compared.
    #[test]
    fn a_quota_is_what_the_example_counts(
        capacity in 1..60_u32,
        events in prop::collection::vec((0..3_usize, prop_oneof![
            Just(Happens::Success),
            any::<bool>().prop_map(|timeout| Happens::Failure { timeout }),
        ]), 0..200),
    ) {
        let strategy = strategy(&RetryOptions::default().capacity(capacity));
        let quota = strategy.quota().unwrap();
        let mut tokens = [const { None }; 3];
        let mut expected = capacity;
        for (request, happens) in events {
            let begun = tokens[request].take();
            let token = begun.unwrap_or_else(|| strategy.acquire_initial_token().unwrap());
            let retries = token.retries();
            match happens {
                Happens::Success => {
                    strategy.record_success(token).unwrap();
                    expected = capacity.min(expected.saturating_add(1));
                }
                Happens::Failure { timeout: is_timeout } => {
                    let (failure, cost) = if is_timeout { (timeout(), 10) } else { (safe(), 5) };
                    let allowed = retries < 5 && expected >= cost;
                    let refreshed = strategy.refresh_retry_token(token, &failure);
                    prop_assert_eq!(refreshed.is_ok(), allowed);
                    expected = expected.saturating_sub(if allowed { cost } else { 0 });
                    tokens[request] = refreshed.ok();
                    if let Some(token) = &tokens[request] {
                        let ceiling = Duration::from_secs(1 << retries).min(Duration::from_secs(20));
                        prop_assert!(token.delay() < ceiling);
                    }
                }
            }
            prop_assert_eq!(quota.available(), expected);
        }
    }
}
