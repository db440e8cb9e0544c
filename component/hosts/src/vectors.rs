//! Runs the vectors of `tests/vectors` with calls of the component.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value as Json, json};
use smithy_waiters::internal::plain::DEEPEST;

use crate::engine::{self, Answer, Engine};
use crate::file::Vector;
use crate::{saved, stored};
use crate::values::{number_to_json, plain};

/// Returns the result of a vector, or the reason that the interface cannot express it.
pub(crate) fn run(engine: &mut Engine<'_>, vector: &Vector) -> Result<Result<Json, &'static str>> {
    if let Some(reason) = unfit(vector) {
        return Ok(Err(reason));
    }
    let result = match vector.kind() {
        "classify" => classify(engine, vector)?,
        "definition" => described(engine, vector, "[static]waiter.from-definition", &definition_of(vector))?,
        "delay" => delay(engine, vector.json())?,
        "delays" => delays(engine, vector)?,
        "evaluate" => evaluate(engine, vector)?,
        "extend" => extend(engine, vector)?,
        "json" => json_of_end(engine, vector)?,
        "model" => described(engine, vector, "[static]waiter.from-model", &model_of(vector))?,
        "options" => options(engine, vector)?,
        "page-size" => page_size(engine, vector)?,
        "preset" => preset(engine, vector)?,
        "request-steps" => request_steps(engine, vector)?,
        "resume" => resume(engine, vector)?,
        "search" => search(engine, vector)?,
        "steps" => steps(engine, vector)?,
        "stored" => stored::run(engine, vector)?,
        "until" => until(engine, vector)?,
        "walk" => walk(engine, vector)?,
        kind => return Ok(Err(other_kind(kind))),
    };
    Ok(Ok(with_spelling_of_vectors(result)))
}

/// Converts options in messages of reports, which have the interface's spelling, to that of the vectors.
fn with_spelling_of_vectors(result: Json) -> Json {
    match result {
        Json::String(text) => {
            // In the text of a report, quotes are escaped.
            let quote = if text.starts_with('{') { r#"\""# } else { "\"" };
            let (late, fail) = (format!("`finalPoll: {quote}late{quote}`"), format!("`transientErrors: {quote}fail{quote}`"));
            let text = text.replace("`retry-errors`", "`retryErrors`").replace("`final-poll: late`", &late);
            let text = text.replace("`not-found-for`", "`notFoundFor`").replace("`max-wait`", "`maxWait`");
            text.replace("`transient-errors: fail`", &fail).into()
        }
        Json::Array(items) => items.into_iter().map(with_spelling_of_vectors).collect(),
        Json::Object(members) => {
            Json::Object(members.into_iter().map(|(name, member)| (name, with_spelling_of_vectors(member))).collect())
        }
        other => other,
    }
}

/// Returns the reason that the interface does not support a kind of vectors.
fn other_kind(kind: &str) -> &'static str {
    match kind {
        "compress" | "operation" => "the interface does not support compression and idempotency",
        "fleet" | "fleet-waits" | "stored-fleet" => "the interface does not have fleets",
        "host-arguments" | "host-options" => "the vector tests the options of a host",
        "callbacks" | "paginate" | "request" | "several" | "sleeps" | "wait" => "the vector tests the loop of a host",
        "poll-records" => "the interface does not expose the records of workflow engines",
        "retry" => "the interface does not expose the tokens of strategies",
        _ => "the runner does not support this kind",
    }
}

/// Returns the reason that the interface cannot express a vector of a supported kind.
fn unfit(vector: &Vector) -> Option<&'static str> {
    let json = vector.json();
    let inputs = json.as_object()?.iter().filter(|(name, _)| !matches!(&***name, "expected" | "about"));
    let has = |markers: &[&str]| inputs.clone().any(|(_, value)| has_marker(value, markers));
    let of_hosts = [
        "$absent", "$bigint", "$bytes", "$cycle", "$date", "$decimal", "$enum", "$function", "$getter", "$map", "$object",
        "$set", "$units",
    ];
    if has(&of_hosts) {
        return Some("a value that is not representable in JSON");
    }
    if json.get("defaults").is_some() || vector.kind() == "defaults" {
        return Some("the interface does not take the defaults of a waiter");
    }
    if has(&["$number"]) {
        return Some("a number that is not representable in JSON");
    }
    let typed = match vector.kind() {
        "json" | "options" | "steps" | "stored" | "resume" => options_record(vector.find("options")?).is_none(),
        "delay" => delay_record(json).is_none(),
        "delays" => false,
        "request-steps" => request_record(vector).is_none() || json.get("retry").is_some_and(|retry| retry_record(retry).is_none()),
        "definition" => json.get("name").is_some_and(|name| !name.is_string()),
        _ => false,
    };
    if typed {
        return Some("an option of another type than in the record");
    }
    // An engine that reads a response of its host leaves out what is deeper. The component receives JSON and returns it whole.
    if vector.kind() == "json" && json.get("script").is_some_and(|script| depth_of_responses(script) > DEEPEST) {
        return Some("the host reads the response, and the component receives its JSON");
    }
    if json.get("failure").is_some_and(|failure| failure.get("cause").is_some() || failure["transport"] == "permanent") {
        return Some("the interface describes one error");
    }
    let mut commands = ["commands", "then"].into_iter().filter_map(|name| json.get(name)?.as_array()).flatten();
    let is_time = |command: &Json| {
        let time = command.get("poll").or_else(|| command.get("handle"));
        time.is_none_or(Json::is_u64)
    };
    if matches!(vector.kind(), "steps" | "resume" | "request-steps") && !commands.all(is_time) {
        return Some("a time that is not a whole number of milliseconds");
    }
    if vector.kind() == "resume" && ["resumeAt", "wallClock"].iter().any(|name| json.get(*name).is_some_and(|time| !time.is_u64())) {
        return Some("a time that is not a whole number of milliseconds");
    }
    None
}

/// Returns the depth of the deepest response of a script.
fn depth_of_responses(script: &Json) -> usize {
    let steps = script.as_array().into_iter().flatten();
    steps.filter_map(|step| step.get("response")).map(depth).max().unwrap_or(0)
}

/// Returns the number of values on the longest way from a value to one that it contains, with both ends.
fn depth(json: &Json) -> usize {
    let deepest = match json {
        Json::Array(items) => items.iter().map(depth).max(),
        Json::Object(members) => members.values().map(depth).max(),
        _ => None,
    };
    deepest.unwrap_or(0) + 1
}

fn has_marker(json: &Json, markers: &[&str]) -> bool {
    match json {
        Json::Array(items) => items.iter().any(|item| has_marker(item, markers)),
        Json::Object(members) => {
            members.iter().any(|(name, member)| markers.contains(&&**name) || has_marker(member, markers))
        }
        _ => false,
    }
}

/// Returns the JSON text of a value, with its markers resolved.
pub(crate) fn text(value: Option<&Json>) -> Json {
    crate::values::HostValue::new(value.unwrap_or(&Json::Null)).to_json().to_string().into()
}

pub(crate) fn u64_of(value: &Json) -> Option<Json> {
    value.as_u64().map(|number| json!({"u64": number}))
}

pub(crate) fn optional_u64(value: Option<&Json>) -> Json {
    value.and_then(u64_of).unwrap_or_default()
}

fn input(vector: &Vector) -> Json {
    vector.find("input").map_or(Json::Null, |input| text(Some(input)))
}

pub(crate) fn waiter_of(engine: &mut Engine<'_>, vector: &Vector, member: &str) -> Result<Json> {
    let (name, definition) = vector.definition_of(member);
    if let Some(preset) = definition.get("preset") {
        return engine.get("waiter", "[static]waiter.preset", std::slice::from_ref(preset));
    }
    let arguments = [definition.to_string().into(), name.into()];
    engine.get("waiter", "[static]waiter.from-definition", &arguments)
}

fn definition_of(vector: &Vector) -> [Json; 2] {
    let definition = match vector.find("definitionText").map(plain) {
        Some(text) => text,
        None => plain(&vector.json()["definition"]).to_string().into(),
    };
    [definition, vector.find("name").cloned().unwrap_or_default()]
}

fn model_of(vector: &Vector) -> [Json; 3] {
    let model = match vector.find("modelText").map(plain) {
        Some(text) => text,
        None => vector.model().to_string().into(),
    };
    let service = vector.find("service").cloned().unwrap_or_default();
    [model, vector.json()["waiterName"].clone(), service]
}

fn described(engine: &mut Engine<'_>, _: &Vector, function: &str, arguments: &[Json]) -> Result<Json> {
    let waiter = match engine.call("waiter", function, arguments)? {
        Ok(waiter) => waiter,
        Err(error) => return Ok(error),
    };
    let description = engine.get("waiter", "[method]waiter.describe", &[waiter])?;
    let mut description = engine::members(&description);
    // A definition has none, and the vectors of this kind do not show them.
    let defaults = description.remove("defaults");
    ensure!(defaults == Some(json!("{}")), "unexpected defaults: {defaults:?}");
    for (name, other) in [("minDelay", "minDelayMs"), ("maxDelay", "maxDelayMs")] {
        let delay = description.remove(name).unwrap_or_default();
        description.insert(other.to_owned(), delay);
    }
    Ok(json!({"valid": description}))
}

fn with_definition(engine: &mut Engine<'_>, function: &str, arguments: &[Json]) -> Result<Json> {
    let waiter = match engine.call("waiter", function, arguments)? {
        Ok(waiter) => waiter,
        Err(error) => return Ok(error),
    };
    let definition = engine.get("waiter", "[method]waiter.definition", &[waiter])?;
    let definition: Json = serde_json::from_str(definition.as_str().unwrap_or_default())?;
    Ok(json!({"definition": definition}))
}

/// Returns the state of each response.
fn preset(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let name = [vector.json()["preset"].clone()];
    let waiter = match engine.call("waiter", "[static]waiter.preset", &name)? {
        Ok(waiter) => waiter,
        Err(error) => return Ok(error),
    };
    let mut states = Vec::new();
    for response in vector.list("responses") {
        let observation = json!({"variant": ["response", text(Some(response))]});
        let arguments = [waiter.clone(), observation, Json::Null];
        let verdict = engine::members(&engine.get("waiter", "[method]waiter.evaluate", &arguments)?);
        states.push(verdict["state"].clone());
    }
    Ok(json!({"states": states}))
}

/// Returns the definition of a short form, and the verdicts on the responses.
fn until(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let short_form = [text(vector.find("until"))];
    let mut result = with_definition(engine, "[static]waiter.until", &short_form)?;
    let Some(responses) = vector.find("responses").and_then(Json::as_array) else {
        return Ok(result);
    };
    let Ok(waiter) = engine.call("waiter", "[static]waiter.until", &short_form)? else {
        return Ok(result);
    };
    let mut verdicts = Vec::new();
    for response in responses {
        let observation = json!({"variant": ["response", text(Some(response))]});
        let arguments = [waiter.clone(), observation, input(vector)];
        let verdict = engine::members(&engine.get("waiter", "[method]waiter.evaluate", &arguments)?);
        let reasons = engine::reasons(&engine.get("waiter", "[method]waiter.reasons", &arguments)?);
        let reasons = reasons.as_array().into_iter().flatten();
        let texts: Vec<&Json> = reasons.map(|reason| &reason["text"]).collect();
        verdicts.push(json!({"state": verdict["state"], "reasons": texts}));
    }
    if let Some(members) = result.as_object_mut() {
        members.insert("verdicts".to_owned(), verdicts.into());
    }
    Ok(result)
}

fn extend(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let waiter = waiter_of(engine, vector, "definition")?;
    with_definition(engine, "[method]waiter.extend", &[waiter, text(vector.find("extension"))])
}

/// Returns the metadata of a vector's error, according to the options of its waiter.
fn metadata(vector: &Vector, error: &Json) -> Json {
    let text = |member: &str| error.get(member).map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned));
    let names: Vec<Json> = match vector.find("errorNames").and_then(Json::as_array) {
        Some(names) => names.clone(),
        None => text("code").or_else(|| text("name")).map(Json::from).into_iter().collect(),
    };
    let class = text("class").filter(|_| names.is_empty());
    json!({"record": {
        "names": names,
        "class": class,
        "message": text("message").or_else(|| text("thrown")).unwrap_or_default(),
        "service-errors-only": vector.find("serviceErrorsOnly") == Some(&Json::Bool(true)),
        "status": error.get("status"),
    }})
}

fn evaluate(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let waiter = waiter_of(engine, vector, "definition")?;
    let observation = match vector.find("response") {
        Some(response) => json!({"variant": ["response", text(Some(response))]}),
        None => json!({"variant": ["error", metadata(vector, &vector.json()["error"])]}),
    };
    let arguments = [waiter, observation, input(vector)];
    let verdict = engine::members(&engine.get("waiter", "[method]waiter.evaluate", &arguments)?);
    let reasons = engine.get("waiter", "[method]waiter.reasons", &arguments)?;
    Ok(json!({
        "state": verdict["state"], "acceptor": verdict["acceptor"], "reasons": engine::reasons(&reasons),
    }))
}

/// Returns the record of a wait's options, or `None` if a value has the wrong type.
pub(crate) fn options_record(options: &Json) -> Option<Json> {
    let mut record = Map::new();
    for (name, value) in options.as_object()? {
        if value.is_null() {
            continue;
        }
        let (name, value) = match &**name {
            "attemptTimeout" | "deadline" | "initialDelay" | "maxDelay" | "maxWait" | "minDelay" | "leftWithin" | "notFoundFor" | "stableFor" | "transientWindow" => {
                (kebab(name), value.is_number().then(|| value.clone())?)
            }
            "maxAttempts" | "seed" | "successes" => (kebab(name), u64_of(value)?),
            "historyLimit" => (kebab(name), u32::try_from(value.as_u64()?).ok()?.into()),
            "label" => (kebab(name), value.is_string().then(|| plain(value))?),
            "finalPoll" => (kebab(name), word(value, &["specification", "late"])?),
            "leftElse" => (kebab(name), word(value, &["accept", "fail"])?),
            "same" => (kebab(name), compared(value, "is")?),
            "left" if value.is_object() => (kebab(name), compared(value, "value")?),
            "left" => (kebab(name), json!({"record": {"value": scalar(value)?, "text": false}})),
            "atLeast" => {
                let least = |(path, number): (&String, &Json)| {
                    number.is_number().then(|| json!({"record": {"path": path, "number": number}}))
                };
                (kebab(name), value.as_object()?.iter().map(least).collect::<Option<Vec<_>>>()?.into())
            }
            "transientErrors" => (kebab(name), word(value, &["retry", "fail"])?),
            "pace" => (kebab(name), pace(value)?),
            "redact" | "show" => {
                let items = value.as_array()?;
                (kebab(name), items.iter().all(Json::is_string).then(|| value.clone())?)
            }
            _ => return None,
        };
        record.insert(name, value);
    }
    record.entry("seed").or_insert(json!({"u64": 0}));
    for name in ["at-least", "redact", "show"] {
        record.entry(name).or_insert(json!([]));
    }
    Some(json!({"record": record}))
}

/// Returns the record of `same` or `left`; `name` is the member with the value.
fn compared(object: &Json, name: &str) -> Option<Json> {
    let mut record = Map::new();
    for (member, value) in object.as_object()? {
        let value = match &**member {
            "path" => value.is_string().then(|| value.clone())?,
            "text" => value.is_boolean().then(|| value.clone())?,
            member if member == name => scalar(value)?,
            _ => return None,
        };
        record.insert(member.clone(), value);
    }
    // The interface requires the path of `same` and the value of `left`.
    record.get(if name == "is" { "path" } else { name })?;
    record.entry("text").or_insert(false.into());
    Some(json!({"record": record}))
}

fn scalar(value: &Json) -> Option<Json> {
    match value {
        Json::String(_) => Some(json!({"variant": ["text", value]})),
        Json::Number(_) => Some(json!({"variant": ["number", value]})),
        Json::Bool(_) => Some(json!({"variant": ["boolean", value]})),
        _ => None,
    }
}

fn word(value: &Json, words: &[&str]) -> Option<Json> {
    words.contains(&value.as_str()?).then(|| value.clone())
}

fn pace(value: &Json) -> Option<Json> {
    if value == "specification" || value == "doubling" {
        return Some(json!({"variant": [value]}));
    }
    let mut members = value.as_object()?.iter();
    match (members.next(), members.next()) {
        (Some((name, number)), None) if matches!(&**name, "every" | "proportional") && number.is_number() => {
            Some(json!({"variant": [name, number]}))
        }
        _ => None,
    }
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

fn start(engine: &mut Engine<'_>, vector: &Vector) -> Answer {
    let waiter = waiter_of(engine, vector, "definition")?;
    let options = options_record(&vector.json()["options"]).context("an option has the wrong type")?;
    engine.call("waiter", "[method]waiter.start", &[waiter, options, input(vector)])
}

/// Starts a wait to validate the options.
fn options(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let wait = match start(engine, vector)? {
        Ok(wait) => wait,
        Err(error) => return Ok(error),
    };
    let (mut now, mut steps) = (0, Vec::new());
    loop {
        let step = take(engine, vector, &wait, &json!({"poll": now}))?;
        let (until, deadline) = (step["untilMs"].as_u64(), step["deadlineMs"].as_u64());
        let is_call = step["type"] == "call";
        steps.push(step);
        match until {
            Some(until) => now = until,
            None => {
                // The shortest delay is a millisecond, so the poll is not repeated within it.
                if is_call && deadline.is_none_or(|deadline| deadline > now + 1) {
                    let response = json!({"handle": now, "response": null});
                    steps.push(take(engine, vector, &wait, &response)?);
                }
                return Ok(json!({"steps": steps}));
            }
        }
    }
}

fn steps(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let wait = start(engine, vector)?.map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut steps = Vec::new();
    for command in vector.list("commands") {
        let mut step = take(engine, vector, &wait, command)?;
        let mut read = |name| engine.get("wait", &format!("[method]wait.{name}"), std::slice::from_ref(&wait));
        if vector.find("summaries").is_some() {
            step["summary"] = read("summary")?;
        }
        if vector.find("logs").is_some() {
            let hints = read("hints")?;
            let hints = hints.as_array().into_iter().flatten().map(|hint| Json::from(engine::members(hint)));
            (step["hints"], step["level"]) = (hints.collect(), read("level")?);
        }
        steps.push(step);
    }
    Ok(steps.into())
}

pub(crate) fn take(engine: &mut Engine<'_>, vector: &Vector, wait: &Json, command: &Json) -> Result<Json> {
    if let Some(now) = command.get("poll") {
        let now = u64_of(now).context("a time")?;
        let step = engine.get("wait", "[method]wait.poll", &[wait.clone(), now])?;
        return Ok(engine::step(&step));
    }
    let now = u64_of(&command["handle"]).context("a time")?;
    let event = event(engine, vector, command)?;
    let step = engine.call("wait", "[method]wait.handle", &[wait.clone(), event, now])?;
    Ok(step.map_or_else(|error| error, |step| engine::step(&step)))
}

fn event(engine: &mut Engine<'_>, vector: &Vector, command: &Json) -> Result<Json> {
    let variant = |name: &str, payload: Json| json!({"variant": [name, payload]});
    if command.get("cancelled").is_some() {
        return Ok(json!({"variant": ["cancelled"]}));
    }
    if command.get("deadlineReached").is_some() {
        return Ok(json!({"variant": ["deadline-reached"]}));
    }
    let error = command.get("error").map(|error| metadata(vector, error));
    let transient = match &error {
        Some(error) => transient(engine, command, error)?,
        None => Json::Null,
    };
    if let Some(verdict) = command.get("verdict") {
        let record = json!({"acceptor": verdict["acceptor"], "message": null, "error": error, "transient": transient});
        return Ok(variant("verdict", json!({"record": record})));
    }
    if error.is_some() {
        return Ok(variant("error", json!({"record": {"error": error, "transient": transient}})));
    }
    let record = json!({"value": text(command.get("response")), "not-before": optional_u64(command.get("notBefore"))});
    Ok(variant("response", json!({"record": record})))
}

/// Returns the classification in a command, or that of the error's name.
fn transient(engine: &mut Engine<'_>, command: &Json, error: &Json) -> Result<Json> {
    match command.get("transient") {
        None => {
            let error = &error["record"];
            // The engine classifies an error without a response by its first name or its class.
            let code = match (&error["names"][0], &error["class"]) {
                (Json::Null, class) if error["service-errors-only"] != true => class.clone(),
                (name, _) => name.clone(),
            };
            let failure = json!({"record": {"code": code, "status": error["status"]}});
            engine.get("request", "transient-of", &[failure, json!({"u64": 0})])
        }
        Some(Json::Null) => Ok(Json::Null),
        Some(given) => {
            let not_before = given["notBefore"].as_u64().unwrap_or_default();
            Ok(json!({"record": {"not-before": {"u64": not_before}, "answered": given["answered"], "once": false}}))
        }
    }
}

fn resume(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let wait = start(engine, vector)?.map_err(|error| anyhow::anyhow!("{error}"))?;
    for command in vector.list("commands") {
        take(engine, vector, &wait, command)?;
    }
    let started_at = optional_u64(vector.find("startedAt"));
    let saved = engine.get("wait", "[method]wait.save", &[wait, started_at.clone()])?;
    let saved = saved::changed(saved.as_str().unwrap_or_default(), vector.find("change"));
    let by = if vector.find("resumeBy").is_some() { "resumeBy" } else { "definition" };
    let waiter = waiter_of(engine, vector, by)?;
    let time = match (vector.find("resumeAt"), vector.find("wallClock")) {
        (Some(elapsed), _) => json!({"variant": ["elapsed", u64_of(elapsed)]}),
        (None, Some(clock)) => json!({"variant": ["wall-clock", u64_of(clock)]}),
        (None, None) => json!({"variant": ["unknown"]}),
    };
    let arguments = [waiter.clone(), saved.into(), time, input(vector)];
    let mut wait = match engine.call("waiter", "[method]waiter.resume", &arguments)? {
        Ok(wait) => wait,
        Err(error) => return Ok(error),
    };
    if let Some(again) = vector.find("again") {
        let saved = engine.get("wait", "[method]wait.save", &[wait, started_at])?;
        let time = json!({"variant": ["wall-clock", u64_of(again)]});
        wait = engine.get("waiter", "[method]waiter.resume", &[waiter, saved, time, input(vector)])?;
    }
    let mut steps = Vec::new();
    for command in vector.list("then") {
        steps.push(take(engine, vector, &wait, command)?);
    }
    Ok(json!({"steps": steps}))
}

/// Runs the calls of a script on a clock that advances only by them and by pauses, and returns the JSON text of the end.
fn json_of_end(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let wait = start(engine, vector)?.map_err(|error| anyhow::anyhow!("{error}"))?;
    let cancel_at = vector.find("cancelAt").and_then(Json::as_u64).unwrap_or(u64::MAX);
    let (script, mut values) = (vector.list("script"), Values::default());
    let (mut now, mut step) = (0, take(engine, vector, &wait, &json!({"poll": 0}))?);
    while step["type"] != "done" {
        let index = step["attempt"].as_u64().unwrap_or(1) as usize - 1;
        let entry = &script[index.min(script.len() - 1)];
        let deadline = step["deadlineMs"].as_u64().unwrap_or(u64::MAX);
        let takes = entry.get("takes").and_then(Json::as_u64);
        let ends = takes.map_or(u64::MAX, |takes| now + takes);
        let until = step["untilMs"].as_u64().unwrap_or_else(|| ends.min(deadline));
        if cancel_at <= until {
            step = take(engine, vector, &wait, &json!({"handle": cancel_at, "cancelled": true}))?;
            continue;
        }
        now = until;
        let command = match step["type"].as_str() {
            Some("sleep") => json!({"poll": now}),
            _ if ends > deadline => json!({"handle": now, "deadlineReached": true}),
            _ => {
                values.keep(entry);
                let mut command = entry.clone();
                command["handle"] = now.into();
                command
            }
        };
        step = take(engine, vector, &wait, &command)?;
    }
    let text = values.end(engine, &wait)?;
    Ok(json!({ "text": text }))
}

/// The latest response and the latest error of a wait.
#[derive(Default)]
pub(crate) struct Values {
    response: Json,
    error: Json,
}

impl Values {
    pub(crate) fn keep(&mut self, entry: &Json) {
        match entry.get("error") {
            Some(error) => self.error = json!({"name": error["class"], "message": error["message"]}),
            None => self.response = plain(&entry["response"]),
        }
    }

    /// Returns the JSON text of the end.
    pub(crate) fn end(&self, engine: &mut Engine<'_>, wait: &Json) -> Result<Json> {
        let text = |value: &Json| match value {
            Json::Null => Json::Null,
            value => value.to_string().into(),
        };
        let values = json!({"record": {"response": text(&self.response), "error": text(&self.error), "reason": null}});
        engine.get("wait", "[method]wait.end-json", &[wait.clone(), values])
    }
}

fn delay_record(json: &Json) -> Option<Json> {
    let mut record = Map::new();
    for name in ["remaining", "minDelay", "maxDelay", "random"] {
        record.insert(kebab(name), json[name].is_number().then(|| json[name].clone())?);
    }
    record.insert("attempt".to_owned(), u64_of(&json["attempt"])?);
    Some(json!({"record": record}))
}

fn delay(engine: &mut Engine<'_>, json: &Json) -> Result<Json> {
    let record = delay_record(json).context("a number")?;
    Ok(match engine.call("delay", "compute", &[record])? {
        Ok(Json::Null) => Json::Null,
        Ok(delay) => {
            let delay = engine::members(&delay);
            let seconds = delay["delay"].as_f64().context("a number")?;
            json!({"delay": number_to_json(seconds), "last": delay["last"]})
        }
        Err(error) => error,
    })
}

fn delays(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let mut given = vector.json().clone();
    let mut remaining = given["maxWait"].as_f64().context("a number")?;
    let mut delays = Vec::new();
    for (made, random) in vector.list("randoms").iter().enumerate() {
        given["attempt"] = json!(made + 1);
        given["remaining"] = json!(remaining);
        given["random"] = random.clone();
        let delay = delay(engine, &given)?;
        remaining -= delay["delay"].as_f64().unwrap_or_default();
        delays.push(delay);
    }
    Ok(delays.into())
}

fn search(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let expression = plain(&vector.json()["expression"]);
    Ok(match engine.call("search", "search", &[expression, text(vector.find("value"))])? {
        Ok(result) => json!({"result": integers(serde_json::from_str(result.as_str().unwrap_or_default())?)}),
        Err(error) => error,
    })
}

/// Converts whole numbers to integers, as in the vectors.
fn integers(json: Json) -> Json {
    match json {
        Json::Array(items) => items.into_iter().map(integers).collect(),
        Json::Object(members) => members.into_iter().map(|(name, member)| (name, integers(member))).collect(),
        Json::Number(number) => number.as_f64().map_or(Json::Null, number_to_json),
        other => other,
    }
}

fn failure(given: &Json) -> Json {
    let member = |name: &str| given.get(name).cloned().unwrap_or_default();
    let modeled = given.get("modeled").map(|modeled| {
        let flag = |name: &str| modeled.get(name) == Some(&Json::Bool(true));
        json!({"record": {"fault": modeled["fault"], "retryable": flag("retryable"), "throttling": flag("throttling")}})
    });
    let transport = given.get("transport").and_then(Json::as_str).map(|word| word.replace('_', "-"));
    json!({"record": {
        "code": member("code"), "status": member("status"), "retry-after": member("retryAfter"),
        "amz-retry-after": member("amzRetryAfter"), "now": member("now"), "transport": transport, "modeled": modeled,
    }})
}

fn classify(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let idempotent = vector.find("idempotent") == Some(&Json::Bool(true));
    let arguments = [failure(&vector.json()["failure"]), idempotent.into()];
    let mut classification = engine::members(&engine.get("request", "classify", &arguments)?);
    if let Some(after) = classification["retryAfter"].as_f64() {
        classification.insert("retryAfter".to_owned(), number_to_json(after));
    }
    if !classification["note"].is_null() {
        let note = engine::members(&classification["note"]);
        classification.insert("note".to_owned(), note.into());
    }
    Ok(classification.into())
}

/// Returns the record of a strategy's options, or `None` if a value has the wrong type.
fn retry_record(options: &Json) -> Option<Json> {
    let mut record = Map::new();
    for (name, value) in options.as_object()? {
        let value = match &**name {
            "maxRetries" | "maxAttempts" | "seed" => u64_of(value)?,
            "capacity" | "retryCost" | "throttlingCost" | "timeoutCost" | "successRefund" => {
                u32::try_from(value.as_u64()?).ok()?.into()
            }
            "preset" => word(value, &["specification", "aws"])?,
            "refundCost" | "unlimited" => value.is_boolean().then(|| value.clone())?,
            _ => value.is_number().then(|| value.clone())?,
        };
        record.insert(kebab(name), value);
    }
    record.entry("seed").or_insert(json!({"u64": 0}));
    Some(json!({"record": record}))
}

fn request_record(vector: &Vector) -> Option<Json> {
    let member = |name: &str, is_right: fn(&Json) -> bool| match vector.find(name) {
        None | Some(Json::Null) => Some(Json::Null),
        Some(value) => is_right(value).then(|| value.clone()),
    };
    Some(json!({"record": {
        "idempotent": member("idempotent", Json::is_boolean)?,
        "max-time": member("maxTime", Json::is_number)?,
        "has-policy": vector.find("policy").is_some(),
    }}))
}

fn request_steps(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let options = request_record(vector).context("an option has the wrong type")?;
    let strategy = match vector.find("retry") {
        Some(retry) => {
            let options = retry_record(retry).context("an option has the wrong type")?;
            Some(engine.get("request", "[static]strategy.create", &[options, Json::Null])?)
        }
        None => None,
    };
    let arguments = [strategy.clone().unwrap_or(Json::Null), options];
    let request = match engine.call("request", "[static]request.create", &arguments)? {
        Ok(request) => request,
        Err(error) => return Ok(error),
    };
    let mut steps = Vec::new();
    for command in vector.list("commands") {
        steps.push(take_request(engine, &request, command)?);
    }
    let available = match strategy {
        Some(strategy) => engine.get("request", "[method]strategy.available", &[strategy])?,
        None => Json::Null,
    };
    Ok(json!({"steps": steps, "available": available}))
}

fn take_request(engine: &mut Engine<'_>, request: &Json, command: &Json) -> Result<Json> {
    if let Some(now) = command.get("poll") {
        let now = u64_of(now).context("a time")?;
        let step = engine.get("request", "[method]request.poll", &[request.clone(), now])?;
        return Ok(engine::request_step(&step));
    }
    let has = |member: &str| command.get(member).is_some();
    let event = if has("success") {
        json!({"variant": ["success"]})
    } else if has("failed") {
        json!({"variant": ["failure"]})
    } else if has("deadlineReached") {
        json!({"variant": ["deadline-reached"]})
    } else if has("cancelled") {
        json!({"variant": ["cancelled"]})
    } else if let Some(delay) = command.get("token") {
        json!({"variant": ["token", delay]})
    } else if has("returned") {
        json!({"variant": ["returned"]})
    } else if let Some(refused) = command.get("refused") {
        json!({"variant": ["refused", {"record": refused}]})
    } else {
        json!({"variant": ["retry", command.get("failure").map(failure)]})
    };
    let now = u64_of(&command["handle"]).context("a time")?;
    let step = engine.call("request", "[method]request.handle", &[request.clone(), event, now])?;
    Ok(step.map_or_else(|error| error, |step| engine::request_step(&step)))
}

fn page_size(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let paginator = match vector.find("operation") {
        Some(operation) => {
            let arguments = [vector.model().to_string().into(), operation.clone(), Json::Null];
            engine.get("walk", "[static]paginator.from-model", &arguments)?
        }
        None => {
            let definition = plain(&vector.json()["paginated"]).to_string();
            engine.get("walk", "[static]paginator.from-definition", &[definition.into()])?
        }
    };
    let mut results = Vec::new();
    for size in vector.list("sizes") {
        let arguments = [paginator.clone(), text(Some(size))];
        results.push(match engine.call("walk", "[method]paginator.size", &arguments)? {
            Ok(size) => json!({"size": size.as_str().map(serde_json::from_str::<Json>).transpose()?}),
            Err(error) => error,
        });
    }
    Ok(results.into())
}

fn walk(engine: &mut Engine<'_>, vector: &Vector) -> Result<Json> {
    let definition = plain(&vector.json()["paginated"]).to_string();
    let paginator = engine.get("walk", "[static]paginator.from-definition", &[definition.into()])?;
    let paging = vector.find("paging").cloned().unwrap_or(json!({}));
    let paging = json!({"record": {
        "repeated-token": paging.get("repeatedToken"), "stop-when-not-truncated": paging.get("stopWhenNotTruncated"),
    }});
    let walk = engine.get("walk", "[method]paginator.walk", &[paginator, paging])?;
    let optional = |member: &str| vector.find(member).map_or(Json::Null, |value| text(Some(value)));
    let arguments = [walk.clone(), optional("startToken"), optional("input")];
    let mut steps = match engine.call("walk", "[method]walk.begin", &arguments)? {
        Ok(first) => vec![walk_step(&first)?],
        Err(error) => return Ok(error),
    };
    for page in vector.list("pages") {
        let handled = engine.get("walk", "[method]walk.handle", &[walk.clone(), text(Some(page))])?;
        steps.push(match handled["variant"][0].as_str() {
            Some("ok") => walk_step(&handled["variant"][1])?,
            _ => json!({"error": engine::members(&handled["variant"][1])}),
        });
    }
    Ok(steps.into())
}

fn walk_step(step: &Json) -> Result<Json> {
    if step["variant"][0] == "done" {
        return Ok(json!({"type": "done"}));
    }
    let members = engine::members(&step["variant"][1]);
    let token = members["token"].as_str().map(serde_json::from_str::<Json>).transpose()?;
    Ok(json!({"type": "call", "page": members["page"], "token": token}))
}
