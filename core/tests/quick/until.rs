//! The short form of waiters, predicates, and the progress of waits, in addition to the vectors.

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{
    Driver, ErrorMetadata, Event, Extension, Snapshot, StateError, Step, Until, WaitOptions,
    Waiter, WaiterError,
};

type Call = Result<&'static str, ErrorMetadata<'static>>;

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(10)).seed(7)
}

fn message(error: &WaiterError<&'static str, ErrorMetadata<'static>>) -> String {
    error.to_string()
}

#[test]
fn a_predicate_decides() {
    let call = |attempt: smithy_waiters::Attempt| -> Call {
        Ok(if attempt.number < 3 {
            "PENDING"
        } else {
            "DONE"
        })
    };
    let outcome = Driver::new(FakeClock::new())
        .wait_until_blocking(|status: &&str| *status == "DONE", call, options())
        .unwrap();
    assert_eq!(outcome.result.unwrap(), "DONE");
    assert_eq!(outcome.report.attempts, 3);
}

#[test]
fn a_predicate_that_never_accepts_times_out() {
    let wait = Driver::new(FakeClock::new()).wait_until_blocking(
        |_: &&str| false,
        |_| -> Call { Ok("PENDING") },
        options().label("copy"),
    );
    let message = message(&wait.unwrap_err());
    assert!(
        message.starts_with("copy: timed out after 9 s"),
        "{message}"
    );
    assert!(
        message.ends_with("last seen: predicate gave false, expected true"),
        "{message}"
    );
}

#[test]
fn an_error_ends_a_predicates_wait_unless_it_is_transient() {
    let call = |attempt: smithy_waiters::Attempt| -> Call {
        Err(ErrorMetadata::of_code(match attempt.number {
            1 => "ThrottlingException",
            _ => "AccessDenied",
        }))
    };
    let driver = Driver::new(FakeClock::new());
    let error = driver
        .wait_until_blocking(|_: &&str| true, call, options())
        .unwrap_err();
    assert_eq!(error.code(), "unmatched_error");
    assert!(message(&error).ends_with(
        "2 attempts: access denied: AccessDenied (permanent unless an acceptor or `retry_errors` names it)"
    ));
}

#[test]
fn values_of_a_response_that_the_engine_does_not_read_are_refused() {
    let driver = Driver::new(FakeClock::new());
    let call = |_| -> Call { Ok("DONE") };
    let error = driver
        .wait_until_blocking(|_: &&str| true, call, options().show(["Reason"]))
        .unwrap_err();
    assert_eq!(error.code(), "conflicting_options");
    assert_eq!(
        message(&error),
        "`show` cannot be combined with a predicate or a compiled matcher"
    );
}

#[test]
fn a_wait_with_a_predicate_shows_values_and_cannot_be_saved() {
    let waiter = Until::from_json(r#"{"retryErrors": ["NotFound"]}"#)
        .unwrap()
        .build()
        .unwrap();
    let mut wait = waiter.start(&options().show(["Reason"]), 7).unwrap();
    assert_eq!(wait.snapshot().unwrap_err(), StateError::Predicate);
    assert_eq!(
        waiter.extend(&Extension::new()).unwrap_err().code,
        "predicate"
    );
    wait.poll(0);
    let response = json!({"predicate": true, "response": {"Reason": "by hand"}});
    let Step::Done(report) = wait.handle(Event::response(&response), 5).unwrap() else {
        panic!("the predicate gave true");
    };
    assert_eq!(report.history[0].values[0].path, "Reason");
    assert_eq!(report.history[0].values[0].text, "\"by hand\"");
}

#[test]
fn a_resumed_wait_keeps_its_label_its_values_and_its_deadline() {
    let waiter = Waiter::until("s", "x").name("Ready").build().unwrap();
    let options = WaitOptions::limited_by_deadline(Duration::from_secs(10));
    let options = options.label("logs").show(["why"]);
    let mut wait = waiter.start(&options, 7).unwrap();
    wait.poll(0);
    wait.handle(Event::response(&json!({"s": "y", "why": 1})), 5)
        .unwrap();
    let snapshot = Snapshot::from_json(&wait.snapshot().unwrap().to_json()).unwrap();
    let mut wait = waiter.resume(snapshot, 3_000).unwrap();
    assert!(matches!(
        wait.poll(3_000),
        Step::Call {
            deadline_ms: Some(10_000),
            ..
        }
    ));
    wait.handle(Event::response(&json!({"s": "y", "why": 2})), 3_010)
        .unwrap();
    let summary = wait.summary().unwrap();
    assert!(
        summary.starts_with("Ready logs: attempt 2 after 3.01 s: retry: s gave \"y\""),
        "{summary}"
    );
    assert!(summary.contains("; why: 2; next in"), "{summary}");
    let Step::Done(report) = wait.poll(10_000) else {
        panic!("the deadline has passed");
    };
    assert_eq!(
        report.message,
        "Ready logs: timed out after 10 s and 2 attempts: the deadline has passed; last seen: s gave \"y\", expected \"x\"; why: 2"
    );
    assert_eq!(report.label.as_deref(), Some("logs"));
}

#[test]
fn a_definition_is_the_waiters_own() {
    let definition = json!({
        "documentation": "Waits.", "minDelay": 3, "maxDelay": 7, "deprecated": true, "tags": ["slow"], "redact": ["a"],
        "acceptors": [{"state": "success", "matcher": {"success": true}}],
    });
    let waiter = Waiter::from_value(&definition, Some("Ready")).unwrap();
    assert_eq!(waiter.definition(), definition);
    let extended = waiter.extend(
        &Extension::new().first([json!({"state": "retry", "matcher": {"errorType": "A"}})]),
    );
    let extended = extended.unwrap();
    assert_eq!(extended.name(), Some("Ready"));
    assert_eq!(
        extended.definition()["acceptors"][1],
        definition["acceptors"][0]
    );
    assert_eq!(extended.definition()["minDelay"], Value::from(3));
}

/// The component does not check names before it creates the JSON, unlike other hosts.
#[test]
fn an_unknown_member_of_a_short_form_is_refused() {
    let short = Until::from_json(r#"{"expression": "s", "expected": "x", "fial": ["y"]}"#);
    let extension = Extension::from_json(r#"{"fial": ["y"]}"#);
    for error in [short.unwrap_err(), extension.unwrap_err()] {
        assert_eq!((error.code, &*error.path), ("unknown_member", "fial"));
    }
}
