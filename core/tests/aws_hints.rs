//! Hints on responses and errors of real models: a definition that AWS published is no mistake.
#![expect(
    clippy::unwrap_used,
    reason = "a panic fails the test, and output must not be captured"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, Event, WaitOptions, Waiter};

#[test]
fn no_first_answer_of_a_published_waiter_has_a_hint() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/data/aws-verdicts");
    let Ok(entries) = fs::read_dir(&folder) else {
        // `println!` would be captured if the test passes.
        writeln!(
            stderr(),
            "SKIPPED: `cargo xtask data` makes `{}`",
            folder.display()
        )
        .unwrap();
        return;
    };
    let (mut waiters, mut answers, mut hints) = (0, 0, BTreeSet::new());
    for entry in entries {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        for waiter in file.as_array().unwrap() {
            waiters += 1;
            let name = waiter["waiter"].as_str().unwrap();
            let engine = Waiter::from_value(&waiter["definition"], Some(name)).unwrap();
            for case in waiter["cases"].as_array().unwrap() {
                answers += 1;
                let found = hints_on(&engine, case);
                hints.extend(found.into_iter().map(|hint| format!("{name}: {hint}")));
            }
        }
    }
    writeln!(
        stderr(),
        "aws hints: {} on {answers} answers for {waiters} waiters",
        hints.len()
    )
    .unwrap();
    // A mistake of the definition: the waiter fails at the error that it expects.
    let wrong = "TenantDatabaseDeleted: TenantDatabaseDeleted: the error is `DBInstanceNotFound` and not `DBInstanceNotFoundFault`: write its whole name in `errorType` or `retry_errors`";
    assert_eq!(hints, BTreeSet::from([wrong.to_owned()]));
    assert!(answers > 1_000);
}

fn hints_on(waiter: &Waiter, case: &Value) -> Vec<String> {
    let options = WaitOptions::new(Duration::from_secs(600));
    let mut wait = waiter.start(&options, 1).unwrap();
    wait.poll(0);
    match case.get("error") {
        Some(error) => wait.handle(
            Event::error(&ErrorMetadata::of_code(error.as_str().unwrap())),
            1,
        ),
        None => wait.handle(
            Event::Response {
                value: &case["output"],
                input: Some(&case["input"]),
                not_before_ms: None,
            },
            1,
        ),
    }
    .unwrap();
    wait.hints().iter().map(ToString::to_string).collect()
}
