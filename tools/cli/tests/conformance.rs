//! The verb `conformance`, with its verbs `run`, `serve` and `show`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::process::Output;

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

/// A model without a protocol has no responses for a client.
#[test]
fn cases_without_responses_cannot_be_played() {
    let folder = common::with_model("conformance-values");
    let derived = run(&folder, &["conformance", "--model", ".", "--out", "tests"]);
    assert!(derived.status.success(), "{derived:?}");
    let played = run(
        &folder,
        &[
            "conformance",
            "run",
            "--kit",
            "tests",
            "--",
            "no-such-runner",
        ],
    );
    assert_eq!(played.status.code(), Some(2));
    let text = stderr(&played);
    assert!(
        text.contains("which a model without a protocol lacks"),
        "{text}"
    );
}

/// Runs a verb of `conformance` with the kit of the repository.
fn with_kit(verb: &str, arguments: &[&str]) -> Output {
    let folder = common::folder(&format!("conformance-{verb}"));
    let kit = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");
    let first = ["conformance", verb, "--kit", kit, "--suite", "core"];
    run(&folder, &[&first, arguments].concat())
}

/// Plays cases to a runner that ends all in the same way.
#[cfg(unix)]
fn play(end: &str, only: &str) -> Output {
    let first = r#"echo '{"sdk": "test", "version": "1"}'"#;
    let rest = format!(r#"sed -u 's/.*"id":"\(core[^"]*\)".*/{{"id":"\1",{end}}}/'"#);
    let script = format!("{first}; {rest}");
    with_kit("run", &["--only", only, "--", "sh", "-c", &script])
}

#[cfg(unix)]
#[test]
fn a_run_that_played_nothing_fails() {
    let end = r#""end":"unsupported","message":"no client""#;
    let output = play(end, "core.string-equals.*");
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(text.contains("nothing was played"), "{text}");
    assert!(text.contains("no client (11)"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_failure_has_the_reasons_for_its_expectation() {
    let end = r#""end":"error","message":"crash""#;
    let output = play(end, "core.string-equals.*");
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in [
        "  core.string-equals.absent: no request was received: crash",
        "    basis specification: ",
        "    waiter `StatusDone` in ",
        "core/comparators.json: [{\"matcher\":",
        "https://smithy.io/2.0/additional-specs/waiters.html#",
        "  … 8 more",
        "conformance show core.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = stderr(&play(end, "core.*"));
    assert!(text.contains("\n… "), "{text}");
    assert!(text.lines().count() < 120, "{text}");
}

#[test]
fn a_pattern_without_a_case_is_named() {
    let output = with_kit("serve", &["--only", "core.success.*,core.string-equal.*"]);
    assert_eq!(output.status.code(), Some(2));
    let message = "no case has an id that `core.string-equal.*` matches: did you mean `core.string-equals.*`?";
    assert!(stderr(&output).contains(message), "{output:?}");
}

#[test]
fn a_case_is_shown_to_a_reader() {
    let output = with_kit("show", &["core.string-equals.match"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "waiter      StatusDone, operation GetJob\n",
        "acceptor 0  {\"matcher\":",
        "output      {\"status\":\"DONE\"}\n",
        "http        200\n            content-type: application/json\n",
        "expected    {\"acceptor\":0,\"state\":\"success\"}\n",
        "basis       specification\n",
        "clause      https://smithy.io/",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let unknown = with_kit("show", &["core.string-equals.mach"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean `core.string-equals.match`"));
}
