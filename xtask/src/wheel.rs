//! `cargo xtask wheel`: the Python package with the engine in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::python::Environment;
use crate::tools::rust;

const MATURIN: &str = "maturin==1.16.0";

/// Builds the Python wheel into `python/dist/`.
///
/// One wheel (abi3) serves every Python from 3.10 on.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even when nothing has changed.
    #[arg(long)]
    force: bool,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let _lock = project.lock("wheel")?;
    let stamp = stamp(project)?;
    if !options.force && stamp.is_fresh()? {
        report::note("python/dist is up to date");
        return size(project);
    }
    build(project)?;
    stamp.set()?;
    size(project)
}

/// The wheel that was built last.
///
/// # Errors
///
/// When there is none, or more than one.
pub(crate) fn built(project: &Project) -> Result<PathBuf> {
    only_wheel(&project.path("python/dist"))
}

/// The new wheel is built elsewhere: a build that fails leaves what was there.
fn build(project: &Project) -> Result<()> {
    let environment = Environment::open(project, "build")?;
    environment.install_package(MATURIN)?;
    let stage = project.target("wheel/stage");
    project::fresh_folder(&stage)?;
    maturin(project, &environment, &stage)?;
    let wheel = only_wheel(&stage)?;
    let dist = project.path("python/dist");
    project::fresh_folder(&dist)?;
    let place = dist.join(wheel.file_name().context("the wheel has no name")?);
    fs::rename(&wheel, &place)
        .with_context(|| format!("cannot move the wheel to `{}`", place.display()))
}

fn maturin(project: &Project, environment: &Environment, stage: &Path) -> Result<()> {
    // The plain platform tag of this machine: the wheel is for here, not for an index.
    let command = cmd!(
        environment.program("maturin"),
        "build",
        "--profile",
        "wheel",
        "--compatibility",
        "linux",
        "--out",
        stage
    );
    let command = command
        .dir(project.path("python"))
        .env("CARGO_TARGET_DIR", project.target("wheel"));
    let command = command
        .env("PYO3_PYTHON", environment.program("python"))
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            rust::portable_paths(project, &rust::compiler())?,
        );
    process::run(
        "maturin build --profile wheel",
        &process::from_a_terminal(&command),
    )
}

fn stamp(project: &Project) -> Result<Stamp> {
    let sources = [
        "Cargo.toml",
        "Cargo.lock",
        "core",
        "bindings-py",
        "python/pyproject.toml",
        "python/src",
        "python/README.md",
        "xtask/src/wheel.rs",
    ];
    let compiler = process::read(
        "rustc --version --verbose",
        &cmd!(rust::compiler(), "--version", "--verbose"),
    )?;
    let inputs = Fingerprint::default()
        .text(MATURIN)
        .text(&compiler)
        .sources(&sources.map(|path| project.path(path)))?;
    Ok(Stamp::new(
        project.target("wheel/dist.stamp"),
        inputs,
        &[project.path("python/dist")],
    ))
}

fn only_wheel(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| {
        format!(
            "no wheel in `{}`: run `cargo xtask wheel`",
            folder.display()
        )
    })?;
    let files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    let mut wheels = files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheels
        .next()
        .with_context(|| format!("no wheel in `{}`", folder.display()))?;
    ensure!(
        wheels.next().is_none(),
        "more than one wheel in `{}`",
        folder.display()
    );
    Ok(wheel)
}

fn size(project: &Project) -> Result<()> {
    let wheel = built(project)?;
    let length = fs::metadata(&wheel)?.len();
    report::note(&format!(
        "{}: {} bytes",
        project.shown(&wheel),
        report::thousands(usize::try_from(length)?)
    ));
    Ok(())
}
