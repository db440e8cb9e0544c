//! `cargo xtask wheel`: builds the Python package with the engine.

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
/// A single wheel (abi3) supports every Python from 3.10 on. On Linux it is built for this machine. With `--portable`,
/// it is linked by zig and supports every distribution with glibc 2.17 or newer (manylinux2014).
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even if nothing has changed
    #[arg(long)]
    force: bool,
    /// Build the wheel for older Linux systems, too; fetches zig (100 MB)
    #[arg(long)]
    portable: bool,
    /// Build all files of a release into `target/wheel/release/`
    ///
    /// These are the source distribution and the wheels for Pythons with and without the global lock, for each platform
    /// whose Rust libraries are installed.
    #[arg(long)]
    release_set: bool,
}

impl Options {
    /// Returns the options that build all files of a release.
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
    if !wheel.build(project, options.force)? {
        report::note("python/dist is up to date");
    }
    report_size(project, &wheel.output(project)?)
}

/// Returns the path of the latest wheel.
pub(crate) fn latest(project: &Project) -> Result<PathBuf> {
    Wheel::stable().output(project)
}

/// Builds the wheel for Pythons without the global lock if it is not up to date, and returns its path.
pub(crate) fn free_threaded(project: &Project) -> Result<PathBuf> {
    Wheel::free_threaded().ensure(project, false)
}

/// Builds the portable wheels for this architecture, with and without the global lock, if they are not up to date.
pub(crate) fn portable(project: &Project) -> Result<Vec<PathBuf>> {
    let wheels = [Wheel::stable(), Wheel::free_threaded()];
    let wheels = wheels
        .map(|wheel| wheel.for_platform(Platform::PORTABLE))
        .into_iter();
    wheels.map(|wheel| wheel.ensure(project, false)).collect()
}

/// Builds the wheel of the command in a folder.
pub(crate) fn command(project: &Project, folder: &Path, portable: bool) -> Result<PathBuf> {
    let platform = if portable {
        Platform::PORTABLE
    } else {
        Platform::HERE
    };
    build::command(project, folder, platform)
}

/// Returns the path of the latest source distribution.
pub(crate) fn latest_sdist(project: &Project) -> Result<PathBuf> {
    only(&project.target(SDIST), "gz")
}
