//! Builds `docs/playground` and tests it in a browser.

use anyhow::{Context, Result};
use duct::cmd;

use super::{counts, environments, python};
use crate::conformance;
use crate::process;
use crate::project::Project;
use crate::steps::Skipped;
use crate::tools::node;

/// The prefix of the figures in the output.
const FIGURES: &str = "playground: ";

const BROWSER: &str = "chromium";

/// Installs, compiles, builds and tests the page. The built page is `docs/playground/dist`.
///
/// # Errors
///
/// Returns [`Skipped`] if AWS's definitions cannot be fetched, or if Chromium cannot be installed.
pub(super) fn run(project: &Project) -> Result<String> {
    let folder = project.path("docs/playground");
    node::install(&folder).context("the playground's tools")?;
    node::install_own_package(project, &folder)?;
    let suites = project.target("playground/aws");
    conformance::derive_to(project, &suites)?;
    let definitions = cmd!("node", "aws.mjs", &suites).dir(&folder);
    process::run("node aws.mjs", &definitions)?;
    let tsc = node::tool(&folder, "typescript/bin/tsc", &[]).dir(&folder);
    process::run("tsc", &tsc)?;
    let vite = node::tool(&folder, "vite/bin/vite.js", &["build"]).dir(&folder);
    process::run("vite build", &vite)?;
    if !environments::ensure_browser(BROWSER) {
        return Err(Skipped("no Chromium".to_owned()).into());
    }
    let tests = node::tool(&folder, "@playwright/test/cli.js", &["test"])
        .dir(&folder)
        .env("CHROMIUM", format!("/usr/bin/{BROWSER}"))
        .env(
            "SMITHY_WAITERS_COMMAND",
            process::program(project, process::COMMAND)?,
        )
        .env(
            "SMITHY_WAITERS_PYTHON",
            python::environment(project)?.program("python"),
        );
    let output = process::tee("playwright test", &tests)?;
    output.summarize(|output| {
        let tests = counts::playwright(output)?;
        Ok(format!("{tests}; {}", counts::after(output, FIGURES)?))
    })
}
