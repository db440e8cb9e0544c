//! Runs each kind of vector.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};
use smithy_waiters::internal::{FromHost, millis_from_host};
use smithy_waiters::retry::{RequestFailure, Transient};
use smithy_waiters::{
    Defaults, DefinitionError, DelayInput, ErrorMetadata, Event, Extension, Hint, Level,
    Observation, OptionsError, StateError, Step, Until, Wait, WaitOptions, Waiter, delay,
};

use crate::file::Vector;
use crate::values::{HostValue, plain};
use crate::{
    fleet, operation, pages, request, request_steps, results, resume, retry, search, several,
    sleeps, stored, stored_fleet, wait, walk,
};

pub(crate) fn run(vector: &Vector) -> Json {
    match vector.kind() {
        "classify" => retry::classify(vector),
        "compress" => operation::compress(vector),
        "definition" => definition(vector),
        "delay" => delay_of(vector),
        "delays" => delays(vector),
        "evaluate" => evaluate(vector),
        "extend" => extend(vector),
        "fleet" => fleet::run(vector),
        "fleet-waits" => several::fleet_waits(vector),
        "host-options" => stored::host_options(vector),
        "json" => wait::json(vector),
        "model" => model(vector),
        "operation" => operation::run(vector),
        "options" => options_of(vector),
        "page-size" => pages::sizes(vector),
        "paginate" => pages::run(vector),
        "poll-records" => stored::poll_records(vector),
        "preset" => preset(vector),
        "request" => request::run(vector),
        "request-steps" => request_steps::run(vector),
        "resume" => resume::run(vector),
        "retry" => retry::run(vector),
        "search" => search::run(vector),
        "several" => several::several(vector),
        "sleeps" => sleeps::run(vector),
        "steps" => steps(vector),
        "stored" => stored::stored(vector),
        "stored-fleet" => stored_fleet::stored_fleet(vector),
        "defaults" => defaults(vector),
        "until" => until(vector),
        "wait" => wait::run(vector),
        "walk" => walk::run(vector),
        other => panic!("no kind `{other}`"),
    }
}

/// Creates the waiter of a vector, which is valid for all kinds except `definition`.
pub(crate) fn waiter(vector: &Vector) -> Waiter {
    let (name, definition) = vector.definition();
    let waiter = match definition.get("preset").and_then(Json::as_str) {
        Some(preset) => Waiter::preset(preset),
        None => Waiter::from_value(&definition, name),
    };
    let waiter = waiter.unwrap();
    match vector.find("defaults") {
        Some(defaults) => {
            waiter.with_defaults(Defaults::from_host(HostValue::new(defaults)).unwrap())
        }
        None => waiter,
    }
}

/// Returns the defaults of a waiter or of a short form.
fn defaults(vector: &Vector) -> Json {
    let waiter = match vector.find("until") {
        Some(short) => Until::from_json(&plain(short).to_string())
            .unwrap()
            .build()
            .unwrap(),
        None => waiter(vector),
    };
    let waiter = match vector.find("extension") {
        Some(extension) => {
            let extension = Extension::from_json(&plain(extension).to_string()).unwrap();
            waiter.extend(&extension).unwrap()
        }
        None => waiter,
    };
    json!({"defaults": waiter.defaults().to_json()})
}

pub(crate) fn input(vector: &Vector) -> &'static HostValue {
    HostValue::new(vector.find("input").unwrap_or(&Json::Null))
}

pub(crate) fn start(vector: &Vector) -> Result<Wait, OptionsError> {
    waiter(vector).start(&options(vector)?, 0)
}

pub(crate) fn options(vector: &Vector) -> Result<WaitOptions, OptionsError> {
    WaitOptions::from_host(HostValue::new(vector.find("options").unwrap()))
}

/// Returns the metadata of a vector's error, according to the options of its waiter.
pub(crate) fn facts(vector: &Vector, error: &Json) -> ErrorMetadata<'static> {
    let facts = match vector.find("errorNames").and_then(Json::as_array) {
        Some(names) => ErrorMetadata::of_codes(names.iter().map(text)).message(message(error)),
        None => usual_facts(error),
    };
    match vector.find("serviceErrorsOnly") {
        Some(Json::Bool(true)) => facts.service_errors_only(),
        _ => facts,
    }
}

/// Returns the metadata for `{code | name | class, message?, status?}`, `{thrown}` or `{none}`.
fn usual_facts(error: &Json) -> ErrorMetadata<'static> {
    let facts = match (error.get("code").or(error.get("name")), error.get("class")) {
        (Some(code), _) => ErrorMetadata::of_code(text(code)),
        (None, Some(class)) => ErrorMetadata::of_class(text(class)),
        (None, None) => ErrorMetadata::unnamed(),
    };
    let facts = facts.message(message(error));
    match error.get("status").and_then(Json::as_u64) {
        Some(status) => facts.status(u16::try_from(status).unwrap()),
        None => facts,
    }
}

/// Returns an error's message, or a thrown value that is not an error.
pub(crate) fn message(error: &Json) -> String {
    let message = error.get("message").or(error.get("thrown"));
    message.map(text).unwrap_or_default()
}

fn text(json: &Json) -> String {
    json.as_str()
        .map_or_else(|| json.to_string(), ToOwned::to_owned)
}

fn definition(vector: &Vector) -> Json {
    let name = vector.find("name").and_then(Json::as_str);
    let made = match (vector.find("definitionText").map(plain), name) {
        (Some(text), Some(name)) => Waiter::named(name, text.as_str().unwrap()),
        (Some(text), None) => Waiter::from_json(text.as_str().unwrap()),
        (None, name) => Waiter::from_value(&plain(vector.find("definition").unwrap()), name),
    };
    described(made)
}

fn model(vector: &Vector) -> Json {
    let (name, service) = (
        vector.text("waiterName"),
        vector.find("service").and_then(Json::as_str),
    );
    described(match vector.find("modelText") {
        Some(model) => Waiter::from_model(plain(model).as_str().unwrap(), name, service),
        None => Waiter::from_model_value(&vector.model(), name, service),
    })
}

/// Returns the state of each response.
fn preset(vector: &Vector) -> Json {
    let waiter = match Waiter::preset(vector.text("preset")) {
        Ok(waiter) => waiter,
        Err(error) => return results::definition_error(&error),
    };
    // The definition alone decides as the goals do, so that a saved one does, too.
    let again = Waiter::from_value(&waiter.definition(), None).unwrap();
    let state = |response| {
        let seen = || Observation::Response(HostValue::new(response));
        let state = |waiter: &Waiter| waiter.evaluate(HostValue::new(&Json::Null), seen()).state();
        assert_eq!(state(&again), state(&waiter), "{response}");
        state(&waiter).as_str()
    };
    let responses = vector.list("responses").iter();
    json!({"states": responses.map(state).collect::<Vec<_>>()})
}

fn until(vector: &Vector) -> Json {
    let short = plain(vector.find("until").unwrap()).to_string();
    let made = Until::from_json(&short).and_then(|until| until.build());
    let responses = vector.find("responses").and_then(Json::as_array);
    let (Some(responses), Ok(waiter)) = (responses, &made) else {
        return with_definition(made);
    };
    let again = Waiter::from_value(&waiter.definition(), None).unwrap();
    let verdict = |response| {
        let seen = || Observation::Response(HostValue::new(response));
        let state = |waiter: &Waiter| waiter.evaluate(HostValue::new(&Json::Null), seen()).state();
        // The definition alone decides as the goals do.
        assert_eq!(state(&again), state(waiter), "{response}");
        let reasons = waiter.reasons(HostValue::new(&Json::Null), seen());
        let texts: Vec<String> = reasons.into_iter().map(|reason| reason.text).collect();
        json!({"state": state(waiter).as_str(), "reasons": texts})
    };
    json!({"definition": waiter.definition(), "verdicts": responses.iter().map(verdict).collect::<Vec<_>>()})
}

fn extend(vector: &Vector) -> Json {
    let extension = plain(vector.find("extension").unwrap()).to_string();
    let extension = Extension::from_json(&extension);
    with_definition(extension.and_then(|extension| waiter(vector).extend(&extension)))
}

/// Returns the definition, from which an equal waiter can be created.
fn with_definition(made: Result<Waiter, DefinitionError>) -> Json {
    match made {
        Ok(waiter) => {
            let definition = waiter.definition();
            let again = Waiter::from_value(&definition, waiter.name()).unwrap();
            assert_eq!(again.definition(), definition);
            json!({"definition": definition})
        }
        Err(error) => results::definition_error(&error),
    }
}

fn described(made: Result<Waiter, DefinitionError>) -> Json {
    match made {
        Ok(waiter) => json!({"valid": {
            "name": waiter.name(), "documentation": waiter.documentation(), "deprecated": waiter.deprecated(),
            "tags": waiter.tags(), "redact": waiter.redact(), "minDelayMs": millis(waiter.min_delay()), "maxDelayMs": millis(waiter.max_delay()),
            "acceptors": waiter.acceptors().collect::<Vec<_>>(),
        }}),
        Err(error) => results::definition_error(&error),
    }
}

fn evaluate(vector: &Vector) -> Json {
    let (waiter, input) = (waiter(vector), input(vector));
    let response = vector.find("response").map(HostValue::new);
    let error = vector.find("error").map(|error| facts(vector, error));
    let seen = match (&response, &error) {
        (Some(response), _) => Observation::Response(*response),
        (None, error) => Observation::Error(error.as_ref().unwrap()),
    };
    let verdict = waiter.evaluate(input, seen.clone());
    let reasons = waiter.reasons(input, seen);
    json!({"state": verdict.state().as_str(), "acceptor": verdict.acceptor(), "reasons": reasons})
}

fn delay_of(vector: &Vector) -> Json {
    delay_by(vector.json())
}

/// Returns the delays between calls that take no time, one for each random number.
fn delays(vector: &Vector) -> Json {
    let mut given = vector.json().clone();
    let mut remaining = given["maxWait"].as_f64().unwrap();
    let mut delays = Vec::new();
    for (made, random) in vector.list("randoms").iter().enumerate() {
        given["attempt"] = json!(made + 1);
        given["remaining"] = json!(remaining);
        given["random"] = random.clone();
        let delay = delay_by(&given);
        remaining -= delay["delay"].as_f64().unwrap();
        delays.push(delay);
    }
    delays.into()
}

fn delay_by(given: &Json) -> Json {
    let names = ["attempt", "remaining", "minDelay", "maxDelay", "random"];
    let given: Map<_, _> = names
        .map(|name| (name.to_owned(), given[name].clone()))
        .into_iter()
        .collect();
    match DelayInput::from_host(HostValue::new(&given.into())).and_then(|input| delay(&input)) {
        Ok(next) => next.map_or(
            Json::Null,
            |next| json!({"delay": shown(next.delay), "last": next.last}),
        ),
        Err(error) => results::options_error(&error),
    }
}

/// Formats seconds like a host without integers.
fn shown(delay: Duration) -> Json {
    match millis(delay) {
        whole if whole % 1_000 == 0 => json!(whole / 1_000),
        part => json!(part as f64 / 1_000.0),
    }
}

/// Returns the steps up to the first response, which is null and arrives immediately.
fn options_of(vector: &Vector) -> Json {
    let mut wait = match start(vector) {
        Ok(wait) => wait,
        Err(error) => return results::options_error(&error),
    };
    let (mut now, mut steps) = (0, Vec::new());
    loop {
        let step = wait.poll(now);
        steps.push(results::step(&Ok(step.clone())));
        match step {
            Step::Sleep { until_ms, .. } => now = until_ms,
            Step::Call { deadline_ms, .. } => {
                // A second poll does not fit into a millisecond.
                if deadline_ms.is_none_or(|deadline| deadline > now + 1) {
                    let step = wait.handle(Event::response(&Json::Null), now);
                    steps.push(results::step(&step));
                }
                return json!({"steps": steps});
            }
            Step::Done(_) => return json!({"steps": steps}),
        }
    }
}

/// Returns the steps of a wait. Checks that they are equal, except for the history, if it is saved and resumed before
/// each command.
fn steps(vector: &Vector) -> Json {
    let mut wait = start(vector).unwrap();
    let commands = vector.list("commands").iter();
    let (mut steps, mut summaries, mut logs) = (Vec::new(), Vec::new(), Vec::new());
    for command in commands {
        steps.push(results::step(&take(&mut wait, vector, command)));
        summaries.push(wait.summary());
        let hint = |hint: &Hint| json!({"code": hint.code().as_str(), "text": hint.message(str::to_owned)});
        let hints = wait.hints().iter().map(hint).collect::<Json>();
        logs.push((wait.level().map(Level::as_str), hints));
    }
    assert_eq!(
        without_history(&resume::at_every_command(vector)),
        without_history(&steps),
        "`{}`: resumed and not",
        vector.id()
    );
    resume::cancel_at_every_command(vector);
    if vector.find("summaries").is_some() {
        for (step, summary) in steps.iter_mut().zip(summaries) {
            step["summary"] = json!(summary);
        }
    }
    if vector.find("logs").is_some() {
        for (step, (level, hints)) in steps.iter_mut().zip(logs) {
            step["level"] = json!(level);
            step["hints"] = hints;
        }
    }
    steps.into()
}

/// Returns the steps, with only those members of their reports that do not depend on earlier attempts.
fn without_history(steps: &[Json]) -> Vec<Json> {
    let members = ["code", "attempts", "elapsedMs", "acceptor"];
    let shortened = |step: &Json| match step.get("report") {
        Some(report) => members
            .map(|member| &report[member])
            .into_iter()
            .cloned()
            .collect(),
        None => step.clone(),
    };
    steps.iter().map(shortened).collect()
}

pub(crate) fn take(wait: &mut Wait, vector: &Vector, command: &Json) -> Result<Step, StateError> {
    let now = now_of(command)?;
    if command.get("poll").is_some() {
        return Ok(wait.poll(now));
    }
    handle(wait, vector, command, now)
}

/// Returns the time of a command.
pub(crate) fn now_of(command: &Json) -> Result<u64, StateError> {
    let now = command.get("poll").unwrap_or(&command["handle"]);
    millis_from_host(HostValue::new(now).as_f64())
}

/// Passes the event of a command, or the result of a script's entry, to the wait.
pub(crate) fn handle(
    wait: &mut Wait,
    vector: &Vector,
    command: &Json,
    now: u64,
) -> Result<Step, StateError> {
    let millis = |name| command.get(name).and_then(Json::as_u64);
    let facts = command.get("error").map(|error| facts(vector, error));
    let error = facts.as_ref();
    let event = if command.get("cancelled").is_some() {
        Event::Cancelled
    } else if command.get("deadlineReached").is_some() {
        Event::DeadlineReached
    } else if let Some(verdict) = command.get("verdict") {
        let acceptor = verdict["acceptor"].as_u64();
        Event::Verdict {
            acceptor: acceptor.map(|index| usize::try_from(index).unwrap()),
            message: None,
            error,
            transient: error.and_then(|error| transient(command, error)),
        }
    } else if let Some(error) = error {
        Event::Error {
            error,
            transient: transient(command, error),
        }
    } else {
        Event::Response {
            value: HostValue::new(&command["response"]),
            input: Some(input(vector)),
            not_before_ms: millis("notBefore"),
        }
    };
    wait.handle(event, now)
}

/// Returns the classification in a command, or that of the error's name.
fn transient(command: &Json, error: &ErrorMetadata<'_>) -> Option<Transient> {
    match command.get("transient") {
        None => RequestFailure::from(error.clone()).transient(0),
        Some(Json::Null) => None,
        Some(given) => Some(Transient {
            not_before_ms: given["notBefore"].as_u64().unwrap_or(0),
            answered: given["answered"].as_bool().unwrap(),
            once: false,
        }),
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap()
}
