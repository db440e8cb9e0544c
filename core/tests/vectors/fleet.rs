//! Runs the state machine of a fleet step by step.

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::RequestFailure;
use smithy_waiters::{Fleet, FleetOptions, FleetStep, RateLimit, WaitOptions, WaitReport};

use crate::file::Vector;
use crate::values::HostValue;
use crate::{kinds, results};

pub(crate) fn run(vector: &Vector) -> Json {
    let options = FleetOptions::from_host(HostValue::new(vector.find("fleet").unwrap()));
    let fleet = options.and_then(|options| kinds::waiter(vector).fleet(&options));
    let limit = RateLimit::new(vector.find("rate").and_then(Json::as_f64).unwrap_or(5.0));
    let (mut fleet, mut limit) = match fleet.and_then(|fleet| Ok((fleet, limit?))) {
        Ok(created) => created,
        Err(error) => return results::options_error(&error),
    };
    let commands = vector.list("commands").iter();
    commands
        .map(|command| take(&mut fleet, &mut limit, vector, command))
        .collect()
}

fn take(fleet: &mut Fleet, limit: &mut RateLimit, vector: &Vector, command: &Json) -> Json {
    let at = command["at"].as_u64().unwrap();
    let number = |name: &str| command[name].as_u64();
    if let Some(ids) = command.get("join") {
        let ids: Vec<String> = serde_json::from_value(ids.clone()).unwrap();
        let options = WaitOptions::from_host(HostValue::new(&command["options"]));
        let joined = options.and_then(|options| fleet.join_each(&ids, &options, || Ok(0), at));
        return match joined {
            Ok(tickets) => json!({"tickets": tickets}),
            Err(error) => results::options_error(&error),
        };
    }
    if let Some(ticket) = number("leave") {
        let report = fleet.leave(ticket, at);
        return json!({"ended": report.map(|report| ended(ticket, &report, Json::Null)).into_iter().collect::<Json>()});
    }
    if let Some(call) = number("respond") {
        let pages: Vec<_> = command["pages"]
            .as_array()
            .unwrap()
            .iter()
            .map(HostValue::new)
            .collect();
        return match fleet.respond(call, &pages, at) {
            Ok(ends) => ends
                .into_iter()
                .map(|end| {
                    let item = end.item.map_or(Json::Null, HostValue::to_exact_json);
                    ended(end.ticket, &end.report, item)
                })
                .collect::<Json>(),
            Err(error) => {
                return json!({"error": {
                    "class": "StateError", "code": error.code(), "message": error.to_string(),
                }});
            }
        }
        .as_array()
        .map(|ends| json!({"ended": ends}))
        .unwrap();
    }
    let result = if let Some(call) = number("fail") {
        let error = kinds::facts(vector, &command["error"]);
        let transient = RequestFailure::from(error.clone()).transient(at);
        fleet.fail(call, &error, transient, at, limit)
    } else if let Some(call) = number("abandon") {
        fleet.abandon(call, at)
    } else {
        return polled(fleet, limit, at);
    };
    match result {
        Ok(()) => {
            let ends = fleet.ended(at).into_iter();
            let ends = ends.map(|(ticket, report)| ended(ticket, &report, Json::Null));
            json!({"ended": ends.collect::<Json>()})
        }
        Err(error) => results::state_error(&error),
    }
}

fn polled(fleet: &mut Fleet, limit: &mut RateLimit, at: u64) -> Json {
    let mut ends = Vec::new();
    let step = loop {
        match fleet.poll(at, limit) {
            FleetStep::Ended { ticket, report } => ends.push(ended(ticket, &report, Json::Null)),
            FleetStep::Call {
                call,
                ids,
                deadline_ms,
            } => {
                let ids: Vec<&str> = ids.iter().map(|id| &**id).collect();
                break json!({"type": "call", "call": call, "ids": ids, "deadlineMs": deadline_ms});
            }
            FleetStep::Sleep { until_ms } => break json!({"type": "sleep", "untilMs": until_ms}),
            FleetStep::Idle => break json!({"type": "idle"}),
        }
    };
    json!({"ended": ends, "step": step})
}

fn ended(ticket: u64, report: &WaitReport, item: Json) -> Json {
    json!({
        "ticket": ticket, "code": report.kind, "attempts": report.attempts, "elapsedMs": report.elapsed_ms,
        "message": report.message, "item": item,
    })
}
