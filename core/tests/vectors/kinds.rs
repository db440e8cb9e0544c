//! How each kind of vector is run.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};
use smithy_waiters::{
    DefinitionError, DelayInput, ErrorFacts, OptionsError, Seen, State, StateError, Step, Wait,
    WaitOptions, Waiter, delay,
};

use crate::file::Vector;
use crate::given::{Given, plain};
use crate::{operation, pages, request, results, resume, retry, search, wait};

pub(crate) fn run(vector: &Vector) -> Json {
    match vector.kind() {
        "classify" => retry::classify(vector),
        "compress" => operation::compress(vector),
        "definition" => definition(vector),
        "delay" => delay_of(vector),
        "delays" => delays(vector),
        "evaluate" => evaluate(vector),
        "model" => model(vector),
        "operation" => operation::run(vector),
        "options" => options_of(vector),
        "paginate" => pages::run(vector),
        "request" => request::run(vector),
        "resume" => resume::run(vector),
        "retry" => retry::run(vector),
        "search" => search::run(vector),
        "steps" => steps(vector),
        "wait" | "wait-retry" => wait::run(vector),
        other => panic!("no kind `{other}`"),
    }
}

/// The waiter that a vector gives; every kind but `definition` gives a good one.
pub(crate) fn waiter(vector: &Vector) -> Waiter {
    let (name, definition) = vector.definition();
    Waiter::from_value(&definition, name).unwrap()
}

pub(crate) fn input(vector: &Vector) -> &'static Given {
    Given::new(vector.find("input").unwrap_or(&Json::Null))
}

pub(crate) fn start(vector: &Vector) -> Result<Wait, OptionsError> {
    waiter(vector).start(&options(vector)?, 0)
}

pub(crate) fn options(vector: &Vector) -> Result<WaitOptions, OptionsError> {
    WaitOptions::from_host(Given::new(vector.find("options").unwrap()))
}

/// The facts of a vector's error, as the options of its waiter have it read.
pub(crate) fn facts(vector: &Vector, error: &Json) -> ErrorFacts<'static> {
    let facts = match vector.find("errorNames").and_then(Json::as_array) {
        Some(names) => ErrorFacts::of_codes(names.iter().map(text)).message(message(error)),
        None => usual_facts(error),
    };
    match vector.find("serviceErrorsOnly") {
        Some(Json::Bool(true)) => facts.service_errors_only(),
        _ => facts,
    }
}

/// `{code | name | class, message?}`, `{thrown}` or `{none}`.
fn usual_facts(error: &Json) -> ErrorFacts<'static> {
    let facts = match (error.get("code").or(error.get("name")), error.get("class")) {
        (Some(code), _) => ErrorFacts::of_code(text(code)),
        (None, Some(class)) => ErrorFacts::of_class(text(class)),
        (None, None) => ErrorFacts::unnamed(),
    };
    facts.message(message(error))
}

/// An error's message; of what is no error, the thing itself.
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

fn described(made: Result<Waiter, DefinitionError>) -> Json {
    match made {
        Ok(waiter) => json!({"valid": {
            "name": waiter.name(), "documentation": waiter.documentation(), "deprecated": waiter.deprecated(),
            "tags": waiter.tags(), "minDelayMs": millis(waiter.min_delay()), "maxDelayMs": millis(waiter.max_delay()),
            "acceptors": waiter.acceptors().collect::<Vec<_>>(),
        }}),
        Err(error) => results::definition_error(&error),
    }
}

fn evaluate(vector: &Vector) -> Json {
    let (waiter, input) = (waiter(vector), input(vector));
    let response = vector.find("response").map(Given::new);
    let error = vector.find("error").map(|error| facts(vector, error));
    let seen = match (&response, &error) {
        (Some(response), _) => Seen::Response(*response),
        (None, error) => Seen::Failure(error.as_ref().unwrap()),
    };
    let verdict = waiter.evaluate(input, seen.clone());
    let reasons = waiter.explain(&verdict, input, seen);
    json!({"state": verdict.state().as_str(), "acceptor": verdict.acceptor(), "reasons": reasons})
}

fn delay_of(vector: &Vector) -> Json {
    delay_by(vector.json())
}

/// The delays between calls that take no time, one for each draw, as a list of their results.
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
    match DelayInput::from_host(Given::new(&given.into())).and_then(|input| delay(&input)) {
        Ok(next) => next.map_or(
            Json::Null,
            |next| json!({"delay": shown(next.delay), "last": next.last}),
        ),
        Err(error) => results::options_error(&error),
    }
}

/// Seconds as hosts without integers write them.
fn shown(delay: Duration) -> Json {
    match millis(delay) {
        whole if whole % 1_000 == 0 => json!(whole / 1_000),
        part => json!(part as f64 / 1_000.0),
    }
}

/// The steps up to the first response, which no acceptor matches.
fn options_of(vector: &Vector) -> Json {
    let mut wait = match start(vector) {
        Ok(wait) => wait,
        Err(error) => return results::options_error(&error),
    };
    let (mut elapsed, mut steps) = (0, Vec::new());
    loop {
        let step = wait.next(elapsed);
        steps.push(results::step(&step));
        match step.unwrap() {
            Step::Sleep { delay_ms, .. } => elapsed += delay_ms,
            Step::Call { .. } => break,
            Step::Done(_) => return json!({"steps": steps}),
        }
    }
    if wait.remaining_ms() > 1 {
        let step = wait.observe(&Json::Null, Seen::Response(&Json::Null), elapsed);
        steps.push(results::step(&step));
    }
    json!({"steps": steps})
}

/// The steps of a wait; and of one that is saved and resumed before every command, which must be the same.
fn steps(vector: &Vector) -> Json {
    let mut wait = start(vector).unwrap();
    let commands = vector.list("commands");
    let steps: Vec<_> = commands
        .iter()
        .map(|command| take(&mut wait, vector, command))
        .collect();
    let resumed = resume::at_every_command(vector);
    assert_eq!(resumed, steps, "`{}`: resumed and not", vector.id());
    steps.iter().map(results::step).collect()
}

pub(crate) fn take(wait: &mut Wait, vector: &Vector, command: &Json) -> Result<Step, StateError> {
    let (name, elapsed) = timed(command);
    let elapsed = Wait::elapsed_from_host(elapsed)?;
    match name {
        "next" => wait.next(elapsed),
        "expire" => wait.expire(elapsed),
        "cancel" => Ok(wait.cancel(elapsed)),
        _ if command.get("verdict").is_some() => observe_verdict(wait, vector, command, elapsed),
        _ => observe(wait, vector, command, elapsed),
    }
}

/// The name of a command, and its time.
pub(crate) fn timed(command: &Json) -> (&'static str, f64) {
    let names = ["next", "expire", "cancel", "observe"];
    let told = |name| Some((name, Given::new(command.get(name)?).as_f64()));
    names.into_iter().find_map(told).unwrap()
}

/// Shows the wait the `response` or the `error` of a command or of a script's entry.
pub(crate) fn observe(
    wait: &mut Wait,
    vector: &Vector,
    came: &Json,
    elapsed: u64,
) -> Result<Step, StateError> {
    let input = input(vector);
    match came.get("error") {
        Some(error) => wait.observe(input, Seen::Failure(&facts(vector, error)), elapsed),
        None => wait.observe(
            input,
            Seen::Response(Given::new(&came["response"])),
            elapsed,
        ),
    }
}

fn observe_verdict(
    wait: &mut Wait,
    vector: &Vector,
    command: &Json,
    elapsed: u64,
) -> Result<Step, StateError> {
    let verdict = &command["verdict"];
    let states = [State::Success, State::Failure, State::Retry];
    let named = |state: &State| verdict["state"] == state.as_str();
    let state = states.into_iter().find(named).unwrap();
    let acceptor = verdict["acceptor"]
        .as_u64()
        .map(|index| usize::try_from(index).unwrap());
    let facts = command.get("error").map(|error| facts(vector, error));
    wait.observe_verdict(state, acceptor, facts.as_ref(), elapsed)
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap()
}
