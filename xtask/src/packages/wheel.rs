//! `cargo xtask wheel`: builds the Python package with the engine, with maturin. `python/pyproject.toml` has its settings.

use fs_err as fs;
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

/// The linker of portable wheels. Because it has 100 MB, it is fetched only for those.
const ZIG: &str = "ziglang==0.17.1";

/// The options of a build without optimisations.
const UNOPTIMISED: [&str; 2] = ["--profile", "dev"];

/// The folder of the source distribution, under `target/`.
const SDIST: &str = "wheel/sdist";

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

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if options.release_set {
        return release(project, options.force);
    }
    let platform = if options.portable { PORTABLE } else { HERE };
    let wheel = STABLE.build(project, platform, options.force)?;
    report_size(project, &wheel)
}

/// A kind of wheel. The interpreter need not be installed; the tag lists the supported Pythons in the wheel's name.
#[derive(Clone, Copy, Debug)]
struct Wheel {
    interpreter: &'static str,
    tag: &'static str,
}

/// The wheel for every Python from 3.10 on.
const STABLE: Wheel = Wheel {
    interpreter: "python3.10",
    tag: "cp310-abi3",
};

/// The wheel for Python 3.14 without the global lock, which does not have a stable ABI.
const FREE_THREADED: Wheel = Wheel {
    interpreter: "python3.14t",
    tag: "cp314-cp314t",
};

/// The wheel for every Python from 3.15 on, with and without the global lock.
const STABLE_FREE_THREADED: Wheel = Wheel {
    interpreter: "python3.15t",
    tag: "cp315-abi3.abi3t",
};

/// The platform of a wheel: the Rust target, empty for this machine, and the oldest supported system as a wheel's tag.
/// maturin ignores the latter elsewhere than on Linux.
type Platform = (&'static str, &'static str);

/// This machine.
const HERE: Platform = (
    "",
    if cfg!(target_os = "linux") {
        "linux"
    } else {
        "pypi"
    },
);

/// This architecture, with the oldest system that Rust's standard library supports.
const PORTABLE: Platform = ("", "manylinux_2_17");

/// The platforms of a release that zig can link for on any machine. Wheels for macOS and Windows are built on these
/// systems.
const RELEASE: [Platform; 4] = [
    ("x86_64-unknown-linux-gnu", "manylinux_2_17"),
    ("aarch64-unknown-linux-gnu", "manylinux_2_17"),
    ("x86_64-unknown-linux-musl", "musllinux_1_2"),
    ("aarch64-unknown-linux-musl", "musllinux_1_2"),
];

impl Wheel {
    /// Builds the wheel if it is not up to date, and returns its path.
    ///
    /// The wheel is built in another folder, so that a failed build preserves the previous one.
    ///
    /// # Errors
    ///
    /// Fails if the build fails or produces another kind of wheel.
    fn build(self, project: &Project, platform: Platform, force: bool) -> Result<PathBuf> {
        let _lock = project.lock("wheel")?;
        let folder = self.folder(project, platform);
        let stamp = self.stamp(project, platform, &folder)?;
        if force || !stamp.is_fresh()? {
            // A failed build must not remove the wheel that other steps use.
            let stage = project.target("wheel/stage");
            let build = ["build", "--interpreter", self.interpreter];
            let build = [&build[..], &["--compression-level", "9"]].concat();
            maturin(project, "python", &build, Some(platform), &stage)?;
            let name = only(&stage, "whl")?.to_string_lossy().into_owned();
            let tag = self.tag;
            ensure!(
                name.contains(&format!("-{tag}-")),
                "`{name}` is not for `{tag}`"
            );
            project::remove(&folder)?;
            fs::rename(&stage, &folder)
                .with_context(|| format!("cannot move the wheel to `{}`", folder.display()))?;
            stamp.set()?;
        }
        only(&folder, "whl")
    }

    /// Returns the folder of the wheel, which contains no other files.
    fn folder(self, project: &Project, platform: Platform) -> PathBuf {
        if self.tag == STABLE.tag && platform == HERE {
            return project.path("python/dist");
        }
        let (target, compatibility) = platform;
        project.target(&format!("wheel/{}-{compatibility}-{target}", self.tag))
    }

    fn stamp(self, project: &Project, platform: Platform, folder: &Path) -> Result<Stamp> {
        let compiler = cmd!(rust::compiler(), "--version", "--verbose");
        let compiler = process::read("rustc --version --verbose", &compiler)?;
        let sources = [
            "Cargo.toml",
            "Cargo.lock",
            "core",
            "bindings-py",
            "python/pyproject.toml",
            "python/src",
            "python/README.md",
            "python/LICENSE",
            "python/THIRD-PARTY-LICENSES",
            "xtask/src/packages/wheel.rs",
        ];
        let inputs = Fingerprint::default()
            .text(&format!("{self:?} {platform:?} {compiler}"))
            .sources(&sources.map(|path| project.path(path)))?;
        let name = folder.to_string_lossy().replace(['/', '\\', ':'], "-");
        let path = project.target(&format!("wheel/stamps/{name}"));
        Ok(Stamp::new(path, inputs, &[folder.to_owned()]))
    }
}

/// Returns the path of the latest wheel.
pub(crate) fn latest(project: &Project) -> Result<PathBuf> {
    only(&STABLE.folder(project, HERE), "whl")
}

/// Builds the wheel for Pythons without the global lock if it is not up to date, and returns its path.
pub(crate) fn free_threaded(project: &Project) -> Result<PathBuf> {
    FREE_THREADED.build(project, HERE, false)
}

/// Builds the portable wheels for this architecture, with and without the global lock, if they are not up to date.
pub(crate) fn portable(project: &Project) -> Result<Vec<PathBuf>> {
    let wheels = [STABLE, FREE_THREADED].into_iter();
    let wheels = wheels.map(|wheel| wheel.build(project, PORTABLE, false));
    wheels.collect()
}

/// Builds the wheel without optimisations, and returns its path.
pub(crate) fn unoptimised(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    let folder = project.target("wheel/unoptimised");
    let interpreter = ["--interpreter", STABLE.interpreter];
    let build = [&["build", "--strip"], &UNOPTIMISED[..], &interpreter].concat();
    maturin(project, "python", &build, Some(HERE), &folder)?;
    only(&folder, "whl")
}

/// Builds the wheel of the command in a folder, and replaces the folder's content.
pub(crate) fn command(
    project: &Project,
    folder: &Path,
    portable: bool,
    debug: bool,
) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    let platform = if portable { PORTABLE } else { HERE };
    let profile = if debug { &UNOPTIMISED[..] } else { &[] };
    let build = [&["build"], profile].concat();
    maturin(project, "tools/cli", &build, Some(platform), folder)?;
    only(folder, "whl")
}

/// Builds the source distribution, and replaces the previous one.
pub(crate) fn sdist(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    maturin(project, "python", &["sdist"], None, &project.target(SDIST))?;
    latest_sdist(project)
}

/// Returns the path of the latest source distribution.
pub(crate) fn latest_sdist(project: &Project) -> Result<PathBuf> {
    only(&project.target(SDIST), "gz")
}

/// Builds all files of a release for the available targets, and prints a note for the others.
pub(crate) fn release(project: &Project, force: bool) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux"),
        "the release set is built on Linux; elsewhere `cargo xtask wheel` builds this system's wheel"
    );
    let folder = project.target("wheel/release");
    project::fresh_folder(&folder)?;
    let mut files = Vec::new();
    for platform in RELEASE {
        let (target, _) = platform;
        if !rust::has_target(target)? {
            report::note(&format!(
                "{target}: not available (`rustup target add {target}`)"
            ));
            continue;
        }
        for wheel in [STABLE, FREE_THREADED, STABLE_FREE_THREADED] {
            files.push(wheel.build(project, platform, force)?);
        }
    }
    files.push(sdist(project)?);
    for file in files {
        let place = folder.join(file.file_name().context("a file without a name")?);
        fs::copy(file, &place)?;
        report_size(project, &place)?;
    }
    Ok(())
}

/// Runs maturin for a package, and replaces the content of a folder by its output.
fn maturin(
    project: &Project,
    package: &str,
    arguments: &[&str],
    platform: Option<Platform>,
    folder: &Path,
) -> Result<()> {
    let (target, compatibility) = platform.unwrap_or_default();
    let needs_zig = compatibility.contains("linux_");
    let (name, pins) = if needs_zig {
        ("build-portable", &[MATURIN, ZIG][..])
    } else {
        ("build", &[MATURIN][..])
    };
    let tools = Environment::open(project, name)?;
    tools.install_packages(pins)?;
    let mut arguments = arguments.to_vec();
    if platform.is_some() {
        arguments.extend(["--compatibility", compatibility]);
    }
    if needs_zig {
        arguments.push("--zig");
    }
    if !target.is_empty() {
        arguments.extend(["--target", target]);
    }
    let title = format!("maturin {} ({package})", arguments.join(" "));
    project::fresh_folder(folder)?;
    let out = folder.to_string_lossy();
    arguments.extend(["--out", &out]);
    let is_unoptimised = arguments.contains(&UNOPTIMISED[1]);
    let command = cmd(tools.program("maturin"), arguments)
        .dir(project.path(package))
        .env("CARGO_ZIGBUILD_ZIG_PATH", tools.program("python-zig"))
        .env("CARGO_ZIGBUILD_CACHE_DIR", project.target("wheel/zigbuild"))
        .env("ZIG_GLOBAL_CACHE_DIR", project.target("wheel/zig"));
    let command = if is_unoptimised {
        // Nobody publishes it, so it shares crates with the tests.
        command
            .env("CARGO_TARGET_DIR", project.target(""))
            .env("CARGO_INCREMENTAL", "0")
    } else {
        let paths = rust::portable_paths(project, &rust::compiler())?;
        command
            .env("CARGO_TARGET_DIR", project.target("wheel"))
            .env("CARGO_ENCODED_RUSTFLAGS", paths)
    };
    let command = process::without_cargo_variables(&command);
    process::run(&title, &command)
}

/// Returns the only file in a folder with an extension.
pub(crate) fn only(folder: &Path, extension: &str) -> Result<PathBuf> {
    let mut files = project::list(folder).context("nothing is built: run `cargo xtask wheel`")?;
    files.retain(|file| file.extension().is_some_and(|other| other == extension));
    let count = files.len();
    let file = files.pop().filter(|_| count == 1);
    file.with_context(|| {
        format!(
            "expected one `.{extension}` in `{}`, got {count}",
            folder.display()
        )
    })
}

/// Prints the size of a file.
pub(crate) fn report_size(project: &Project, file: &Path) -> Result<()> {
    let length = usize::try_from(fs::metadata(file)?.len())?;
    let (name, length) = (project.display(file), report::thousands(length));
    report::note(&format!("{name}: {length} bytes"));
    Ok(())
}
