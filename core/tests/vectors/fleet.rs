//! Runs the state machine of a fleet step by step.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::RequestFailure;
use smithy_waiters::{
    Fleet, FleetOptions, FleetSnapshot, FleetStep, OptionsError, RateLimit, StateError,
    WaitOptions, WaitReport, Waiter,
};

use crate::file::Vector;
use crate::values::HostValue;
use crate::{kinds, results, saved};

/// Returns the result of each command. Checks that they are equal, except for the history, if the lists of the fleet are
/// saved and resumed before each command.
pub(crate) fn run(vector: &Vector) -> Json {
    let mut run = match Run::new(vector) {
        Ok(run) => run,
        Err(error) => return results::options_error(&error),
    };
    let commands = vector.list("commands");
    let results: Vec<Json> = commands.iter().map(|command| run.take(command)).collect();
    let mut run = Run::new(vector).unwrap();
    let resumed = commands.iter().map(|command| {
        run.save_and_resume();
        run.take(command)
    });
    assert_eq!(
        resumed.map(without_history).collect::<Vec<_>>(),
        results
            .iter()
            .cloned()
            .map(without_history)
            .collect::<Vec<_>>(),
        "`{}`: resumed and not",
        vector.id()
    );
    results.into()
}

/// A fleet whose lists can be saved and resumed. Results have the tickets of the fleet without that.
struct Run<'v> {
    vector: &'v Vector,
    fleet: Fleet,
    limit: RateLimit,
    /// The lists, by their tickets.
    lists: Vec<Vec<u64>>,
    /// The tickets of the same waits in the fleet.
    tickets: BTreeMap<u64, u64>,
    /// The tickets whose ends were returned.
    ended: BTreeSet<u64>,
}

impl<'v> Run<'v> {
    fn new(vector: &'v Vector) -> Result<Self, OptionsError> {
        Self::of(vector, kinds::waiter(vector), vector.find("fleet").unwrap())
    }

    fn of(vector: &'v Vector, waiter: Waiter, options: &Json) -> Result<Self, OptionsError> {
        let options = FleetOptions::from_host(HostValue::new(options))?;
        let rate = vector.find("rate").and_then(Json::as_f64).unwrap_or(5.0);
        Ok(Self {
            vector,
            fleet: waiter.fleet(&options)?,
            limit: RateLimit::new(rate)?,
            lists: Vec::new(),
            tickets: BTreeMap::new(),
            ended: BTreeSet::new(),
        })
    }

    fn take(&mut self, command: &Json) -> Json {
        let at = command["at"].as_u64().unwrap();
        let number = |name: &str| command[name].as_u64();
        if let Some(ids) = command.get("join") {
            let ids: Vec<String> = serde_json::from_value(ids.clone()).unwrap();
            let options = WaitOptions::from_host(HostValue::new(&command["options"]));
            let joined = options.and_then(|options| self.fleet.join_each(&ids, &options, 0, at));
            return match joined {
                Ok(tickets) => json!({"tickets": self.add(tickets)}),
                Err(error) => results::options_error(&error),
            };
        }
        if let Some(ticket) = number("resume") {
            return self
                .resume(command, ticket, at)
                .unwrap_or_else(|error| results::state_error(&error));
        }
        if let Some(ticket) = number("leave") {
            let report = self.fleet.leave(self.tickets[&ticket], at);
            let end =
                report.and_then(|report| self.end(self.tickets[&ticket], &report, Json::Null));
            return json!({"ended": Json::from_iter(end)});
        }
        if let Some(call) = number("respond") {
            let pages = command["pages"].as_array().unwrap();
            let pages: Vec<_> = pages.iter().map(HostValue::new).collect();
            return match self.fleet.respond(call, &pages, at) {
                Ok(ends) => {
                    let ends = ends.into_iter().filter_map(|end| {
                        let item = end.item.map_or(Json::Null, HostValue::to_exact_json);
                        self.end(end.ticket, &end.report, item)
                    });
                    json!({"ended": ends.collect::<Json>()})
                }
                Err(error) => json!({"error": {
                    "class": "StateError", "code": error.code(), "message": error.to_string(),
                }}),
            };
        }
        let result = if let Some(call) = number("fail") {
            let error = kinds::facts(self.vector, &command["error"]);
            let transient = RequestFailure::from(error.clone()).transient(at);
            self.fleet
                .fail(call, &error, transient, at, &mut self.limit)
        } else if let Some(call) = number("abandon") {
            self.fleet.abandon(call, at)
        } else {
            return self.poll(at);
        };
        match result {
            Ok(()) => {
                let ends = self.fleet.ended(at).into_iter();
                let ends =
                    ends.filter_map(|(ticket, report)| self.end(ticket, &report, Json::Null));
                json!({"ended": ends.collect::<Json>()})
            }
            Err(error) => results::state_error(&error),
        }
    }

    fn poll(&mut self, at: u64) -> Json {
        let mut ends = Vec::new();
        let step = loop {
            match self.fleet.poll(at, &mut self.limit) {
                FleetStep::Ended { ticket, report } => {
                    ends.extend(self.end(ticket, &report, Json::Null));
                }
                FleetStep::Call {
                    call,
                    ids,
                    deadline_ms,
                } => {
                    let ids: Vec<&str> = ids.iter().map(|id| &**id).collect();
                    break json!({"type": "call", "call": call, "ids": ids, "deadlineMs": deadline_ms});
                }
                FleetStep::Sleep { until_ms } => {
                    break json!({"type": "sleep", "untilMs": until_ms});
                }
                FleetStep::Idle => break json!({"type": "idle"}),
            }
        };
        json!({"ended": ends, "step": step})
    }

    /// Adds a list with the tickets of the fleet, and returns its own ones.
    fn add(&mut self, tickets: Vec<u64>) -> Vec<u64> {
        let first = self.tickets.len() as u64;
        let list: Vec<u64> = (first..).take(tickets.len()).collect();
        self.tickets.extend(list.iter().copied().zip(tickets));
        self.lists.push(list.clone());
        list
    }

    /// Returns an end, unless it was returned before the wait was resumed.
    fn end(&mut self, ticket: u64, report: &WaitReport, item: Json) -> Option<Json> {
        let (own, _) = self
            .tickets
            .iter()
            .find(|(_, of_fleet)| **of_fleet == ticket)?;
        self.ended.insert(*own).then(|| ended(*own, report, item))
    }

    /// Saves the list of a ticket, and resumes it in another fleet, which takes the place of this one.
    fn resume(&mut self, command: &Json, ticket: u64, at: u64) -> Result<Json, StateError> {
        let clock = |index: usize| command["wallClock"][index].as_u64();
        let Some(snapshot) = self.fleet.snapshot(self.tickets[&ticket], clock(0)) else {
            return Ok(json!({"resumed": null}));
        };
        let text = saved::changed(&snapshot.to_json(), command.get("change"));
        let snapshot = FleetSnapshot::from_json(&text)?;
        let elapsed = command["elapsedMs"].as_u64();
        let elapsed = elapsed.unwrap_or_else(|| snapshot.elapsed_ms(clock(1)));
        let waiter = match command["definition"].as_str() {
            Some(name) => {
                Waiter::from_value(&self.vector.definition_named(name), Some(name)).unwrap()
            }
            None => kinds::waiter(self.vector),
        };
        let options = command.get("fleet").or_else(|| self.vector.find("fleet"));
        let mut other = Self::of(self.vector, waiter, options.unwrap()).unwrap();
        let resumed = other.fleet.resume_each(snapshot, elapsed, at)?;
        other.add(resumed.iter().map(|(ticket, _)| *ticket).collect());
        *self = other;
        Ok(json!({"resumed": resumed}))
    }

    /// Saves and resumes each list, unless one of their waits has a call in flight.
    fn save_and_resume(&mut self) {
        let snapshot = |list: &Vec<u64>| self.fleet.snapshot(self.tickets[&list[0]], None);
        let saved = self.lists.iter().filter(|list| !list.is_empty());
        let saved = saved.filter_map(|list| Some((list.clone(), snapshot(list)?.to_json())));
        let saved: Vec<(Vec<u64>, String)> = saved.collect();
        if saved.iter().any(|(_, text)| is_in_flight(text)) {
            return;
        }
        for (list, text) in saved {
            for ticket in &list {
                self.fleet.leave(self.tickets[ticket], 0);
            }
            let snapshot = FleetSnapshot::from_json(&text).unwrap();
            let elapsed = snapshot.elapsed_ms(None);
            let resumed = self.fleet.resume_each(snapshot, elapsed, 0).unwrap();
            let tickets = resumed.into_iter().map(|(ticket, _)| ticket);
            self.tickets.extend(list.into_iter().zip(tickets));
        }
    }
}

/// Returns `true` if a saved wait has a call in flight: the first of its flags.
fn is_in_flight(text: &str) -> bool {
    let saved: Json = serde_json::from_str(text).unwrap();
    let mut waits = saved["waits"].as_array().unwrap().iter();
    waits.any(|wait| wait[2].as_u64().unwrap_or_default() % 2 == 1)
}

/// Removes the messages, which quote earlier answers.
fn without_history(mut result: Json) -> Json {
    let ends = result.get_mut("ended").and_then(Json::as_array_mut);
    for end in ends.into_iter().flatten() {
        end["message"].take();
    }
    result
}

fn ended(ticket: u64, report: &WaitReport, item: Json) -> Json {
    json!({
        "ticket": ticket, "code": report.kind, "attempts": report.attempts, "elapsedMs": report.elapsed_ms,
        "message": report.message, "item": item,
    })
}
