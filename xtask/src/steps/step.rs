//! Steps and their results.

use std::fmt;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::report;

/// A check.
#[derive(Debug)]
pub(crate) struct Step {
    /// The name for `--only` and the table.
    pub(crate) name: &'static str,
    /// The language of the checked code.
    pub(crate) language: Language,
    /// The description for `--list`.
    pub(crate) about: &'static str,
    /// The steps that must pass first. They are earlier in the list.
    pub(crate) needs: &'static [&'static str],
    /// Runs the check, and returns a summary for the table.
    pub(crate) run: fn(&Project) -> Result<String>,
}

/// The language of the code that a step checks.
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

/// Creates a step that does not need another one.
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

/// The result of a step.
#[derive(Debug)]
pub(super) struct StepResult {
    pub(super) step: &'static Step,
    pub(super) end: End,
    pub(super) time: Duration,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) enum End {
    /// Contains the reason.
    Failed(String),
    /// Contains the name of the required step that did not pass.
    NotRun(String),
    /// Contains a summary of what ran.
    Passed(String),
    /// Contains the reason, such as missing data.
    Skipped(String),
}

/// Error of a step whose data is not available. The step neither passes nor fails, and the table shows the reason.
#[derive(Debug)]
pub(crate) struct Skipped(pub(crate) String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}
