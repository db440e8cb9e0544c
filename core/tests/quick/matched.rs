//! Waits with a compiled matcher: the delays and results of the engine, on responses of any type.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use smithy_waiters::driver::Matched;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{
    Attempt, Driver, ErrorMetadata, Event, FailureKind, Outcome, Step, Waiter, WaiterError,
};

const READY: &str = r#"{"minDelay": 3, "maxDelay": 3, "acceptors": [
    {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
    {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
    {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#;

/// A type that does not implement `Response`, because only the matcher reads it.
#[derive(Debug)]
struct Status(&'static str);

fn matches(seen: Result<&Status, &ErrorMetadata<'_>>) -> Option<usize> {
    match seen {
        Ok(Status("READY")) => Some(0),
        Ok(Status("FAILED")) => Some(1),
        Err(error) if error.is("NotFound") => Some(2),
        Ok(Status("WRONG")) => Some(2),
        _ => None,
    }
}

type Ended =
    Result<Outcome<Status, ErrorMetadata<'static>>, WaiterError<Status, ErrorMetadata<'static>>>;

/// Runs a wait with scripted results of the calls. Returns the result of the wait and its sleeps.
fn wait(script: &[Result<&'static str, &'static str>]) -> (Ended, Vec<Duration>) {
    let waiter = Waiter::named("Ready", READY).unwrap();
    let clock = FakeClock::new();
    let call = async |attempt: Attempt| {
        let place = usize::try_from(attempt.number).unwrap();
        let said = script.get(place.saturating_sub(1)).copied().unwrap();
        said.map(Status).map_err(ErrorMetadata::of_code)
    };
    let driver = Driver::new(clock.clone());
    let wait = driver.wait_by(&waiter, matches, call, Duration::from_secs(60).into());
    let runtime = tokio::runtime::Builder::new_current_thread();
    let ended = { runtime }.build().unwrap().block_on(wait);
    (ended, clock.sleeps())
}

#[test]
fn the_engine_waits_as_with_its_own_matchers() {
    let (ended, sleeps) = wait(&[Err("ns#NotFound:x"), Ok("CREATING"), Ok("READY")]);
    let outcome = ended.unwrap();
    assert_eq!(outcome.result.unwrap().0, "READY");
    assert_eq!(
        (outcome.report.attempts, outcome.report.acceptor),
        (3, Some(0))
    );
    assert_eq!(sleeps, [Duration::from_secs(3); 2]);
}

#[test]
fn a_failure_has_the_response_and_the_history() {
    let (ended, _) = wait(&[Ok("CREATING"), Ok("FAILED")]);
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(failure.kind, FailureKind::FailureState);
    assert_eq!(failure.response.unwrap().0, "FAILED");
    assert_eq!(failure.report.history.len(), 2);
}

#[test]
fn an_error_that_nothing_matches_ends_the_wait() {
    let (ended, sleeps) = wait(&[Err("AccessDenied")]);
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(failure.kind, FailureKind::UnmatchedError);
    assert!(sleeps.is_empty());
}

#[test]
fn a_match_that_the_waiter_cannot_make_is_an_error() {
    let (ended, _) = wait(&[Ok("WRONG")]);
    let error = ended.unwrap_err();
    assert_eq!(error.code(), "invalid_verdict");
}

#[test]
fn a_failure_has_the_message_that_its_acceptor_gives() {
    let waiter = Waiter::named("Ready", READY).unwrap();
    let matcher = |seen: Result<&Status, &ErrorMetadata<'_>>| {
        let status = seen.ok().filter(|status| status.0 == "FAILED")?;
        Some(Matched::from(1).message(Some(format!("it is {}", status.0))))
    };
    let call = async |_| Ok::<_, ErrorMetadata<'static>>(Status("FAILED"));
    let driver = Driver::new(FakeClock::new());
    let wait = driver.wait_by(&waiter, matcher, call, Duration::from_secs(60).into());
    let runtime = tokio::runtime::Builder::new_current_thread();
    let ended = { runtime }.build().unwrap().block_on(wait);
    let message = ended.unwrap_err().to_string();
    assert!(message.contains("it is FAILED"), "{message}");
}

/// A custom matcher can decide differently from the definition. The reasons are those of its verdict.
#[test]
fn a_verdict_that_differs_from_the_definition_has_no_reasons_of_it() {
    let waiter = Waiter::named("Ready", READY).unwrap();
    let mut wait = waiter.start(&Duration::from_secs(60).into(), 0).unwrap();
    wait.poll(0);
    let missing = ErrorMetadata::of_code("NotFound");
    let event: Event<'_> = Event::Verdict {
        acceptor: None,
        message: None,
        error: Some(&missing),
        transient: None,
    };
    let Step::Done(report) = wait.handle(event, 5).unwrap() else {
        panic!("{wait:?}")
    };
    assert_eq!(report.kind, Some(FailureKind::UnmatchedError));
    let attempt = report.history.first().unwrap();
    assert_eq!(attempt.error.as_deref(), Some("NotFound"));
    assert!(attempt.reasons.is_empty(), "{attempt:?}");
}

#[test]
fn reasons_of_a_matcher_equal_those_of_the_engine() {
    let (ended, _) = wait(&[Err("NotFound"), Ok("FAILED")]);
    let Err(WaiterError::Failure(failure)) = ended else {
        panic!("{ended:?}")
    };
    let told = failure.explain();
    assert!(told.contains("acceptor 2: matched: got NotFound"), "{told}");
    let message = failure.report.message.clone();
    assert!(
        message.ends_with(r#"output "Status": "FAILED""#),
        "{message}"
    );
}
