//! The verb `suggest`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use smithy_waiters::Waiter;

use common::{run, stderr, stdout};

const MODEL: &str = r#"$version: "2"
namespace example
use smithy.waiters#waitable
operation StartJob {}
operation GetJob { output := { status: JobStatus } }
enum JobStatus { QUEUED, RUNNING, SUCCEEDED, FAILED, STRANGE }
operation DeleteThing {}
@waitable(ThingActive: { acceptors: [{ state: "success", matcher: { output: {
    path: "status", comparator: "stringEquals", expected: "ACTIVE"
} } }] })
operation GetThing { output := { status: ThingStatus }, errors: [ThingNotFound] }
enum ThingStatus { CREATING, ACTIVE, DELETING, DELETE_FAILED }
@error("client") structure ThingNotFound {}
"#;

/// Runs `suggest` on a model in a folder.
fn suggest(folder: &Path, model: &str, arguments: &[&str]) -> Output {
    fs::write(folder.join("model.smithy"), model).unwrap();
    run(folder, &[&["suggest", "model.smithy"], arguments].concat())
}

/// Returns the message of a command that cannot run.
fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    stderr(output)
}

#[test]
fn text_has_the_evidence_and_fits_a_terminal() {
    let folder = common::folder("suggest-text");
    let output = suggest(&folder, MODEL, &[]);
    let text = stdout(&output);
    let nothing = "no waiters to suggest";
    assert!(!stderr(&output).contains(nothing));
    let none = suggest(
        &common::folder("suggest-none"),
        "namespace example\noperation Ping {}\n",
        &[],
    );
    assert!(stderr(&none).contains(nothing), "{none:?}");
    assert!(
        text.starts_with("JobSucceeded (GetJob, likely 0.95)\n  path     status\n"),
        "{text}"
    );
    for line in [
        "  success  `SUCCEEDED`\n  failure  `FAILED`\n  values   transitional QUEUED RUNNING;",
        "  because  `StartJob` leads to it\n",
        "  check    not classified: `STRANGE`\n",
        "  success  the error `ThingNotFound`\n  failure  `DELETE_FAILED`\n",
        "no `minDelay`",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(!text.contains("ThingActive"), "{text}");
}

#[test]
fn values_are_listed_by_their_classes() {
    let job = "QUEUED, ACTIVE, SUCCEEDED, FAILED, CANCELLED, PARTIALLY_FAILED, STOPPED, DELETED, DEGRADED, STRANGE";
    let model = MODEL.replace("QUEUED, RUNNING, SUCCEEDED, FAILED, STRANGE", job);
    let model = model.replace("CREATING, ACTIVE", "CREATING, CREATED, ACTIVE");
    let text = stdout(&suggest(&common::folder("suggest-classes"), &model, &[]));
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    for classes in [
        "values transitional QUEUED ACTIVE; done SUCCEEDED; failed FAILED; cancelled CANCELLED; partial PARTIALLY_FAILED; \
         at rest STOPPED; gone DELETED; impaired DEGRADED; not classified STRANGE because",
        "values transitional CREATING DELETING; created CREATED; ready ACTIVE; failed DELETE_FAILED because",
    ] {
        assert!(text.contains(classes), "{text}");
    }
}

#[test]
fn smithy_files_are_valid() {
    let folder = common::folder("suggest-smithy");
    let output = suggest(&folder, MODEL, &["--format", "smithy"]);
    let text = stdout(&output);
    assert!(text.contains("\napply example#GetJob @waitable("), "{text}");
    assert!(
        text.contains("\n// apply example#GetThing @waitable("),
        "{text}"
    );
    fs::write(folder.join("suggested.smithy"), text).unwrap();
    let lint = run(&folder, &["lint", "--show", "note", "."]);
    assert!(lint.status.success(), "{}", stdout(&lint));
    assert!(stdout(&run(&folder, &["list", "."])).contains("waiter JobSucceeded"));
}

#[test]
fn json_and_written_definitions_are_equal() {
    let folder = common::folder("suggest-json");
    let json: Value =
        serde_json::from_str(&stdout(&suggest(&folder, MODEL, &["--format", "json"]))).unwrap();
    let written = stdout(&suggest(&folder, MODEL, &["--write", "waiters"]));
    assert_eq!(written.lines().count(), json.as_array().unwrap().len());
    for proposal in json.as_array().unwrap() {
        let name = proposal["waiter"].as_str().unwrap();
        let text = fs::read_to_string(folder.join(format!("waiters/{name}.json"))).unwrap();
        let definition: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(definition["acceptors"], proposal["acceptors"]);
        Waiter::from_value(&definition, Some(name)).unwrap();
    }
    assert!(
        suggest(&folder, MODEL, &["--write", "waiters"])
            .status
            .success()
    );
    fs::write(folder.join("waiters/JobSucceeded.json"), "{}").unwrap();
    let message = error(&suggest(&folder, MODEL, &["--write", "waiters"]));
    assert!(
        message.contains("JobSucceeded.json` exists with another definition"),
        "{message}"
    );
}

#[test]
fn a_state_selects_guesses_too() {
    let folder = common::folder("suggest-state");
    let text = |state: &str| stdout(&suggest(&folder, MODEL, &["--state", state]));
    assert!(text("succeeded").starts_with("JobSucceeded "));
    assert!(text("deleted").starts_with("ThingDeleted "));
    assert!(text("exists").starts_with("ThingExists (GetThing, guess "));
    assert!(text("not-exists").contains("NotExists (GetThing, guess "));
    let message = error(&suggest(&folder, MODEL, &["--state", "SUCCEDED"]));
    assert_eq!(
        message,
        "error: the model has no state `SUCCEDED`: did you mean `SUCCEEDED`?\n"
    );
    let message = error(&suggest(&folder, MODEL, &["--state", "QUEUED"]));
    assert!(
        message.contains("no waiter waits for `QUEUED`"),
        "{message}"
    );
}

#[test]
fn an_operation_selects_its_waiters() {
    let folder = common::folder("suggest-operation");
    let output = suggest(&folder, MODEL, &["--operation", "example#GetThing"]);
    assert!(stdout(&output).starts_with("ThingDeleted "));
    let message = error(&suggest(&folder, MODEL, &["--operation", "GetTing"]));
    assert_eq!(
        message,
        "error: the model has no operation `GetTing`: did you mean `GetThing`?\n"
    );
    let message = error(&suggest(
        &folder,
        "$version: \"2\"\nnamespace example\nstring Name\n",
        &[],
    ));
    assert_eq!(message, "error: the model has no operations\n");
}

#[test]
fn a_project_extends_the_vocabulary() {
    let folder = common::folder("suggest-vocabulary");
    let model = MODEL.replace("SUCCEEDED", "BREWED");
    let with = |vocabulary: &str| {
        fs::write(folder.join("words.toml"), vocabulary).unwrap();
        suggest(&folder, &model, &["--vocabulary", "words.toml"])
    };
    assert!(stdout(&with("[values]\ndone = [\"brewed\"]\n")).starts_with("JobBrewed "));
    let message = error(&with("[values]\ndone = [\"Brewed\"]\n"));
    assert!(
        message.contains("cannot use the vocabulary `words.toml`"),
        "{message}"
    );
    assert!(message.contains("got `Brewed`"), "{message}");
    let message = error(&with("[weights]\ndone = 2\n"));
    assert!(message.contains("must be from -1 to 1, got 2"), "{message}");
    let message = error(&suggest(&folder, &model, &["--vocabulary", "missing.toml"]));
    assert!(message.contains("cannot read `missing.toml`"), "{message}");
}
