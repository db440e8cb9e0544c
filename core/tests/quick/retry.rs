//! The standard retry strategy with threads and random events, in addition to the vectors.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Backoff, FailureInfo, RequestFailure, RetryCosts, RetryInfo, RetryOptions, RetryQuota,
    RetryRefusal, RetrySafety, RetryStrategy, RetryToken, StandardRetryStrategy, TokenError,
    Transport,
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
fn a_delay_that_is_too_long_is_refused() {
    let backoff = Backoff::Fixed(Duration::MAX);
    let error = StandardRetryStrategy::new(&RetryOptions::default().backoff(backoff), 0);
    let error = error.err().unwrap();
    assert_eq!(
        (error.code, &*error.option),
        ("invalid_option", "fixedDelay")
    );
}

/// Returns the fault of an error in a model.
fn modeled(fault: ErrorFault, retryable: bool) -> RequestFailure<'static> {
    RequestFailure::default().modeled(ModeledError {
        fault,
        retryable,
        throttling: false,
    })
}

#[test]
fn transient_errors_are_answered_if_the_service_responded() {
    let failure = RequestFailure::default;
    let server = modeled(ErrorFault::Server, false);
    let client = modeled(ErrorFault::Client, false);
    let lost = |status| failure().status(status).transport(Transport::Connection);
    let cases = [
        ("408", failure().status(408), Some(true)),
        ("429", failure().status(429), Some(true)),
        ("499", failure().status(499), None),
        ("500", failure().status(500), Some(true)),
        ("599", failure().status(599), Some(true)),
        ("600", failure().status(600), None),
        ("a status", lost(503), Some(true)),
        ("an interrupted response", lost(299), Some(false)),
        ("a permanent reason", lost(300), None),
        ("a server's fault", server.clone(), Some(true)),
        ("a status of a client", server.clone().status(400), None),
        ("a client's fault", client, None),
        ("a trait", modeled(ErrorFault::Client, true), Some(true)),
        (
            "a lost response",
            server.transport(Transport::Timeout),
            Some(false),
        ),
        ("a limit", failure().code("LimitExceededException"), None),
        ("a code", failure().code("ThrottlingException"), Some(true)),
    ];
    for (name, failure, expected) in cases {
        let transient = failure.transient(0);
        assert_eq!(
            transient.map(|transient| transient.answered),
            expected,
            "{name}"
        );
    }
}

#[test]
fn a_refusal_of_the_host_is_the_standard_one_if_code_and_message_are() {
    let of = |code: &str, message: &str| RetryRefusal::from_host(code.into(), message.into());
    let standard = RetryRefusal::NotRetryable;
    let (code, message) = (standard.code(), standard.to_string());
    assert_eq!(of(code, &message), standard);
    for (code, message) in [(code, "not today"), ("busy", &*message)] {
        let refusal = of(code, message);
        assert_ne!(refusal, standard);
        assert_eq!((refusal.code(), &*refusal.to_string()), (code, message));
    }
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
    fn a_quota_equals_its_model(
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
