//! Snapshots and reports of waits, in addition to the vectors: their size, invalid texts and earlier releases.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::string_slice,
    reason = "a panic fails the test"
)]

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::{
    ErrorMetadata, Event, Snapshot, StateError, Step, StoredOptions, Wait, WaitOptions, WaitReport,
    Waiter,
};

const READY: &str = r#"{"acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "ready"}}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

/// Snapshots in the format of this release, which all later releases must read.
const SAMPLES: [&str; 3] = [
    r#"{"version":1,"fingerprint":"a8c4a50b0ddee629","options":{"maxWait":120000,"delay":{"min":2000,"max":120000},"initialDelay":1000,"seed":11,"historyLimit":3},"attempts":0,"elapsedMs":0,"startedAtMs":1700000000000,"pending":{"sleep":{"untilMs":1000,"last":false}},"checksum":"0629d6cfe522e264"}"#,
    r#"{"version":1,"fingerprint":"a8c4a50b0ddee629","options":{"maxWait":120000,"delay":{"min":2000,"max":120000},"initialDelay":1000,"seed":11,"historyLimit":3},"attempts":2,"elapsedMs":9000,"startedAtMs":1700000000000,"pending":{"call":{"startedMs":9000,"last":false}},"checksum":"a8a982562443057b"}"#,
    r#"{"version":1,"fingerprint":"a8c4a50b0ddee629","options":{"maxWait":120000,"delay":{"min":2000,"max":120000},"initialDelay":1000,"seed":11,"historyLimit":3},"attempts":2,"elapsedMs":9005,"pending":{"done":{"code":"cancelled","message":"Ready was cancelled after 9.005 s and 2 attempts; last seen: s gave null, expected \"ready\" (the response is null)","acceptor":null,"lastResult":"cancelled"}},"checksum":"eed72b9b780c0cc3"}"#,
];

fn waiter() -> Waiter {
    Waiter::named("Ready", READY).unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(120))
        .seed(11)
        .initial_delay(Duration::from_secs(1))
        .history_limit(3)
}

/// Runs a wait to its end, and returns its report.
fn report_of(mut wait: Wait) -> WaitReport {
    let (mut now, mut step) = (0, wait.poll(0));
    loop {
        step = match step {
            Step::Sleep { until_ms, .. } => {
                now = until_ms;
                wait.poll(now)
            }
            Step::Call { attempt, .. } => {
                now += 30;
                let missing = ErrorMetadata::of_code("Missing");
                let handled = if attempt % 2 == 0 {
                    wait.handle(Event::error(&missing), now)
                } else {
                    wait.handle(Event::response(&Value::Null), now)
                };
                handled.unwrap()
            }
            Step::Done(report) => return WaitReport::clone(&report),
        };
    }
}

#[test]
fn a_report_is_read_back_from_its_json() {
    let report = report_of(waiter().start(&options(), 0).unwrap());
    assert_eq!(report.history.len(), 3);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<WaitReport>(&text).unwrap(), report);
}

#[test]
fn the_time_away_counts() {
    let mut wait = waiter().start(&options(), 0).unwrap();
    wait.poll(400);
    let snapshot = wait.started_at(1_000_000).snapshot().unwrap();
    assert_eq!(snapshot.started_at_ms(), Some(1_000_000));
    assert_eq!(snapshot.elapsed_ms(Some(1_060_000)), 60_000);
    assert_eq!(
        snapshot.elapsed_ms(Some(1_000_100)),
        400,
        "not before it was saved"
    );
    assert_eq!(
        snapshot.elapsed_ms(Some(900_000)),
        400,
        "a wall clock that was set back"
    );
    assert_eq!(snapshot.elapsed_ms(None), 400);
}

#[test]
fn a_saved_wait_is_small_and_survives_formatting() {
    let mut wait = waiter().start(&options(), 0).unwrap();
    wait.poll(1_000);
    wait.handle(Event::response(&json!({"s": "x".repeat(10_000)})), 1_030)
        .unwrap();
    let wait = wait.started_at(1_700_000_000_000);
    let text = wait.snapshot().unwrap().to_json();
    assert!(text.len() < 350, "{} bytes: {text}", text.len());
    let value: Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_ne!(pretty, text);
    Snapshot::from_json(&pretty).unwrap();
}

#[test]
fn a_text_that_is_cut_off_is_refused() {
    let wait = waiter().start(&options(), 0).unwrap();
    let text = wait.started_at(1).snapshot().unwrap().to_json();
    let damaged = |text: &str| assert_eq!(Snapshot::from_json(text), Err(StateError::Damaged));
    for end in 0..text.len() {
        damaged(&text[..end]);
    }
}

#[test]
fn a_text_has_at_most_16_mib() {
    let wait = waiter().start(&options(), 0).unwrap();
    let text = wait.snapshot().unwrap().to_json();
    let padded = |size: usize| Snapshot::from_json(&(" ".repeat(size - text.len()) + &text));
    assert!(padded(16 << 20).is_ok());
    assert_eq!(padded((16 << 20) + 1), Err(StateError::Damaged));
}

/// A text is accepted only if it is the same JSON, with another notation or order of members.
#[test]
fn no_byte_can_be_changed_unnoticed() {
    let mut wait = waiter().start(&options(), 0).unwrap();
    let mut texts: Vec<String> = SAMPLES.map(str::to_owned).to_vec();
    for now in [0, 1_000, 2_000] {
        wait.poll(now);
        texts.push(wait.snapshot().unwrap().to_json());
    }
    for text in &texts {
        let same: Value = serde_json::from_str(text).unwrap();
        for index in 0..text.len() {
            for bytes in [&b""[..], b"0", b"9", b"\"", b"}", b" ", b"-", b"x"] {
                let changed = [
                    &text.as_bytes()[..index],
                    bytes,
                    &text.as_bytes()[index + 1..],
                ];
                let changed = String::from_utf8(changed.concat()).unwrap();
                if Snapshot::from_json(&changed).is_ok() {
                    let read: Value = serde_json::from_str(&changed).unwrap();
                    assert_eq!(read, same, "{changed}");
                }
            }
        }
    }
}

#[test]
fn samples_of_earlier_releases_stay_readable() {
    let steps = SAMPLES.map(|text| {
        let snapshot = Snapshot::from_json(text).unwrap();
        let now_ms = snapshot.elapsed_ms(None);
        waiter().resume(snapshot, now_ms).unwrap().poll(now_ms)
    });
    assert!(
        matches!(
            &steps,
            [
                Step::Sleep { until_ms: 1_000, last: false },
                Step::Call { attempt: 2, deadline_ms: Some(_) },
                Step::Done(report),
            ] if report.kind.is_some_and(|kind| kind.code() == "cancelled") && report.attempts == 2
        ),
        "{steps:?}"
    );
}

#[test]
fn a_wait_is_small() {
    assert!(size_of::<Wait>() <= 320, "{} bytes", size_of::<Wait>());
}

/// A saved wait that JavaScript could not read is also rejected in Rust.
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

/// Python's times have a fraction, and those of JavaScript may have one. The identity of a start depends on them.
#[test]
fn hosts_deadlines_are_rounded() {
    let start = |at| StoredOptions::from_host("job", 0, Some(at), "null", 9);
    let deadline = |at| start(at).unwrap().deadline_at_ms;
    assert_eq!([5_000.6, -1.0].map(deadline), [Some(5_001), Some(0)]);
}
