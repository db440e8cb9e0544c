//! Python in virtual environments.

mod interpreters;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::{Expression, cmd};

use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::debian;

use interpreters::PYTHON;
pub(crate) use interpreters::interpreter;

/// A virtual environment under `target/python/`.
#[derive(Debug)]
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Returns the environment with a name, and creates it if it is missing or its Python no longer works.
    ///
    /// # Errors
    ///
    /// Fails if Python is missing, too old, or cannot create environments. The error names the version or package to
    /// install.
    pub(crate) fn open(project: &Project, name: &str) -> Result<Self> {
        let environment = Self {
            folder: project.target("python").join(name),
        };
        if !environment.works() {
            environment.create(ours()?)?;
        }
        Ok(environment)
    }

    /// Creates an environment, and replaces an existing one with the same name.
    pub(crate) fn fresh(project: &Project, name: &str, interpreter: &OsStr) -> Result<Self> {
        let environment = Self {
            folder: project.target("python").join(name),
        };
        environment.create(interpreter)?;
        Ok(environment)
    }

    /// Returns the command that runs the environment's Python with arguments.
    pub(crate) fn python(&self, arguments: &[&str]) -> Expression {
        cmd(self.program("python"), arguments)
            // The user's packages must not replace the pinned ones.
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONHOME")
    }

    /// Returns the path of a program that a package installed.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs()
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// Returns a search path that starts with the environment's programs.
    ///
    /// # Errors
    ///
    /// Fails if the folder's name cannot be part of a search path.
    pub(crate) fn path(&self) -> Result<OsString> {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.programs()).chain(std::env::split_paths(&others));
        Ok(std::env::join_paths(folders)?)
    }

    /// Installs the requirements in a file, unless they are installed.
    pub(crate) fn install_requirements(&self, file: &Path) -> Result<()> {
        self.install(
            "requirements",
            &["--requirement", &file.to_string_lossy()],
            Fingerprint::default().files(&[file.to_owned()])?,
        )
    }

    /// Installs pinned packages, unless they are installed.
    pub(crate) fn install_packages(&self, pins: &[&str]) -> Result<()> {
        self.install(
            "packages",
            pins,
            Fingerprint::default().text(&pins.join(" ")),
        )
    }

    /// Installs a wheel and replaces an earlier build of it, unless the same build is installed.
    pub(crate) fn install_wheel(&self, wheel: &Path) -> Result<()> {
        // The version stays the same between two builds, so that pip would keep the older one.
        let arguments = ["--force-reinstall", "--no-deps", &wheel.to_string_lossy()];
        self.install(
            "wheel",
            &arguments,
            Fingerprint::default().files(&[wheel.to_owned()])?,
        )
    }

    /// Runs `pip install` with arguments.
    pub(crate) fn pip_install(&self, arguments: &[&str]) -> Result<()> {
        process::run(
            &format!("pip install {}", arguments.join(" ")),
            &self.pip(arguments),
        )
    }

    /// Returns the command `pip install` with arguments.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Expression {
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-compile", // Python compiles what it imports
        ];
        self.python(&[&pip, arguments].concat())
    }

    fn install(&self, what: &str, arguments: &[&str], inputs: Fingerprint) -> Result<()> {
        let stamp = Stamp::new(self.folder.join(format!(".{what}.stamp")), inputs, &[]);
        if stamp.is_fresh()? {
            return Ok(());
        }
        self.pip_install(arguments)?;
        stamp.set()
    }

    fn programs(&self) -> PathBuf {
        self.folder
            .join(if cfg!(windows) { "Scripts" } else { "bin" })
    }

    fn works(&self) -> bool {
        self.python(&["-c", "import pip"])
            .stdout_null()
            .stderr_null()
            .run()
            .is_ok()
    }

    fn create(&self, interpreter: &OsStr) -> Result<()> {
        process::run(
            &format!(
                "{} -m venv {}",
                interpreter.display(),
                self.folder.display()
            ),
            &cmd!(interpreter, "-m", "venv", "--clear", &self.folder),
        )
    }
}

/// Unpacks a wheel or another ZIP archive, and replaces the content of a folder.
pub(crate) fn unzip(project: &Project, archive: &Path, folder: &Path) -> Result<()> {
    project::fresh_folder(folder)?;
    let unzip = cmd!(ours()?, "-m", "zipfile", "-e", archive, folder);
    process::run(&format!("unzip {}", project.display(archive)), &unzip)
}

/// Returns the Python that runs the tools.
///
/// # Errors
///
/// Fails if Python is missing, too old, or cannot create environments. The error names the version or package to
/// install.
pub(crate) fn ours() -> Result<&'static OsStr> {
    super::require_version(
        PYTHON,
        ">=3.10",
        "install Python 3.10 or newer: https://www.python.org",
    )?;
    ensure_venv()?;
    Ok(OsStr::new(PYTHON))
}

/// Installs the modules that create environments if they are missing: Debian has a separate package for them.
fn ensure_venv() -> Result<()> {
    if has_venv() {
        return Ok(());
    }
    let advice = "this Python cannot create virtual environments: install its `venv` and `ensurepip` modules (on Debian and Ubuntu: \
                  `apt-get install python3-venv`)";
    if debian::is_here() {
        debian::install(&["python3-venv"]).context(advice)?;
    }
    anyhow::ensure!(has_venv(), advice);
    Ok(())
}

fn has_venv() -> bool {
    cmd!(PYTHON, "-c", "import venv, ensurepip")
        .stdout_null()
        .stderr_null()
        .run()
        .is_ok()
}
