//! The verb `conformance`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;

use common::{run, stderr};
use serde_json::Value;

#[test]
fn a_model_has_a_file_for_each_service() {
    let folder = common::with_model("conformance-model");
    let output = run(&folder, &["conformance", "--model", ".", "--out", "tests"]);
    assert!(output.status.success(), "{output:?}");
    let summary = stderr(&output);
    assert!(
        summary.contains("\n1 file in `tests`: 1 waiter, "),
        "{summary}"
    );
    // The path of the model has a member in the wrong case.
    let uncovered = "example: waiter `ThingReady`, acceptor 0: no output was found";
    assert!(summary.starts_with(uncovered), "{summary}");
    let files = fs::read_dir(folder.join("tests")).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    let suite: Value =
        serde_json::from_str(&fs::read_to_string(files.first().unwrap()).unwrap()).unwrap();
    assert_eq!(suite.get("kind").unwrap(), "verdicts");
    let again = run(
        &folder,
        &[
            "conformance",
            "--model",
            ".",
            "--out",
            "again",
            "--format",
            "smithy",
        ],
    );
    assert!(again.status.success(), "{again:?}");
    assert!(folder.join("again/waiter-tests.smithy").exists());
}

#[test]
fn a_model_without_waiters_is_an_error() {
    let folder = common::folder("conformance-empty");
    fs::write(
        folder.join("model.smithy"),
        "$version: \"2\"\nnamespace example\noperation Get {}\n",
    )
    .unwrap();
    let output = run(
        &folder,
        &["conformance", "--model", "model.smithy", "--out", "tests"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("the models have no waiters"),
        "{output:?}"
    );
}
