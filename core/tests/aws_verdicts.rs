//! Compares verdicts on responses and errors of real models with those of the reference implementation of JMESPath.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::explicit_write,
    clippy::indexing_slicing,
    reason = "a panic fails the test, and output must not be captured"
)]

use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, Observation, Waiter};

#[test]
fn every_verdict_is_the_references() {
    check(
        "../target/data/aws-verdicts",
        "`cargo xtask data` makes them",
    );
}

#[test]
fn every_verdict_beside_the_repository_is_the_references() {
    check(
        "../../shared/data/aws-verdicts",
        "they are beside the repository",
    );
}

fn check(folder: &str, advice: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        // `println!` would be captured if the test passes.
        writeln!(
            stderr(),
            "SKIPPED: verdicts in `{}`; {advice}",
            folder.display()
        )
        .unwrap();
        return;
    };
    let mut right = 0;
    let mut wrong = Vec::new();
    for path in entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
    {
        let waiters: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for waiter in waiters.as_array().unwrap() {
            let name = waiter["waiter"].as_str().unwrap();
            let engine = Waiter::from_value(&waiter["definition"], Some(name)).unwrap();
            for case in waiter["cases"].as_array().unwrap() {
                let found = verdict(&engine, case);
                if found
                    == (
                        case["expected"]["state"].clone(),
                        case["expected"]["acceptor"].clone(),
                    )
                {
                    right += 1;
                } else {
                    wrong.push(format!(
                        "{}: {name}: {found:?}, expected {}",
                        path.display(),
                        case["expected"]
                    ));
                }
            }
        }
    }
    writeln!(
        stderr(),
        "aws verdicts: {right} of {} right",
        right + wrong.len()
    )
    .unwrap();
    assert!(
        right > 1_000 && wrong.is_empty(),
        "{right} right, wrong: {wrong:#?}"
    );
}

fn verdict(waiter: &Waiter, case: &Value) -> (Value, Value) {
    let input = &case["input"];
    let verdict = match case.get("error") {
        Some(error) => {
            let facts = ErrorMetadata::of_code(error.as_str().unwrap());
            waiter.evaluate(input, Observation::Error(&facts))
        }
        None => waiter.evaluate(input, Observation::Response(&case["output"])),
    };
    (verdict.state().as_str().into(), verdict.acceptor().into())
}
