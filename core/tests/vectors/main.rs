//! Runs all vectors of `tests/vectors` with the native engine and its driver.
//!
//! Writes the results to `target/vectors/rust.json`. `cargo xtask parity` compares them with the results of the other
//! languages.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "a panic fails the test"
)]

mod file;
mod fleet;
mod kinds;
mod operation;
mod pages;
mod recorded;
mod request;
mod request_steps;
mod results;
mod resume;
mod retry;
mod saved;
mod search;
mod service;
mod several;
mod sleeps;
mod stored;
mod stored_fleet;
mod values;
mod virtual_time;
mod wait;
mod walk;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde_json::{Map, Value as Json};

/// The minimum number of vectors. Fewer mean that files are missing.
const LEAST: usize = 1_000;

#[test]
fn every_vector_has_the_expected_result() {
    let vectors = file::vectors();
    let mut results = BTreeMap::new();
    let mut failures = Vec::new();
    let pending = file::pending();
    for vector in &vectors {
        if pending.iter().any(|kind| kind == vector.kind()) {
            continue;
        }
        let result = results::with_spelling_of_vectors(kinds::run(vector));
        if result != vector.expected() {
            failures.push(difference(vector.id(), &vector.expected(), &result));
        }
        results.insert(vector.id().to_owned(), result);
    }
    file::write_results(&results);
    println!("rust: {} vectors, {} failed", results.len(), failures.len());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(results.len() >= LEAST, "{} vectors only", results.len());
}

#[test]
fn every_file_follows_the_schema() {
    let schema = file::schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<String> = file::all()
        .iter()
        .flat_map(|(path, json)| {
            validator
                .iter_errors(json)
                .map(move |error| format!("{path}: {}: {error}", error.instance_path()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// Changes a valid vector in ways that the schema must reject.
#[test]
fn the_schema_rejects_invalid_vectors() {
    let validator = jsonschema::validator_for(&file::schema()).unwrap();
    let good = serde_json::json!({"about": "x", "vectors": [{
        "id": "a-b", "rules": ["delays"], "kind": "delay", "attempt": 1, "remaining": 1, "minDelay": 1, "maxDelay": 1,
        "random": 0.5, "expected": null}]});
    assert!(validator.is_valid(&good));
    let changes: [(&str, Json); 7] = [
        ("id", "Not Kebab".into()),
        ("rules", Json::Array(Vec::new())),
        ("kind", "unknown".into()),
        ("surplus", 1.into()),
        ("expected", "soon".into()),
        ("attempt", serde_json::json!({"$number": "1"})),
        ("rules", serde_json::json!(["Delays"])),
    ];
    for (member, value) in changes {
        let mut bad = good.clone();
        bad["vectors"][0][member] = value;
        assert!(!validator.is_valid(&bad), "`{member}` passes as {bad}");
    }
}

/// Compares the engine and its driver with the oracle of `tests/oracle` on random cases. `SMITHY_WAITERS_CASES` is their folder.
#[test]
#[ignore = "needs the cases of the oracle"]
fn results_are_those_of_the_oracle() {
    for (name, cases) in file::cases_of_the_oracle() {
        let mut count = 0;
        for vector in cases {
            let result = results::with_spelling_of_vectors(kinds::run(&vector));
            let expected = match vector.expected().get("result") {
                // A result of a search has no more members than the oracle's.
                Some(_) => result,
                None => only_members_of(&vector.expected(), &result),
            };
            if expected != vector.expected() {
                let difference = difference(vector.id(), &vector.expected(), &expected);
                panic!("{difference}\n{}", vector.json());
            }
            count += 1;
        }
        assert!(count > 0, "no cases of {name}");
        println!("rust: {count} {name} as in the oracle");
    }
}

/// Writes the results of the native engine on the cases of the oracle, with which the component's runner compares those of
/// the component. `SMITHY_WAITERS_CASES` is the folder of the cases, and `SMITHY_WAITERS_RECORDED` that of the results.
#[test]
#[ignore = "needs the cases of the oracle"]
fn results_are_recorded() {
    let folder = std::env::var("SMITHY_WAITERS_RECORDED").unwrap();
    for (name, cases) in file::cases_of_the_oracle() {
        let path = Path::new(&folder).join(format!("{name}.jsonl"));
        let mut file = BufWriter::new(File::create(path).unwrap());
        for vector in cases.flat_map(|case| recorded::vectors(&case)) {
            writeln!(file, "{vector}").unwrap();
        }
        file.flush().unwrap();
    }
}

/// Returns what a result has of the members that the oracle decides.
fn only_members_of(expected: &Json, result: &Json) -> Json {
    match (expected, result) {
        (Json::Object(expected), Json::Object(result)) => {
            let members = expected
                .iter()
                .filter_map(|(name, value)| Some((name, value, result.get(name)?)));
            members
                .map(|(name, value, found)| (name.clone(), only_members_of(value, found)))
                .collect()
        }
        (Json::Array(expected), Json::Array(result)) if expected.len() == result.len() => {
            let items = expected.iter().zip(result);
            items
                .map(|(item, found)| only_members_of(item, found))
                .collect()
        }
        _ => result.clone(),
    }
}

/// Describes the members that differ, one per line.
fn difference(id: &str, expected: &Json, got: &Json) -> String {
    let mut lines = Vec::new();
    compare("", expected, got, &mut lines);
    format!("{id}:\n{}", lines.join("\n"))
}

fn compare(at: &str, expected: &Json, got: &Json, lines: &mut Vec<String>) {
    match (expected, got) {
        (Json::Object(one), Json::Object(other)) => {
            let names: Vec<&String> = one
                .keys()
                .chain(other.keys().filter(|name| !one.contains_key(*name)))
                .collect();
            for name in names {
                compare(
                    &format!("{at}.{name}"),
                    member(one, name),
                    member(other, name),
                    lines,
                );
            }
        }
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&format!("{at}[{index}]"), one, other, lines);
            }
        }
        _ if expected == got => {}
        _ => lines.push(format!("  {at}: expected {expected}, got {got}")),
    }
}

fn member<'a>(object: &'a Map<String, Json>, name: &str) -> &'a Json {
    object.get(name).unwrap_or(&Json::Null)
}
