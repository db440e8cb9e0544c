//! Tests with additional data in a folder beside the repository: Smithy's test cases, and AWS's models.

use std::path::Path;

use crate::common::{json, say, shared, sources};
use crate::events::{Places, lacking, ours, smithys};

fn compare(model: &Path, events: &Path, places: Places) {
    let (mut ours, smithys) = (
        ours(&sources(model), places),
        smithys(&json(events), places),
    );
    // These recordings do not contain events about models that cannot be built.
    ours.retain(|fact| fact.id != "Model");
    let differing = (lacking(&ours, &smithys), lacking(&smithys, &ours));
    assert_eq!(
        differing,
        (Vec::new(), Vec::new()),
        "{}, only ours and only Smithy's",
        model.display()
    );
}

#[test]
fn events_on_smithys_own_cases_are_smithys() {
    let groups = shared("smithy-validation");
    if groups.is_empty() {
        return;
    }
    let cases: Vec<_> = groups
        .iter()
        .flat_map(|group| crate::common::entries(group))
        .collect();
    for case in &cases {
        let (events, idl) = (case.join("events.json"), case.join("model.smithy"));
        compare(&case.join("model.json"), &events, Places::None);
        if idl.exists() {
            compare(&idl, &events, Places::All);
        }
    }
    say(&format!("{} of Smithy's own cases agree", cases.len()));
}

#[test]
fn events_on_aws_models_are_smithys() {
    let files = shared("aws-models");
    if files.is_empty() {
        return;
    }
    let events: Vec<_> = files
        .iter()
        .filter(|file| file.to_string_lossy().ends_with(".events.json"))
        .collect();
    for events in &events {
        let model = events.with_extension("").with_extension("json");
        compare(&model, events, Places::None);
    }
    say(&format!("{} of AWS's own models agree", events.len()));
}
