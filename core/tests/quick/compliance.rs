//! Runs all cases of the official JMESPath compliance suite.
//!
//! The suite is part of the parser's package. A newer one in a folder beside the repository runs, too.
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::explicit_write,
    reason = "a panic fails the test, and output must not be captured"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::found::doubles;
use serde::Deserialize;
use serde_json::Value as Json;
use smithy_waiters::{CompiledExpression, ExpressionError};

/// A suite with fewer cases is not the suite.
const LEAST_CASES: usize = 800;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Excuses {
    cannot_hold: Vec<Excuse>,
}

/// A case that cannot pass, and therefore must fail.
#[derive(Deserialize)]
struct Excuse {
    file: String,
    expression: String,
    reason: String,
}

#[derive(Deserialize)]
struct Group {
    given: Json,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    expression: String,
    /// The expected result; the outer `Option` is `None` for a case without a result, because null is a result.
    #[serde(default, deserialize_with = "present")]
    result: Option<Json>,
    error: Option<String>,
    bench: Option<String>,
}

#[test]
fn the_official_suite_holds() {
    holds("the parser's own suite", &packaged_suite());
}

#[test]
fn the_suite_beside_the_repository_holds() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/jmespath-compliance");
    if folder.is_dir() {
        return holds("shared suite", &folder);
    }
    // `println!` would be captured if the test passes.
    let skipped = "SKIPPED: the newer suite; it is beside the repository";
    writeln!(std::io::stderr(), "{skipped}").unwrap();
}

fn holds(suite: &str, folder: &Path) {
    let mut tally = Tally {
        excuses: excuses(),
        ..Tally::default()
    };
    for (file, groups) in files(folder) {
        for group in &groups {
            group
                .cases
                .iter()
                .for_each(|case| tally.add(&file, case, &group.given));
        }
    }
    // Write to the terminal directly, because the output of a passing test is not shown.
    let Tally {
        cases,
        held,
        excused,
        failures,
        ..
    } = tally;
    writeln!(
        std::io::stderr(),
        "jmespath compliance: {held} of {cases} ({suite})"
    )
    .unwrap();
    for line in excused {
        writeln!(std::io::stderr(), "  cannot hold: {line}").unwrap();
    }
    assert!(
        failures.is_empty(),
        "{} cases differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(cases >= LEAST_CASES, "the suite has {cases} cases only");
}

/// The numbers of cases. Benchmarks run, but do not count as cases.
#[derive(Default)]
struct Tally {
    excuses: Vec<Excuse>,
    cases: usize,
    held: usize,
    excused: Vec<String>,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, file: &str, case: &Case, given: &Json) {
        let text = &case.expression;
        let outcome = check(case, given);
        if case.bench.is_none() {
            self.cases += 1;
            self.held += usize::from(outcome.is_ok());
        }
        let excuse = self
            .excuses
            .iter()
            .find(|excuse| excuse.file == file && excuse.expression == *text);
        match (outcome, excuse) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => self
                .failures
                .push(format!("{file}: `{text}` holds after all")),
            (Err(_), Some(Excuse { reason, .. })) => {
                self.excused.push(format!("{file}: `{text}`: {reason}"))
            }
            (Err(what), None) => self.failures.push(format!("{file}: `{text}` {what}")),
        }
    }
}

fn check(case: &Case, given: &Json) -> Result<(), String> {
    let found = CompiledExpression::new(&case.expression);
    match (&case.error, &case.result) {
        (Some(kind), _) if kind == "syntax" => refused(found.map(drop)),
        (Some(_), _) => refused(found.and_then(|expression| expression.search(given).map(drop))),
        (None, Some(expected)) => {
            let expression = found.map_err(|error| format!("does not compile: {error}"))?;
            gives(&expression, given, expected)
        }
        // A benchmark does not have an expected result.
        (None, None) => search(&found.map_err(|error| error.to_string())?, given).map(drop),
    }
}

fn refused(outcome: Result<(), ExpressionError>) -> Result<(), String> {
    match outcome {
        Ok(()) => Err("is accepted".to_owned()),
        Err(error) if error.message.is_empty() || error.code.is_empty() => {
            Err("is refused without a word".to_owned())
        }
        Err(_) => Ok(()),
    }
}

fn gives(expression: &CompiledExpression, given: &Json, expected: &Json) -> Result<(), String> {
    let found = doubles(&search(expression, given)?);
    if found == doubles(expected) {
        Ok(())
    } else {
        Err(format!("gives {found}, not {expected}"))
    }
}

fn search(expression: &CompiledExpression, given: &Json) -> Result<Json, String> {
    expression
        .search(given)
        .map(Json::from)
        .map_err(|error| format!("fails: {error}"))
}

/// Reads the list of excused cases, which all languages share.
fn excuses() -> Vec<Excuse> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/compliance.json");
    let list: Excuses = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    list.cannot_hold
}

fn packaged_suite() -> PathBuf {
    let mut command = cargo_metadata::MetadataCommand::new();
    let metadata = command
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .exec()
        .unwrap();
    let parser = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == "jmespath")
        .unwrap();
    parser
        .manifest_path
        .with_file_name("tests")
        .join("compliance")
        .into()
}

fn files(folder: &Path) -> Vec<(String, Vec<Group>)> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            (
                name(path),
                serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(),
            )
        })
        .collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(value).map(Some)
}
