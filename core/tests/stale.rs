//! Waits right after a change, on a service with two replicas that are stale for up to 20 s.

#![expect(
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a panic fails the test, and the figures are for people"
)]

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::{Event, Left, Same, Step, WaitOptions, WaitReport, Waiter};

/// `SMITHY_WAITERS_STALE_RUNS=10000` prints the figures of docs/after-a-change.md.
const RUNS: u64 = 1_000;

/// A generator of random numbers with a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A deployment that starts some time after the change was accepted, and succeeds or is rolled back.
struct Deployment {
    starts: u64,
    ends: u64,
    is_rolled_back: bool,
    /// The time by which each replica is late.
    lags: [u64; 2],
}

impl Deployment {
    fn new(random: &mut Random, rolls_back: bool) -> Self {
        let starts = random.below(5_000);
        Self {
            starts,
            ends: starts + 5_000 + random.below(60_000),
            is_rolled_back: rolls_back && random.below(3) == 0,
            lags: [random.below(20_000), random.below(20_000)],
        }
    }

    /// Returns what a replica shows, as old as it is late.
    fn answer(&self, now: u64, random: &mut Random) -> Value {
        let lag = self.lags[usize::from(random.below(2) == 1)];
        match now.checked_sub(lag) {
            Some(seen) if seen >= self.ends && self.is_rolled_back => {
                json!({"status": "stable", "id": "old", "generation": 8})
            }
            Some(seen) if seen >= self.ends => {
                json!({"status": "stable", "id": "new", "generation": 7})
            }
            Some(seen) if seen >= self.starts => {
                json!({"status": "busy", "id": "new", "generation": 6})
            }
            _ => json!({"status": "stable", "id": "old", "generation": 6}),
        }
    }
}

/// The wrong ends of a wait.
#[derive(Debug, Default, PartialEq)]
struct Wrong {
    successes: u64,
    failures: u64,
}

fn run(options: &WaitOptions, rolls_back: bool) -> Wrong {
    let waiter = Waiter::until("status", "stable").build().expect("a waiter");
    let mut wrong = Wrong::default();
    let runs = std::env::var("SMITHY_WAITERS_STALE_RUNS").ok();
    let runs = runs.map_or(RUNS, |runs| runs.parse().expect("a number"));
    for seed in 1..=runs {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let deployment = Deployment::new(&mut random, rolls_back);
        let report = wait(&waiter, options, seed, &deployment, &mut random);
        let is_deployed = report.elapsed_ms >= deployment.ends && !deployment.is_rolled_back;
        match report.kind {
            None if !is_deployed => wrong.successes += 1,
            Some(_) if !deployment.is_rolled_back => wrong.failures += 1,
            _ => {}
        }
    }
    wrong
}

fn wait(
    waiter: &Waiter,
    options: &WaitOptions,
    seed: u64,
    deployment: &Deployment,
    random: &mut Random,
) -> WaitReport {
    let mut wait = waiter.start(options, seed).expect("the options");
    let mut now = 0;
    loop {
        match wait.poll(now) {
            Step::Call { .. } => {
                let answer = deployment.answer(now, random);
                wait.handle(Event::response(&answer), now)
                    .expect("an event");
            }
            Step::Sleep { until_ms, .. } => now = until_ms,
            Step::Done(report) => return (*report).clone(),
        }
    }
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(600))
        .hints(false)
        .history_limit(0)
}

#[test]
fn only_conditions_on_the_change_are_sound() {
    let same = || options().same(Same::new("id").is("new"));
    let left = || options().left(Left::new("stable"));
    let twenty = Duration::from_secs(20);
    let rows = [
        ("no option", options()),
        ("same", same()),
        ("at_least", options().at_least("generation", 7)),
        ("left", left()),
        ("left, stable_for", left().stable_for(twenty)),
        ("successes", options().successes(3)),
        ("stable_for", options().stable_for(twenty)),
    ];
    let table = rows.map(|(name, options)| (name, [run(&options, false), run(&options, true)]));
    for (name, [without, with]) in &table {
        println!("{name}: {without:?}, with rollbacks {with:?}");
    }
    let [_, (_, same), (_, at_least), _, (_, left_and_stable), ..] = table;
    assert_eq!(same, [Wrong::default(), Wrong::default()]);
    assert_eq!(at_least[0], Wrong::default());
    assert_eq!(left_and_stable[0].successes, 0);
}
