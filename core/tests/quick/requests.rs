//! Requests and their retries, in addition to the vectors: the strategies and values of hosts, and classifications.

#![expect(clippy::panic, reason = "a panic fails the test")]

use std::cell::RefCell;
use std::time::Duration;

use serde_json::json;
use smithy_waiters::internal::LeasedRequest;
use smithy_waiters::operation::ErrorFault;
use smithy_waiters::retry::{
    Classified, FailedAttempt, FailureInfo, NoRetries, RefreshError, Request, RequestEvent,
    RequestFailure, RequestOptions, RequestReport, RequestStep, RetryEnd, RetryInfo, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, TokenError, Transport,
};

const FIRST: RequestStep = RequestStep::Call {
    attempt: 1,
    deadline_ms: None,
};

fn request() -> Request {
    Request::new(RequestOptions::default())
}

/// Returns the report at the end of a request.
fn report(step: RequestStep) -> RequestReport {
    match step {
        RequestStep::Done(report) => report,
        step => panic!("the request goes on: {step:?}"),
    }
}

fn failure() -> Classified {
    let info = RetryInfo::new(RetrySafety::Yes);
    FailureInfo {
        retry: Some(info),
        fault: None,
    }
    .into()
}

/// A token without a delay.
#[derive(Debug)]
struct Free;

impl RetryToken for Free {
    fn delay(&self) -> Duration {
        Duration::ZERO
    }
}

/// A strategy that notes its calls, and rejects a token after a success.
#[derive(Default)]
struct Rejects(RefCell<Vec<&'static str>>);

impl RetryStrategy for Rejects {
    type Token = Free;

    fn acquire_initial_token(&self) -> Result<Free, RetryRefusal> {
        self.0.borrow_mut().push("acquire");
        Ok(Free)
    }

    fn refresh_retry_token(&self, _: Free, _: &FailureInfo) -> Result<Free, RefreshError> {
        self.0.borrow_mut().push("refresh");
        Ok(Free)
    }

    fn record_success(&self, _: Free) -> Result<(), TokenError> {
        self.0.borrow_mut().push("record");
        Err(TokenError::Foreign)
    }
}

#[test]
fn a_report_counts_attempts_in_words() {
    let mut one = request();
    let mut step = one.poll(0);
    assert_eq!(step, RequestStep::Acquire);
    let cancelled = one.clone().handle(RequestEvent::Cancelled, 0).unwrap();
    assert_eq!(
        report(cancelled).to_string(),
        "failed after 0 attempts: the request was cancelled"
    );
    let strategy = Rejects::default();
    let mut token = None;
    let mut reports = Vec::new();
    for attempt in 1..=3 {
        while let Some(event) = step.strategy_event(&strategy, &mut token) {
            step = one.handle(event, 0).unwrap();
        }
        step = one.poll(0);
        assert_eq!(
            step,
            RequestStep::Call {
                attempt,
                deadline_ms: None
            }
        );
        for event in [RequestEvent::Failure, RequestEvent::Success] {
            let mut ended = one.clone();
            let mut step = ended.handle(event, 0).unwrap();
            if step == RequestStep::Record {
                step = ended.handle(RequestEvent::Returned, 0).unwrap();
            }
            reports.push(report(step).to_string());
        }
        step = one.handle(RequestEvent::Retry(&failure()), 0).unwrap();
    }
    let expected = [
        "failed after 1 attempt: the retry policy classified the result as a failure",
        "succeeded after 1 attempt",
        "failed after 2 attempts: the retry policy classified the result as a failure",
        "succeeded after 2 attempts",
        "failed after 3 attempts: the retry policy classified the result as a failure",
        "succeeded after 3 attempts",
    ];
    assert_eq!(reports, expected);
}

#[test]
fn a_success_counts_although_the_strategy_rejects_its_token() {
    let strategy = Rejects::default();
    let mut leased = LeasedRequest::new(Some(&strategy), RequestOptions::default());
    assert_eq!(leased.poll(0), FIRST);
    let step = leased.handle(RequestEvent::Success, 10).unwrap();
    assert_eq!(report(step).end, None);
    drop(leased);
    assert_eq!(*strategy.0.borrow(), ["acquire", "record"]);
}

#[test]
fn a_record_that_is_rejected_is_an_event() {
    let (strategy, mut token) = (Rejects::default(), Some(Free));
    let event = RequestStep::Record.strategy_event(&strategy, &mut token);
    assert!(matches!(
        event,
        Some(RequestEvent::Refused(RefreshError::Token(
            TokenError::Foreign
        )))
    ));
    // Nothing is recorded without a token.
    let event = RequestStep::Record.strategy_event(&strategy, &mut token);
    assert!(matches!(event, Some(RequestEvent::Returned)));
    assert_eq!(*strategy.0.borrow(), ["record"]);
}

#[test]
fn a_request_without_its_token_ends_with_the_first_failure() {
    let mut request = request();
    request.poll(0);
    request
        .handle(RequestEvent::Token(Duration::ZERO), 0)
        .unwrap();
    let failed = failure();
    let step = request.handle(RequestEvent::Retry(&failed), 10).unwrap();
    assert_eq!(step, RequestStep::Refresh(failed.info));
    let strategy = Rejects::default();
    let event = step.strategy_event(&strategy, &mut None).unwrap();
    let report = report(request.handle(event, 10).unwrap());
    assert_eq!(report.end, Some(RetryEnd::Token(TokenError::Used)));
    assert_eq!(report.end.unwrap().code(), "used_token");
    assert_eq!(RetryEnd::Token(TokenError::Foreign).code(), "foreign_token");
    assert!(strategy.0.borrow().is_empty());
}

#[test]
fn a_released_token_of_a_strategy_without_a_quota_is_dropped() {
    let (strategy, mut token) = (Rejects::default(), Some(Free));
    let event = RequestStep::Release.strategy_event(&strategy, &mut token);
    assert!(matches!(event, Some(RequestEvent::Returned)));
    assert!(token.is_none() && strategy.0.borrow().is_empty());
}

#[test]
fn the_host_takes_the_steps_of_a_request_without_a_strategy() {
    let mut leased = LeasedRequest::new(None::<&NoRetries>, RequestOptions::default());
    assert_eq!(leased.poll(0), RequestStep::Acquire);
    let token = RequestEvent::Token(Duration::ZERO);
    assert_eq!(leased.handle(token, 0), Ok(FIRST));
    let step = leased.handle(RequestEvent::Success, 0);
    assert_eq!(step, Ok(RequestStep::Record));
}

#[test]
fn a_strategy_without_retries_makes_one_attempt() {
    let mut leased = LeasedRequest::new(Some(NoRetries), RequestOptions::default());
    assert_eq!(leased.poll(0), FIRST);
    let step = leased.handle(RequestEvent::Retry(&failure()), 10).unwrap();
    let report = report(step);
    assert_eq!(report.attempts, 1);
    let end = report.end.unwrap();
    assert_eq!(
        (end.code(), &*end.to_string()),
        ("max_retries", "no retries are allowed")
    );
}

#[test]
fn a_token_with_an_invalid_delay_is_released() {
    for (delay, got, is_released) in [
        (json!(-0.5), "-0.5", true),
        (json!("1"), r#""1""#, true),
        (json!({}), "an object", true),
        (json!(null), "null", false),
    ] {
        let mut request = request();
        request.poll(0);
        let error = request.handle_host_token(&&delay, 0).unwrap().unwrap_err();
        assert_eq!((error.code, &*error.option), ("invalid_option", "delay"));
        let rule = "the delay of a retry token must be a number of seconds, at least 0, got ";
        assert!(error.to_string().starts_with(rule), "{error} {got}");
        let step = request.handle(RequestEvent::Cancelled, 0).unwrap();
        assert_eq!(step == RequestStep::Release, is_released, "{delay}");
    }
}

#[test]
fn a_host_classifies_a_failure() {
    let no = FailureInfo {
        retry: Some(RetryInfo::new(RetrySafety::No)),
        fault: Some(ErrorFault::Client),
    };
    let classified = request().classify(FailedAttempt::Classified(no));
    assert_eq!(classified.info, no);
    // A policy that retries a result states that a retry is safe.
    let judged = Request::new(RequestOptions::default().with_policy());
    let safe = |info| judged.classify(FailedAttempt::Classified(info)).info;
    let yes = Some(RetryInfo::new(RetrySafety::Yes));
    assert_eq!(safe(no), FailureInfo { retry: yes, ..no });
    assert_eq!(safe(FailureInfo::default()).retry, yes);
    assert_eq!(judged.classify(FailedAttempt::Response).info.retry, yes);
    assert_eq!(request().classify(FailedAttempt::Response).info.retry, None);
}

#[test]
fn an_error_declares_whether_it_is_retryable() {
    for (retry_safe, throttle, safety, is_transient) in [
        (None, false, None, false),
        (None, true, Some(RetrySafety::Yes), true),
        (Some(true), false, Some(RetrySafety::Yes), true),
        (Some(true), true, Some(RetrySafety::Yes), true),
        (Some(false), false, Some(RetrySafety::No), false),
        (Some(false), true, Some(RetrySafety::No), false),
    ] {
        let declared = RequestFailure::default().declared(retry_safe, throttle);
        let retry = declared.classify().info.retry;
        assert_eq!(retry.map(|retry| retry.safety), safety);
        assert_eq!(retry.is_some_and(|retry| retry.throttle), throttle);
        let transient = declared.transient(0);
        assert_eq!(
            transient.is_some(),
            is_transient,
            "{retry_safe:?} {throttle}"
        );
        assert!(transient.is_none_or(|transient| transient.answered));
    }
    // A declaration wins over the status.
    let declared = RequestFailure::default()
        .status(503)
        .idempotent(true)
        .declared(Some(false), false);
    assert_eq!(declared.transient(0), None);
    let safety = declared.classify().info.retry.map(|retry| retry.safety);
    assert_eq!(safety, Some(RetrySafety::No));
}

#[test]
fn a_client_that_gave_up_is_not_transient() {
    for (transport, is_transient) in [
        (Transport::Connection, true),
        (Transport::HostNotFound, false),
        (Transport::Permanent, false),
        (Transport::Timeout, true),
    ] {
        let failure = RequestFailure::default().transport(transport);
        assert_eq!(
            failure.transient(0).is_some(),
            is_transient,
            "{transport:?}"
        );
        let retry = failure.idempotent(true).classify().info.retry;
        assert_eq!(retry.is_some(), transport != Transport::Permanent);
    }
    let throttled = RequestFailure::default().status(429);
    assert!(throttled.transient(0).is_some());
    assert_eq!(throttled.transport(Transport::Permanent).transient(0), None);
}

#[test]
fn expired_credentials_are_transient_once_if_they_can_be_renewed() {
    let expired = RequestFailure::default().code("ExpiredToken").status(400);
    let transient = expired.transient(5).unwrap();
    assert_eq!(
        (transient.once, transient.answered, transient.not_before_ms),
        (true, true, 0)
    );
    assert_eq!(expired.clone().static_credentials(true).transient(5), None);
    assert!(expired.static_credentials(false).transient(5).is_some());
}

#[test]
fn a_response_has_its_headers() {
    for (after, amz, seconds) in [
        (None, None, None),
        (Some("3"), None, Some(3.0)),
        (None, Some("1500"), Some(1.5)),
        (Some("3"), Some("1500"), Some(1.5)),
    ] {
        let failure = RequestFailure::of_response(503, |name| match name {
            "retry-after" => after,
            "x-amz-retry-after" => amz,
            _ => None,
        });
        assert_eq!(failure.error_status(), Some(503));
        let pause = failure.classify().info.retry.unwrap().retry_after;
        assert_eq!(pause.map(|pause| pause.as_secs_f64()), seconds);
    }
}

/// Error with a message and a source.
#[derive(Debug)]
struct Nested(&'static str, Option<&'static Self>);

impl std::fmt::Display for Nested {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Nested {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.map(|source| source as _)
    }
}

#[test]
fn a_resolver_that_does_not_respond_is_not_an_unknown_host() {
    static EAGAIN: Nested = Nested("Temporary failure in name resolution", None);
    static UNKNOWN: Nested = Nested("Name or service not known", None);
    for (error, is_transient) in [
        (Nested("dns error", Some(&EAGAIN)), true),
        (
            Nested("failed to lookup address information: Try again", None),
            true,
        ),
        (Nested("dns error", Some(&UNKNOWN)), false),
        (Nested("dns error", None), false),
    ] {
        let transient = RequestFailure::of_error(&error).transient(0);
        assert_eq!(transient.is_some(), is_transient, "{error}");
        assert!(transient.is_none_or(|transient| !transient.answered));
    }
}

#[test]
fn names_are_those_of_values() {
    for safety in [RetrySafety::Maybe, RetrySafety::No, RetrySafety::Yes] {
        assert_eq!(RetrySafety::from_name(safety.as_str()), Some(safety));
    }
    assert_eq!(RetrySafety::from_name("Yes"), None);
    for (name, transport) in [
        ("connection", Some(Transport::Connection)),
        ("host_not_found", Some(Transport::HostNotFound)),
        ("permanent", Some(Transport::Permanent)),
        ("timeout", Some(Transport::Timeout)),
        ("Timeout", None),
    ] {
        assert_eq!(Transport::from_name(name), transport);
    }
}
