//! What is derived from small models, as a whole: the files beside this one have it.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

#[path = "../engine/mod.rs"]
mod engine;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::json;
use smithy_waiters_conformance::{Case, Http, Origin, Suite, smithy, suites};
use smithy_waiters_model::{Sources, read};

use engine::differences;

/// Compares a text with that of a file. A new text is written to a file, so that a person can read and accept it.
fn assert_is(name: &str, expected: &str, found: &str) {
    if found != expected {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, found).unwrap();
        let differs = |(one, two): &(&str, &str)| one != two;
        let pairs = expected.lines().zip(found.lines());
        let first = pairs.clone().find(differs);
        panic!(
            "{name} differs, first in {first:#?}; the new text is in {}",
            path.display()
        );
    }
}

/// Returns a response in a line.
fn line(http: &Http) -> String {
    let headers = http
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}"));
    let headers = headers.collect::<Vec<_>>().join(", ");
    let body = http.body.as_ref().or(http.body_base64.as_ref());
    let body = body
        .map(|body| body.replace('\n', "\\n"))
        .unwrap_or_default();
    format!("{} {headers} {body}", http.status)
}

#[test]
fn the_files_of_a_service() {
    let mut sources = Sources::default();
    assert!(sources.add("jobs.smithy", include_str!("jobs.smithy")));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let mut origin = Origin::default();
    origin.botocore = Some("jobs".to_owned());
    origin.model = Some("jobs.smithy".to_owned());
    origin.source = Some("this file".to_owned());
    let suites = suites(&model, &origin);
    let jobs = suites
        .iter()
        .find(|suite| suite.suite == "job-runs")
        .unwrap();
    assert_is(
        "jobs.json",
        include_str!("jobs.json"),
        &jobs.to_text().unwrap(),
    );
    assert_is(
        "jobs-tests.smithy",
        include_str!("jobs-tests.smithy"),
        &smithy(&model, jobs),
    );
    // The others differ in the bytes alone.
    let mut text = String::new();
    for suite in suites.iter().filter(|suite| suite.suite != "job-runs") {
        writeln!(text, "{}", json!(suite.service)).unwrap();
        for case in &suite.cases {
            let is_output = ["JobFull.a0.match", "JobThere.a0.match"]
                .iter()
                .any(|end| case.id.ends_with(end));
            if let Some(http) = case
                .answer
                .http
                .as_ref()
                .filter(|_| is_output || case.answer.error.is_some())
            {
                let clause = case.clause.rsplit('/').next().unwrap_or_default();
                writeln!(text, "{} {clause}\n    {}", case.id, line(http)).unwrap();
            }
        }
        let throttled = suite
            .waiters
            .get("JobDone")
            .and_then(|waiter| waiter.answers.get("throttled"));
        let http = throttled.and_then(|answer| answer.http.as_ref()).map(line);
        writeln!(text, "throttled\n    {}", http.unwrap_or_default()).unwrap();
    }
    assert_is("bytes.txt", include_str!("bytes.txt"), &text);
}

/// Returns the answer and the states of a case. The text of a long output has its length.
fn case_line(case: &Case) -> String {
    let name = case.id.rsplit('.').next().unwrap_or_default();
    let input = case
        .params
        .as_ref()
        .map(|params| format!("{} and ", json!(params)));
    let mut output = json!(case.answer.output).to_string();
    let length = output.len();
    if length > 150 {
        output.truncate(50);
        write!(output, "… of {length} bytes").unwrap();
    }
    let also: String = case
        .also
        .iter()
        .map(|other| format!(" or {}", other.state))
        .collect();
    format!(
        "    {name}: {}{output} {}{also}\n",
        input.unwrap_or_default(),
        case.expect.state
    )
}

fn suite_of(paths: &[&str]) -> Suite {
    let waiters = paths.iter().enumerate().map(|(index, line)| {
        let (matcher, path) = line.split_once(": ").unwrap();
        let (comparator, expected) = matcher.split_once(' ').unwrap();
        let kind = if path.contains("output.") { "inputOutput" } else { "output" };
        let definition = json!({"acceptors": [{
            "state": "success", "matcher": {kind: {"path": path, "expected": expected, "comparator": comparator}},
        }]});
        format!("W{index}: {definition}")
    });
    let waiters = waiters.collect::<Vec<_>>().join("\n");
    let model = include_str!("paths.smithy");
    let text = format!("{model}\napply GetJob @smithy.waiters#waitable({waiters})\n");
    let mut sources = Sources::default();
    assert!(sources.add("paths.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    suites(&model, &Origin::default()).remove(0)
}

/// `paths.txt` has a line for each path, with its expected value and comparator, and below it the answers.
#[test]
fn the_answers_of_each_kind_of_path() {
    let file = include_str!("paths.txt");
    let paths: Vec<&str> = file.lines().filter(|line| !line.starts_with(' ')).collect();
    let suite = suite_of(&paths);
    assert_eq!(differences(&suite).unwrap(), [""; 0]);
    let mut text = String::new();
    for (index, path) in paths.iter().enumerate() {
        writeln!(text, "{path}").unwrap();
        let waiter = format!("W{index}");
        let cases = suite
            .cases
            .iter()
            .filter(|case| case.waiter == waiter && case.answer.output != Some(json!({})));
        text.extend(
            cases
                .filter(|case| case.answer.error.is_none())
                .map(case_line),
        );
        for one in suite.not_covered.iter().filter(|one| one.waiter == waiter) {
            writeln!(text, "    not covered: {}", one.reason).unwrap();
        }
    }
    assert_is("paths.txt", file, &text);
}
