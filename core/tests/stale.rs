//! Waits right after a change, on a service with two replicas that are stale for up to 20 s.

#![expect(
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a panic fails the test, and the figures are for people"
)]

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::{Event, Step, WaitOptions, WaitReport, Waiter};

/// The number of runs. `SMITHY_WAITERS_STALE_RUNS=10000` gives the figures of docs/after-a-change.md.
const RUNS: &str = "1000";

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

/// The status before the change, and whether some deployments are rolled back.
type Scenario = (&'static str, bool);

const SCENARIOS: [Scenario; 3] = [("stable", false), ("stable", true), ("failed", false)];

/// A deployment that starts some time after the change was accepted, and succeeds or is rolled back.
struct Deployment {
    before: &'static str,
    starts: u64,
    ends: u64,
    is_rolled_back: bool,
    /// The time by which each replica is late.
    lags: [u64; 2],
}

impl Deployment {
    fn new(random: &mut Random, (before, rolls_back): Scenario) -> Self {
        let starts = random.below(5_000);
        Self {
            before,
            starts,
            ends: starts + 5_000 + random.below(60_000),
            is_rolled_back: rolls_back && random.below(3) == 0,
            lags: [random.below(20_000), random.below(20_000)],
        }
    }

    /// Returns what a replica shows, as old as it is late.
    fn answer(&self, now: u64, random: &mut Random) -> Json {
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
            _ => json!({"status": self.before, "id": "old", "generation": 6}),
        }
    }
}

/// The wrong successes and the wrong failures of some waits.
type Wrong = [u64; 2];

fn run(options: &WaitOptions, scenario: Scenario, runs: u64) -> Wrong {
    let waiter = Waiter::until("status", "stable").fail(["failed"]).build();
    let waiter = waiter.expect("a waiter");
    let mut wrong = [0, 0];
    for seed in 1..=runs {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let deployment = Deployment::new(&mut random, scenario);
        let report = wait(&waiter, options, seed, &deployment, &mut random);
        let is_deployed = report.elapsed_ms >= deployment.ends && !deployment.is_rolled_back;
        match report.kind {
            None if !is_deployed => wrong[0] += 1,
            Some(_) if !deployment.is_rolled_back => wrong[1] += 1,
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

/// Runs the waits of `tests/stale.json`, whose numbers must be equal in every language.
#[test]
fn only_conditions_on_the_change_are_sound() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/stale.json");
    let file = std::fs::read_to_string(file).expect("a file");
    let file: Json = serde_json::from_str(&file).expect("JSON");
    let runs = std::env::var("SMITHY_WAITERS_STALE_RUNS").unwrap_or_else(|_| RUNS.to_owned());
    let count = runs.parse().expect("a number");
    for row in file["rows"].as_array().expect("rows") {
        let mut object = file["options"].clone();
        let own = row["options"].as_object().expect("options").clone();
        object.as_object_mut().expect("options").extend(own);
        let options = WaitOptions::from_host(&object).expect("the options");
        let wrong = SCENARIOS.map(|scenario| run(&options, scenario, count));
        println!("{}: {wrong:?} of {SCENARIOS:?}", row["name"]);
        assert_eq!(json!(wrong), row["wrong"][&*runs], "{}", row["name"]);
        match row["name"].as_str() {
            Some("same") => assert_eq!(wrong, [[0, 0]; 3]),
            Some("at least") => assert_eq!([wrong[0], wrong[2]], [[0, 0]; 2]),
            Some("left, stable for") => assert_eq!(wrong[0][0], 0),
            _ => {}
        }
    }
}
