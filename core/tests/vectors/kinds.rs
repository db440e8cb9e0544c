//! How each kind of vector is run.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::{
    DelayInput, ErrorFacts, OptionsError, Seen, StateError, Step, Wait, WaitOptions, Waiter, delay,
};

use crate::file::Vector;
use crate::given::{Given, plain};
use crate::{results, wait};

pub(crate) fn run(vector: &Vector) -> Json {
    match vector.kind() {
        "definition" => definition(vector),
        "delay" => delay_of(vector),
        "evaluate" => evaluate(vector),
        "options" => options_of(vector),
        "steps" => steps(vector),
        "wait" => wait::run(vector),
        other => panic!("no kind `{other}`"),
    }
}

/// The waiter that a vector gives; every kind but `definition` gives a good one.
pub(crate) fn waiter(vector: &Vector) -> Waiter {
    let (name, definition) = vector.definition();
    Waiter::from_value(&definition, name).unwrap()
}

pub(crate) fn input(vector: &Vector) -> Given {
    vector.find("input").map_or(Given::Null, Given::new)
}

pub(crate) fn start(vector: &Vector) -> Result<Wait, OptionsError> {
    waiter(vector).start(&options(vector)?, 0)
}

pub(crate) fn options(vector: &Vector) -> Result<WaitOptions, OptionsError> {
    WaitOptions::from_host(&Given::new(vector.find("options").unwrap()))
}

/// `{code | name | class, message?}` or `{none}`.
pub(crate) fn facts(error: &Json) -> ErrorFacts<'static> {
    let text = |name: &str| {
        error
            .get(name)
            .and_then(Json::as_str)
            .map(ToOwned::to_owned)
    };
    let facts = match (text("code").or_else(|| text("name")), text("class")) {
        (Some(code), _) => ErrorFacts::of_code(code),
        (None, Some(class)) => ErrorFacts::of_class(class),
        (None, None) => ErrorFacts::unnamed(),
    };
    facts.message(text("message").unwrap_or_default())
}

fn definition(vector: &Vector) -> Json {
    let name = vector.find("name").and_then(Json::as_str);
    let made = match (vector.find("definitionText").map(plain), name) {
        (Some(text), Some(name)) => Waiter::named(name, text.as_str().unwrap()),
        (Some(text), None) => Waiter::from_json(text.as_str().unwrap()),
        (None, name) => Waiter::from_value(&plain(vector.find("definition").unwrap()), name),
    };
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
    let (response, error) = (
        vector.find("response").map(Given::new),
        vector.find("error").map(facts),
    );
    let seen = match (&response, &error) {
        (Some(response), _) => Seen::Response(response),
        (None, error) => Seen::Failure(error.as_ref().unwrap()),
    };
    let verdict = waiter.evaluate(&input, seen.clone());
    let reasons = waiter.explain(&verdict, &input, seen);
    json!({"state": verdict.state().as_str(), "acceptor": verdict.acceptor(), "reasons": reasons})
}

fn delay_of(vector: &Vector) -> Json {
    let names = ["attempt", "remaining", "minDelay", "maxDelay", "random"];
    let given = names.map(|name| (name.to_owned(), Given::new(vector.find(name).unwrap())));
    let input = Given::Object(BTreeMap::from(given));
    match DelayInput::from_host(&input).and_then(|input| delay(&input)) {
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
        let step = wait.observe(&Given::Null, Seen::Response(&Given::Null), elapsed);
        steps.push(results::step(&step));
    }
    json!({"steps": steps})
}

fn steps(vector: &Vector) -> Json {
    let (mut wait, input) = (start(vector).unwrap(), input(vector));
    let taken = vector
        .list("commands")
        .iter()
        .map(|command| results::step(&take(&mut wait, &input, command)));
    taken.collect()
}

fn take(wait: &mut Wait, input: &Given, command: &Json) -> Result<Step, StateError> {
    let names = ["next", "expire", "cancel", "observe"];
    let told = |name| Some((name, command.get(name)?));
    let (name, elapsed) = names.into_iter().find_map(told).unwrap();
    let elapsed = Wait::elapsed_from_host(Given::new(elapsed).as_f64())?;
    match name {
        "next" => wait.next(elapsed),
        "expire" => wait.expire(elapsed),
        "cancel" => Ok(wait.cancel(elapsed)),
        _ => observe(wait, input, command, elapsed),
    }
}

/// Shows the wait the `response` or the `error` of a command or of a script's entry.
pub(crate) fn observe(
    wait: &mut Wait,
    input: &Given,
    came: &Json,
    elapsed: u64,
) -> Result<Step, StateError> {
    match came.get("error") {
        Some(error) => wait.observe(input, Seen::Failure(&facts(error)), elapsed),
        None => wait.observe(
            input,
            Seen::Response(&Given::new(&came["response"])),
            elapsed,
        ),
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap()
}
