//! A retry strategy inside a wait (D15).

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::cell::Cell;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::{Attempt, Driver, Retry};
use smithy_waiters::retry::{RequestFailure, RetryOptions, StandardRetryStrategy};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{
    Ending, ErrorFacts, FailureKind, FinalPoll, ReasonCode, Seen, State, StateError, Step, Wait,
    WaitOptions, Waiter,
};

fn waiter() -> Waiter {
    let definition = r#"{"acceptors": [
        {"state": "success", "matcher": {"success": true}},
        {"state": "failure", "matcher": {"errorType": "Gone"}},
        {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#;
    Waiter::named("Ready", definition).unwrap()
}

fn start(options: WaitOptions) -> Wait {
    let mut wait = waiter().start(&options, 1).unwrap();
    wait.next(0).unwrap();
    wait
}

fn seconds(seconds: u64) -> WaitOptions {
    WaitOptions::new(Duration::from_secs(seconds))
}

fn fail(wait: &mut Wait, code: &str, pause: Option<u64>) -> Step {
    let facts = ErrorFacts::of_code(code.to_owned());
    wait.observe_or_retry(&Json::Null, Seen::Failure(&facts), 100, || pause.map(Ok))
        .unwrap()
}

fn ending(step: Step) -> Ending {
    match step {
        Step::Done(ending) => Ending::clone(&ending),
        other => unreachable(&other),
    }
}

#[expect(clippy::panic, reason = "a test fails by a panic")]
fn unreachable(step: &Step) -> ! {
    panic!("the wait goes on: {step:?}")
}

#[test]
fn a_strategy_is_asked_only_where_no_acceptor_matches() {
    let asked = Cell::new(0);
    let mut wait = start(seconds(60));
    let observe = |wait: &mut Wait, seen: Seen<'_, &Json>, elapsed| {
        let ask = || {
            asked.set(asked.get() + 1);
            None
        };
        wait.observe_or_retry(&Json::Null, seen, elapsed, ask)
            .unwrap()
    };
    let retried = ErrorFacts::of_code("NotFound");
    observe(&mut wait, Seen::Failure(&retried), 10);
    assert_eq!(asked.get(), 0);
    wait.next(2_010).unwrap();
    let unknown = ErrorFacts::of_code("Unknown");
    let ended = ending(observe(&mut wait, Seen::Failure(&unknown), 2_020));
    assert_eq!(asked.get(), 1);
    assert_eq!(ended.kind, Some(FailureKind::UnmatchedError));
    observe(&mut wait, Seen::Failure(&unknown), 2_030);
    assert_eq!(asked.get(), 1, "a wait that is over asks nobody");
}

#[test]
fn what_is_granted_is_a_retry_with_its_reason() {
    let mut wait = start(seconds(60));
    let sleep = Step::Sleep {
        delay_ms: 5_000,
        last: false,
    };
    assert_eq!(fail(&mut wait, "Throttling", Some(5_000)), sleep);
    let attempt = wait.latest().unwrap();
    assert_eq!(
        (attempt.state, attempt.acceptor),
        (Some(State::Retry), None)
    );
    let reason = attempt.reasons.first().unwrap();
    assert_eq!(
        (reason.acceptor, reason.code),
        (None, ReasonCode::Transient)
    );
    assert_eq!(
        reason.text,
        "Throttling is transient: retried after 5 s at least"
    );
    assert_eq!(wait.attempts(), 1);
    let saved = wait.to_json();
    let resumed = waiter().resume(&saved, 100).unwrap();
    assert_eq!(resumed.latest(), Some(attempt));
}

#[test]
fn the_longer_delay_counts() {
    // D1's first delay is 2 s.
    for (pause, delay_ms) in [(0, 2_000), (1_999, 2_000), (2_000, 2_000), (2_001, 2_001)] {
        let step = fail(&mut start(seconds(60)), "E", Some(pause));
        let last = false;
        assert_eq!(step, Step::Sleep { delay_ms, last }, "{pause}");
    }
}

#[test]
fn what_does_not_fit_before_the_deadline_ends_the_wait_at_once() {
    // 59,900 ms remain.
    let at = |options, pause| fail(&mut start(options), "E", Some(pause));
    let last = |delay_ms| Step::Sleep {
        delay_ms,
        last: true,
    };
    assert_eq!(at(seconds(60), 59_899), last(59_899));
    assert_eq!(at(seconds(60), 57_900), last(57_900));
    let ended = ending(at(seconds(60), 59_900));
    assert_eq!(ended.kind, Some(FailureKind::TimedOut));
    assert_eq!(ended.elapsed_ms, 100);
    assert!(ended.message.contains("E is transient"), "{ended}");
    let grace = Duration::from_secs(1);
    let at_deadline = seconds(60).final_poll(FinalPoll::AtDeadline { grace });
    assert_eq!(at(at_deadline.clone(), 59_900), last(59_900));
    let ended = ending(at(at_deadline, 59_901));
    assert_eq!(ended.kind, Some(FailureKind::TimedOut));
}

#[test]
fn a_refusal_says_why() {
    let facts = ErrorFacts::of_code("Throttling");
    let refused = || Some(Err("the retry quota is exhausted".to_owned()));
    let mut wait = start(seconds(60));
    let step = wait.observe_or_retry(&Json::Null, Seen::Failure(&facts), 100, refused);
    let ended = ending(step.unwrap());
    assert_eq!(ended.kind, Some(FailureKind::UnmatchedError));
    assert_eq!(
        ended.message,
        "Ready failed after 0.1 s and 1 attempt: no acceptor matches Throttling, and it is not retried: the retry quota is \
         exhausted"
    );
    let reason = ended
        .history
        .first()
        .and_then(|attempt| attempt.reasons.first());
    assert_eq!(reason.unwrap().code, ReasonCode::NotRetried);
    assert!(
        ended.explain().contains("Throttling is not retried"),
        "{ended}"
    );
}

#[test]
fn an_attempt_that_is_not_made_costs_nothing() {
    let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 1).unwrap();
    let throttled = |_| Err::<Json, _>(RequestFailure::default().status(429).retry_after("60"));
    let driver = Driver::new(FakeClock::new()).retry_strategy(&strategy);
    let ended = driver.wait_blocking(&waiter(), throttled, seconds(60));
    assert!(ended.is_err());
    assert_eq!(strategy.quota().unwrap().available(), 500);
    let retry = Retry::new(&strategy, FakeClock::new()).max_time(Duration::from_secs(60));
    let error = retry.call_blocking(throttled).unwrap_err();
    assert_eq!(error.code(), "out_of_time");
    assert_eq!(strategy.quota().unwrap().available(), 500);
}

#[test]
fn an_attempt_that_is_granted_counts() {
    let mut wait = start(seconds(60).max_attempts(1));
    let ended = ending(fail(&mut wait, "E", Some(1)));
    assert_eq!(ended.kind, Some(FailureKind::TooManyAttempts));
}

#[test]
fn a_verdict_made_elsewhere_is_granted_alike() {
    let facts = ErrorFacts::of_code("E");
    let observe = |wait: &mut Wait, state, acceptor| {
        wait.observe_verdict_or_retry(state, acceptor, Some(&facts), 100, || Some(Ok(9_000)))
    };
    let step = observe(&mut start(seconds(60)), State::Failure, None).unwrap();
    let last = false;
    let delay_ms = 9_000;
    assert_eq!(step, Step::Sleep { delay_ms, last });
    let by_acceptor = observe(&mut start(seconds(60)), State::Failure, Some(1)).unwrap();
    assert_eq!(ending(by_acceptor).kind, Some(FailureKind::FailureState));
    let never = observe(&mut start(seconds(60)), State::Retry, None);
    assert!(matches!(never, Err(StateError::InvalidVerdict { .. })));
}

#[test]
fn the_driver_asks_the_strategy_and_tells_it_of_responses() {
    let strategy = StandardRetryStrategy::new(&RetryOptions::default(), 3).unwrap();
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"output": {
        "path": "S", "comparator": "stringEquals", "expected": "UP"}}}]}"#;
    let waiter = Waiter::from_json(definition).unwrap();
    let clock = FakeClock::new();
    // Two throttled polls, a response, then five failures in a row: as many as a strategy of five retries allows.
    let call = |attempt: Attempt| match attempt.number {
        1 | 2 => Err(RequestFailure::default().status(429).retry_after("30")),
        3 => Ok(json!({"S": "DOWN"})),
        4..=8 => Err(RequestFailure::default().status(500)),
        _ => Ok(json!({"S": "UP"})),
    };
    let outcome = Driver::new(clock.clone())
        .retry_strategy(&strategy)
        .wait_blocking(&waiter, call, seconds(3_600).seed(1));
    assert_eq!(outcome.unwrap().ending.attempts, 9);
    assert_eq!(clock.sleeps()[..2], [Duration::from_secs(30); 2]);
    // Seven retries at 5; the two responses give 1 each.
    assert_eq!(strategy.quota().unwrap().available(), 500 - 35 + 2);

    let refused = Driver::new(FakeClock::new())
        .retry_strategy(&strategy)
        .wait_blocking(
            &waiter,
            |_| Err::<Json, _>(RequestFailure::default().status(400)),
            seconds(60),
        );
    assert_eq!(refused.unwrap_err().code(), "unmatched_error");
}
