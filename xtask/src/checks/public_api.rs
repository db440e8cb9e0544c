//! `cargo xtask public-api`: what the crate offers, as a committed list, so that no change of it goes unseen.

mod examples;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use similar::TextDiff;

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::tools::crates::Tool;

/// The list.
const LIST: &str = "core/public-api.txt";

/// The program that writes it; it must read the JSON of rustdoc that the compiler here writes.
const TOOL: Tool = Tool {
    name: "cargo-public-api",
    version: "0.52.0",
    features: "",
};

/// Writes `core/public-api.txt`: every public item of the crate, with all features.
///
/// `cargo xtask deep` fails where the crate offers something else. A line that goes away is a break for users.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let list = list(project, &rustdoc_json(project)?)?;
    project::write(&project.path(LIST), &list)?;
    report::note(&format!("{LIST}: {} items", list.lines().count()));
    Ok(())
}

/// Checks that the list is up to date, and that every public type and function has an example.
///
/// # Errors
///
/// With the difference, or the items without an example.
pub(crate) fn check(project: &Project) -> Result<()> {
    let json = rustdoc_json(project)?;
    let without = examples::without(&project::read(&json)?)?;
    ensure!(
        without.is_empty(),
        "public items without an example: {}",
        without.join(", ")
    );
    let (old, new) = (project::read(&project.path(LIST))?, list(project, &json)?);
    if old != new {
        let difference = TextDiff::from_lines(&old, &new);
        report::note(&difference.unified_diff().context_radius(0).to_string());
    }
    ensure!(
        old == new,
        "the crate offers something else than `{LIST}` says: where that is meant to be, run `cargo xtask public-api` and commit \
         the list with the change"
    );
    report::note(&format!("{} items, as listed", new.lines().count()));
    Ok(())
}

/// The crate's documentation as JSON, which no stable compiler writes without being told to.
fn rustdoc_json(project: &Project) -> Result<PathBuf> {
    let arguments = [
        "rustdoc",
        "--quiet",
        "--package",
        "smithy-waiters",
        "--all-features",
        "--lib",
        "--",
        "-Zunstable-options",
        "--output-format=json",
    ];
    // A folder of its own: the variable would make cargo build everything again.
    let target = project.target("public-api");
    let rustdoc = process::cargo(project, &arguments)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target);
    process::run(&format!("cargo {}", arguments.join(" ")), &rustdoc)?;
    Ok(target.join("doc/smithy_waiters.json"))
}

fn list(project: &Project, json: &Path) -> Result<String> {
    // Without what every type has: blanket, auto trait and derived implementations.
    let command = cmd!(
        TOOL.install(project)?,
        "public-api",
        "--color=never",
        "-sss",
        "--rustdoc-json",
        json
    );
    let list = process::read(TOOL.name, &command).with_context(|| {
        format!(
            "{} {} cannot read what this compiler writes: it is made for rustc 1.95",
            TOOL.name, TOOL.version
        )
    })?;
    Ok(format!("{list}\n"))
}
