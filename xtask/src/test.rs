//! `cargo xtask test`: every check of this repository, and a table of what ran.
//!
//! The steps are data (`steps`).

pub(crate) mod artefacts;
pub(crate) mod counts;
mod data;
mod demo;
mod environments;
pub(crate) mod generated;
pub(crate) mod javascript;
mod launchers;
pub(crate) mod python;
mod readme;
pub(crate) mod real;
pub(crate) mod rust;
mod steps;

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::project::Project;

pub(crate) use steps::STEPS;

/// Runs every check of this repository: Rust, JavaScript, Python, and that the three agree.
///
/// Builds what the checks need, fetches the tools in pinned versions, and closes with a table of what ran. Ends with status 1 when
/// a step failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Run these steps, and the ones they need; with commas between them, or given more than once.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    crate::steps::run(project, STEPS, &options.only)
}
