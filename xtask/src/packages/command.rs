//! `cargo xtask command`: the packages of the command `smithy-waiters` for Node and Python, and its archives.
//!
//! The engine's packages stay small because they do not contain the command. They start it from these packages.

mod alone;
mod archive;
mod npm;

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::packages::wheel;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::{python, rust};

/// Builds the command's wheel and npm packages for this machine into `target/command/`.
///
/// The wheel, the npm package of this platform and the archive contain the same binary. A second npm package selects the
/// platform. With `--static`, builds only the archive of a binary that needs no library, and the file for `Dockerfile`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even if nothing has changed
    #[arg(long)]
    force: bool,
    /// Build for older Linux systems, too; fetches zig (100 MB)
    #[arg(long)]
    portable: bool,
    /// Build without optimization, as the tests do
    #[arg(long)]
    debug: bool,
    /// Link statically with musl, for every Linux of this architecture
    #[arg(long = "static", conflicts_with_all = ["portable", "debug"])]
    is_static: bool,
}

/// The packages of the command for one platform.
#[derive(Debug)]
pub(crate) struct Packages {
    /// The package for Python.
    pub(crate) wheel: PathBuf,
    /// The packages for Node: the one that users install, and the one of the platform.
    pub(crate) tarballs: [PathBuf; 2],
    /// The archive for this platform.
    archive: PathBuf,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if options.is_static {
        for file in alone(project)? {
            wheel::report_size(project, &file)?;
        }
        return Ok(());
    }
    let packages = build(project, options)?;
    let files = [&packages.wheel, &packages.archive];
    for file in files.into_iter().chain(&packages.tarballs) {
        wheel::report_size(project, file)?;
    }
    Ok(())
}

/// Builds the program that needs no library, and returns its path and that of its archive.
pub(crate) fn alone(project: &Project) -> Result<[PathBuf; 2]> {
    let (target, program) = alone::build(project)?;
    archive::pack(project, &program, target)?;
    Ok([program, archive::path(project, target)])
}

/// Returns the path of the program in the packages.
pub(crate) fn program(project: &Project) -> Result<PathBuf> {
    unpack(project, &build(project, &Options::default())?.wheel)
}

/// Returns the packages without optimization, and builds them if they are not up to date.
pub(crate) fn debug_packages(project: &Project) -> Result<Packages> {
    let debug = true;
    build(
        project,
        &Options {
            debug,
            ..Options::default()
        },
    )
}

fn build(project: &Project, options: &Options) -> Result<Packages> {
    let folder = project.target("command");
    let stamp = stamp(project, &folder, options)?;
    if options.force || !stamp.is_fresh()? {
        let wheel = wheel::command(
            project,
            &folder.join("wheel"),
            options.portable,
            options.debug,
        )?;
        let program = unpack(project, &wheel)?;
        npm::pack(project, &program, &folder.join("npm"))?;
        archive::pack(project, &program, &rust::host()?)?;
        stamp.set()?;
    }
    Ok(Packages {
        wheel: wheel::only(&folder.join("wheel"), "whl")?,
        tarballs: npm::tarballs(&folder.join("npm"))?,
        archive: archive::path(project, &rust::host()?),
    })
}

fn stamp(project: &Project, folder: &Path, options: &Options) -> Result<Stamp> {
    let sources = [
        "Cargo.toml",
        "Cargo.lock",
        "core",
        "tools/model",
        "tools/generate",
        "tools/cli/Cargo.toml",
        "tools/cli/README.md",
        "tools/cli/THIRD-PARTY-LICENSES",
        "tools/cli/npm",
        "tools/cli/pyproject.toml",
        "tools/cli/src",
        "xtask/src/packages/command",
        "xtask/src/packages/command.rs",
        "xtask/src/packages/wheel.rs",
    ];
    let inputs = Fingerprint::default()
        .text(&format!("{} {}", options.portable, options.debug))
        .sources(&sources.map(|path| project.path(path)))?;
    let results = ["wheel", "npm"].map(|name| folder.join(name));
    let archive = archive::path(project, &rust::host()?);
    let results = [&results[..], &[archive]].concat();
    Ok(Stamp::new(folder.join("packages.stamp"), inputs, &results))
}

/// Unpacks the binary from the wheel, for the npm package.
fn unpack(project: &Project, wheel: &Path) -> Result<PathBuf> {
    let folder = project.target("command/unpacked");
    python::unzip(project, wheel, &folder)?;
    let name = format!("smithy-waiters{}", std::env::consts::EXE_SUFFIX);
    let folders = project::list(&folder)?.into_iter();
    let mut programs = folders.map(|folder| folder.join("scripts").join(&name));
    let program = programs
        .find(|program| program.exists())
        .context("the wheel does not contain the program")?;
    make_executable(&program)?;
    Ok(program)
}

/// Makes a file executable, because Python unpacks archives without the modes of files.
#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(
        program,
        std::fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}
