//! The kit in the repository, suites derived from small models, and those of all AWS services: each is valid, and the
//! engine agrees with it.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a panic fails the test, and output must not be captured"
)]

mod engine;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use smithy_waiters_conformance::{Basis, Origin, Protocol, Suite, http, suites};
use smithy_waiters_model::{Kind, Sources, read};

use engine::differences;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str) -> Vec<(String, Json)> {
    let entries = fs::read_dir(repository().join("conformance").join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    paths.sort();
    let read = |path: &PathBuf| serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    paths
        .iter()
        .map(|path| (path.display().to_string(), read(path)))
        .collect()
}

fn schema() -> jsonschema::Validator {
    let text = fs::read_to_string(repository().join("conformance/schema.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn assert_valid(schema: &jsonschema::Validator, name: &str, file: &Json) {
    let short = |text: String| text.chars().take(300).collect::<String>();
    let errors = schema.iter_errors(file);
    let errors: Vec<String> = errors
        .map(|error| short(format!("{}: {error}", error.instance_path())))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

fn core() -> Vec<(String, Suite)> {
    let suite = |(name, file): (String, Json)| (name, serde_json::from_value(file).unwrap());
    files("core")
        .into_iter()
        .filter(|(_, file)| file["kind"] == "verdicts")
        .map(suite)
        .collect()
}

#[test]
fn the_kit_is_valid_and_its_ids_are_unique() {
    let schema = schema();
    let mut ids = BTreeSet::new();
    let mut core_cases = 0;
    for folder in ["core", "behaviour"] {
        for (name, file) in files(folder) {
            assert_valid(&schema, &name, &file);
            for case in file["cases"].as_array().unwrap() {
                let id = case["id"].as_str().unwrap();
                assert!(ids.insert(id.to_owned()), "duplicate id {id}");
                assert!(
                    id.starts_with(&format!("{}.", file["suite"].as_str().unwrap())),
                    "{id}"
                );
                core_cases += usize::from(folder == "core");
            }
        }
    }
    assert!(
        (100..=150).contains(&core_cases),
        "{core_cases} cases in core"
    );
}

#[test]
fn the_engine_agrees_with_the_core() {
    for (name, suite) in core() {
        assert_eq!(differences(&suite).unwrap(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_bytes_of_the_core_are_those_of_its_model() {
    let mut sources = Sources::default();
    let model = repository().join("conformance/core/model.smithy");
    assert!(sources.add("model.smithy", fs::read_to_string(model).unwrap()));
    let model = read(&sources);
    assert_eq!(model.events().len(), 0, "{:?}", model.events());
    let service = model.of_kind(Kind::Service).next().unwrap();
    let protocol = Protocol::of(service)[0];
    for (name, suite) in core() {
        let id = |operation: &str| format!("waiters.conformance#{operation}");
        let shape = |waiter: &str| model.shape(&id(&suite.waiters[waiter].operation)).unwrap();
        let cases = suite
            .cases
            .iter()
            .map(|case| (&*case.id, &*case.waiter, &case.answer, &case.tags));
        let none = Vec::new();
        let roles = suite.waiters.iter().flat_map(|(waiter, one)| {
            let none = &none;
            one.answers
                .iter()
                .map(move |(role, answer)| (&**role, &**waiter, answer, none))
        });
        for (id, waiter, answer, tags) in cases.chain(roles) {
            // The bytes of these are written by hand, because they are what the case tests.
            if !tags.iter().any(|tag| tag == "bytes") {
                let written = http(&model, Some(service), shape(waiter), protocol, answer);
                assert_eq!(answer.http, written, "{name}: {id}");
            }
        }
        for (waiter, one) in &suite.waiters {
            let applied = shape(waiter).find_trait("smithy.waiters#waitable").unwrap();
            let definition = applied.value.member(waiter).unwrap();
            let definition: Json = serde_json::from_str(&definition.to_json()).unwrap();
            assert_eq!(definition, one.definition, "{waiter} in the model");
        }
    }
}

/// Derives the suites of a service in botocore's format.
fn of_botocore(folder: &Path) -> Vec<Suite> {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let mut sources = Sources::without_documentation().with_protocols();
    for file in ["service-2.json", "waiters-2.json"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(sources.add(format!("{name}/{file}"), text));
    }
    let mut origin = Origin::default();
    origin.suite = Some(name.clone());
    origin.botocore = Some(name);
    suites(&read(&sources), &origin)
}

#[test]
fn the_suites_of_aws_are_valid_and_the_engine_agrees() {
    let data = repository().join("target/data/botocore");
    let Ok(entries) = fs::read_dir(&data) else {
        writeln!(
            stderr(),
            "SKIPPED: suites of AWS; `cargo xtask data` fetches its services"
        )
        .unwrap();
        return;
    };
    let schema = schema();
    let (mut waiters, mut cases, mut with_bytes, mut open) = (0, 0, 0, 0);
    let mut problems = Vec::new();
    for folder in entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for suite in of_botocore(&folder) {
            let text = suite.to_text().unwrap();
            assert_valid(&schema, &suite.suite, &serde_json::from_str(&text).unwrap());
            problems.extend(differences(&suite).unwrap());
            problems.extend(
                suite
                    .not_covered
                    .iter()
                    .map(|one| format!("{}: {one:?}", suite.suite)),
            );
            let ids: BTreeSet<&str> = suite.cases.iter().map(|case| &*case.id).collect();
            assert_eq!(ids.len(), suite.cases.len(), "{}", suite.suite);
            waiters += suite.waiters.len();
            cases += suite.cases.len();
            with_bytes += suite
                .cases
                .iter()
                .filter(|case| case.answer.http.is_some())
                .count();
            open += suite
                .cases
                .iter()
                .filter(|case| case.basis == Basis::Open)
                .count();
        }
    }
    writeln!(
        stderr(),
        "conformance: {waiters} waiters, {cases} cases, {with_bytes} with bytes, {open} open"
    )
    .unwrap();
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(waiters, 410);
    assert!(with_bytes * 100 >= cases * 98, "{with_bytes} of {cases}");
}
