//! One wheel, and the source distribution, as maturin builds them.

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

/// Links for old systems. Only fetched for portable wheels: it has 100 MB.
const ZIG: &str = "ziglang==0.17.1";

/// The folder of the source distribution, under `target/`.
pub(super) const SDIST: &str = "wheel/sdist";

/// A wheel that can be built.
#[derive(Clone, Debug)]
pub(super) struct Wheel {
    /// The interpreter it is for, which does not have to be installed.
    interpreter: &'static str,
    /// The Pythons it is for, as its name says.
    tag: &'static str,
    pub(super) platform: Platform,
    /// Where it is put, alone: inside the project.
    folder: String,
}

/// The platform of a wheel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Platform {
    /// Rust's name; none for this machine's.
    pub(super) target: Option<&'static str>,
    /// The oldest system, in the words of wheels; other systems than Linux have no choice.
    pub(super) compatibility: &'static str,
}

impl Platform {
    /// This machine.
    pub(super) const HERE: Self = Self::here("linux");

    /// This machine's kind, as old as Rust's own library allows.
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

    /// Whether zig links: for `manylinux_…` and `musllinux_…`.
    fn is_portable(self) -> bool {
        self.compatibility.contains("linux_")
    }

    /// Maturin's options for it.
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
    /// For every Python from 3.10 on.
    pub(super) fn stable() -> Self {
        Self::new("python3.10", "cp310-abi3", "python/dist")
    }

    /// For Python 3.14 without the global lock: it has no stable interface.
    pub(super) fn free_threaded() -> Self {
        Self::new(
            "python3.14t",
            "cp314-cp314t",
            "target/wheel/dist-free-threaded",
        )
    }

    /// For every Python from 3.15 on, with the global lock and without.
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

    /// The wheel for another platform, in another folder.
    pub(super) fn on(self, platform: Platform) -> Self {
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

    /// Builds it, unless it is up to date; says whether there was anything to do.
    ///
    /// The new wheel is built elsewhere: a build that fails leaves what was there.
    ///
    /// # Errors
    ///
    /// When the build fails, or gives another kind of wheel.
    pub(super) fn make(&self, project: &Project, force: bool) -> Result<bool> {
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

    /// Builds it, unless it is up to date, and returns its path.
    pub(super) fn ensure(&self, project: &Project, force: bool) -> Result<PathBuf> {
        self.make(project, force)?;
        self.output(project)
    }

    /// The wheel that was built last.
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

/// Makes the source distribution, in place of the last one.
pub(crate) fn sdist(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    let folder = project.target(SDIST);
    project::fresh_folder(&folder)?;
    let tools = tools(project, Platform::HERE)?;
    maturin(project, &tools, "python", &["sdist"], &folder)?;
    only(&folder, "gz")
}

/// Builds the wheel of the command into a folder, in place of what was there.
pub(super) fn command(project: &Project, folder: &Path, platform: Platform) -> Result<PathBuf> {
    let _lock = project.lock("wheel")?;
    project::fresh_folder(folder)?;
    let build = ["build", "--profile", "command"];
    let arguments = [&build[..], &platform.options()].concat();
    maturin(
        project,
        &tools(project, platform)?,
        "cli",
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
    process::run(&title, &process::from_a_terminal(&command))
}

/// Everything that a wheel is made of.
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

/// The one file of its kind in a folder.
pub(crate) fn only(folder: &Path, extension: &str) -> Result<PathBuf> {
    let files = project::list(folder).context("nothing is built: run `cargo xtask wheel`")?;
    let mut found = files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|found| found == extension));
    let file = found
        .next()
        .with_context(|| format!("no `.{extension}` in `{}`", folder.display()))?;
    ensure!(
        found.next().is_none(),
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
