//! The steps, hints, texts and saved states of single waits, in addition to the vectors.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost as _;
use smithy_waiters::retry::Transient;
use smithy_waiters::{
    EndValues, ErrorMetadata, Event, FailureKind, Left, Same, Step, Until, Wait, WaitOptions,
    WaitReport, Waiter,
};

const SECOND: u64 = 1_000;

fn ready() -> Waiter {
    Waiter::until("s", "READY").build().unwrap()
}

/// Returns options with the same delay after each attempt.
fn every(seconds: u64) -> WaitOptions {
    let delay = Duration::from_secs(seconds);
    let options = WaitOptions::new(Duration::from_secs(3_600)).seed(1);
    options.min_delay(delay).max_delay(delay)
}

fn start(options: &WaitOptions) -> Wait {
    let mut wait = ready().start(options, 0).unwrap();
    wait.poll(0);
    wait
}

/// Makes a call at a time, and returns the step after its response.
fn respond(wait: &mut Wait, now: u64, response: &Json) -> Step {
    wait.poll(now);
    wait.handle(Event::response(response), now).unwrap()
}

/// Makes a call at a time that is lost, and returns the step after it.
fn lose(wait: &mut Wait, now: u64) -> Step {
    wait.poll(now);
    let transient = Some(Transient {
        not_before_ms: 0,
        answered: false,
        once: false,
    });
    let error = ErrorMetadata::of_class("ConnectionError");
    let event: Event<'_> = Event::Error {
        error: &error,
        transient,
    };
    wait.handle(event, now).unwrap()
}

fn until(step: &Step) -> u64 {
    match step {
        Step::Sleep { until_ms, .. } => *until_ms,
        step => panic!("{step:?}"),
    }
}

fn done(step: Step) -> Arc<WaitReport> {
    match step {
        Step::Done(report) => report,
        step => panic!("{step:?}"),
    }
}

/// A wait polls at the end of the time in which a value must be left, and not after its whole delay.
#[test]
fn the_time_to_leave_a_value_shortens_a_delay() {
    let options = every(30)
        .left(Left::new("OLD"))
        .left_within(Duration::from_secs(40));
    let old = json!({"s": "OLD"});
    let mut wait = start(&options);
    assert_eq!(until(&respond(&mut wait, 0, &old)), 30 * SECOND);
    assert_eq!(until(&respond(&mut wait, 30 * SECOND, &old)), 40 * SECOND);
    // A lost call at that end is no response, so that the next one follows after a delay.
    let mut wait = start(&options);
    respond(&mut wait, 0, &old);
    respond(&mut wait, 30 * SECOND, &old);
    assert_eq!(until(&lose(&mut wait, 40 * SECOND)), 70 * SECOND);
    // After the value was left, delays have their length.
    let mut wait = start(&options);
    respond(&mut wait, 0, &json!({"s": "NEW"}));
    assert_eq!(
        until(&respond(&mut wait, 30 * SECOND, &json!({"s": "NEW"}))),
        60 * SECOND
    );
}

#[test]
fn the_time_to_see_a_value_shortens_a_delay_until_it_is_seen() {
    let within = |same| every(30).same(same).left_within(Duration::from_secs(40));
    let delay = |options: &WaitOptions, response: &Json| {
        let mut wait = start(options);
        respond(&mut wait, 0, response);
        until(&respond(&mut wait, 30 * SECOND, response))
    };
    let response = json!({"s": "NEW", "id": "a"});
    let expected = within(Same::new("id").is("b"));
    assert_eq!(delay(&expected, &response), 40 * SECOND);
    let seen = within(Same::new("id").is("a"));
    assert_eq!(delay(&seen, &response), 60 * SECOND);
    // The identity of a deletion is that of the first response.
    let deleted = Until::from_json(r#"{"expression": [], "successErrors": ["NotFound"]}"#);
    let deleted = deleted.unwrap().build().unwrap();
    let identity = every(50).same(Same::new("id"));
    let mut wait = deleted.start(&identity, 0).unwrap();
    respond(&mut wait, 0, &response);
    assert_eq!(
        until(&respond(&mut wait, 50 * SECOND, &response)),
        100 * SECOND
    );
}

#[test]
fn a_saved_wait_does_not_grow_with_long_values() {
    let long = |start: &str| json!({"s": "READY", "id": format!("{start}{}", "x".repeat(100_000))});
    let mut wait = start(&every(2).same(Same::new("id").is("ours")));
    for (number, id) in ["a", "b", "a"].into_iter().enumerate() {
        respond(&mut wait, number as u64 * 2 * SECOND, &long(id));
    }
    assert!(wait.snapshot().unwrap().to_json().len() < 2_000);
    // Ours, then an old one, which is still known, and another, which is not.
    respond(
        &mut wait,
        6 * SECOND,
        &json!({"s": "PENDING", "id": "ours"}),
    );
    let old = respond(&mut wait, 8 * SECOND, &long("b"));
    assert!(matches!(old, Step::Sleep { .. }));
    let other = respond(&mut wait, 10 * SECOND, &long("c"));
    assert!(matches!(other, Step::Done(report) if report.kind == Some(FailureKind::Replaced)));
}

#[test]
fn a_value_of_an_option_equals_the_same_number_or_text() {
    let is_equal = |same: Same, id: Json| {
        let step = respond(
            &mut start(&every(2).same(same)),
            0,
            &json!({"s": "READY", "id": id}),
        );
        matches!(step, Step::Done(_))
    };
    let same = |value: Json| Same::new("id").is(value);
    for (value, id, expected, by_text) in [
        (json!(7), json!(7.0), true, true),
        (json!(7.0), json!(7), true, true),
        (json!(7), json!(8), false, false),
        (json!("7"), json!("7"), true, true),
        (json!("7"), json!(7), false, true),
        (json!("true"), json!("true"), true, true),
        (json!("true"), json!(true), false, true),
        (json!("true"), json!(false), false, false),
    ] {
        let text = format!("{value} and {id}");
        assert_eq!(
            is_equal(same(value.clone()), id.clone()),
            expected,
            "{text}"
        );
        if value.is_string() {
            assert_eq!(is_equal(same(value).text(), id), by_text, "{text}");
        }
    }
}

#[test]
fn a_message_of_an_external_verdict_is_not_shown_if_its_acceptor_is_redacted() {
    let message = |redact: &str| {
        let matcher = json!({"path": "s", "comparator": "stringEquals", "expected": "x"});
        let failure = json!({"state": "failure", "matcher": {"output": matcher}, "message": "why"});
        let success = json!({"state": "success", "matcher": {"success": true}});
        let waiter = json!({"acceptors": [failure, success], "redact": [redact]});
        let waiter = Waiter::from_value(&waiter, None).unwrap();
        let mut wait = waiter.start(&every(2), 0).unwrap();
        wait.poll(0);
        let event: Event<'_> = Event::Verdict {
            acceptor: Some(0),
            message: Some("it is secret".to_owned()),
            error: None,
            transient: None,
        };
        done(wait.handle(event, 5).unwrap()).message.clone()
    };
    assert!(message("other").contains("it is secret"));
    assert!(!message("why").contains("it is secret"));
}

#[test]
fn a_wait_of_more_than_a_day_has_a_hint_only_once() {
    let day = Duration::from_secs(86_400);
    let more = day.saturating_add(Duration::from_secs(1));
    let hints = |options: WaitOptions| {
        let mut wait = start(&options.seed(1));
        let pending = json!({"s": "PENDING"});
        respond(&mut wait, 0, &pending);
        let first = wait.hints().len();
        respond(&mut wait, 60 * SECOND, &json!({"s": "BUSY"}));
        (first, wait.hints().len())
    };
    assert_eq!(hints(day.into()), (0, 0));
    assert_eq!(hints(more.into()), (1, 0));
    // A deadline is a time that the caller computed, and attempts have no unit.
    let later = WaitOptions::new(more.saturating_mul(2));
    assert_eq!(hints(later.deadline_in(more)), (0, 0));
    assert_eq!(
        hints(WaitOptions::from_host(&json!({"maxAttempts": 3})).unwrap()),
        (0, 0)
    );
}

#[test]
fn hints_are_reported_by_the_first_process() {
    let near = json!({"S": "READY"});
    let hints = |attempts: u64, hints: bool| {
        let mut wait = ready().start(&every(2).hints(hints), 0).unwrap();
        for attempt in 0..attempts {
            respond(&mut wait, attempt * 2 * SECOND, &near);
        }
        let snapshot = wait.snapshot().unwrap();
        let mut wait = ready().resume(snapshot, 0).unwrap();
        respond(&mut wait, attempts * 2 * SECOND, &near);
        wait.hints().len()
    };
    assert_eq!(hints(0, true), 1);
    assert_eq!(hints(0, false), 0);
    assert_eq!(hints(1, true), 0);
    assert_eq!(hints(1, false), 0);
}

#[test]
fn no_time_passes_after_the_end() {
    let mut wait = start(&every(2));
    respond(&mut wait, 0, &json!({"s": "READY"}));
    let snapshot = wait.snapshot().unwrap();
    let resumed = ready().resume(snapshot, 60 * SECOND).unwrap();
    assert_eq!(resumed.now_ms(), 0);
    let mut wait = start(&every(2));
    respond(&mut wait, 0, &json!({"s": "BUSY"}));
    let snapshot = wait.snapshot().unwrap();
    let resumed = ready().resume(snapshot, 60 * SECOND).unwrap();
    assert_eq!(resumed.now_ms(), 60 * SECOND);
}

#[test]
fn attempts_with_equal_results_are_explained_together() {
    let mut wait = start(&every(2).show(["n"]));
    for (index, (status, n)) in [("A", 1), ("A", 1), ("A", 2), ("B", 2)]
        .into_iter()
        .enumerate()
    {
        let now = index as u64 * 2 * SECOND;
        respond(&mut wait, now, &json!({"s": status, "n": n}));
    }
    lose(&mut wait, 8 * SECOND);
    let text = done(wait.conclude(9 * SECOND)).explain();
    let attempts = text.lines().filter_map(|line| line.trim().split_once(" ("));
    let attempts: Vec<&str> = attempts.map(|(name, _)| name).collect();
    assert!(text.contains("attempts 1 to 2 (0 to 2000 ms)"), "{text}");
    for attempt in ["attempt 3", "attempt 4", "attempt 5"] {
        assert!(attempts.contains(&attempt), "{text}");
    }
}

#[test]
fn the_json_of_an_end_has_the_values_of_the_host() {
    let report = done(start(&every(2)).conclude(5));
    let values = EndValues {
        response: json!([1.0, {"b": 2.0, "a": 0.5}]),
        error: json!(null),
        reason: json!({"name": "Stopped", "message": "by a person"}),
    };
    let (read, found) = WaitReport::from_json(&report.to_json(&values)).unwrap();
    assert_eq!(read, *report);
    assert_eq!(found.reason, values.reason);
    assert_eq!(found.response.to_string(), r#"[1,{"a":0.5,"b":2}]"#);
}
