//! Reports, their JSON, saved states and counts of waits, in addition to the vectors.

#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a panic fails the test"
)]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::waits_failed;
use smithy_waiters::{
    EndValues, ErrorMetadata, Event, FailureKind, ReasonCode, Snapshot, StateError, Step,
    StoredOptions, TallyState, Until, Wait, WaitOptions, WaitReport, Waiter,
};

fn waiter() -> Waiter {
    Waiter::until("S", "READY")
        .fail(["FAILED"])
        .name("Ready")
        .build()
        .unwrap()
}

/// Options with ten seconds between two attempts.
fn options(max_wait: u64) -> WaitOptions {
    let delay = Duration::from_secs(10);
    WaitOptions::new(Duration::from_secs(max_wait))
        .min_delay(delay)
        .max_delay(delay)
}

/// Runs a wait with these states, and returns its report.
fn run(options: &WaitOptions, states: &[&str]) -> Arc<WaitReport> {
    let mut wait = waiter().start(options, 1).unwrap();
    let (mut now, mut states) = (0, states.iter());
    let mut step = wait.poll(0);
    loop {
        step = match step {
            Step::Sleep { until_ms, .. } => {
                now = until_ms;
                wait.poll(now)
            }
            Step::Call { .. } => {
                let response = json!({"S": states.next().unwrap(), "Progress": [1, 2]});
                wait.handle(Event::response(&response), now + 100).unwrap()
            }
            Step::Done(report) => return report,
        };
    }
}

#[test]
fn an_explanation_has_the_attempts_that_are_remembered() {
    let message = r#"Ready timed out after 24.1 s and 4 attempts: the last poll ended 0.9 s before the end of max wait 25 s; last seen: S gave "C", expected "READY"; Progress: [1,2]"#;
    let reasons = |state: &str| {
        format!(
            "
    acceptor 0: no match: S gave \"{state}\", expected \"FAILED\"
    acceptor 1: no match: S gave \"{state}\", expected \"READY\"
    Progress: [1,2]"
        )
    };
    let attempts = [
        "\n  attempts 1 to 2 (0 to 10200 ms): response → retry, next in 6900 ms".to_owned()
            + &reasons("A"),
        "\n  attempt 3 (17100 to 17200 ms): response → retry, next in 6800 ms, the last that fits"
            .to_owned()
            + &reasons("B"),
        "\n  attempt 4 (24000 to 24100 ms): response → retry".to_owned() + &reasons("C"),
    ];
    for (limit, earlier, first) in [
        (9, "", 0),
        (4, "", 0),
        (2, "\n  … 2 earlier attempts", 1),
        (1, "\n  … 3 earlier attempts", 2),
    ] {
        let options = options(25).history_limit(limit).show(["Progress"]);
        let expected = [message, earlier, &attempts[first..].concat()].concat();
        assert_eq!(run(&options, &["A", "A", "B", "C"]).explain(), expected);
    }
    let options = options(25).history_limit(3);
    let text = run(&options, &["A", "A", "B", "C"]).explain();
    assert!(
        text.contains("\n  … 1 earlier attempt\n  attempt 2 ("),
        "{text}"
    );
}

#[test]
fn kinds_of_failures_have_codes_and_classes() {
    use FailureKind::{
        Cancelled, FailureState, Gone, NeverFound, NeverLeft, NeverSeen, Replaced, TimedOut,
        TooManyAttempts, UnexpectedState, UnmatchedError, Unreachable,
    };
    let failed = "WaiterFailed";
    for (kind, code, class, leaves_work) in [
        (Cancelled, "cancelled", "WaiterCancelled", true),
        (FailureState, "failure_state", failed, false),
        (Gone, "gone", failed, false),
        (NeverFound, "never_found", failed, false),
        (NeverLeft, "never_left", failed, false),
        (NeverSeen, "never_seen", failed, false),
        (Replaced, "replaced", failed, false),
        (TimedOut, "timed_out", "WaiterTimeout", true),
        (
            TooManyAttempts,
            "too_many_attempts",
            "WaiterAttemptsExceeded",
            true,
        ),
        (UnexpectedState, "unexpected_state", failed, false),
        (Unreachable, "unreachable", failed, false),
        (UnmatchedError, "unmatched_error", failed, false),
    ] {
        assert_eq!((kind.code(), kind.class_name()), (code, class));
        assert_eq!(kind.leaves_work(), leaves_work, "{code}");
        assert_eq!(serde_json::to_value(kind).unwrap(), code);
    }
}

#[test]
fn codes_of_reasons_are_those_of_their_json() {
    for code in ReasonCode::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
    }
    assert_eq!(ReasonCode::MatchedByClass.as_str(), "matched_by_class");
}

#[test]
fn states_of_a_tally_have_names() {
    let names =
        [TallyState::Open, TallyState::Succeeded, TallyState::Failed].map(TallyState::as_str);
    assert_eq!(names, ["open", "succeeded", "failed"]);
}

#[test]
fn the_message_of_several_failures_lists_ten() {
    for (count, more) in [
        (0, None),
        (9, None),
        (10, None),
        (11, Some(1)),
        (99, Some(89)),
    ] {
        let names: Vec<_> = (0..count).map(|index| format!("w{index}")).collect();
        let message = waits_failed(names.iter().map(|name| (&**name, "lost")), 100);
        let mut expected = format!("{count} of 100 waits failed:");
        for name in names.iter().take(10) {
            expected += &format!("\n  {name}: lost");
        }
        if let Some(more) = more {
            expected += &format!("\n  … and {more} more");
        }
        assert_eq!(message, expected);
    }
}

#[test]
fn a_report_is_read_from_its_json() {
    let values = EndValues {
        response: json!({"S": "FAILED"}),
        error: json!({"name": "E", "message": "lost"}),
        reason: json!("a reason"),
    };
    let failed = run(&options(60), &["A", "FAILED"]);
    let (read, of_failed) = WaitReport::from_json(&failed.to_json(&values)).unwrap();
    assert_eq!(read, *failed);
    // Only a cancellation has a reason.
    let reason = Json::Null;
    let expected = EndValues {
        reason,
        ..values.clone()
    };
    assert_eq!(of_failed, expected);

    let mut wait = waiter().start(&options(60), 1).unwrap();
    let cancelled = wait.handle(Event::<&Json>::Cancelled, 5);
    let Ok(Step::Done(cancelled)) = cancelled else {
        panic!("the wait goes on")
    };
    let (read, of_cancelled) = WaitReport::from_json(&cancelled.to_json(&values)).unwrap();
    assert_eq!((&read, &of_cancelled), (&*cancelled, &values));

    let mut later: Json = serde_json::from_str(&failed.to_json(&values)).unwrap();
    later["later"] = json!(1);
    assert!(WaitReport::from_json(&later.to_string()).is_ok());
    // A failure that lost its code would be a success.
    for lost in ["name", "code", "response", "error", "cause", "attempts"] {
        let mut damaged = later.clone();
        damaged.as_object_mut().unwrap().remove(lost);
        let read = WaitReport::from_json(&damaged.to_string());
        assert_eq!(read, Err(StateError::Damaged), "{lost}");
    }
    later["code"] = Json::Null;
    let read = WaitReport::from_json(&later.to_string());
    assert_eq!(read, Err(StateError::Damaged));
    for text in ["", "{}", "[]", "{\"message\":1}"] {
        assert_eq!(
            WaitReport::from_json(text),
            Err(StateError::Damaged),
            "{text}"
        );
    }
}

#[test]
fn the_values_of_an_end_are_read_from_their_json() {
    let read = |text: &str| EndValues::from_json(text);
    assert_eq!(read("{}"), Ok(EndValues::default()));
    let text = r#"{"response": {"a": 1}, "error": {"name": "E"}, "reason": "r", "other": 1}"#;
    let expected = EndValues {
        response: json!({"a": 1}),
        error: json!({"name": "E"}),
        reason: json!("r"),
    };
    assert_eq!(read(text), Ok(expected));
    for text in ["", "{", "[]", "null", "\"a\""] {
        assert_eq!(read(text), Err(StateError::Damaged), "{text}");
    }
}

#[test]
fn the_json_of_an_end_has_a_limit_or_hides_values() {
    let report = run(&options(60).redact(["Key"]), &["FAILED"]);
    let values = EndValues {
        response: json!({"S": "FAILED", "Key": "hunter2"}),
        ..EndValues::default()
    };
    let logged = report.end_json(&values, None);
    assert_eq!(logged, report.to_json(&values));
    assert!(!logged.contains("hunter2"), "{logged}");
    let stored = report.end_json(&values, Some(100_000));
    assert_eq!(stored, report.to_json_within(&values, 100_000));
    assert!(stored.contains("hunter2"), "{stored}");
}

#[test]
fn values_that_exceed_the_limit_are_replaced() {
    let report = run(&options(60), &["FAILED"]);
    let large = "x".repeat(5_000);
    let rule = |text: &Json| {
        text.as_str()
            .is_some_and(|text| text.starts_with("<omitted: "))
    };
    let parts = |error: Json| {
        let values = EndValues {
            response: json!(large),
            error,
            reason: Json::Null,
        };
        let text = report.to_json_within(&values, 2_000);
        let json: Json = serde_json::from_str(&text).unwrap();
        assert!(text.len() <= 2_000 && rule(&json["response"]), "{text}");
        json["error"].clone()
    };
    assert_eq!(parts(Json::Null), Json::Null);
    for error in [
        json!("lost"),
        json!([1]),
        json!({"name": 1}),
        json!({"message": "lost"}),
    ] {
        assert!(rule(&parts(error)));
    }
    let error = parts(json!({"name": "Lost", "message": large, "other": 1}));
    assert_eq!(error["name"], "Lost");
    assert!(rule(&error["message"]) && error.as_object().unwrap().len() == 2);
    let error = parts(json!({"name": large, "message": "lost"}));
    assert_eq!(error["name"], "x".repeat(200));
}

#[test]
fn a_wait_reports_its_progress() {
    let mut wait = waiter().start(&options(60).label("orders"), 1).unwrap();
    assert!(wait.progress_json().is_none() && wait.report().is_none());
    assert!(!wait.has_changed());
    let mut changes = Vec::new();
    for (index, state) in ["A", "A", "B", "READY"].into_iter().enumerate() {
        let now = index as u64 * 11_000;
        wait.poll(now);
        assert!(wait.report().is_none());
        wait.handle(Event::response(&json!({ "S": state })), now + 10)
            .unwrap();
        changes.push(wait.has_changed());
        let progress: Json = serde_json::from_str(&wait.progress_json().unwrap()).unwrap();
        assert_eq!(progress["attempt"], index + 1);
        assert_eq!(progress["label"], "orders");
        let is_last = state == "READY";
        assert_eq!(progress["state"], if is_last { "success" } else { "retry" });
        assert_eq!(progress["summary"], wait.summary().unwrap());
    }
    assert_eq!(changes, [true, false, true, true]);
    assert_eq!(wait.report().unwrap().kind, None);
}

const START: u64 = 1_700_000_000_000;

fn stored(input: Json) -> Wait {
    let mut stored = StoredOptions::new("job", START);
    stored.input = input;
    waiter().start_stored(&options(60), stored).unwrap()
}

#[test]
fn a_saved_wait_has_its_attempts_and_its_times() {
    let mut wait = stored(json!({"id": 7}));
    assert_eq!(wait.stored_input(), Some(&json!({"id": 7})));
    let saved = |wait: &Wait| {
        let snapshot = wait.snapshot().unwrap();
        assert_eq!(snapshot.input(), Some(&json!({"id": 7})));
        (
            snapshot.attempts(),
            snapshot.due_at_ms().map(|at| at - START),
        )
    };
    assert_eq!(saved(&wait), (0, Some(0)));
    let start = wait.snapshot().unwrap().start().unwrap().to_owned();
    wait.poll(30);
    // A call in flight is due at its start.
    assert_eq!(saved(&wait), (1, Some(30)));
    wait.handle(Event::response(&json!({"S": "A"})), 100)
        .unwrap();
    assert_eq!(saved(&wait), (1, Some(10_100)));
    let progress = wait.progress_json();
    assert_eq!(wait.snapshot().unwrap().progress_json(), progress);
    assert!(progress.unwrap().contains("\"label\":null"));
    wait.poll(10_100);
    wait.handle(Event::response(&json!({"S": "READY"})), 10_250)
        .unwrap();
    assert_eq!(saved(&wait), (2, Some(10_250)));
    assert_eq!(wait.snapshot().unwrap().start(), Some(&*start));
    assert_ne!(
        stored(Json::Null).snapshot().unwrap().start(),
        Some(&*start)
    );
    let other = waiter().start(&options(60), 1).unwrap();
    assert_eq!(
        (other.stored_input(), other.snapshot().unwrap().start()),
        (None, None)
    );
}

#[test]
fn the_start_of_a_stored_wait_depends_on_each_number_of_its_input() {
    let start = |input: &Json| {
        let snapshot = stored(json!({ "n": input })).snapshot().unwrap();
        // The text can be read again.
        let read = Snapshot::from_json(&snapshot.to_json()).unwrap();
        assert_eq!(read.start(), snapshot.start());
        snapshot.start().unwrap().to_owned()
    };
    let inputs = [
        json!(0),
        json!(1),
        json!(-1),
        json!(-2),
        json!(0.5),
        json!(null),
    ];
    for (index, one) in inputs.iter().enumerate() {
        for (other_index, other) in inputs.iter().enumerate() {
            let is_equal = start(one) == start(other);
            assert_eq!(is_equal, index == other_index, "{one} and {other}");
        }
    }
    // JavaScript writes `-0` as `0`, and any language may write `1` as `1.0`.
    for (one, other) in [
        (json!(0), json!(-0.0)),
        (json!(1), json!(1.0)),
        (json!(-1), json!(-1.0)),
    ] {
        assert_eq!(start(&one), start(&other), "{one} and {other}");
    }
}

#[test]
fn only_a_definition_has_a_fingerprint_to_store() {
    let fingerprint = waiter().stored_fingerprint().unwrap();
    assert_eq!(waiter().stored_fingerprint(), Ok(fingerprint.clone()));
    let other = Waiter::until("S", "DONE").build().unwrap();
    assert_ne!(other.stored_fingerprint(), Ok(fingerprint));
    let predicate = Until::from_json("{}").unwrap().build().unwrap();
    assert_eq!(predicate.stored_fingerprint(), Err(StateError::Predicate));
}

#[test]
fn a_wait_is_concluded_by_its_deadline() {
    for (polls, now, kind) in [
        (false, 59_999, FailureKind::Cancelled),
        (false, 60_000, FailureKind::TimedOut),
        (true, 59_999, FailureKind::Cancelled),
        (true, 60_000, FailureKind::TimedOut),
    ] {
        let mut wait = stored(Json::Null);
        if polls {
            wait.poll(0);
        }
        let Step::Done(report) = wait.conclude(now) else {
            panic!("the wait goes on")
        };
        assert_eq!(
            (report.kind, report.attempts),
            (Some(kind), u64::from(polls))
        );
        // A call whose result is lost is part of the history.
        assert_eq!(report.history.len(), usize::from(polls));
        // A wait that has ended keeps its end.
        assert_eq!(wait.conclude(70_000), Step::Done(report));
    }
}

#[test]
fn a_timeout_names_the_value_that_would_succeed() {
    for (retry, expected) in [
        ("S", r#"last seen: S gave "BUSY", expected "READY""#),
        (
            "Other",
            r#"last seen: Other gave "BUSY", expected of S "READY""#,
        ),
    ] {
        let matcher = |path: &str, expected: &str| json!({"output": {"path": path, "comparator": "stringEquals", "expected": expected}});
        let definition = json!({"acceptors": [
            {"state": "retry", "matcher": matcher(retry, "BUSY")},
            {"state": "success", "matcher": matcher("S", "READY")},
        ]});
        let waiter = Waiter::from_value(&definition, None).unwrap();
        let options = options(60).max_attempts(1);
        let mut wait = waiter.start(&options, 1).unwrap();
        wait.poll(0);
        let response = json!({"S": "BUSY", "Other": "BUSY"});
        let Ok(Step::Done(report)) = wait.handle(Event::response(&response), 10) else {
            panic!("the wait goes on")
        };
        assert!(report.message.ends_with(expected), "{}", report.message);
    }
}

#[test]
fn external_code_may_choose_another_acceptor() {
    let definition = json!({"acceptors": [
        {"state": "failure", "matcher": {"success": false}},
        {"state": "success", "matcher": {"errorType": "Gone"}},
    ]});
    let waiter = Waiter::from_value(&definition, None).unwrap();
    let error = ErrorMetadata::of_code("Gone").message("lost");
    for (acceptor, error, text) in [
        (0, Some(&error), "the call failed: Gone: lost"),
        (1, Some(&error), r#"errorType "Gone", got Gone: lost"#),
    ] {
        let mut wait = waiter.start(&options(60), 1).unwrap();
        wait.poll(0);
        let event: Event<'_, &Json> = Event::Verdict {
            acceptor: Some(acceptor),
            message: None,
            error,
            transient: None,
        };
        wait.handle(event, 10).unwrap();
        let latest = wait.latest().unwrap();
        assert_eq!(latest.acceptor, Some(acceptor));
        assert_eq!(latest.error.as_deref(), Some("Gone: lost"));
        assert_eq!(latest.reasons[0].text, text);
    }
}
