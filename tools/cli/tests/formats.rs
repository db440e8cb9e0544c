//! The machine-readable formats of events.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{MODEL, folder, run, stderr, stdout, with_model};
use serde_json::Value;

#[test]
fn json_is_one_array() {
    let output = run(
        &with_model("json"),
        &["lint", "model.smithy", "--format", "json", "--show", "note"],
    );
    let events: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let events = events.as_array().unwrap();
    let of = |index: usize, key: &str| {
        events
            .get(index)
            .and_then(|event| event.get(key))
            .unwrap()
            .to_string()
    };
    assert_eq!(events.len(), 2);
    assert_eq!(of(0, "severity"), "\"DANGER\"");
    assert_eq!(
        (of(0, "file"), of(0, "line"), of(0, "column")),
        ("\"model.smithy\"".into(), "7".into(), "1".into())
    );
    let culprit = serde_json::json!({
        "file": "model.smithy", "line": 10, "column": 64, "endLine": 10, "endColumn": 69
    });
    assert_eq!(events[0]["culprit"], culprit);
    assert_eq!(
        of(1, "id"),
        "\"SmithyWaiters.ImplicitAcceptor.ThingReady.1\""
    );
    assert_eq!(of(1, "line"), "11");
    assert_eq!(stderr(&output), "");
}

#[test]
fn json_has_what_was_mended() {
    let folder = with_model("json-mended");
    let output = run(
        &folder,
        &["lint", "model.smithy", "--fix", "--format", "json"],
    );
    let events: Vec<Value> = serde_json::from_str(&stdout(&output)).unwrap();
    let lines = events.iter().map(|event| (&event["fixed"], &event["line"]));
    let fixed = |line: u64| (Value::from(true), Value::from(line));
    let expected = [fixed(10), fixed(10), fixed(11)];
    assert!(lines.eq(expected.iter().map(|(fixed, line)| (fixed, line))));
}

/// Returns the SARIF log of a file after checking that the schema's types preserve every member.
fn sarif(folder: &Path, arguments: &[&str]) -> Value {
    let arguments = [&["lint", "--format", "sarif"], arguments].concat();
    let log: Value = serde_json::from_str(&stdout(&run(folder, &arguments))).unwrap();
    let typed: serde_sarif::sarif::Sarif = serde_json::from_value(log.clone()).unwrap();
    assert_eq!(serde_json::to_value(typed).unwrap(), log);
    log
}

#[test]
fn code_scanning_is_told_where_the_culprit_is() {
    let folder = with_model("sarif");
    let log = sarif(&folder, &["model.smithy"]);
    let at = |pointer: &str| log.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/version"), "2.1.0");
    assert_eq!(
        at("/runs/0/results/0/ruleId"),
        "WaitableTraitJmespathProblem"
    );
    let region =
        serde_json::json!({"startLine": 10, "startColumn": 64, "endLine": 10, "endColumn": 69});
    let place = "/runs/0/results/0/locations/0/physicalLocation";
    assert_eq!(at(&format!("{place}/region")), region);
    assert_eq!(at(&format!("{place}/artifactLocation/uri")), "model.smithy");
    assert_eq!(
        at("/runs/0/tool/driver/rules/0/id"),
        "WaitableTraitJmespathProblem"
    );
}

#[test]
fn what_is_suppressed_and_where_names_are_odd_is_sarif_as_well() {
    let folder = folder("odd");
    let suppressed = MODEL.replace("@readonly", "@suppress([\"WaitableTraitJmespathProblem\"])");
    fs::write(folder.join("a b:é.smithy"), suppressed).unwrap();
    let log = sarif(&folder, &["a b:é.smithy", "--show", "suppressed"]);
    let at = |pointer: &str| log.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(at("/runs/0/results/0/suppressions/0/kind"), "inSource");
    let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
    assert_eq!(at(uri), "a%20b%3A%C3%A9.smithy");
    let whole = folder.join("a b:é.smithy");
    let log = sarif(&folder, &[whole.to_str().unwrap(), "--show", "note"]);
    let uri = log.pointer(uri).unwrap().as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/a%20b%3A%C3%A9.smithy"));
}

#[test]
fn a_rule_of_sarif_does_not_depend_on_other_errors() {
    let folder = folder("sarif-later");
    let broken = "@retryable\nstring Broken\n";
    fs::write(folder.join("model.smithy"), format!("{MODEL}{broken}")).unwrap();
    let log = sarif(&folder, &["model.smithy"]).to_string();
    assert!(log.contains("SmithyWaiters.Later."), "{log}");
    assert!(
        log.contains("\"ruleId\":\"WaitableTraitJmespathProblem\""),
        "{log}"
    );
}

#[test]
fn workflows_show_events_beside_the_culprit() {
    let folder = with_model("github");
    let github = stdout(&run(
        &folder,
        &["lint", "model.smithy", "--format", "github"],
    ));
    let begin = "::error file=model.smithy,line=10,col=64,endColumn=68,title=Waitable";
    assert!(github.starts_with(begin), "{github}");
    assert_eq!(github.lines().count(), 1);
}

#[test]
fn colours_are_for_terminals() {
    let folder = with_model("colours");
    assert!(!stdout(&run(&folder, &["lint", "model.smithy"])).contains('\u{1b}'));
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    let command = command.current_dir(&folder).args(["lint", "model.smithy"]);
    let forced = command.env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(stdout(&forced).contains('\u{1b}'));
    let none = command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
    assert!(!stdout(&none.output().unwrap()).contains('\u{1b}'));
}
