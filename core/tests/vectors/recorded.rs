//! Converts random cases of the oracle to vectors of kinds that the component's interface expresses: waits and requests to
//! the commands of their steps.

use serde_json::{Value as Json, json};
use smithy_waiters::retry::RequestStep;
use smithy_waiters::{Step, Waiter};

use crate::file::Vector;
use crate::service::{self, entry};
use crate::{kinds, request_steps, results, retry};

const COMPARATORS: [(&str, &str); 4] = [
    ("stringEquals", "x"),
    ("booleanEquals", "true"),
    ("allStringEquals", "x"),
    ("anyStringEquals", "x"),
];

/// Returns the vectors of a case, with the results of the native engine.
pub(crate) fn vectors(case: &Vector) -> Vec<Json> {
    match case.kind() {
        "wait" => {
            let (commands, steps) = steps_of_wait(case);
            // The number of the case decides where the wait is saved.
            let (_, number) = case.id().rsplit_once('-').unwrap();
            let place = number.parse::<usize>().unwrap() % commands.len();
            let (before, after) = commands.split_at(place);
            let resumed = with(case, "resume", json!({"commands": before, "then": after}));
            let whole = with(case, "steps", json!({ "commands": commands }));
            vec![with_result(&whole, steps.into()), run(&resumed)]
        }
        "request" => {
            let commands = json!({"commands": commands_of_request(case)});
            vec![run(&with(case, "request-steps", commands))]
        }
        "search" => {
            let evaluation = evaluation(case);
            [Some(case), evaluation.as_ref()]
                .into_iter()
                .flatten()
                .map(run)
                .collect()
        }
        _ => vec![run(case)],
    }
}

fn run(vector: &Vector) -> Json {
    with_result(vector, kinds::run(vector))
}

fn with_result(vector: &Vector, result: Json) -> Json {
    let mut json = vector.json().clone();
    json["expected"] = results::with_spelling_of_vectors(result);
    json
}

/// Returns a case as another kind of vector, with more members.
fn with(case: &Vector, kind: &str, members: Json) -> Vector {
    let mut json = case.json().clone();
    json["kind"] = kind.into();
    let members = members.as_object().unwrap().clone();
    json.as_object_mut().unwrap().extend(members);
    case.part(&json)
}

/// Returns the verdict on a search's value by acceptors with its expression, unless it cannot be a path.
fn evaluation(case: &Vector) -> Option<Vector> {
    let acceptors = COMPARATORS.map(|(comparator, expected)| {
        let output = json!({"path": case.text("expression"), "comparator": comparator, "expected": expected});
        json!({"state": "success", "matcher": {"output": output}})
    });
    let definition = json!({ "acceptors": acceptors });
    Waiter::from_value(&definition, None).ok()?;
    let members = json!({"definition": definition, "response": case.find("value")});
    Some(with(case, "evaluate", members))
}

/// Returns the commands of a wait whose calls end as in the script, and its steps.
fn steps_of_wait(case: &Vector) -> (Vec<Json>, Vec<Json>) {
    let mut wait = kinds::start(case).unwrap();
    let (mut commands, mut steps) = (vec![json!({"poll": 0})], Vec::new());
    loop {
        let command = commands.last().unwrap();
        let now = kinds::now_of(command).unwrap();
        let step = kinds::take(&mut wait, case, command);
        steps.push(results::step(&step));
        let command = match step.unwrap() {
            Step::Done(_) => return (commands, steps),
            Step::Sleep { until_ms, .. } => json!({"poll": until_ms}),
            Step::Call {
                attempt,
                deadline_ms,
            } => end_of_call(now, entry(case, attempt), deadline_ms),
        };
        commands.push(command);
    }
}

/// Returns the commands of a request whose calls end as in the script.
fn commands_of_request(case: &Vector) -> Vec<Json> {
    let strategy = retry::strategy_of(case);
    let (mut request, mut token) = (request_steps::request(case).unwrap(), None);
    let mut commands = vec![json!({"poll": 0})];
    loop {
        let command = commands.last().unwrap();
        let now = kinds::now_of(command).unwrap();
        let step = request_steps::take(&mut request, Some(&strategy), &mut token, command);
        let command = match step.unwrap() {
            RequestStep::Sleep { until_ms } => json!({"poll": until_ms}),
            RequestStep::Call {
                attempt,
                deadline_ms,
            } => end_of_call(now, entry(case, attempt), deadline_ms),
            _ => return commands,
        };
        commands.push(command);
    }
}

/// Returns the command at the end of a call that began now, or at its deadline.
fn end_of_call(now: u64, entry: &Json, deadline_ms: Option<u64>) -> Json {
    let ends = service::takes(entry).map_or(u64::MAX, |takes| now + takes);
    match deadline_ms {
        Some(deadline) if ends > deadline => json!({"handle": deadline, "deadlineReached": true}),
        _ => {
            let mut command = entry.clone();
            command["handle"] = ends.into();
            if entry.get("response").is_some() {
                // The event of a request, which does not read responses.
                command["success"] = true.into();
            }
            command
        }
    }
}
