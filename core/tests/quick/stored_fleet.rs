//! Stored fleets whose rounds run in processes that may crash, against a service that the tests play.

#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::{
    ErrorMetadata, Fleet, FleetOptions, FleetSnapshot, FleetStep, RateLimit, StoredOptions, Tally,
    WaitOptions, Waiter,
};

const START: u64 = 1_700_000_000_000;

fn fleet(batch: u64) -> Fleet {
    let waiter = Waiter::until("Volumes[].State", "available").fail(["error"]);
    let options = FleetOptions::new("Volumes[]", "VolumeId").batch(batch);
    waiter.build().unwrap().fleet(&options).unwrap()
}

/// Options with a fixed delay in seconds.
fn every(seconds: u64) -> WaitOptions {
    let delay = Duration::from_secs(seconds);
    WaitOptions::new(Duration::from_secs(3_600))
        .min_delay(delay)
        .max_delay(delay)
}

/// Returns the number of an identifier.
fn number(id: &str) -> u64 {
    id.rsplit('-').next().unwrap().parse().unwrap()
}

/// Volumes become available within ten minutes, and one of a hundred fails.
fn answer(ids: &[Arc<str>], now: u64) -> Value {
    let state = |id: &Arc<str>| match number(id) {
        number if now < START + number % 60 * 10_000 => "creating",
        number if number % 100 == 7 => "error",
        _ => "available",
    };
    let volumes = ids
        .iter()
        .map(|id| json!({"VolumeId": **id, "State": state(id)}));
    json!({ "Volumes": volumes.collect::<Value>() })
}

fn begin(count: u64, batch: u64, options: &WaitOptions) -> String {
    let ids: Vec<String> = (0..count).map(|number| format!("vol-{number}")).collect();
    let mut fleet = fleet(batch);
    let stored = StoredOptions::new("restore", START);
    let whole = Tally::new(ids.len(), None, false).unwrap();
    fleet.start_stored(&ids, options, whole, stored).unwrap();
    fleet.stored_snapshot().unwrap().to_json()
}

/// A round, of which each call takes a time.
struct Round {
    fleet: Fleet,
    calls: Vec<usize>,
    now: u64,
}

impl Round {
    fn of(text: &str, batch: u64, takes: u64) -> Self {
        let mut fleet = fleet(batch);
        let snapshot = FleetSnapshot::from_json(text).unwrap();
        let mut now = fleet.resume_stored(snapshot, None, true).unwrap();
        let mut limit = RateLimit::new(5.0).unwrap();
        let mut calls = Vec::new();
        loop {
            match fleet.poll(now, &mut limit) {
                FleetStep::Call { call, ids, .. } => {
                    calls.push(ids.len());
                    now += takes;
                    let answer = answer(&ids, START + now);
                    fleet.respond(call, &[&answer], now).unwrap();
                }
                FleetStep::Ended { .. } => {}
                FleetStep::Sleep { .. } | FleetStep::Idle => break,
            }
        }
        Self { fleet, calls, now }
    }

    fn text(&self) -> Option<String> {
        Some(self.fleet.stored_snapshot()?.to_json())
    }

    fn facts(&self) -> Option<Value> {
        let facts = self.fleet.stored_snapshot()?.stored_facts().unwrap();
        Some(serde_json::from_str(&facts).unwrap())
    }

    fn ends(&self) -> BTreeMap<String, Value> {
        let report = self.fleet.stored_report().unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        let ids = report["ids"].as_array().unwrap().iter();
        let ids = ids.map(|id| id.as_str().unwrap().to_owned());
        let codes = report["ends"].as_array().unwrap().iter();
        ids.zip(codes.map(|end| end["code"].clone())).collect()
    }
}

#[test]
fn a_thousand_resources_end_rightly_although_every_third_round_crashes() {
    let mut text = begin(1_000, 100, &every(10));
    let mut greatest = text.len();
    let mut rounds = 0;
    let ends = loop {
        rounds += 1;
        let round = Round::of(&text, 100, 20);
        assert!(round.calls.len() <= 11, "{:?}", round.calls);
        if rounds % 3 == 0 {
            continue;
        }
        let Some(next) = round.text() else {
            break round.ends();
        };
        text = next;
        greatest = greatest.max(text.len());
    };
    assert_eq!(ends.len(), 1_000);
    for (id, code) in &ends {
        let expected = (number(id) % 100 == 7).then_some("failure_state");
        assert_eq!(code.as_str(), expected, "{id}");
    }
    // 60 times of ten seconds, and the rounds that crashed.
    assert!(rounds <= 100, "{rounds} rounds");
    let identifiers = 1_000 * "\"vol-100\",".len();
    assert!(greatest - identifiers < 35_000, "{greatest} bytes");
}

#[test]
fn a_round_ends_although_more_calls_are_due() {
    let text = begin(1_000, 10, &every(1));
    let round = Round::of(&text, 10, 900);
    // The 13th call would start 10.8 s after the round.
    assert_eq!(round.calls.len(), 12);
    // The next round is due at once.
    let due = round.facts().unwrap()["dueAtMs"].as_u64().unwrap();
    assert!(due <= START + round.now, "{due}");
    let next = Round::of(&round.text().unwrap(), 10, 900);
    assert!(!next.calls.is_empty());
}

#[test]
fn a_round_calls_once_for_each_resource() {
    let text = begin(1_000, 100, &every(1));
    // The first resources are due again before the last ones have been called for.
    let round = Round::of(&text, 100, 300);
    assert_eq!(round.calls, [100; 10]);
}

#[test]
fn a_round_searches_for_an_unknown_identifier_to_the_end() {
    let text = begin(64, 100, &every(10));
    let mut fleet = fleet(100);
    let snapshot = FleetSnapshot::from_json(&text).unwrap();
    let mut now = fleet.resume_stored(snapshot, None, true).unwrap();
    let mut limit = RateLimit::new(5.0).unwrap();
    let mut calls = 0;
    while let FleetStep::Call { call, ids, .. } = fleet.poll(now, &mut limit) {
        calls += 1;
        // Longer than a round: its half-found result would be lost.
        now += 2_000;
        if ids.iter().any(|id| &**id == "vol-33") {
            let message = "a volume does not exist";
            let error = ErrorMetadata::of_code("InvalidVolume.NotFound").message(message);
            fleet.fail(call, &error, None, now, &mut limit).unwrap();
        } else {
            let answer = answer(&ids, START);
            fleet.respond(call, &[&answer], now).unwrap();
        }
    }
    assert!((12..=14).contains(&calls), "{calls} calls");
    let facts = fleet.stored_snapshot().unwrap().stored_facts().unwrap();
    let facts: Value = serde_json::from_str(&facts).unwrap();
    assert_eq!(facts["progress"]["failed"], 1);
}

#[test]
fn a_call_that_is_cut_is_repeated_in_a_later_round() {
    let text = begin(2, 100, &every(10).attempt_timeout(Duration::from_secs(5)));
    let mut fleet = fleet(100);
    let snapshot = FleetSnapshot::from_json(&text).unwrap();
    let now = fleet.resume_stored(snapshot, None, true).unwrap();
    let mut limit = RateLimit::new(5.0).unwrap();
    let FleetStep::Call {
        call, deadline_ms, ..
    } = fleet.poll(now, &mut limit)
    else {
        panic!("a call is due")
    };
    assert_eq!(deadline_ms, Some(now + 5_000));
    fleet.cut(call, now + 5_000).unwrap();
    let step = fleet.poll(now + 5_000, &mut limit);
    assert!(matches!(step, FleetStep::Sleep { .. }), "{step:?}");
    let text = fleet.stored_snapshot().unwrap().to_json();
    assert_eq!(Round::of(&text, 100, 10).calls, [2]);
}

#[test]
fn a_saved_list_is_not_a_stored_fleet() {
    let mut saved = fleet(100);
    let tickets = saved
        .join_each(&["vol-1"], &WaitOptions::new(Duration::from_secs(60)), 7, 0)
        .unwrap();
    let snapshot = saved.snapshot(tickets[0], Some(START)).unwrap();
    assert!(snapshot.stored_facts().is_err());
    assert!(snapshot.due_at_ms().is_none());
    assert!(fleet(100).resume_stored(snapshot, None, true).is_err());
    assert!(saved.stored_snapshot().is_none());
    assert!(saved.stored_report().is_none());
    assert!(saved.start_identity("").is_none());
}

#[test]
fn a_stored_fleet_continues_without_an_engine() {
    let text = begin(2, 100, &WaitOptions::new(Duration::from_secs(60)));
    let snapshot = FleetSnapshot::from_json(&text).unwrap();
    let resumed = fleet(100).resume_each(snapshot, 0, 0).unwrap();
    assert_eq!(resumed.len(), 2);
}
