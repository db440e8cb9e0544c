//! The events of Smithy's own validator, on its own cases and on real services.

use std::fs;
use std::path::Path;

use serde_json::Value;
use smithy_waiters_model::{Event, Sources, lint, read, validate};

/// What begins the ids of events that are ours.
const OURS: &str = "SmithyWaiters.";

/// What events are compared by: id, severity and shape, with line and column where there are.
type Facts = (String, String, String, Option<(u64, u64)>);

#[test]
fn events_on_smithys_own_cases_are_smithys() {
    let mut tally = Tally::default();
    for case in crate::common::cases() {
        let expected = expected(&case.join("events.json"));
        let idl = case.join("model.smithy");
        if idl.exists() {
            tally.compare(&idl, &expected, true);
        }
        tally.compare(
            &case.join("model.json"),
            &without_positions(&expected),
            false,
        );
    }
    tally.finish("models of Smithy's own cases");
}

#[test]
fn events_on_real_services_are_smithys() {
    let mut tally = Tally::default();
    for model in crate::common::models(crate::common::shared("aws-models")) {
        let expected = expected(&model.with_extension("events.json"));
        tally.compare(&model, &without_positions(&expected), false);
    }
    tally.finish("models of real services");
}

#[test]
fn idl_and_the_ast_that_is_written_of_it_have_the_same_events() {
    for case in crate::common::cases() {
        let idl = case.join("model.smithy");
        if !idl.exists() {
            continue;
        }
        let sources = crate::common::sources(&idl);
        let model = read(&sources);
        let mut written = Sources::default();
        assert!(written.add("model.json", model.to_ast()));
        let of = |sources: &Sources| {
            let events = lint(&read(sources));
            let mut facts: Vec<Facts> = events
                .iter()
                .map(|event| facts(event, sources, false))
                .collect();
            facts.sort();
            facts
        };
        assert_eq!(of(&sources), of(&written), "{}", case.display());
    }
}

/// How many files agree, and what differs in the others.
#[derive(Default)]
struct Tally {
    right: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, model: &Path, expected: &[Facts], with_positions: bool) {
        let sources = crate::common::sources(model);
        let events = validate(&read(&sources));
        let events = events.iter().filter(|event| !event.id.starts_with(OURS));
        let mut found: Vec<Facts> = events
            .map(|event| facts(event, &sources, with_positions))
            .collect();
        found.sort();
        if found == expected {
            self.right.push(model.display().to_string());
            return;
        }
        let missing: Vec<&Facts> = expected
            .iter()
            .filter(|facts| !found.contains(facts))
            .collect();
        let more: Vec<&Facts> = found
            .iter()
            .filter(|facts| !expected.contains(facts))
            .collect();
        let counts = format!("{} expected, {} found", expected.len(), found.len());
        self.wrong.push(format!(
            "{}: {counts}\n  missing: {missing:?}\n  too many: {more:?}",
            model.display()
        ));
    }

    fn finish(self, what: &str) {
        let (right, wrong) = (self.right.len(), self.wrong.len());
        crate::common::say(&format!(
            "{right} {what} have the events that Smithy gives, {wrong} have not"
        ));
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

fn facts(event: &Event, sources: &Sources, with_position: bool) -> Facts {
    let position = sources.position(event.at).filter(|_| with_position);
    (
        event.id.clone(),
        event.severity.to_string(),
        event.shape.clone().unwrap_or_default(),
        position.map(|position| (position.line.into(), position.column.into())),
    )
}

fn expected(path: &Path) -> Vec<Facts> {
    let events: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let facts = |event: &Value| {
        let position = event["line"].as_u64().zip(event["column"].as_u64());
        (
            text(event, "id"),
            text(event, "severity"),
            text(event, "shape"),
            position,
        )
    };
    let mut events: Vec<Facts> = events.as_array().unwrap().iter().map(facts).collect();
    events.sort();
    events
}

fn without_positions(events: &[Facts]) -> Vec<Facts> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.3 = None;
    }
    events.sort();
    events
}
