//! The problem matchers of GitHub and of editors, with the output of `lint` on the models of Smithy's tests.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{folder, run, stdout};
use regex_lite::Regex;
use serde_json::{Value, json};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A severity, a code, a message and a place, as the members of a matcher's pattern name them.
const MEMBERS: [&str; 6] = ["severity", "code", "message", "file", "line", "column"];

type Problem = [String; MEMBERS.len()];

/// Applies a matcher of two lines, as GitHub and VS Code do.
fn matches(matcher: &Value, output: &str) -> Vec<Problem> {
    let pattern = |line| matcher.pointer(&format!("/pattern/{line}")).unwrap();
    let (first, second) = (pattern(0), pattern(1));
    assert!(
        matcher.pointer("/pattern/2").is_none(),
        "a finding has two lines"
    );
    let regex = |pattern: &Value| Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let (head, place) = (regex(first), regex(second));
    let pairs = output.lines().zip(output.lines().skip(1));
    let pairs = pairs.filter_map(|(line, following)| {
        let (one, other) = (head.captures(line)?, place.captures(following)?);
        Some(MEMBERS.map(|member| {
            let group = |pattern: &Value| usize::try_from(pattern[member].as_u64()?).ok();
            let found = group(first).map(|group| &one[group]);
            let found = found.or_else(|| group(second).map(|group| &other[group]));
            found
                .unwrap_or_else(|| matcher[member].as_str().unwrap())
                .to_owned()
        }))
    });
    pairs.collect()
}

/// A model whose findings quote texts of several lines.
const LINES: &str = r#"$version: "2"
namespace example.lines
use smithy.waiters#waitable
@waitable(Ready: { acceptors: [
    { state: "success", matcher: { output: { comparator: "stringEquals", expected: "x", path: "a.
::stop-commands::x[?" } } }
    { state: "success", matcher: { output: { comparator: "stringEquals", path: "state", expected: """
        READY
        ::error::y""" } } }
] })
operation GetThing { output := { state: State } }
enum State { READY }
"#;

/// Runs `lint` on copies of the models, and returns its text and its events.
fn lint(test: &str) -> (String, Vec<Value>) {
    let folder = folder(test);
    fs::write(folder.join("lines.smithy"), LINES).unwrap();
    let models = Path::new(REPOSITORY).join("tools/model/tests/smithy/models");
    for model in fs::read_dir(models).unwrap() {
        let model = model.unwrap();
        fs::copy(model.path(), folder.join(model.file_name())).unwrap();
    }
    let arguments = ["lint", ".", "--each", "--show", "note"];
    let text = stdout(&run(&folder, &arguments));
    let json = stdout(&run(
        &folder,
        &[&arguments[..], &["--format", "json"]].concat(),
    ));
    (text, serde_json::from_str(&json).unwrap())
}

/// Returns an event as a matcher should.
fn problem(event: &Value, severity: fn(&str) -> &'static str) -> Problem {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    MEMBERS.map(|member| match member {
        "severity" => severity(event[member].as_str().unwrap()).to_owned(),
        "code" => text(&event["id"]),
        "message" => text(&event[member]).replace('\n', "\\n"),
        _ => text(event.pointer(&format!("/culprit/{member}")).unwrap()),
    })
}

fn assert_equal(mut actual: Vec<Problem>, mut expected: Vec<Problem>) {
    actual.sort();
    expected.sort();
    let severities: BTreeSet<&str> = expected.iter().map(|problem| &*problem[0]).collect();
    assert!(
        severities.len() > 2,
        "the models have each severity: {severities:?}"
    );
    assert!(
        expected
            .iter()
            .any(|problem| problem[2].contains("\\n::error::y")),
        "a message quotes several lines"
    );
    assert_eq!(actual, expected);
}

#[test]
fn github_annotates_each_finding() {
    let file = Path::new(REPOSITORY).join("lint/problem-matcher.json");
    let file: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let (text, events) = lint("matcher-github");
    let matchers = file["problemMatcher"].as_array().unwrap();
    let actual = matchers.iter().flat_map(|matcher| matches(matcher, &text));
    // GitHub ignores a problem of any other severity.
    let severity: fn(&str) -> &'static str = |severity| match severity {
        "NOTE" => "notice",
        "WARNING" => "warning",
        _ => "error",
    };
    let expected = events.iter().map(|event| problem(event, severity));
    assert_equal(actual.collect(), expected.collect());
}

#[test]
fn vs_code_shows_the_findings_that_the_language_server_lacks() {
    let page = fs::read_to_string(Path::new(REPOSITORY).join("docs/editors.md")).unwrap();
    let tasks = page
        .split("```json\n")
        .find(|block| block.contains("problemMatcher"))
        .unwrap();
    let tasks: Value = serde_json::from_str(tasks.split("```").next().unwrap()).unwrap();
    let task = &tasks["tasks"][0];
    assert_eq!(task["args"], json!(["lint", "model", "--show", "note"]));
    let (text, events) = lint("matcher-vs-code");
    let actual = matches(&task["problemMatcher"], &text);
    let ours = events
        .iter()
        .filter(|event| event["id"].as_str().unwrap().starts_with("SmithyWaiters."));
    // VS Code reads `note` as information, and another unknown word as the matcher's own severity.
    let word: fn(&str) -> &'static str = |severity| match severity {
        "DANGER" => "danger",
        "ERROR" => "error",
        "WARNING" => "warning",
        _ => "note",
    };
    assert_eq!(task["problemMatcher"]["severity"], "error");
    let expected = ours.map(|event| problem(event, word));
    assert_equal(actual, expected.collect());
}
