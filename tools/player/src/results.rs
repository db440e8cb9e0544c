//! The file of results, and expected failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value as Json;

use crate::case::{Grounds, Task};
use crate::judge::Outcome;
use crate::pattern;
use crate::runner::Announcement;

/// The results of a runner.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Results {
    /// The SDK.
    #[serde(flatten)]
    pub announcement: Announcement,
    /// The number of cases by result.
    pub counts: BTreeMap<&'static str, usize>,
    /// The duration of the run in seconds.
    pub seconds: f64,
    /// The number of verdicts that the runner cannot play, by reason.
    pub unsupported: BTreeMap<String, usize>,
    /// The other cases that did not pass, by id.
    pub cases: BTreeMap<String, Record>,
    #[serde(skip)]
    passed: BTreeSet<String>,
}

/// A case that did not pass.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The result.
    pub outcome: &'static str,
    /// What the SDK did in one word.
    pub got: String,
    /// The number of requests.
    pub requests: usize,
    /// From the first request to the end in seconds.
    pub elapsed: f64,
    /// The difference from the expectation, or the reason that the case was not played.
    pub reason: String,
    /// The case.
    pub case: CaseOfRecord,
}

/// The case of a record.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CaseOfRecord {
    /// The name of the waiter.
    pub waiter: String,
    /// The acceptors of the waiter.
    pub acceptors: Json,
    /// The reasons for the expectation.
    #[serde(flatten)]
    pub grounds: Grounds,
}

/// The results that are not expected.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Surprises<'r> {
    /// The failures that are not listed, with their ids.
    pub failures: Vec<(&'r str, &'r Record)>,
    /// The listed patterns whose cases pass.
    pub passes: Vec<&'r str>,
}

/// The patterns of expected failures.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    patterns: Vec<String>,
}

impl Results {
    pub(crate) fn new(announcement: Announcement) -> Self {
        Self {
            announcement,
            counts: BTreeMap::new(),
            seconds: 0.0,
            unsupported: BTreeMap::new(),
            cases: BTreeMap::new(),
            passed: BTreeSet::new(),
        }
    }

    /// Adds a verdict that the runner cannot play. There are too many for a list: SDKs have clients for some services.
    pub(crate) fn add_unsupported(&mut self, outcome: &Outcome) {
        increment(self.counts.entry(outcome.name()).or_default());
        increment(
            self.unsupported
                .entry(outcome.reason().unwrap_or_default())
                .or_default(),
        );
    }

    pub(crate) fn add(
        &mut self,
        task: Task,
        outcome: &Outcome,
        got: String,
        requests: usize,
        elapsed: f64,
    ) {
        let name = outcome.name();
        increment(self.counts.entry(name).or_default());
        let Some(reason) = outcome.reason() else {
            self.passed.insert(task.id);
            return;
        };
        let elapsed = (elapsed * 100.0).round() / 100.0;
        let case = CaseOfRecord::new(&task);
        self.cases.insert(
            task.id,
            Record {
                outcome: name,
                got,
                requests,
                elapsed,
                reason,
                case,
            },
        );
    }

    /// Returns `true` if the runner could not play any case.
    #[must_use]
    pub fn is_nothing_played(&self) -> bool {
        self.counts.keys().all(|name| *name == "unsupported")
    }

    /// Returns the failures that are not expected, and the expected failures that did not happen.
    #[must_use]
    pub fn surprises<'r>(&'r self, expected: &'r Expected) -> Surprises<'r> {
        let counts = |record: &Record| !matches!(record.outcome, "open" | "unsupported");
        let failed = self.cases.iter().filter(|(_, record)| counts(record));
        let failed: Vec<(&str, &Record)> = failed.map(|(id, record)| (&**id, record)).collect();
        let is_false = |pattern: &&str| {
            let is_played = |id: &str| pattern::matches(pattern, id);
            let fails = failed.iter().any(|(id, _)| is_played(id));
            !fails && self.passed.iter().any(|id| is_played(id))
        };
        let patterns = expected.patterns.iter().map(|pattern| &**pattern);
        let passes = patterns.filter(is_false).collect();
        let mut failures = failed;
        failures.retain(|(id, _)| !expected.has(id));
        Surprises { failures, passes }
    }
}

impl Surprises<'_> {
    /// Returns `true` if all results are expected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.failures.is_empty() && self.passes.is_empty()
    }
}

impl CaseOfRecord {
    pub(crate) fn new(task: &Task) -> Self {
        Self {
            waiter: task.waiter.clone(),
            acceptors: task
                .definition
                .get("acceptors")
                .cloned()
                .unwrap_or_default(),
            grounds: task.grounds.clone(),
        }
    }
}

fn increment(count: &mut usize) {
    *count = count.saturating_add(1);
}

impl Expected {
    /// Reads a file with a pattern on each line. A `#` starts a comment.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn read(file: &Path) -> Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("cannot read `{}`", file.display()))?;
        let lines = text.lines().filter_map(|line| line.split('#').next());
        let patterns = lines
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty());
        Ok(Self {
            patterns: patterns.collect(),
        })
    }

    fn has(&self, id: &str) -> bool {
        self.patterns
            .iter()
            .any(|pattern| pattern::matches(pattern, id))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Expected, Results};

    #[test]
    fn an_expected_failure_that_passes_is_a_surprise() {
        let announcement = json!({"sdk": "test", "version": "1"});
        let mut results = Results::new(serde_json::from_value(announcement).unwrap());
        results.passed.insert("a.b".to_owned());
        let patterns = ["a.*", "c.*"].map(str::to_owned).to_vec();
        let expected = Expected { patterns };
        let surprises = results.surprises(&expected);
        assert_eq!(surprises.passes, ["a.*"]);
        assert!(!surprises.is_empty());
    }
}
