//! `cargo xtask demo`: one real wait in three languages, and that they agree.
//!
//! The clients are programs of their own under `xtask/demo/`, one for each language: they use the packages as built, the AWS
//! SDKs as published, and tell what they do as JSON lines. This program plays the services, shows what happens, and compares.

mod act;
mod checks;
mod children;
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

/// Shows a real wait in Rust, JavaScript and Python side by side.
///
/// Builds the packages, starts a DynamoDB-compatible server, creates and deletes a table, and waits for both with the AWS SDK of
/// each language. Then replays what was recorded, to the millisecond, and explains two failures. Ends with status 1 when the
/// three differ. Ctrl-C ends it at any moment.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Print plain lines instead of live ones, as it is done where there is no terminal.
    #[arg(long, visible_alias = "quiet")]
    no_live: bool,
    /// Use the Rust client as `cargo xtask test` builds it.
    #[arg(long, hide = true)]
    tested: bool,
    /// Only build and install what this language's client needs.
    #[arg(long, value_name = "LANGUAGE", hide = true)]
    prepare: Option<Language>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(language) = options.prepare {
        return prepare::alone(project, language, options.tested);
    }
    let stage = Stage::open(project, options.no_live)?;
    stage.unless_stopped(show(&stage, options.tested))
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
