//! `cargo xtask command`: the command `smithy-waiters` in packages for those who do not use Rust.
//!
//! The engine's packages do not have it: who only waits does not carry a linter. They know where it is to be found.

mod npm;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::packages::wheel;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::python::Environment;

/// Builds the command's wheel and npm packages for this machine into `target/command/`.
///
/// A wheel with the binary, the npm package of this platform with the same binary, and the npm package that chooses among
/// the platforms.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even when nothing has changed.
    #[arg(long)]
    force: bool,
    /// Build for older Linux systems too; fetches zig (100 MB).
    #[arg(long)]
    portable: bool,
}

/// The files of a release of the command, for one platform.
#[derive(Debug)]
pub(crate) struct Packages {
    /// For Python.
    pub(crate) wheel: PathBuf,
    /// For Node: the one that people install, and the platform's.
    pub(crate) tarballs: [PathBuf; 2],
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let Packages { wheel, tarballs } = build(project, options)?;
    for file in [&wheel].into_iter().chain(&tarballs) {
        let length = usize::try_from(fs::metadata(file)?.len())?;
        let (name, length) = (project.display(file), report::thousands(length));
        report::note(&format!("{name}: {length} bytes"));
    }
    Ok(())
}

/// The program that the packages have.
pub(crate) fn program(project: &Project) -> Result<PathBuf> {
    unpack(project, &packages(project)?.wheel)
}

/// The packages, built where they are not up to date.
pub(crate) fn packages(project: &Project) -> Result<Packages> {
    build(project, &Options::default())
}

fn build(project: &Project, options: &Options) -> Result<Packages> {
    let folder = project.target("command");
    let stamp = stamp(project, &folder, options.portable)?;
    if options.force || !stamp.is_fresh()? {
        let wheel = wheel::command(project, &folder.join("wheel"), options.portable)?;
        npm::pack(project, &unpack(project, &wheel)?, &folder.join("npm"))?;
        stamp.set()?;
    }
    Ok(Packages {
        wheel: wheel::only(&folder.join("wheel"), "whl")?,
        tarballs: npm::tarballs(&folder.join("npm"))?,
    })
}

fn stamp(project: &Project, folder: &Path, portable: bool) -> Result<Stamp> {
    let sources = [
        "Cargo.toml",
        "Cargo.lock",
        "core",
        "model",
        "generate",
        "cli/Cargo.toml",
        "cli/README.md",
        "cli/THIRD-PARTY-LICENSES",
        "cli/npm",
        "cli/pyproject.toml",
        "cli/src",
        "xtask/src/packages/command",
        "xtask/src/packages/command.rs",
        "xtask/src/packages/wheel",
    ];
    let inputs = Fingerprint::default()
        .text(&portable.to_string())
        .sources(&sources.map(|path| project.path(path)))?;
    let results = ["wheel", "npm"].map(|name| folder.join(name));
    Ok(Stamp::new(folder.join("packages.stamp"), inputs, &results))
}

/// The wheel's binary: the npm package has the same one.
fn unpack(project: &Project, wheel: &Path) -> Result<PathBuf> {
    let folder = project.target("command/unpacked");
    project::fresh_folder(&folder)?;
    let (archive, place) = (wheel.to_string_lossy(), folder.to_string_lossy());
    let unzip =
        Environment::open(project, "build")?.python(&["-m", "zipfile", "-e", &archive, &place]);
    crate::process::run("python -m zipfile -e", &unzip)?;
    let name = format!("smithy-waiters{}", std::env::consts::EXE_SUFFIX);
    let folders = project::list(&folder)?.into_iter();
    let mut programs = folders.map(|folder| folder.join("scripts").join(&name));
    let program = programs
        .find(|program| program.exists())
        .context("the wheel has no program")?;
    make_executable(&program)?;
    Ok(program)
}

/// An archive is unpacked without the modes of its files.
#[cfg(unix)]
fn make_executable(program: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(
        program,
        fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}
