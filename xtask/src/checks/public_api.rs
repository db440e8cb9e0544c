//! `cargo xtask public-api`: a committed list of the crate's public items, so that reviews see every change of them.

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

/// The program that writes the list. Its version must match the compiler, because the JSON of rustdoc changes.
const TOOL: Tool = Tool {
    name: "cargo-public-api",
    version: "0.52.0",
    features: "",
};

/// Writes `core/public-api.txt`, the public items of the crate with all features.
///
/// `cargo xtask deep` fails if the list is out of date. A removed line is a breaking change.
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
/// Returns the difference, or the items without an example.
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

/// Returns the crate's documentation as JSON, an unstable feature of the compiler.
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
    // In a separate folder, because cargo rebuilds everything if `RUSTC_BOOTSTRAP` changes.
    let target = project.target("public-api");
    let rustdoc = process::cargo(project, &arguments)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &target);
    process::run(&format!("cargo {}", arguments.join(" ")), &rustdoc)?;
    Ok(target.join("doc/smithy_waiters.json"))
}

fn list(project: &Project, json: &Path) -> Result<String> {
    // Omits the implementations that every type has: blanket, auto trait and derived ones.
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
