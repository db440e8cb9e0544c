//! Builds a wheel or the source distribution with maturin.

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

/// The linker of portable wheels. Because it has 100 MB, it is fetched only for those.
const ZIG: &str = "ziglang==0.17.1";

/// The folder of the source distribution, under `target/`.
pub(super) const SDIST: &str = "wheel/sdist";

/// A wheel that can be built.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    /// The target interpreter, which need not be installed.
    interpreter: &'static str,
    /// The supported Pythons, as in the name of the wheel.
    tag: &'static str,
    pub(super) platform: Platform,
    /// The folder of the wheel, relative to the root of the project. It contains no other files.
    folder: String,
}

/// The platform of a wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Platform {
    /// The Rust target; `None` for this machine.
    pub(super) target: Option<&'static str>,
    /// The oldest supported system, as a wheel's tag. Only Linux has a choice.
    pub(super) compatibility: &'static str,
}

impl Platform {
    /// This machine.
    pub(super) const HERE: Self = Self::here("linux");

    /// This architecture, with the oldest system that Rust's standard library supports.
    pub(super) const PORTABLE: Self = Self::here("manylinux_2_17");

    const fn here(on_linux: &'static str) -> Self {
        Self {
            target: None,
            compatibility: if cfg!(target_os = "linux") {
                on_linux
            } else {
                "pypi"
            },
        }
    }

    /// Returns `true` if zig links the wheel: for `manylinux_…` and `musllinux_…`.
    fn is_portable(self) -> bool {
        self.compatibility.contains("linux_")
    }

    /// Returns maturin's options for the platform.
    fn options(self) -> Vec<&'static str> {
        let mut options = vec!["--compatibility", self.compatibility];
        if self.is_portable() {
            options.push("--zig");
        }
        if let Some(target) = self.target {
            options.extend(["--target", target]);
        }
        options
    }
}

impl Wheel {
    /// Returns the wheel for every Python from 3.10 on.
    pub(super) fn stable() -> Self {
        Self::new("python3.10", "cp310-abi3", "python/dist")
    }

    /// Returns the wheel for Python 3.14 without the global lock, which does not have a stable ABI.
    pub(super) fn free_threaded() -> Self {
        Self::new(
            "python3.14t",
            "cp314-cp314t",
            "target/wheel/dist-free-threaded",
        )
    }

    /// Returns the wheel for every Python from 3.15 on, with and without the global lock.
    pub(super) fn stable_free_threaded() -> Self {
        Self::new(
            "python3.15t",
            "cp315-abi3.abi3t",
            "target/wheel/dist-stable-free-threaded",
        )
    }

    fn new(interpreter: &'static str, tag: &'static str, folder: &str) -> Self {
        Self {
            interpreter,
            tag,
            platform: Platform::HERE,
            folder: folder.to_owned(),
        }
    }

    /// Returns the wheel for another platform, in another folder.
    pub(super) fn for_platform(self, platform: Platform) -> Self {
        let place = platform.target.unwrap_or(platform.compatibility);
        let folder = format!(
            "{}-{place}",
            self.folder.replace("python/", "target/wheel/")
        );
        Self {
            platform,
            folder,
            ..self
        }
    }

    /// Builds the wheel if it is not up to date. Returns `false` if it is.
    ///
    /// The wheel is built in another folder, so that a failed build preserves the previous one.
    ///
    /// # Errors
    ///
    /// Fails if the build fails or produces another kind of wheel.
    pub(super) fn build(&self, project: &Project, force: bool) -> Result<bool> {
        let _lock = project.lock("wheel")?;
        let stamp = self.stamp(project)?;
        if !force && stamp.is_fresh()? {
            return Ok(false);
        }
        let stage = project.target("wheel/stage");
        project::fresh_folder(&stage)?;
        let wheel = self.compile(project, &stage)?;
        let dist = project.path(&self.folder);
        project::fresh_folder(&dist)?;
        let place = dist.join(wheel.file_name().context("the wheel has no name")?);
        fs::rename(&wheel, &place)
            .with_context(|| format!("cannot move the wheel to `{}`", place.display()))?;
        stamp.set()?;
        Ok(true)
    }

    /// Builds the wheel if it is not up to date, and returns its path.
    pub(super) fn ensure(&self, project: &Project, force: bool) -> Result<PathBuf> {
        self.build(project, force)?;
        self.output(project)
    }

    /// Returns the path of the latest wheel.
    pub(super) fn output(&self, project: &Project) -> Result<PathBuf> {
        only(&project.path(&self.folder), "whl")
    }

    fn compile(&self, project: &Project, stage: &Path) -> Result<PathBuf> {
        let tools = tools(project, self.platform)?;
        let build = [
            "build",
            "--profile",
            "wheel",
            "--interpreter",
            self.interpreter,
            "--compression-level",
            "9",
        ];
        let arguments = [&build[..], &self.platform.options()].concat();
        maturin(project, &tools, "python", &arguments, stage)?;
        let wheel = only(stage, "whl")?;
        let name = wheel.to_string_lossy();
        ensure!(
            name.contains(&format!("-{}-", self.tag)),
            "`{name}` is not for `{}`",
            self.tag
        );
        Ok(wheel)
    }

    fn stamp(&self, project: &Project) -> Result<Stamp> {
        let compiler = process::read(
            "rustc --version --verbose",
            &cmd!(rust::compiler(), "--version", "--verbose"),
        )?;
        let inputs = Fingerprint::default()
            .text(&[MATURIN, ZIG].join(" "))
            .text(&format!("{self:?}"))
            .text(&compiler)
            .sources(&sources(project))?;
        let name = format!("{}.stamp", self.folder.replace('/', "-"));
        Ok(Stamp::new(
            project.target("wheel").join(name),
            inputs,
            &[project.path(&self.folder)],
        ))
    }
}

/// Builds the source distribution, and replaces the previous one.
pub(crate) fn sdist(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    let folder = project.target(SDIST);
    project::fresh_folder(&folder)?;
    let tools = tools(project, Platform::HERE)?;
    maturin(project, &tools, "python", &["sdist"], &folder)?;
    only(&folder, "gz")
}

/// Builds the wheel of the command in a folder, and replaces the folder's content.
pub(super) fn command(project: &Project, folder: &Path, platform: Platform) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    project::fresh_folder(folder)?;
    let build = ["build", "--profile", "command"];
    let arguments = [&build[..], &platform.options()].concat();
    maturin(
        project,
        &tools(project, platform)?,
        "tools/cli",
        &arguments,
        folder,
    )?;
    only(folder, "whl")
}

fn tools(project: &Project, platform: Platform) -> Result<Environment> {
    let (name, tools) = if platform.is_portable() {
        ("build-portable", &[MATURIN, ZIG][..])
    } else {
        ("build", &[MATURIN][..])
    };
    let environment = Environment::open(project, name)?;
    environment.install_packages(tools)?;
    Ok(environment)
}

fn maturin(
    project: &Project,
    tools: &Environment,
    package: &str,
    arguments: &[&str],
    folder: &Path,
) -> Result<()> {
    let title = format!("maturin {} ({package})", arguments.join(" "));
    let out = folder.to_string_lossy();
    let command = cmd(
        tools.program("maturin"),
        [arguments, &["--out", &*out]].concat(),
    );
    let command = command
        .env("CARGO_ZIGBUILD_ZIG_PATH", tools.program("python-zig"))
        .env("CARGO_ZIGBUILD_CACHE_DIR", project.target("wheel/zigbuild"))
        .env("ZIG_GLOBAL_CACHE_DIR", project.target("wheel/zig"))
        .dir(project.path(package))
        .env("CARGO_TARGET_DIR", project.target("wheel"))
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            rust::portable_paths(project, &rust::compiler())?,
        );
    process::run(&title, &process::without_cargo_variables(&command))
}

/// Returns the sources of a wheel.
fn sources(project: &Project) -> [PathBuf; 10] {
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
        "xtask/src/packages/wheel",
    ];
    sources.map(|path| project.path(path))
}

/// Returns the only file in a folder with an extension.
pub(crate) fn only(folder: &Path, extension: &str) -> Result<PathBuf> {
    let files = project::list(folder).context("nothing is built: run `cargo xtask wheel`")?;
    let mut matches = files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|other| other == extension));
    let file = matches
        .next()
        .with_context(|| format!("no `.{extension}` in `{}`", folder.display()))?;
    ensure!(
        matches.next().is_none(),
        "more than one `.{extension}` in `{}`",
        folder.display()
    );
    Ok(file)
}

/// Reports the size of a file.
pub(super) fn report_size(project: &Project, file: &Path) -> Result<()> {
    let length = usize::try_from(fs::metadata(file)?.len())?;
    report::note(&format!(
        "{}: {} bytes",
        project.display(file),
        report::thousands(length)
    ));
    Ok(())
}
