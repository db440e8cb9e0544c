//! Tests the packed npm package in the environments of `npm/environments`, and checks it with the registries' linters.

use fs_err as fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::counts;
use crate::packages::wasm::{Size, is_reproducible};
use crate::process;
use crate::project::{Project, VERSION};
use crate::report;
use crate::tools::{debian, node};

/// The size limit of the tarball. It contains the engine twice: as wasm for Node and Workers, and as text for bundlers
/// and browsers.
const TARBALL: Size = Size::new("the tarball", 757_000);

/// Checks the tarball's size, its `package.json`, and its types with each kind of module resolution, for `import` and
/// for `require`.
pub(super) fn lint(project: &Project) -> Result<String> {
    let (folder, tarball) = (prepare(project)?, tarball(project));
    let bytes = fs::read(&tarball)?.len();
    let path = tarball.to_string_lossy();
    let publint = ["run", "--strict", &path];
    process::run(
        "publint",
        &node::tool(&folder, "publint/src/cli.js", &publint),
    )?;
    let attw = [&*path];
    process::run(
        "attw",
        &node::tool(&folder, "@arethetypeswrong/cli/dist/index.js", &attw),
    )?;
    TARBALL.check(bytes)?;
    let bytes = report::thousands(bytes);
    Ok(format!("publint, attw, a tarball of {bytes} bytes"))
}

/// The prefix of the summary.
const CLOSING: &str = "environments: ";

/// Runs a program with the tarball in each environment.
pub(super) fn run(project: &Project) -> Result<String> {
    let folder = prepare(project)?;
    let place = project.target("environments");
    let mut cells = cmd!("node", "run.mjs", tarball(project), place).dir(folder);
    for (variable, package) in BROWSERS {
        if ensure_browser(package) {
            cells = cells.env(variable, format!("/usr/bin/{package}"));
        }
    }
    if is_reproducible()? {
        cells = cells.env("REPRODUCIBLE", "1");
    }
    process::tee("node run.mjs", &cells)?.summarize(|output| counts::after(output, CLOSING))
}

fn prepare(project: &Project) -> Result<PathBuf> {
    let folder = project.path("npm/environments");
    node::install(&folder).context("the environments' tools")?;
    Ok(folder)
}

/// Returns the path of the tarball that the step `npm-install` packs.
fn tarball(project: &Project) -> PathBuf {
    project.target(&format!("npm/smithy-waiters-{VERSION}.tgz"))
}

/// Debian's browsers: the environment variables for their paths, and their packages, which have the names of the
/// programs.
const BROWSERS: &[(&str, &str)] = &[("CHROMIUM", "chromium"), ("FIREFOX", "firefox-esr")];

/// Installs a browser on Debian. Returns `false` if it is not available; the summary lists the environments without it.
pub(super) fn ensure_browser(package: &str) -> bool {
    debian::is_here()
        && debian::install(&[package])
            .inspect_err(report::error)
            .is_ok()
}
