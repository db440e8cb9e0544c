//! Compares the events of the models in `models/` with those of Smithy's validator.

use smithy_waiters_model::{Event, Sources, lint, read};

use crate::common::{entries, is_idl, json, name, recorded, sources};
use crate::differences::{DIFFERENCES, OTHERS, Side};
use crate::events::{Fact, Places, is_within, lacking, ours, smithys};
use crate::round_trip::NOT_UPGRADED;

/// The ids that our validator shares with Smithy's. Each one is in a recording.
const IDS: [&str; 18] = [
    "ExclusiveStructureMemberTrait",
    "IdempotencyTokenIgnored",
    "Model",
    "PaginatedTrait",
    "PaginatedTrait.DeeplyNested",
    "PaginatedTrait.ShouldNotBeRequired",
    "PaginatedTrait.WrongShapeType",
    "RequestCompressionTrait",
    "TraitTarget",
    "TraitValue",
    "TraitValue.Target.InvalidRange",
    "TraitValue.UnknownMember",
    "UniqueWaiterNames",
    "WaitableTrait",
    "WaitableTraitInvalidErrorType",
    "WaitableTraitJmespathProblem.JmespathEventDanger",
    "WaitableTraitJmespathProblem.JmespathEventWarning",
    "WaitableTraitJmespathProblem.ReturnTypeMismatch",
];

/// A model, and the id and shape of an event that only one side reports.
type Key = (String, Side, String, String);

#[test]
fn events_are_smithys() {
    let names = |folder| -> Vec<String> {
        entries(&recorded(folder))
            .iter()
            .map(|path| name(path))
            .collect()
    };
    assert_eq!(
        names("models"),
        names("events"),
        "a recording for each model"
    );
    let mut found: Vec<(Key, Fact)> = Vec::new();
    for model in entries(&recorded("models")) {
        let name = name(&model);
        let places = if is_idl(&model) {
            Places::All
        } else {
            Places::Lines
        };
        let events = json(&recorded("events").join(format!("{name}.json")));
        let (ours, smithys) = (ours(&sources(&model), places), smithys(&events, places));
        for (side, facts) in [
            (Side::Ours, lacking(&ours, &smithys)),
            (Side::Smithy, lacking(&smithys, &ours)),
        ] {
            found.extend(facts.into_iter().map(|fact| {
                let key = (name.clone(), side, fact.id.clone(), fact.shape.clone());
                (key, fact)
            }));
        }
    }
    // Each entry represents one event. Two events with equal ids and shapes are listed twice.
    let mut listed: Vec<Key> = DIFFERENCES.iter().flat_map(|group| group.keys()).collect();
    let mut new = Vec::new();
    for (key, fact) in &found {
        match listed.iter().position(|other| other == key) {
            Some(place) => drop(listed.swap_remove(place)),
            None => new.push(format!("{}: {:?} only: {fact}", key.0, key.1)),
        }
    }
    let gone = listed;
    assert!(
        new.is_empty() && gone.is_empty(),
        "not in `differences.rs`: {new:#?}\nno longer different: {gone:#?}"
    );
}

#[test]
fn every_id_is_recorded() {
    let all: Vec<String> = entries(&recorded("events"))
        .iter()
        .flat_map(|events| smithys(&json(events), Places::None))
        .map(|fact| fact.id)
        .collect();
    // An id that is listed itself does not match longer ids.
    let stands_for = |id: &str, listed: &str| {
        is_within(id, listed)
            && IDS
                .iter()
                .all(|other| other.len() <= listed.len() || !is_within(id, other))
    };
    for listed in IDS {
        assert!(all.iter().any(|id| stands_for(id, listed)), "{listed}");
    }
    for id in &all {
        assert!(IDS.iter().any(|listed| is_within(id, listed)), "{id}");
    }
}

#[test]
fn ids_of_other_validators_are_recorded() {
    let mut recordings: Vec<String> = entries(&recorded("events"))
        .iter()
        .map(|events| json(events).to_string())
        .collect();
    recordings.push(json(&recorded("services.json")).to_string());
    for (id, _) in OTHERS {
        let id = format!("\"id\":\"{id}");
        assert!(recordings.iter().any(|text| text.contains(&id)), "{id}");
    }
}

/// Returns the events of [`lint`], without positions.
fn linted(sources: &Sources) -> Vec<[String; 4]> {
    let fact = |event: Event| {
        let shape = event.shape.unwrap_or_default();
        [event.id, event.severity.to_string(), shape, event.message]
    };
    let mut facts: Vec<_> = lint(&read(sources)).into_iter().map(fact).collect();
    facts.sort();
    facts
}

#[test]
fn models_in_idl_and_the_asts_that_are_written_of_them_have_the_same_events() {
    for model in entries(&recorded("models")) {
        let sources = sources(&model);
        let read = read(&sources);
        if read.events().is_empty() && !NOT_UPGRADED.contains(&&*name(&model)) {
            let mut written = Sources::default();
            assert!(written.add("model.json", read.to_ast()));
            assert_eq!(linted(&sources), linted(&written), "{}", model.display());
        }
    }
}
