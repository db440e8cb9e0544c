//! The memory that a fleet takes for each of its members.

#![expect(clippy::print_stdout, reason = "the test prints its figures")]

use std::alloc::System;
use std::time::Duration;

use serde_json::json;
use smithy_waiters::{FleetOptions, FleetStep, RateLimit, WaitOptions, Waiter};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const MEMBERS: usize = 5_000;

/// The only test of this program, because the allocator counts for all threads.
#[test]
fn a_member_takes_at_most_a_kilobyte() {
    let definition = json!({"acceptors": [
        {"state": "success", "matcher": {"output": {
            "path": "Volumes[].State", "comparator": "allStringEquals", "expected": "available"}}},
        {"state": "failure", "matcher": {"output": {
            "path": "Volumes[].State", "comparator": "anyStringEquals", "expected": "error"}}}]});
    let waiter = Waiter::from_value(&definition, Some("VolumeAvailable")).unwrap();
    let shape = FleetOptions::new("Volumes[]", "VolumeId").batch(500);
    let options = WaitOptions::new(Duration::from_secs(600)).label("the volumes of a cluster");
    let ids: Vec<String> = (0..MEMBERS)
        .map(|index| format!("vol-{index:017x}"))
        .collect();
    let mut limit = RateLimit::new(1_000.0).unwrap();

    let region = Region::new(ALLOCATOR);
    let mut fleet = waiter.fleet(&shape).unwrap();
    fleet.join_each(&ids, &options, 7, 0).unwrap();
    let joined = live(&region);
    let (mut now, mut answered) = (0, 0);
    while answered < MEMBERS {
        match fleet.poll(now, &mut limit) {
            FleetStep::Call { call, ids, .. } => {
                answered += ids.len();
                let volumes = ids
                    .iter()
                    .map(|id| json!({"VolumeId": **id, "State": "creating"}));
                let answer = json!({"Volumes": volumes.collect::<Vec<_>>()});
                fleet.respond(call, &[&answer], now).unwrap();
            }
            FleetStep::Sleep { until_ms } => now = until_ms,
            step => panic!("{step:?}"),
        }
    }
    let polled = live(&region);
    println!("a member takes {joined} bytes, and {polled} after its first answer");
    assert!(polled <= 1_024, "{polled} bytes");
    assert_eq!(fleet.len(), MEMBERS);
}

/// Returns the bytes for each member that are allocated and not freed.
fn live(region: &Region<'_, System>) -> usize {
    let change = region.change();
    change
        .bytes_allocated
        .saturating_sub(change.bytes_deallocated)
        / MEMBERS
}
