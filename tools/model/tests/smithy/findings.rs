//! The findings of our analysis in real services. They must equal the list in `FINDINGS.md`, and must not contradict
//! the verdicts on real responses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, Observation, Waiter};
use smithy_waiters_model::{Event, Severity, lint, read};

use crate::common::{fetched, json};

const LISTED: &str = include_str!("../../FINDINGS.md");

/// A finding in the list: its kind, the service, and the waiter with the acceptor.
type Finding = (String, String, String);

/// Returns the findings in a model with their severities.
fn findings(model: &Path) -> Vec<(Severity, Finding)> {
    let sources = crate::common::sources(model);
    let events = lint(&read(&sources));
    let service = model.file_stem().unwrap().to_string_lossy().into_owned();
    let finding = |event: &Event| {
        let (kind, place) = event.id.strip_prefix("SmithyWaiters.")?.split_once('.')?;
        Some((
            event.severity,
            (kind.to_owned(), service.clone(), place.to_owned()),
        ))
    };
    events.iter().filter_map(finding).collect()
}

/// Parses the list of findings, which has a heading for each kind and a line for each service.
fn listed() -> BTreeSet<Finding> {
    let mut kind = "";
    let mut listed = BTreeSet::new();
    for line in LISTED.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            kind = heading.split_once(' ').map_or(heading, |(kind, _)| kind);
        }
        let Some((service, places)) = line
            .strip_prefix("- ")
            .and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        for place in places.split(", ") {
            listed.insert((kind.to_owned(), service.to_owned(), place.to_owned()));
        }
    }
    listed
}

#[test]
fn findings_in_real_services_are_those_that_were_judged() {
    let models = fetched("aws-models");
    if models.is_empty() {
        return;
    }
    let found = models.iter().flat_map(|model| findings(model));
    let found: BTreeSet<Finding> = found.map(|(_, finding)| finding).collect();
    let listed = listed();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "not judged: {new:#?}\nno longer found: {gone:#?}"
    );
}

#[test]
fn acceptors_that_are_not_needed_change_no_verdict() {
    let verdicts = fetched("aws-verdicts");
    if verdicts.is_empty() {
        return;
    }
    let mut compared = 0_usize;
    for model in fetched("aws-models") {
        let is_same = |file: &&PathBuf| file.file_name() == model.file_name();
        let Some(file) = verdicts.iter().find(is_same) else {
            continue;
        };
        let waiters = json(file);
        let findings = findings(&model);
        for waiter in waiters.as_array().unwrap() {
            let name = waiter.get("waiter").and_then(Value::as_str).unwrap();
            compared = compared.saturating_add(compare(waiter, &needless(&findings, name)));
        }
    }
    assert!(compared > 500, "only {compared} verdicts are compared");
    crate::common::say(&format!(
        "{compared} verdicts are the same without the acceptors that are not needed"
    ));
}

/// Returns the acceptors of a waiter that are redundant or never reached.
fn needless(findings: &[(Severity, Finding)], waiter: &str) -> Vec<usize> {
    let of_waiter = findings.iter().filter_map(|(_, (kind, _, place))| {
        let index = place.strip_prefix(waiter)?.strip_prefix('.')?;
        matches!(kind.as_str(), "ImplicitAcceptor" | "UnreachableAcceptor").then_some(index)
    });
    of_waiter.map(|index| index.parse().unwrap()).collect()
}

/// Compares the verdicts of a waiter with and without some of its acceptors.
fn compare(waiter: &Value, needless: &[usize]) -> usize {
    if needless.is_empty() {
        return 0;
    }
    let whole = waiter.get("definition").unwrap();
    let mut cut = whole.clone();
    let acceptors = cut
        .get_mut("acceptors")
        .and_then(Value::as_array_mut)
        .unwrap();
    let mut index = 0_usize;
    acceptors.retain(|_| {
        index = index.saturating_add(1);
        !needless.contains(&index.saturating_sub(1))
    });
    let (whole, cut) = (
        Waiter::from_value(whole, None).unwrap(),
        Waiter::from_value(&cut, None).unwrap(),
    );
    let cases = waiter.get("cases").and_then(Value::as_array).unwrap();
    for case in cases {
        assert_eq!(state(&whole, case), state(&cut, case), "{waiter:#}");
    }
    cases.len()
}

fn state(waiter: &Waiter, case: &Value) -> &'static str {
    let input = case.get("input").unwrap_or(&Value::Null);
    let verdict = match case.get("error").and_then(Value::as_str) {
        Some(error) => waiter.evaluate(input, Observation::Error(&ErrorMetadata::of_code(error))),
        None => waiter.evaluate(
            input,
            Observation::Response(case.get("output").unwrap_or(&Value::Null)),
        ),
    };
    verdict.state().as_str()
}

#[test]
fn warnings_in_real_services_are_few() {
    let warnings = fetched("aws-models")
        .iter()
        .flat_map(|model| findings(model))
        .filter(|(severity, _)| *severity >= Severity::Warning)
        .count();
    assert!(
        warnings <= 3,
        "{warnings} warnings: judge them, and list them in `FINDINGS.md`"
    );
}
