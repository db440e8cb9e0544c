//! `cargo xtask licences`: writes the licences of the crates that are compiled into the packages.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::tools::crates::Tool;

const TOOL: Tool = Tool {
    name: "cargo-about",
    version: "0.9.3",
    features: "cli",
};

/// The folder of each package, the crate that is compiled for it, and the target.
const LISTS: [(&str, &str, &str); 3] = [
    ("tools/cli", "tools/cli", "x86_64-unknown-linux-gnu"),
    ("npm", "bindings-js", "wasm32-unknown-unknown"),
    ("python", "bindings-py", "x86_64-unknown-linux-gnu"),
];

/// Writes the files `THIRD-PARTY-LICENSES`: the crates in the wasm, in the wheels and in the command, with their
/// licences.
///
/// `cargo xtask deep` fails if a crate is missing.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    for list in LISTS {
        let (file, text) = (file(project, list.0), text(project, list)?);
        project::write(&file, &text)?;
        report::note(&format!("wrote {}", project.display(&file)));
    }
    Ok(())
}

/// Checks that the files are up to date.
///
/// # Errors
///
/// Fails if a file is out of date. The error contains its path.
pub(crate) fn check(project: &Project) -> Result<()> {
    for list in LISTS {
        let file = file(project, list.0);
        ensure!(
            project::read(&file)? == text(project, list)?,
            "`{}` is out of date: run `cargo xtask licences`",
            project.display(&file)
        );
    }
    report::note("the packages contain the licences of all crates");
    Ok(())
}

fn file(project: &Project, package: &str) -> PathBuf {
    project.path(package).join("THIRD-PARTY-LICENSES")
}

fn text(project: &Project, (_, compiled, target): (&str, &str, &str)) -> Result<String> {
    let folder = project.path("xtask/licences");
    let command = cmd!(
        TOOL.install(project)?,
        "about",
        "generate",
        "--fail",
        "--locked",
        "--config",
        folder.join("about.toml"),
        "--manifest-path",
        project.path(compiled).join("Cargo.toml"),
        "--target",
        target,
        folder.join("list.hbs")
    );
    let text = process::read("cargo about generate", &command)?;
    Ok(format!("{}\n", text.trim_end()))
}
