//! The development tasks of this project, one verb each: `cargo xtask --help`.
//!
//! A verb fetches the tools that it needs beyond Rust, Node and Python, in versions pinned by this repository, and
//! stores them in `target/`, `npm/node_modules/` and `python/dist/`. A result that is up to date is not built again.

mod bench;
mod checks;
mod conformance;
mod data;
mod deep;
mod demo;
mod events;
mod packages;
mod picture;
mod process;
mod project;
mod report;
mod stamp;
mod steps;
mod suggest_score;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use checks::{parity, prose, public_api, rules};
use packages::{command, component, licences, wasm, wheel};
use project::Project;

/// The development tasks of this project.
///
/// Requires Rust, Node 20.19 or newer and Python 3.10 or newer. Other tools are fetched in pinned versions.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Bench(bench::Options),
    Command(command::Options),
    Component(component::Options),
    Conformance(conformance::Options),
    Data(data::Options),
    Deep(deep::Options),
    Demo(demo::Options),
    /// Records the events of Smithy's validator, with which the model crate's tests compare their own.
    ///
    /// Fetches the validator from Maven Central, and runs it on the models in `tools/model/tests/smithy/models/` and on the
    /// services of `cargo xtask data`. `cargo xtask deep --only smithy-validator` compares them instead.
    Events,
    Licences(licences::Options),
    Parity(parity::Options),
    /// Records a terminal in which the command waits, and draws `docs/wait.svg`.
    ///
    /// A service of this machine listens on port 8080 and answers in the same way each time. Takes twenty seconds. `cargo
    /// xtask deep --only picture` compares the texts instead.
    Picture,
    Prose(prose::Options),
    PublicApi(public_api::Options),
    Rules(rules::Options),
    SuggestScore(suggest_score::Options),
    Test(test::Options),
    Wasm(wasm::Options),
    Wheel(wheel::Options),
}

fn main() -> ExitCode {
    match run(&Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::error(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(verb: &Verb) -> Result<()> {
    let project = Project::find()?;
    match verb {
        Verb::Bench(options) => bench::run(&project, options),
        Verb::Command(options) => command::run(&project, options),
        Verb::Component(options) => component::run(&project, options),
        Verb::Conformance(options) => conformance::run(&project, options),
        Verb::Data(options) => data::run(&project, options),
        Verb::Deep(options) => deep::run(&project, options),
        Verb::Demo(options) => demo::run(&project, options),
        Verb::Events => events::run(&project),
        Verb::Licences(options) => licences::run(&project, options),
        Verb::Parity(options) => parity::run(&project, options),
        Verb::Picture => picture::run(&project),
        Verb::Prose(options) => prose::run(&project, options),
        Verb::PublicApi(options) => public_api::run(&project, options),
        Verb::Rules(options) => rules::run(&project, options),
        Verb::SuggestScore(options) => suggest_score::run(&project, options),
        Verb::Test(options) => test::run(&project, options),
        Verb::Wasm(options) => wasm::run(&project, options),
        Verb::Wheel(options) => wheel::run(&project, options),
    }
}
