//! The packed npm package where people use it: what `npm/environments` runs, and what the registries' linters say of it.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use super::counts;
use crate::packages::wasm::Size;
use crate::process;
use crate::project::{Project, VERSION};
use crate::report;
use crate::tools::{debian, node};

/// The engine is in it twice: as the wasm that Node and Workers load, and as text for bundlers and browsers.
const TARBALL: Size = Size::of("the tarball", 479_686);

/// Looks at the tarball as a registry's visitors do: its size, its `package.json`, its types as each way to resolve them
/// finds them, for modules and for `require`.
pub(super) fn lint(project: &Project) -> Result<String> {
    let (folder, tarball) = (prepare(project)?, tarball(project));
    let bytes = fs::read(&tarball)
        .context("the tarball is not there")?
        .len();
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

/// How the line begins that says what ran.
const CLOSING: &str = "environments: ";

/// Runs the same program with the tarball in each environment.
pub(super) fn run(project: &Project) -> Result<String> {
    let folder = prepare(project)?;
    let place = project.target("environments");
    let mut cells = cmd!("node", "run.mjs", tarball(project), place).dir(folder);
    for (variable, package) in BROWSERS {
        if debian(package) {
            cells = cells.env(variable, format!("/usr/bin/{package}"));
        }
    }
    process::tee("node run.mjs", &cells)?.summarize(|output| counts::after(output, CLOSING))
}

fn prepare(project: &Project) -> Result<PathBuf> {
    let folder = project.path("npm/environments");
    node::install(&folder).context("the environments' tools")?;
    Ok(folder)
}

/// What the step `npm-install` has packed.
fn tarball(project: &Project) -> PathBuf {
    project.target(&format!("npm/smithy-waiters-{VERSION}.tgz"))
}

/// Debian's own browsers: how the cells are told of them, and their packages, named as their programs.
const BROWSERS: &[(&str, &str)] = &[("CHROMIUM", "chromium"), ("FIREFOX", "firefox-esr")];

/// Whether a package is there, where this is Debian; the closing line names the cells that go without.
fn debian(package: &str) -> bool {
    debian::is_here()
        && debian::install(&[package])
            .inspect_err(report::error)
            .is_ok()
}
