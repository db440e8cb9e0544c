//! Runs the vectors of stored waits with calls of the component.

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

use crate::engine::{self, Engine};
use crate::file::Vector;
use crate::values::plain;
use crate::vectors::{Values, optional_u64, options_record, take, text, u64_of, waiter_of};

/// Begins a stored wait, or continues that of a text, and makes its polls. A poll whose process crashes has no result.
pub(crate) fn run(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let waiter = waiter_of(engine, vector, "definition")?;
    let begun = match vector.find("state") {
        Some(state) => json!({"state": plain(state)}),
        None => match begin(engine, vector, &waiter)? {
            Ok(begun) => begun,
            Err(error) => return Ok(error),
        },
    };
    let (mut state, mut polls) = (begun["state"].clone(), Vec::new());
    for poll in vector.list("polls") {
        let result = made(engine, vector, &waiter, &state, poll)?;
        if result["state"].is_string() {
            state = result["state"].clone();
        }
        polls.push(result);
    }
    Ok(json!({"begun": begun, "polls": polls}))
}

fn begin(engine: &mut Engine<'_>, vector: &Vector, waiter: &Json) -> Result<Result<Json, Json>> {
    let mut options = options_record(vector.find("options").unwrap_or(&json!({}))).context("an option has the wrong type")?;
    let id = vector.json()["waitId"].clone();
    let has_seed = vector.find("options").is_some_and(|options| options.get("seed").is_some());
    if !has_seed {
        let seed = engine.get("waiter", "[static]waiter.stored-seed", &[id.clone()])?;
        options["record"]["seed"] = json!({"u64": seed});
    }
    let stored = json!({"record": {
        "id": id,
        "started-at": u64_of(&vector.json()["startedAt"]),
        "deadline-at": optional_u64(vector.find("deadlineAt")),
        "report-limit": optional_u64(vector.find("reportLimit")),
    }});
    let input = text(vector.find("input"));
    let wait = match engine.call("waiter", "[method]waiter.start-stored", &[waiter.clone(), options, stored, input])? {
        Ok(wait) => wait,
        Err(error) => return Ok(Err(error)),
    };
    let arguments = vector.find("arguments").cloned().unwrap_or_else(|| "".into());
    let identity = engine.get("wait", "[method]wait.start-identity", &[wait.clone(), arguments])?;
    let state = engine.get("wait", "[method]wait.save", &[wait, Json::Null])?;
    let facts = facts(engine, &state)?;
    Ok(Ok(json!({"state": state, "dueAt": facts["dueAt"], "endsAt": facts["endsAt"], "identity": identity})))
}

fn facts(engine: &mut Engine<'_>, state: &Json) -> Result<Json> {
    let facts = engine.get("waiter", "[static]waiter.stored-facts", std::slice::from_ref(state))?;
    Ok(engine::members(&facts).into())
}

fn made(engine: &mut Engine<'_>, vector: &Vector, waiter: &Json, state: &Json, poll: &Json) -> Result<Json> {
    if poll.get("pause").is_some() {
        let pause = engine.get("waiter", "[static]waiter.stored-pause", &[state.clone(), optional_u64(poll.get("at"))])?;
        let pause = Json::from(engine::members(&pause));
        return Ok(json!({"pauseMs": pause["milliseconds"], "pauseSeconds": pause["seconds"]}));
    }
    let concludes = poll.get("conclude").is_some();
    let time = json!({"variant": [if concludes { "wall-clock" } else { "due" }, u64_of(&poll["at"])]});
    let wait = match engine.call("waiter", "[method]waiter.resume", &[waiter.clone(), state.clone(), time, Json::Null])? {
        Ok(wait) => wait,
        Err(error) => return Ok(error),
    };
    let mut values = Values::default();
    if concludes {
        // The time at which the wait was resumed is its latest one.
        engine.get("wait", "[method]wait.conclude", &[wait.clone(), json!({"u64": 0})])?;
        return Ok(json!({"end": values.end(engine, &wait)?}));
    }
    let mut step = take(engine, vector, &wait, &json!({"poll": 0}))?;
    let mut call = Json::Null;
    if step["type"] == "call" {
        call = step["attempt"].clone();
        values.keep(poll);
        let mut command = poll.clone();
        command["handle"] = 0.into();
        step = take(engine, vector, &wait, &command)?;
    }
    if poll.get("crash").is_some() {
        return Ok(json!({"call": call}));
    }
    if step["type"] == "done" {
        return Ok(json!({"call": call, "end": values.end(engine, &wait)?}));
    }
    let state = engine.get("wait", "[method]wait.save", &[wait, Json::Null])?;
    let facts = facts(engine, &state)?;
    let progress: Json = serde_json::from_str(facts["progress"].as_str().unwrap_or("null"))?;
    Ok(json!({"call": call, "state": state, "dueAt": facts["dueAt"], "summary": progress["summary"]}))
}
