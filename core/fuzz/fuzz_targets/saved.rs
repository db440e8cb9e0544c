//! Reads any text as a saved wait and as a saved fleet. What is accepted can be resumed, and is the same when it is saved again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use smithy_waiters::{FleetSnapshot, Snapshot, Waiter};

const READY: &str = r#"{"acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "ready"}}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

fuzz_target!(|text: &str| {
    let _ = FleetSnapshot::from_json(text);
    let Ok(snapshot) = Snapshot::from_json(text) else {
        return;
    };
    let elapsed = snapshot.elapsed_ms(None);
    let Ok(waiter) = Waiter::named("Ready", READY) else {
        return;
    };
    if let Ok(mut wait) = waiter.resume(snapshot.clone(), elapsed) {
        let saved = wait.snapshot().map(|saved| saved.to_json());
        assert_eq!(saved.as_deref(), Ok(snapshot.to_json().as_str()));
        wait.poll(elapsed);
    }
});
