//! The standard retry strategy with threads and random events, in addition to the vectors.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;
use smithy_waiters::internal::Seeded as _;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Backoff, FailureInfo, RefreshError, Request, RequestEvent, RequestFailure, RequestOptions,
    RequestStep, RetryCosts, RetryInfo, RetryOptions, RetryQuota, RetryRefusal, RetrySafety,
    RetryStrategy, RetryToken, StandardRetryStrategy, TokenError, Transport,
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

#[test]
fn names_are_those_of_the_values() {
    for safety in [RetrySafety::Maybe, RetrySafety::No, RetrySafety::Yes] {
        assert_eq!(RetrySafety::from_name(safety.as_str()), Some(safety));
    }
    assert_eq!(RetrySafety::from_name("unknown"), None);
    let transports = [
        ("connection", Transport::Connection),
        ("host_not_found", Transport::HostNotFound),
        ("permanent", Transport::Permanent),
        ("timeout", Transport::Timeout),
    ];
    for (name, transport) in transports {
        assert_eq!(Transport::from_name(name), Some(transport));
    }
    assert_eq!(Transport::from_name("unknown"), None);
}

#[test]
fn a_response_has_its_status_and_the_headers_of_a_pause() {
    let pause = |header: &'static str| {
        let failure = RequestFailure::of_response(503, |name| (name == header).then_some("7"));
        failure.classify().info.retry.unwrap().retry_after
    };
    assert_eq!(pause("retry-after"), Some(Duration::from_secs(7)));
    assert_eq!(pause("x-amz-retry-after"), Some(Duration::from_millis(7)));
    assert_eq!(pause("date"), None);
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
        ("safe", failure().declared(Some(true), false), Some(true)),
        ("throttled", failure().declared(None, true), Some(true)),
        (
            "not safe",
            failure().status(503).declared(Some(false), false),
            None,
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

/// The declaration of the error counts more than its status.
#[test]
fn a_failure_that_is_declared_not_safe_is_not_retried() {
    let safety = |safe| {
        let failure = RequestFailure::default().status(503).idempotent(true);
        let retry = failure.declared(safe, false).classify().info.retry;
        retry.map(|retry| retry.safety)
    };
    assert_eq!(safety(None), Some(RetrySafety::Yes));
    assert_eq!(safety(Some(true)), Some(RetrySafety::Yes));
    assert_eq!(safety(Some(false)), Some(RetrySafety::No));
}

#[test]
fn a_strategy_has_the_limits_of_its_options() {
    let limited = strategy(&RetryOptions::default().max_retries(3).capacity(9));
    assert_eq!(limited.max_retries(), 3);
    assert_eq!(limited.quota().map(RetryQuota::available), Some(9));
    let free = strategy(&RetryOptions::default().max_retries(3).without_quota());
    assert_eq!(free.max_retries(), 3);
    assert!(free.quota().is_none());
}

#[test]
fn attempts_are_retries_and_the_first_one() {
    let retries = |options: RetryOptions| strategy(&options).max_retries();
    assert_eq!(retries(RetryOptions::default().max_attempts(4)), 3);
    assert_eq!(retries(RetryOptions::aws()), 2);
    assert_eq!(RetryQuota::new(9).unwrap().capacity(), 9);
    assert_eq!(RetryOptions::default().seed(7).seed_option(), Some(7));
}

/// The service requests a pause of 6 s.
#[test]
fn a_requested_pause_is_refused_or_shortened_by_the_options() {
    let mut failure = safe();
    failure.retry.as_mut().unwrap().retry_after = Some(Duration::from_secs(6));
    let delay = |options: RetryOptions| {
        let strategy = strategy(&options);
        let token = strategy.acquire_initial_token().unwrap();
        let token = strategy.refresh_retry_token(token, &failure);
        token.map(|token| token.delay().as_secs())
    };
    let fixed = || RetryOptions::fixed_delay(Duration::from_secs(1));
    assert_eq!(delay(fixed()), Ok(6));
    let longest = |seconds| fixed().max_retry_after(Duration::from_secs(seconds));
    assert_eq!(delay(longest(6)), Ok(6));
    assert!(delay(longest(5)).is_err());
    let excess = |seconds| fixed().retry_after_excess(Duration::from_secs(seconds));
    assert_eq!(delay(excess(2)), Ok(3));
}

#[test]
fn expired_credentials_are_transient_once_unless_they_are_static() {
    let expired = RequestFailure::default().code("ExpiredToken");
    assert!(expired.transient(0).is_some_and(|transient| transient.once));
    let renewed = expired.clone().static_credentials(false);
    assert_eq!(renewed.transient(0), expired.transient(0));
    assert_eq!(expired.static_credentials(true).transient(0), None);
}

#[test]
fn options_beside_a_strategy_of_the_host_are_refused() {
    assert_eq!(RetryOptions::check_no_options(&json!({})), Ok(()));
    let refused = |options| RetryOptions::check_no_options(&options).unwrap_err();
    let error = refused(json!({"maxRetries": 2}));
    assert_eq!(
        (error.code, &*error.option),
        ("conflicting_options", "maxRetries")
    );
    assert_eq!(refused(json!({"maxTries": 2})).code, "unknown_option");
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

/// Returns a request that has asked for its first token.
fn asking() -> Request {
    let mut request = Request::new(RequestOptions::default().idempotent(true));
    assert_eq!(request.poll(0), RequestStep::Acquire);
    request
}

#[test]
fn a_token_of_the_host_has_a_delay_in_seconds() {
    let step = asking().handle_host_token(&&json!(2.5), 0).unwrap();
    assert_eq!(step, Ok(RequestStep::Sleep { until_ms: 2_500 }));
    // A value without a delay is not a token. Any other value is one that must be released.
    let cancelled = |delay| {
        let mut request = asking();
        let error = request.handle_host_token(&&delay, 0).unwrap().unwrap_err();
        assert_eq!(error.code, "invalid_option");
        request.handle(RequestEvent::Cancelled, 0).unwrap()
    };
    assert!(matches!(cancelled(json!(null)), RequestStep::Done(_)));
    assert_eq!(cancelled(json!(-1)), RequestStep::Release);
    assert_eq!(cancelled(json!("soon")), RequestStep::Release);
}

#[test]
fn a_token_that_the_strategy_refuses_at_the_end_is_reported() {
    let (one, other) = (
        strategy(&RetryOptions::default()),
        strategy(&RetryOptions::default()),
    );
    let record = |token| RequestStep::Record.strategy_event(&one, &mut Some(token));
    let foreign = record(other.acquire_initial_token().unwrap());
    let Some(RequestEvent::Refused(refused)) = foreign else {
        panic!("{foreign:?}")
    };
    assert_eq!(refused, RefreshError::Token(TokenError::Foreign));
    let own = record(one.acquire_initial_token().unwrap());
    assert!(matches!(own, Some(RequestEvent::Returned)), "{own:?}");
}

#[test]
fn the_report_of_a_request_in_one_line() {
    let mut request = asking();
    let ended = request.clone().handle(RequestEvent::Cancelled, 0);
    assert_eq!(
        report(ended.unwrap()),
        "failed after 0 attempts: the request was cancelled"
    );
    let granted = request.handle(RequestEvent::Token(Duration::ZERO), 0);
    assert!(matches!(granted, Ok(RequestStep::Call { .. })));
    request.handle(RequestEvent::Success, 0).unwrap();
    let ended = request.handle(RequestEvent::Returned, 0);
    assert_eq!(report(ended.unwrap()), "succeeded after 1 attempt");
}

fn report(step: RequestStep) -> String {
    match step {
        RequestStep::Done(report) => report.to_string(),
        step => panic!("{step:?}"),
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
