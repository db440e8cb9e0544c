//! `cargo xtask demo`: runs the same waits in three languages and compares the results.
//!
//! `xtask/demo/` contains a client program for each language. The clients use the built packages and the published AWS SDKs,
//! and report their progress as JSON lines. This program starts the services and the clients, shows the progress, and
//! compares the results.

mod checks;
mod children;
mod clients;
mod event;
mod language;
mod prepare;
mod scenes;
mod service;
mod stage;
mod terminal;
mod waiters;

use std::time::Instant;

use anyhow::Result;

use crate::project::Project;

use checks::Checks;
use language::Language;
use scenes::{failures, live, replay};
use service::Service;
use stage::Stage;
use terminal::screen;

/// Runs the same waits in Rust, JavaScript and Python, and compares the results.
///
/// Builds the packages, starts a DynamoDB-compatible server, creates and deletes a table, and waits for both with the
/// AWS SDK of each language. Then replays the recorded responses in virtual time, and explains two failures. Exits with
/// status 1 if the languages disagree. Press Ctrl-C to stop.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Print plain lines instead of live ones, as without a terminal
    #[arg(long, visible_alias = "quiet")]
    no_live: bool,
    /// Use the Rust client from the build of `cargo xtask test`
    #[arg(long, hide = true)]
    tested: bool,
    /// Only build and install the client of a language
    #[arg(long, value_name = "LANGUAGE", hide = true)]
    prepare: Option<Language>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(language) = options.prepare {
        return prepare::alone(project, language, options.tested);
    }
    let stage = Stage::open(project, options.no_live)?;
    stage.or_wait_for_exit(show(&stage, options.tested))
}

fn show(stage: &Stage<'_>, tested: bool) -> Result<()> {
    let begun = Instant::now();
    let mut checks = Checks::default();
    screen::title("smithy-waiters: one engine, three languages");
    prepare::all(stage, tested)?;
    let recordings = {
        let mut service = Service::start(stage)?;
        live::show(stage, &mut service, &mut checks)?
    };
    replay::show(stage, &recordings, &mut checks)?;
    failures::show(stage, &mut checks)?;
    checks.close(begun.elapsed())
}
