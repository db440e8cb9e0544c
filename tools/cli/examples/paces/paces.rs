//! Waits at each pace, for resources that become ready after half a minute to two hours.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use smithy_waiters::{Pace, WaitOptions};

use crate::simulation::{Detection, Simulation};

/// The time after which a resource becomes ready, in seconds; each magnitude is as likely as the other.
pub(crate) const READY: [f64; 2] = [30.0, 7_200.0];

/// Long enough that no wait ends before its resource is ready.
const MAX_WAIT: Duration = Duration::from_secs(10_800);

/// The specification's greatest delay, which most waiters do not change.
const MAX_DELAY: Duration = Duration::from_secs(120);

/// The delays of the short form.
const SHORT_FORM: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(15)];

/// The waits for each pair of a delay and a number of attempts.
const SEEDS: u32 = 8;

/// The resources that each of these waits could be for.
const RESOURCES: u32 = 64;

/// A resource that some waiters wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// The delay between boto3's attempts, which is the waiter's least delay elsewhere.
    delay: Duration,
    /// The number of boto3's attempts.
    attempts: u64,
    seed: u32,
    /// The time when it becomes ready, in seconds.
    pub(crate) ready: f64,
    /// The number of waiters with these delays.
    pub(crate) weight: f64,
}

/// The waits at one pace.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) name: &'static str,
    /// The call that notices each case; `None` if the wait ends before.
    detections: Vec<Option<Detection>>,
}

/// A case that was noticed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation {
    pub(crate) ready: f64,
    pub(crate) min_delay: f64,
    /// In seconds.
    pub(crate) lag: f64,
    pub(crate) calls: f64,
    pub(crate) weight: f64,
}

type Rule = fn(&Case) -> WaitOptions;

/// The paces; boto3's is the last.
const PACES: [(&str, Rule); 5] = [
    ("specification", with_bounds),
    ("every min delay", |case| {
        WaitOptions::new(MAX_WAIT).pace(Pace::Every(case.delay))
    }),
    ("proportional to a tenth", |case| {
        with_bounds(case).pace(Pace::Proportional(0.1))
    }),
    ("short form", |_| {
        // Its defaults, which do not depend on a definition. Rule: docs/rules.md#defaults
        let options = WaitOptions::new(MAX_WAIT).pace(Pace::Doubling);
        options.min_delay(SHORT_FORM[0]).max_delay(SHORT_FORM[1])
    }),
    ("boto3", |case| {
        WaitOptions::limited_by_attempts(case.attempts).pace(Pace::Every(case.delay))
    }),
];

fn with_bounds(case: &Case) -> WaitOptions {
    let options = WaitOptions::new(MAX_WAIT).min_delay(case.delay);
    options.max_delay(case.delay.max(MAX_DELAY))
}

impl Case {
    /// Returns the cases for the waiters of botocore's services.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>> {
        let [least, most] = READY;
        let mut cases = Vec::new();
        for ((delay, attempts), waiters) in delays(folder)? {
            for seed in 0..SEEDS {
                for resource in 0..RESOURCES {
                    let place = f64::from(seed) * f64::from(RESOURCES) + f64::from(resource);
                    // Spread evenly, by the golden ratio.
                    let magnitude = (place * 0.618_033_988_749_894_9).fract();
                    cases.push(Self {
                        delay: Duration::from_secs(delay),
                        attempts,
                        seed,
                        ready: least * (most / least).powf(magnitude),
                        weight: f64::from(waiters),
                    });
                }
            }
        }
        Ok(cases)
    }

    /// The time when it becomes ready, in milliseconds.
    fn ready_ms(&self) -> u64 {
        let ready = Duration::from_secs_f64(self.ready).as_millis();
        u64::try_from(ready).unwrap_or(u64::MAX)
    }
}

/// Returns the number of waiters with each delay and number of attempts.
fn delays(folder: &Path) -> Result<BTreeMap<(u64, u64), u32>> {
    let mut found = BTreeMap::new();
    for service in fs::read_dir(folder)? {
        let file = service?.path().join("waiters-2.json");
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read `{}`", file.display()))?;
        let waiters: Value = serde_json::from_str(&text)?;
        let waiters = waiters.get("waiters").and_then(Value::as_object);
        for (name, waiter) in waiters.into_iter().flatten() {
            let number = |member| waiter.get(member).and_then(Value::as_u64);
            let pair = number("delay").zip(number("maxAttempts"));
            let pair = pair.with_context(|| format!("`{name}` of `{}`", file.display()))?;
            let count: &mut u32 = found.entry(pair).or_default();
            *count = count.saturating_add(1);
        }
    }
    Ok(found)
}

impl Run {
    /// Returns the waits at all paces.
    pub(crate) fn all(cases: &[Case]) -> Result<Vec<Self>> {
        PACES
            .map(|(name, rule)| Self::of(name, rule, cases))
            .into_iter()
            .collect()
    }

    fn of(name: &'static str, rule: Rule, cases: &[Case]) -> Result<Self> {
        let mut detections = Vec::with_capacity(cases.len());
        // The resources of one wait follow each other.
        let is_same = |one: &Case, other: &Case| {
            (one.delay, one.attempts, one.seed) == (other.delay, other.attempts, other.seed)
        };
        for cases in cases.chunk_by(is_same) {
            let Some(first) = cases.first() else { continue };
            let simulation = Simulation::new(rule(first))?;
            let wait = simulation.wait(u64::from(first.seed), usize::MAX)?;
            detections.extend(cases.iter().map(|case| wait.detect(case.ready_ms())));
        }
        Ok(Self { name, detections })
    }

    /// Returns the cases that became ready within a span of seconds and were noticed.
    pub(crate) fn observations(&self, cases: &[Case], from: f64, until: f64) -> Vec<Observation> {
        let all = cases.iter().zip(&self.detections);
        let within = all.filter(|(case, _)| (from..until).contains(&case.ready));
        let noticed = within.filter_map(|(case, detection)| {
            let Detection { attempt, lag } = (*detection)?;
            Some(Observation {
                ready: case.ready,
                min_delay: case.delay.as_secs_f64(),
                lag: Duration::from_millis(lag).as_secs_f64(),
                calls: count(attempt),
                weight: case.weight,
            })
        });
        noticed.collect()
    }

    /// Returns the numbers of calls of these waits and of others, for the cases that both notice.
    pub(crate) fn calls_beside(&self, other: &Self, cases: &[Case]) -> (f64, f64) {
        let both = self.detections.iter().zip(&other.detections);
        let mut sums = (0.0, 0.0);
        for (case, (own, its)) in cases.iter().zip(both) {
            if let (Some(own), Some(its)) = (own, its) {
                sums.0 += case.weight * count(own.attempt);
                sums.1 += case.weight * count(its.attempt);
            }
        }
        sums
    }
}

fn count(calls: usize) -> f64 {
    u32::try_from(calls).map_or(f64::INFINITY, f64::from)
}
