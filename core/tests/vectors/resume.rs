//! Runs the vectors for waits that are saved and resumed.

use serde_json::{Value as Json, json};
use smithy_waiters::internal::millis_from_host;
use smithy_waiters::{Event, Snapshot, StateError, Wait, Waiter};

use crate::file::Vector;
use crate::values::HostValue;
use crate::{kinds, results, saved};

/// Executes `commands`, saves the wait, changes its text, resumes it, and executes the commands of `then`.
pub(crate) fn run(vector: &Vector) -> Json {
    let mut wait = kinds::start(vector).unwrap();
    for command in vector.list("commands") {
        kinds::take(&mut wait, vector, command).unwrap();
    }
    if let Some(started_at) = millis(vector, "startedAt") {
        wait = wait.started_at(started_at);
    }
    let text = wait.snapshot().unwrap().to_json();
    let mut wait = match resumed(vector, &saved::changed(&text, vector.find("change"))) {
        Ok(wait) => wait,
        Err(error) => return results::state_error(&error),
    };
    let commands = vector.list("then").iter();
    let steps = commands.map(|command| results::step(&kinds::take(&mut wait, vector, command)));
    json!({"steps": steps.collect::<Json>()})
}

fn resumed(vector: &Vector, text: &str) -> Result<Wait, StateError> {
    let (waiter, snapshot) = (resumer(vector), Snapshot::from_json(text)?);
    let now = match vector.find("resumeAt") {
        Some(now) => millis_from_host(HostValue::new(now).as_f64())?,
        None => snapshot.elapsed_ms(millis(vector, "wallClock")),
    };
    let wait = waiter.resume(snapshot, now)?;
    let Some(again) = millis(vector, "again") else {
        return Ok(wait);
    };
    let snapshot = wait.snapshot().unwrap();
    let now = snapshot.elapsed_ms(Some(again));
    waiter.resume(snapshot, now)
}

/// Returns the steps of a wait that is saved and resumed before each command.
///
/// A wait that is saved during a call returns the call again after it is resumed, with the time at which it was saved.
/// It is not saved after another poll during the call.
pub(crate) fn at_every_command(vector: &Vector) -> Vec<Json> {
    let (waiter, mut wait) = (kinds::waiter(vector), kinds::start(vector).unwrap());
    let (mut in_flight, mut polled_again, mut steps) = (None, false, Vec::new());
    for command in vector.list("commands") {
        if !polled_again {
            wait = again(&waiter, &wait, in_flight.as_ref());
        }
        let step = results::step(&kinds::take(&mut wait, vector, command));
        if step["type"] == "call" {
            polled_again = in_flight.is_some();
            in_flight = Some(step.clone());
        } else if step.get("error").is_none() {
            (in_flight, polled_again) = (None, false);
        }
        steps.push(step);
    }
    steps
}

/// Cancels the wait in the place of each command, and checks that it ends at once and stays so.
pub(crate) fn cancel_at_every_command(vector: &Vector) {
    let commands = vector.list("commands");
    for count in 0..commands.len() {
        let mut wait = kinds::start(vector).unwrap();
        let earlier = commands.iter().take(count);
        let mut steps =
            earlier.map(|command| results::step(&kinds::take(&mut wait, vector, command)));
        if steps.any(|step| step["type"] == "done") {
            return;
        }
        let ended = results::step(&wait.handle(Event::<&Json>::Cancelled, wait.now_ms()));
        assert_eq!(ended["report"]["code"], "cancelled", "`{}`", vector.id());
        let again = results::step(&Ok(wait.poll(wait.now_ms())));
        assert_eq!(again, ended, "`{}`", vector.id());
    }
}

fn again(waiter: &Waiter, wait: &Wait, in_flight: Option<&Json>) -> Wait {
    let snapshot = Snapshot::from_json(&wait.snapshot().unwrap().to_json()).unwrap();
    let now = snapshot.elapsed_ms(None);
    let mut wait = waiter.resume(snapshot, now).unwrap();
    if let Some(call) = in_flight {
        assert_eq!(&results::step(&Ok(wait.poll(now))), call);
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

fn millis(vector: &Vector, member: &str) -> Option<u64> {
    vector.find(member).and_then(Json::as_u64)
}
