//! `cargo xtask wheel`: the Python package with the engine in it.

mod build;
mod release;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::project::Project;
use crate::report;

use build::{Platform, SDIST, Wheel, report_size};

pub(crate) use build::{only, sdist};

/// Builds the Python wheel into `python/dist/`.
///
/// One wheel (abi3) serves every Python from 3.10 on. On Linux it is for this machine; with `--portable` it is linked by zig and
/// runs on every distribution with glibc 2.17 or newer (manylinux2014).
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even when nothing has changed.
    #[arg(long)]
    force: bool,
    /// Build the wheel for older Linux systems too; fetches zig (100 MB).
    #[arg(long)]
    portable: bool,
    /// Build all that a release has into `target/wheel/release/`: the wheels for Pythons with and without the global lock, for
    /// each platform whose Rust libraries are installed here, and the source distribution.
    #[arg(long)]
    release_set: bool,
}

impl Options {
    /// All files of a release, if they are not up to date.
    pub(crate) fn release_set() -> Self {
        Self {
            release_set: true,
            ..Self::default()
        }
    }
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if options.release_set {
        return release::run(project, options.force);
    }
    let mut wheel = Wheel::stable();
    if options.portable {
        wheel.platform = Platform::PORTABLE;
    }
    if !wheel.make(project, options.force)? {
        report::note("python/dist is up to date");
    }
    report_size(project, &wheel.output(project)?)
}

/// The wheel that was built last.
pub(crate) fn latest(project: &Project) -> Result<PathBuf> {
    Wheel::stable().output(project)
}

/// The wheel for Pythons without the global lock, built when it is not up to date.
pub(crate) fn free_threaded(project: &Project) -> Result<PathBuf> {
    Wheel::free_threaded().ensure(project, false)
}

/// The portable wheels of this machine's kind, built when they are not up to date: with the global lock, and without.
pub(crate) fn portable(project: &Project) -> Result<Vec<PathBuf>> {
    let wheels = [Wheel::stable(), Wheel::free_threaded()];
    let wheels = wheels.map(|wheel| wheel.on(Platform::PORTABLE)).into_iter();
    wheels.map(|wheel| wheel.ensure(project, false)).collect()
}

/// A new wheel of the command, in a separate folder.
pub(crate) fn command(project: &Project, folder: &Path, portable: bool) -> Result<PathBuf> {
    let platform = if portable {
        Platform::PORTABLE
    } else {
        Platform::HERE
    };
    build::command(project, folder, platform)
}

/// The source distribution that was made last.
pub(crate) fn latest_sdist(project: &Project) -> Result<PathBuf> {
    only(&project.target(SDIST), "gz")
}
