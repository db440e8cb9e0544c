//! Builds all files of a release: `cargo xtask wheel --release-set`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::build::{Platform, Wheel, report_size, sdist};
use crate::project::{self, Project};
use crate::report;
use crate::tools::rust;

/// The platforms of a release that zig can link for on any machine. Wheels for macOS and Windows are built on these
/// systems.
const PLATFORMS: [Platform; 4] = [
    platform("x86_64-unknown-linux-gnu", "manylinux_2_17"),
    platform("aarch64-unknown-linux-gnu", "manylinux_2_17"),
    platform("x86_64-unknown-linux-musl", "musllinux_1_2"),
    platform("aarch64-unknown-linux-musl", "musllinux_1_2"),
];

const fn platform(target: &'static str, compatibility: &'static str) -> Platform {
    Platform {
        target: Some(target),
        compatibility,
    }
}

/// Builds the wheels for the available targets, and prints a note for the others.
pub(super) fn run(project: &Project, force: bool) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "the release set is built on Linux; elsewhere `cargo xtask wheel` builds this system's wheel"
    );
    let folder = project.target("wheel/release");
    project::fresh_folder(&folder)?;
    for platform in PLATFORMS {
        let target = platform.target.unwrap_or_default();
        if rust::has_target(target)? {
            wheels(project, platform, &folder, force)?;
        } else {
            report::note(&format!(
                "{target}: not available (`rustup target add {target}`)"
            ));
        }
    }
    let sdist = sdist(project)?;
    copy_to_release(project, &sdist, &folder)
}

fn wheels(project: &Project, platform: Platform, folder: &Path, force: bool) -> Result<()> {
    let kinds = [
        Wheel::stable(),
        Wheel::free_threaded(),
        Wheel::stable_free_threaded(),
    ];
    for wheel in kinds.map(|wheel| wheel.for_platform(platform)) {
        copy_to_release(project, &wheel.ensure(project, force)?, folder)?;
    }
    Ok(())
}

/// Copies a file to the folder of the release, and prints its size.
fn copy_to_release(project: &Project, file: &Path, folder: &Path) -> Result<()> {
    let place = folder.join(file.file_name().context("a file without a name")?);
    fs::copy(file, &place).with_context(|| format!("cannot write `{}`", place.display()))?;
    report_size(project, &place)
}
