//! Waits that are saved and resumed.

use serde_json::{Value as Json, json};
use smithy_waiters::{StateError, Step, Wait, Waiter};

use crate::file::Vector;
use crate::given::{Given, plain};
use crate::{kinds, results};

/// Takes `commands`, saves the wait, changes its text, resumes it at `resumeAt`, and takes the steps that `then` has.
pub(crate) fn run(vector: &Vector) -> Json {
    let mut wait = kinds::start(vector).unwrap();
    for command in vector.list("commands") {
        kinds::take(&mut wait, vector, command).unwrap();
    }
    let saved = changed(&wait.to_json(), vector.find("change"));
    let resume_at = Given::new(vector.find("resumeAt").unwrap()).as_f64();
    let resumed = Wait::elapsed_from_host(resume_at)
        .and_then(|elapsed| resumer(vector).resume(&saved, elapsed));
    let mut wait = match resumed {
        Ok(wait) => wait,
        Err(error) => return results::state_error(&error),
    };
    let commands = vector.list("then").iter();
    let steps = commands.map(|command| results::step(&kinds::take(&mut wait, vector, command)));
    json!({"steps": steps.collect::<Json>()})
}

/// The steps of a wait that is saved and resumed before every command.
///
/// One that is saved in flight hands out its attempt again; it is asked for it, so that what follows is what it was.
pub(crate) fn at_every_command(vector: &Vector) -> Vec<Result<Step, StateError>> {
    let (waiter, mut wait) = (kinds::waiter(vector), kinds::start(vector).unwrap());
    let (mut in_flight, mut steps) = (None, Vec::new());
    for command in vector.list("commands") {
        wait = again(&waiter, &wait, in_flight.as_ref());
        let step = kinds::take(&mut wait, vector, command);
        in_flight = match &step {
            Ok(call @ Step::Call { .. }) => Some((call.clone(), kinds::timed(command).1)),
            Ok(_) => None,
            Err(_) => in_flight,
        };
        steps.push(step);
    }
    steps
}

fn again(waiter: &Waiter, wait: &Wait, in_flight: Option<&(Step, f64)>) -> Wait {
    let mut wait = waiter.resume(&wait.to_json(), 0).unwrap();
    if let Some((call, elapsed)) = in_flight {
        let elapsed = Wait::elapsed_from_host(*elapsed).unwrap();
        assert_eq!(wait.next(elapsed).as_ref(), Ok(call));
    }
    wait
}

/// The waiter of another definition, where the vector has one.
fn resumer(vector: &Vector) -> Waiter {
    if vector.find("resumeBy").is_none() {
        return kinds::waiter(vector);
    }
    let (name, definition) = vector.definition_of("resumeBy");
    Waiter::from_value(&definition, name).unwrap()
}

/// `{cut}`, `{replace}`, `{version}`, `{indent}` or `{text}`.
fn changed(saved: &str, change: Option<&Json>) -> String {
    let Some((kind, how)) = change.and_then(|change| change.as_object()?.iter().next()) else {
        return saved.to_owned();
    };
    match &**kind {
        "cut" => saved
            .chars()
            .take(saved.chars().count() - how.as_u64().unwrap() as usize)
            .collect(),
        "replace" => saved.replacen(how[0].as_str().unwrap(), how[1].as_str().unwrap(), 1),
        "version" => with_version(saved, how).to_string(),
        "indent" => serde_json::to_string_pretty(&parsed(saved)).unwrap(),
        _ => plain(how).as_str().unwrap().to_owned(),
    }
}

fn with_version(saved: &str, version: &Json) -> Json {
    let mut saved = parsed(saved);
    saved["version"] = version.clone();
    saved
}

fn parsed(saved: &str) -> Json {
    serde_json::from_str(saved).unwrap()
}
