//! Runs the vectors for stored fleets.

use std::slice;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::{FromHost, TallyOptions};
use smithy_waiters::retry::RequestFailure;
use smithy_waiters::{
    Fleet, FleetError, FleetOptions, FleetSnapshot, FleetStep, OptionsError, RateLimit,
    StoredOptions,
};

use crate::file::Vector;
use crate::values::{HostValue, plain};
use crate::{kinds, results, saved};

/// Begins a stored fleet, or continues that of a text, and makes its rounds. A round whose process crashes has no result.
pub(crate) fn stored_fleet(vector: &Vector) -> Json {
    let begun = match vector.find("state") {
        Some(state) => json!({"state": plain(state)}),
        None => match begin(vector) {
            Ok(begun) => begun,
            Err(error) => return results::options_error(&error),
        },
    };
    let mut state = begun["state"].as_str().unwrap().to_owned();
    let mut rounds = Vec::new();
    for round in vector.list("rounds") {
        let text = saved::changed(&state, round.get("change"));
        let result = made(vector, &text, round).unwrap_or_else(|error| fleet_error(&error));
        if let Some(next) = result["state"].as_str() {
            next.clone_into(&mut state);
        }
        rounds.push(result);
    }
    json!({"begun": begun, "rounds": rounds})
}

fn fleet_error(error: &FleetError) -> Json {
    json!({"error": {"class": "StateError", "code": error.code(), "message": error.to_string()}})
}

fn fleet(vector: &Vector, round: Option<&Json>) -> Result<Fleet, OptionsError> {
    let other = round.and_then(|round| round.get("fleet"));
    let options = other.or_else(|| vector.find("fleet")).unwrap();
    kinds::waiter(vector).fleet(&FleetOptions::from_host(HostValue::new(options))?)
}

fn begin(vector: &Vector) -> Result<Json, OptionsError> {
    let millis = |member| vector.find(member).and_then(Json::as_u64);
    let mut stored = StoredOptions::new(vector.text("waitId"), millis("startedAt").unwrap());
    stored.deadline_at_ms = millis("deadlineAt");
    let ids: Vec<String> = serde_json::from_value(vector.find("ids").unwrap().clone()).unwrap();
    let none = json!({});
    let whole = TallyOptions::from_host(HostValue::new(vector.find("whole").unwrap_or(&none)))?;
    let mut fleet = fleet(vector, None)?;
    let whole = whole.tally(ids.len())?;
    fleet.start_stored(&ids, &kinds::options(vector)?, whole, stored)?;
    let arguments = vector.find("arguments").and_then(Json::as_str);
    let text = fleet.stored_snapshot().unwrap().to_json();
    let facts = facts(&text);
    Ok(json!({
        "state": text,
        "dueAt": facts["dueAtMs"],
        "endsAt": facts["endsAtMs"],
        "identity": fleet.start_identity(arguments.unwrap_or_default()),
    }))
}

fn facts(text: &str) -> Json {
    let facts = FleetSnapshot::from_json(text).and_then(|snapshot| snapshot.stored_facts());
    serde_json::from_str(&facts.unwrap()).unwrap()
}

fn made(vector: &Vector, state: &str, round: &Json) -> Result<Json, FleetError> {
    let mut fleet = fleet(vector, Some(round)).unwrap();
    let snapshot = FleetSnapshot::from_json(state)?;
    let concludes = round.get("conclude").is_some();
    let now = fleet.resume_stored(snapshot, round["at"].as_u64(), !concludes)?;
    if concludes {
        fleet.conclude(now);
        return Ok(json!({"end": fleet.stored_report()}));
    }
    let mut limit = RateLimit::new(5.0).unwrap();
    let mut calls = Vec::new();
    loop {
        let (call, ids) = match fleet.poll(now, &mut limit) {
            FleetStep::Call { call, ids, .. } => (call, ids),
            FleetStep::Ended { .. } => continue,
            FleetStep::Sleep { .. } | FleetStep::Idle => break,
        };
        let answers = round["answers"].as_array().unwrap();
        let answer = &answers[calls.len().min(answers.len() - 1)];
        calls.push(json!(ids.iter().map(|id| &**id).collect::<Vec<_>>()));
        if let Some(error) = answer.get("error") {
            let error = kinds::facts(vector, error);
            let transient = RequestFailure::from(error.clone()).transient(now);
            fleet.fail(call, &error, transient, now, &mut limit)?;
        } else {
            let response = slice::from_ref(&answer["response"]);
            let pages = answer["pages"].as_array().map_or(response, Vec::as_slice);
            let pages: Vec<_> = pages.iter().map(HostValue::new).collect();
            fleet.respond(call, &pages, now)?;
        }
    }
    if round.get("crash").is_some() {
        return Ok(json!({ "calls": calls }));
    }
    let Some(next) = fleet.stored_snapshot() else {
        return Ok(json!({"calls": calls, "end": fleet.stored_report()}));
    };
    let text = next.to_json();
    let facts = facts(&text);
    Ok(json!({
        "calls": calls,
        "state": text,
        "dueAt": facts["dueAtMs"],
        "progress": facts["progress"],
    }))
}
