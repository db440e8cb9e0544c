//! A step and its result.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::report;

/// One check.
#[derive(Debug)]
pub(crate) struct Step {
    /// What `--only` and the table call it.
    pub(crate) name: &'static str,
    /// What it checks.
    pub(crate) language: Language,
    /// The subject, for lists.
    pub(crate) about: &'static str,
    /// The steps that must have passed before it can run; they come earlier in the list.
    pub(crate) needs: &'static [&'static str],
    /// Runs it; the answer says what ran, for the table.
    pub(crate) run: fn(&Project) -> Result<String>,
}

/// What a step checks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    All,
    JavaScript,
    Python,
    Rust,
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::All => "all three",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
            Self::Rust => "Rust",
        })
    }
}

pub(crate) const fn step(
    name: &'static str,
    language: Language,
    needs: &'static [&'static str],
    run: fn(&Project) -> Result<String>,
) -> Step {
    Step {
        name,
        language,
        about: "",
        needs,
        run,
    }
}

/// A step that needs no other.
pub(crate) const fn part(
    name: &'static str,
    language: Language,
    about: &'static str,
    run: fn(&Project) -> Result<String>,
) -> Step {
    Step {
        about,
        ..step(name, language, &[], run)
    }
}

impl Step {
    pub(super) fn announce(&self) {
        report::heading(&format!("{} ({})", self.name, self.language));
    }
}

/// A step and how it ended.
#[derive(Debug)]
pub(super) struct StepResult {
    pub(super) step: &'static Step,
    pub(super) end: End,
    pub(super) time: Duration,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) enum End {
    /// With the reason.
    Failed(String),
    /// With the name of the step that it needs and that did not pass.
    NotRun(String),
    /// With what ran.
    Passed(String),
    /// With what is not there.
    Skipped(String),
}

/// The end of a step whose data is not there: neither passed nor failed, and said as loudly.
#[derive(Debug)]
pub(crate) struct Skipped(pub(crate) String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}
