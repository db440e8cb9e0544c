//! `cargo xtask test`: every check of this repository, and a table of what ran.
//!
//! The steps are data (`list`).

pub(crate) mod artefacts;
pub(crate) mod component;
pub(crate) mod counts;
mod data;
mod demo;
mod environments;
pub(crate) mod generation;
pub(crate) mod javascript;
mod launchers;
mod list;
pub(crate) mod python;
mod readme;
pub(crate) mod real;
pub(crate) mod rust;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;

use crate::project::Project;
use crate::steps::{self, parallel};

pub(crate) use list::STEPS;

/// Runs every check of this repository: Rust, JavaScript, Python, and that the three agree.
///
/// Builds what the checks need, fetches the tools in pinned versions, and closes with a table of what ran. Steps run side by side;
/// with `--only` one after another, and their output is shown at once. Ends with status 1 if a step failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Run these steps, and the ones they need; with commas between them, or given more than once.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Run one step for another run of this verb.
    #[arg(long, value_name = "STEP", hide = true)]
    alone: Option<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(name) = &options.alone {
        let step = STEPS.iter().find(|step| step.name == name);
        return parallel::run_alone(project, step.context("no such step")?);
    }
    if options.only.is_empty() {
        return parallel::run(project, STEPS);
    }
    steps::run(project, STEPS, &options.only)
}
