//! Runs Node and installs npm packages.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;
use duct::{Expression, cmd};
use serde_json::Value;

use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};

/// The name of the program `npm` on this system.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Checks the version of Node.
///
/// # Errors
///
/// Fails if Node is missing or older than the minimum version of the npm package.
pub(crate) fn check() -> Result<()> {
    super::require_version(
        "node",
        ">=20.19",
        "install Node 20.19 or newer: https://nodejs.org",
    )?;
    Ok(())
}

/// Installs the packages in the lock file of a folder if they are not up to date.
pub(crate) fn install(folder: &Path) -> Result<()> {
    check()?;
    let listed = [
        folder.join("package.json"),
        folder.join("package-lock.json"),
    ];
    let stamp = Stamp::new(
        folder.join("node_modules/.stamp"),
        Fingerprint::default().files(&listed)?,
        &[],
    );
    if stamp.is_fresh()? {
        return Ok(());
    }
    process::run(
        "npm ci",
        &cmd!(NPM, "ci", "--no-audit", "--no-fund", "--fetch-retries=5").dir(folder),
    )?;
    stamp.set()
}

/// Packs a folder's package into the folder `place`, and returns the name of the tarball.
pub(crate) fn pack(folder: &Path, place: &Path) -> Result<String> {
    let pack = cmd!(
        NPM,
        "pack",
        "--silent",
        "--ignore-scripts",
        "--pack-destination",
        place
    );
    process::read("npm pack", &pack.dir(folder))
}

/// Installs the npm package's tarball in a folder, unless the same build is installed.
pub(crate) fn install_own_package(project: &Project, folder: &Path) -> Result<()> {
    let contents = ["dist", "package.json", "README.md", "LICENSE"];
    let contents = contents.map(|name| project.path("npm").join(name));
    let stamp = Stamp::new(
        folder.join("node_modules/.package.stamp"),
        Fingerprint::default().files(&contents)?,
        &[folder.join("node_modules/smithy-waiters")],
    );
    if stamp.is_fresh()? {
        return Ok(());
    }
    let tarball = pack(&project.path("npm"), folder)?;
    install_tarballs(folder, &["--no-save"], &[&folder.join(tarball)])?;
    stamp.set()
}

/// Compiles TypeScript with the project's `tsc`. The settings are written to `file`.
pub(crate) fn compile_typescript(
    project: &Project,
    title: &str,
    file: &Path,
    settings: &Value,
) -> Result<()> {
    project::write(file, settings.to_string())?;
    let arguments = ["--project", &file.to_string_lossy()];
    let tsc = tool(&project.path("npm"), "typescript/bin/tsc", &arguments);
    process::run(title, &tsc)
}

/// Returns the command that runs test files of a folder with Node's test runner.
pub(crate) fn tests(folder: &Path, files: &[impl AsRef<OsStr>]) -> Expression {
    let options = ["--test", "--test-reporter=spec"].map(OsStr::new);
    let files = files.iter().map(AsRef::as_ref);
    cmd("node", options.into_iter().chain(files)).dir(folder)
}

/// Installs tarballs with `npm install` and further options.
pub(crate) fn install_tarballs(folder: &Path, options: &[&str], tarballs: &[&Path]) -> Result<()> {
    let install = [&["install", "--no-audit", "--no-fund"], options].concat();
    let title = format!("npm {}", install.join(" "));
    let tarballs = tarballs.iter().map(|tarball| tarball.as_os_str());
    let arguments = install.iter().map(OsStr::new).chain(tarballs);
    process::run(&title, &cmd(NPM, arguments).dir(folder))
}

/// Returns the command for a program of an installed package, such as `typescript/bin/tsc`.
pub(crate) fn tool(folder: &Path, script: &str, arguments: &[&str]) -> Expression {
    let script = folder.join("node_modules").join(script);
    let arguments = arguments.iter().map(Into::into);
    cmd(
        "node",
        std::iter::once(script.into_os_string()).chain(arguments),
    )
}
