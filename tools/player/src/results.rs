//! The file of results, and expected failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

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
    /// The reason.
    pub reason: String,
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
        id: String,
        outcome: &Outcome,
        got: String,
        requests: usize,
        elapsed: f64,
    ) {
        let name = outcome.name();
        increment(self.counts.entry(name).or_default());
        let Some(reason) = outcome.reason() else {
            self.passed.insert(id);
            return;
        };
        let elapsed = (elapsed * 100.0).round() / 100.0;
        self.cases.insert(
            id,
            Record {
                outcome: name,
                got,
                requests,
                elapsed,
                reason,
            },
        );
    }

    /// Returns the failures that are not expected, and the expected failures that did not happen.
    #[must_use]
    pub fn surprises(&self, expected: &Expected) -> Vec<String> {
        let counts = |record: &Record| !matches!(record.outcome, "open" | "unsupported");
        let failed: Vec<(&String, &Record)> = self
            .cases
            .iter()
            .filter(|(_, record)| counts(record))
            .collect();
        let new = failed.iter().filter(|(id, _)| !expected.has(id));
        let mut surprises: Vec<String> = new
            .map(|(id, record)| format!("{id}: {}", record.reason))
            .collect();
        for pattern in &expected.patterns {
            let is_played = |id: &String| pattern::matches(pattern, id);
            let fails = failed.iter().any(|(id, _)| is_played(id));
            if !fails && self.passed.iter().any(is_played) {
                surprises.push(format!("{pattern}: passes, but is listed as a failure"));
            }
        }
        surprises
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
