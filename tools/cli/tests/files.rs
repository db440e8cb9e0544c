//! The selection of files, and the errors for unreadable ones.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;

use common::{MODEL, counts, folder, run, run_with, stderr, stdout, with_model};

const FOUND: &str = "1 danger, 1 note (1 not shown: `--show note`)";

#[test]
fn a_folder_is_searched_for_models() {
    let folder = with_model("searched");
    for (name, text) in [
        ("other.json", &b"{\"events\": []}"[..]),
        (
            "package.json",
            b"{\"scripts\": {\"smithy\": \"smithy build\"}, \"smithy\": 1}",
        ),
        ("list.json", b"[]"),
        ("binary.json", b"\xff\xfe{\"smithy\": \"2\"}"),
        ("notes.txt", b"namespace"),
        (".hidden.smithy", b"nothing"),
        ("left/out.smithy", b"nothing"),
        (".ignore", b"left/\n"),
    ] {
        fs::create_dir_all(folder.join("left")).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
    let output = run(&folder, &["lint", "."]);
    assert_eq!(counts(&output), FOUND);
    assert!(stdout(&output).contains("--> model.smithy:10:64\n"));
}

#[test]
fn a_file_is_read_once() {
    let folder = with_model("once");
    let output = run(&folder, &["lint", ".", "model.smithy", "./model.smithy"]);
    assert_eq!(counts(&output), FOUND);
}

#[test]
fn where_there_is_no_model_nothing_is_good() {
    let folder = folder("none");
    fs::write(folder.join("other.json"), "{}").unwrap();
    let output = run(&folder, &["lint", "."]);
    assert_eq!(stderr(&output), "error: no models found in `.`\n");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = folder("unreadable");
    fs::write(folder.join("binary.smithy"), b"\xff\xfe").unwrap();
    fs::write(folder.join("README.md"), "text").unwrap();
    for (file, message) in [
        (
            "binary.smithy",
            "error: `binary.smithy` is not valid UTF-8\n",
        ),
        (
            "README.md",
            "error: `README.md` is not a model: its name must end in `.smithy` or `.json`\n",
        ),
    ] {
        let output = run(&folder, &["lint", file]);
        assert_eq!(
            (&*stderr(&output), output.status.code()),
            (message, Some(2))
        );
    }
    let missing = run(&folder, &["lint", "missing.smithy"]);
    assert!(stderr(&missing).starts_with("error: cannot read `missing.smithy`\n  because: "));
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn an_endless_file_is_not_read_for_ever() {
    let output = run(&folder("endless"), &["lint", "/dev/zero"]);
    let message = "error: `/dev/zero` exceeds 268435456 bytes, the limit for a model file\n";
    assert_eq!(stderr(&output), message);
}

#[test]
fn files_that_are_no_models_inside_are_bad() {
    let folder = folder("bad");
    for (name, text) in [
        ("a.json", "[]"),
        ("empty.json", ""),
        ("text.smithy", "hello"),
    ] {
        fs::write(folder.join(name), text).unwrap();
        let output = run(&folder, &["lint", name]);
        assert_eq!(
            (&*counts(&output), output.status.code()),
            ("1 error", Some(1))
        );
    }
}

#[test]
fn standard_input_is_a_file() {
    let folder = folder("stdin");
    let output = run_with(&folder, &["lint", "-"], MODEL.as_bytes());
    assert_eq!(counts(&output), FOUND);
    assert!(stdout(&output).contains("--> stdin.smithy:10:64\n"));
    let ast = run_with(
        &folder,
        &["lint", "-"],
        b"{\"smithy\": \"2.0\", \"shapes\": {}}",
    );
    assert_eq!(counts(&ast), "no findings in 1 file");
    let binary = run_with(&folder, &["lint", "-"], b"\xff");
    assert_eq!(
        stderr(&binary),
        "error: standard input is not valid UTF-8\n"
    );
    let named = run(&folder, &["lint", "--stdin-filename", "a.smithy"]);
    let message = "error: `--stdin-filename` requires the file `-`\n";
    assert_eq!((&*stderr(&named), named.status.code()), (message, Some(2)));
    let fixed = run_with(&folder, &["lint", "-", "--fix"], MODEL.as_bytes());
    assert_eq!(
        stderr(&fixed),
        "error: cannot use `--fix` with standard input\n"
    );
}

#[test]
fn an_editor_shows_what_is_not_saved_in_its_model() {
    let folder = with_model("editor");
    let enums = "$version: \"2\"\nnamespace example\nenum ThingState { CREATING, READY }\n";
    let (thing, _) = MODEL.split_once("enum ThingState").unwrap();
    let errors = "@error(\"client\")\nstructure Gone {}\n";
    fs::write(folder.join("model.smithy"), "not yet").unwrap();
    fs::write(folder.join("enums.smithy"), enums).unwrap();
    let unsaved = format!("{thing}{errors}");
    let arguments = ["lint", ".", "-", "--stdin-filename", "model.smithy"];
    let output = run_with(&folder, &arguments, unsaved.as_bytes());
    assert_eq!(counts(&output), FOUND);
    assert!(stdout(&output).contains("--> model.smithy:10:64\n"));
}

#[test]
fn files_that_have_nothing_to_do_with_each_other_suppress_each_others_events() {
    let folder = folder("separate");
    let with = |name: &str, metadata: &str, shapes: &str| {
        let text = format!(
            "{{\"smithy\": \"2.0\", \"metadata\": {{{metadata}}}, \"shapes\": {{{shapes}}}}}"
        );
        fs::write(folder.join(name), text).unwrap();
    };
    let waiter = r#"{"Ready": {"acceptors": [{"state": "success", "matcher": {"output": {
        "path": "nothing", "comparator": "stringEquals", "expected": "x"}}}]}}"#;
    let operation = format!(
        r#""one#Get": {{"type": "operation", "output": {{"target": "three#Out"}}, "traits": {{"smithy.waiters#waitable": {waiter}}}}}"#
    );
    with("one.json", "", &operation);
    let suppressions =
        r#""suppressions": [{"id": "WaitableTraitJmespathProblem", "namespace": "*"}]"#;
    with("two.json", suppressions, r#""two#S": {"type": "string"}"#);
    with(
        "three.json",
        "",
        r#""three#Out": {"type": "structure", "members": {"a": {"target": "smithy.api#String"}}}"#,
    );
    let lint = |files: &[&str]| {
        let output = run(&folder, &[&["lint"], files].concat());
        counts(&output)
    };
    assert_eq!(lint(&["one.json", "three.json"]), "1 danger");
    assert_eq!(
        lint(&["two.json", "one.json", "three.json"]),
        "no findings in 3 files"
    );
    assert_eq!(lint(&["."]), "no findings in 3 files");
    assert!(lint(&["one.json", "two.json"]).contains("error"));
}
