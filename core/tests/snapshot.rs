//! A wait that is saved and resumed at every step goes on exactly; a text that does not belong is refused.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::string_slice,
    reason = "a test fails by a panic"
)]

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::{ErrorFacts, Seen, State, StateError, Step, Wait, WaitOptions, Waiter};

const READY: &str = r#"{"acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "ready"}}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

fn waiter() -> Waiter {
    Waiter::named("Ready", READY).unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(120))
        .seed(11)
        .initial_delay(Duration::from_secs(1))
        .history_limit(3)
}

/// Drives a wait to its end; `between` may replace it before every step.
fn drive(mut wait: Wait, mut between: impl FnMut(Wait, u64) -> Wait) -> Vec<Step> {
    let (mut elapsed, mut steps, mut step) = (0, Vec::new(), wait.next(0).unwrap());
    loop {
        steps.push(step.clone());
        step = match step {
            Step::Sleep { delay_ms, .. } => {
                elapsed += delay_ms;
                wait = between(wait, elapsed);
                wait.next(elapsed).unwrap()
            }
            Step::Call { attempt, .. } => {
                wait = in_flight(wait, elapsed, attempt, &mut between);
                elapsed += 30;
                let missing = ErrorFacts::of_code("Missing");
                let seen = if attempt % 2 == 0 {
                    Seen::Failure(&missing)
                } else {
                    Seen::Response(&Value::Null)
                };
                wait.observe(&Value::Null, seen, elapsed).unwrap()
            }
            Step::Done(_) => return steps,
        };
    }
}

/// One that was saved in flight hands out the same attempt again.
fn in_flight(
    wait: Wait,
    elapsed: u64,
    attempt: u64,
    between: &mut impl FnMut(Wait, u64) -> Wait,
) -> Wait {
    let mut wait = between(wait, elapsed);
    match wait.next(elapsed) {
        Ok(Step::Call { attempt: again, .. }) => assert_eq!(again, attempt),
        other => assert_eq!(other, Err(StateError::InFlight { attempt })),
    }
    wait
}

#[test]
fn a_wait_that_is_resumed_at_every_step_goes_on_exactly() {
    let (waiter, mut resumed) = (waiter(), 0);
    let expected = drive(waiter.start(&options(), 0).unwrap(), |wait, _| wait);
    let steps = drive(waiter.start(&options(), 0).unwrap(), |wait, elapsed| {
        resumed += 1;
        waiter.resume(&wait.to_json(), elapsed).unwrap()
    });
    assert_eq!(steps, expected);
    assert!(resumed > 10, "{resumed}");
}

#[test]
fn an_ending_is_the_same_json_by_both_ways() {
    let ends = [options(), options().max_attempts(2)];
    for options in ends {
        let steps = drive(waiter().start(&options, 0).unwrap(), |wait, _| wait);
        let Some(Step::Done(ending)) = steps.last() else {
            panic!("the wait goes on")
        };
        assert!(!ending.history.is_empty());
        let json: Value = serde_json::from_str(&ending.to_json()).unwrap();
        assert_eq!(json, json!(**ending));
    }
}

#[test]
fn a_wait_that_is_over_stays_over() {
    let (waiter, mut wait) = (waiter(), waiter().start(&options(), 0).unwrap());
    let done = wait.cancel(5);
    let mut resumed = waiter.resume(&wait.to_json(), 60_000).unwrap();
    assert_eq!(resumed.next(60_000), Ok(done.clone()));
    assert_eq!(resumed.cancel(60_001), done);
}

#[test]
fn the_time_away_counts() {
    let (waiter, wait) = (waiter(), waiter().start(&options(), 0).unwrap());
    let mut resumed = waiter.resume(&wait.to_json(), 120_000).unwrap();
    let Step::Done(ending) = resumed.next(0).unwrap() else {
        panic!("the wait goes on")
    };
    assert_eq!((ending.attempts, ending.elapsed_ms), (0, 120_000));
}

#[test]
fn a_text_that_was_formatted_anew_is_not_damaged() {
    let text = waiter().start(&options(), 0).unwrap().to_json();
    let value: Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_ne!(pretty, text);
    waiter().resume(&pretty, 0).unwrap();
}

#[test]
fn what_does_not_belong_is_refused() {
    let waiter = waiter();
    let text = waiter.start(&options(), 0).unwrap().to_json();
    for end in 0..text.len() {
        assert_eq!(
            waiter.resume(&text[..end], 0).unwrap_err(),
            StateError::Damaged,
            "cut at {end}"
        );
    }
    let changed = text.replace("120000", "120001");
    assert_ne!(changed, text);
    assert_eq!(waiter.resume(&changed, 0).unwrap_err(), StateError::Damaged);
    for (kind, other) in [("pause", "house"), ("pause", "done")] {
        let changed = text.replace(kind, other);
        assert_ne!(changed, text);
        assert_eq!(waiter.resume(&changed, 0).unwrap_err(), StateError::Damaged);
    }
    let mut newer: Value = serde_json::from_str(&text).unwrap();
    newer["version"] = json!(2);
    assert_eq!(
        waiter.resume(&newer.to_string(), 0).unwrap_err(),
        StateError::NewerVersion { version: 2 }
    );
    let other = Waiter::from_json(&READY.replace("ready", "READY")).unwrap();
    assert_eq!(
        other.resume(&text, 0).unwrap_err(),
        StateError::OtherDefinition
    );
    let renamed = Waiter::named("Other", READY).unwrap();
    renamed.resume(&text, 0).unwrap();
}

#[test]
fn a_verdict_from_elsewhere_moves_the_wait() {
    let mut wait = waiter().start(&options(), 0).unwrap();
    wait.next(1_000).unwrap();
    let missing = ErrorFacts::of_code("Missing").message("not yet");
    let refused = wait
        .observe_verdict(State::Success, Some(1), None, 1_010)
        .unwrap_err();
    assert_eq!(
        refused,
        StateError::InvalidVerdict {
            state: State::Success,
            acceptor: Some(1),
            failed: false,
        }
    );
    let step = wait
        .observe_verdict(State::Retry, Some(1), Some(&missing), 1_010)
        .unwrap();
    assert!(
        matches!(
            step,
            Step::Sleep {
                delay_ms: 2_000,
                last: false
            }
        ),
        "{step:?}"
    );
    assert_eq!(
        wait.latest().unwrap().error.as_deref(),
        Some("Missing: not yet")
    );
    wait.next(3_010).unwrap();
    let Step::Done(ending) = wait
        .observe_verdict(State::Success, Some(0), None, 3_020)
        .unwrap()
    else {
        panic!()
    };
    assert_eq!((ending.kind, ending.acceptor), (None, Some(0)));
}

#[test]
fn a_wait_is_small() {
    assert!(size_of::<Wait>() <= 512, "{} bytes", size_of::<Wait>());
}

/// What JavaScript could not read in a saved wait is refused in Rust, too.
#[test]
fn counts_beyond_other_languages_are_refused() {
    let waiter = waiter();
    let refused = |options: WaitOptions| {
        waiter
            .start(&options, 0)
            .map(|_| ())
            .map_err(|error| error.option)
    };

    assert_eq!(
        refused(options().max_attempts(u64::MAX)),
        Err("maxAttempts".to_owned())
    );
    assert_eq!(
        refused(options().max_attempts(0)),
        Err("maxAttempts".to_owned())
    );
    assert_eq!(
        refused(options().history_limit(usize::MAX)),
        Err("historyLimit".to_owned())
    );
    let most = options()
        .max_attempts((1 << 53) - 1)
        .history_limit(u32::MAX as usize);
    assert_eq!(refused(most), Ok(()));
}
