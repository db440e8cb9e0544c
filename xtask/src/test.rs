//! `cargo xtask test`: runs the checks of the repository, and prints a table of the results.
//!
//! The module `list` contains the steps.

pub(crate) mod artefacts;
mod book;
pub(crate) mod component;
pub(crate) mod counts;
mod data;
mod demo;
pub(crate) mod durable;
mod environments;
mod generation;
pub(crate) mod javascript;
mod launchers;
mod list;
pub(crate) mod oracle;
mod playground;
pub(crate) mod python;
mod readme;
pub(crate) mod real;
pub(crate) mod roots;
pub(crate) mod rust;
pub(crate) mod sdks;
pub(crate) mod shared;
pub(crate) mod shell;

use std::thread;

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::project::Project;
use crate::steps;

pub(crate) use list::STEPS;

/// Runs the checks of the repository in Rust, JavaScript and Python.
///
/// Builds the packages, fetches the tools in pinned versions, runs the steps in parallel, and prints a table of the
/// results. With `--only`, steps run one after another and their output is shown immediately. Exits with status 1 if a
/// step fails.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Run only these steps and those that they need, separated by commas
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Run a single step, in a process that another run of this verb starts
    #[arg(long, hide = true)]
    step: Option<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(name) = &options.step {
        return steps::run_alone(project, STEPS, name);
    }
    let workers = if options.only.is_empty() {
        thread::available_parallelism().map_or(1, usize::from)
    } else {
        1
    };
    steps::run(project, "test", STEPS, &options.only, workers)
}
