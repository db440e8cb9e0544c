//! Python, in environments of the project's own.

mod interpreters;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::{Expression, cmd};

use crate::process;
use crate::project::Project;
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
    /// The environment of this name, made when it is not there or its Python is gone.
    ///
    /// # Errors
    ///
    /// When Python is missing, too old, or cannot make environments; the error says what to install.
    pub(crate) fn open(project: &Project, name: &str) -> Result<Self> {
        let environment = Self {
            folder: project.target("python").join(name),
        };
        if !environment.works() {
            environment.make(ours()?)?;
        }
        Ok(environment)
    }

    /// A new environment of this name, in place of the one that was there.
    pub(crate) fn fresh(project: &Project, name: &str, interpreter: &OsStr) -> Result<Self> {
        let environment = Self {
            folder: project.target("python").join(name),
        };
        environment.make(interpreter)?;
        Ok(environment)
    }

    /// The environment's Python with arguments.
    pub(crate) fn python(&self, arguments: &[&str]) -> Expression {
        cmd(self.program("python"), arguments)
            .env_remove("PYTHONPATH")
            .env_remove("PYTHONHOME")
    }

    /// A program that a package installed here.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs()
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// A search path on which the environment's programs come first.
    ///
    /// # Errors
    ///
    /// When the folder's own name cannot be in one.
    pub(crate) fn path(&self) -> Result<OsString> {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.programs()).chain(std::env::split_paths(&others));
        Ok(std::env::join_paths(folders)?)
    }

    /// Installs the requirements of a file, unless they are installed already.
    pub(crate) fn install_requirements(&self, file: &Path) -> Result<()> {
        self.install(
            "requirements",
            &["--requirement", &file.to_string_lossy()],
            Fingerprint::default().files(&[file.to_owned()])?,
        )
    }

    /// Installs pinned packages, unless they are installed already.
    pub(crate) fn install_packages(&self, pins: &[&str]) -> Result<()> {
        self.install(
            "packages",
            pins,
            Fingerprint::default().text(&pins.join(" ")),
        )
    }

    /// Installs a wheel in place of an earlier build of it, unless just this one is installed already.
    pub(crate) fn install_wheel(&self, wheel: &Path) -> Result<()> {
        let arguments = ["--force-reinstall", "--no-deps", &wheel.to_string_lossy()];
        self.install(
            "wheel",
            &arguments,
            Fingerprint::default().files(&[wheel.to_owned()])?,
        )
    }

    /// Installs whatever the arguments say, every time.
    pub(crate) fn pip_install(&self, arguments: &[&str]) -> Result<()> {
        process::run(
            &format!("pip install {}", arguments.join(" ")),
            &self.pip(arguments),
        )
    }

    /// `pip install` with arguments.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Expression {
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
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

    fn make(&self, interpreter: &OsStr) -> Result<()> {
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

/// The Python that runs the tools.
///
/// # Errors
///
/// When it is missing, too old, or cannot make environments; the error says what to install.
pub(crate) fn ours() -> Result<&'static OsStr> {
    super::require_version(
        PYTHON,
        ">=3.10",
        "install Python 3.10 or newer: https://www.python.org",
    )?;
    see_to_venv()?;
    Ok(OsStr::new(PYTHON))
}

/// Debian has a separate package for the module that makes environments.
fn see_to_venv() -> Result<()> {
    if has_venv() {
        return Ok(());
    }
    let advice = "this Python cannot make virtual environments: install its `venv` and `ensurepip` modules (on Debian and Ubuntu: \
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
