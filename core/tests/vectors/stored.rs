//! Runs the vectors for what hosts decide about stored waits and about their options.

use serde_json::{Value as Json, json};
use smithy_waiters::internal::{FromHost, PollRecord, ReportLimit, WaitRecord};
use smithy_waiters::{
    EndValues, Event, OptionsError, Snapshot, StateError, Step, StoredOptions, Wait, WaitOptions,
};

use crate::file::Vector;
use crate::values::{HostValue, plain};
use crate::{kinds, results};

/// Begins a stored wait, or continues that of a text, and makes its polls. A poll whose process crashes has no result.
pub(crate) fn stored(vector: &Vector) -> Json {
    let begun = match vector.find("state") {
        Some(state) => json!({"state": plain(state)}),
        None => match begin(vector) {
            Ok(begun) => begun,
            Err(error) => return results::options_error(&error),
        },
    };
    let mut state = begun["state"].as_str().unwrap().to_owned();
    let mut polls = Vec::new();
    for poll in vector.list("polls") {
        let result =
            made(vector, &state, poll).unwrap_or_else(|error| results::state_error(&error));
        if let Some(next) = result["state"].as_str() {
            next.clone_into(&mut state);
        }
        polls.push(result);
    }
    json!({"begun": begun, "polls": polls})
}

fn begin(vector: &Vector) -> Result<Json, OptionsError> {
    let millis = |member| vector.find(member).and_then(Json::as_u64);
    let mut stored = StoredOptions::new(vector.text("waitId"), millis("startedAt").unwrap());
    stored.deadline_at_ms = millis("deadlineAt");
    stored.input = kinds::input(vector).to_json();
    if let Some(limit) = vector.find("reportLimit") {
        let option = json!({ "reportLimit": limit });
        ReportLimit(stored.report_limit) = ReportLimit::from_host(&option)?;
    }
    let wait = kinds::waiter(vector).start_stored(&kinds::options(vector)?, stored)?;
    let snapshot = wait.snapshot().unwrap();
    let arguments = vector.find("arguments").and_then(Json::as_str);
    Ok(json!({
        "state": snapshot.to_json(),
        "dueAt": snapshot.due_at_ms(),
        "endsAt": snapshot.ends_at_ms(),
        "identity": wait.start_identity(arguments.unwrap_or_default()),
    }))
}

fn made(vector: &Vector, state: &str, poll: &Json) -> Result<Json, StateError> {
    let (waiter, snapshot) = (kinds::waiter(vector), Snapshot::from_json(state)?);
    let clock = poll["at"].as_u64();
    if poll.get("pause").is_some() {
        let (ms, seconds) = (snapshot.pause_ms(clock), snapshot.pause_seconds(clock));
        return Ok(json!({"pauseMs": ms, "pauseSeconds": seconds}));
    }
    let input = snapshot.input().cloned();
    if poll.get("conclude").is_some() {
        let now = snapshot.elapsed_ms(clock);
        let mut wait = waiter.resume(snapshot, now)?;
        let step = wait.conclude(now);
        return Ok(json!({"end": end(&wait, &step, poll, false)}));
    }
    let now = snapshot.due_elapsed_ms(clock);
    let mut wait = waiter.resume(snapshot, now)?;
    let mut step = wait.poll(now);
    let mut call = None;
    if let Step::Call { attempt, .. } = step {
        call = Some(attempt);
        let (error, response);
        step = if let Some(given) = poll.get("error") {
            error = kinds::facts(vector, given);
            wait.handle(Event::error(&error), now)?
        } else {
            response = plain(&poll["response"]);
            let event = Event::Response {
                value: &response,
                input: input.as_ref(),
                not_before_ms: None,
            };
            wait.handle(event, now)?
        };
    }
    if poll.get("crash").is_some() {
        return Ok(json!({ "call": call }));
    }
    if matches!(step, Step::Done(_)) {
        return Ok(json!({"call": call, "end": end(&wait, &step, poll, call.is_some())}));
    }
    let next = wait.snapshot()?;
    Ok(json!({
        "call": call,
        "state": next.to_json(),
        "dueAt": next.due_at_ms(),
        "summary": summary(&next),
    }))
}

fn summary(snapshot: &Snapshot) -> Json {
    let progress = snapshot.progress_json();
    let progress: Json = serde_json::from_str(progress.as_deref().unwrap_or("null")).unwrap();
    progress["summary"].clone()
}

/// Returns the JSON text of the end. The response and the error are those of the last call.
fn end(wait: &Wait, step: &Step, poll: &Json, called: bool) -> String {
    let Step::Done(report) = step else {
        panic!("the wait goes on")
    };
    let mut values = EndValues::default();
    match poll.get("error") {
        Some(error) if called => {
            values.error = json!({"name": error["class"], "message": error["message"]});
        }
        None if called => values.response = plain(&poll["response"]),
        _ => {}
    }
    report.end_json(&values, wait.report_limit())
}

pub(crate) fn poll_records(vector: &Vector) -> Json {
    let action = |record: &Json| {
        let flag = |member: &str| record[member].as_bool().unwrap();
        let record = PollRecord {
            next_exists: flag("nextExists"),
            wait: WaitRecord::from_name(record["wait"].as_str().unwrap()),
            is_first: flag("isFirst"),
            is_reported: flag("isReported"),
        };
        record.action().as_str()
    };
    vector.list("records").iter().map(action).collect()
}

/// Starts a wait with a deadline relative to now, or with another value as its deadline.
pub(crate) fn host_options(vector: &Vector) -> Json {
    let deadline = vector
        .find("deadlineIn")
        .or_else(|| vector.find("deadline"));
    let options = json!({ "deadline": deadline });
    let wait = WaitOptions::from_host(HostValue::new(&options))
        .and_then(|options| kinds::waiter(vector).start(&options, 0));
    match wait {
        Ok(mut wait) => {
            let step = results::step(&Ok(wait.poll(0)));
            json!({"type": step["type"], "code": step["report"]["code"]})
        }
        Err(error) => {
            let mut error = results::options_error(&error);
            if vector.find("hostText").is_some() {
                error["error"]["message"] = Json::Null;
            }
            error
        }
    }
}
