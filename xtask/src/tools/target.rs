//! Compiles for another target, with the toolchain's library for it or with Debian's compiler, which builds the library.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duct::cmd;

use crate::process;
use crate::project::Project;
use crate::report;
use crate::tools::{debian, rust};

/// The program of Debian's package `rustc-web`.
const DEBIAN_COMPILER: &str = "/usr/bin/rustc";

/// Debian's compiler with the source of the standard library.
const DEBIAN_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// The timeout of a download.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// A target.
#[derive(Debug)]
pub(crate) struct Target {
    /// Rust's name of the target.
    pub(crate) name: &'static str,
    /// The profile of the builds.
    pub(crate) profile: &'static str,
    /// The folder of the builds in `target/`. It is a separate one, because cargo rebuilds everything if the compiler
    /// changes.
    pub(crate) folder: &'static str,
    /// The program that links, and Debian's package with it.
    pub(crate) linker: (&'static str, &'static str),
    /// The options of cargo and of the compiler with which Debian's compiler builds the standard library.
    pub(crate) debian_options: [&'static [&'static str]; 2],
}

/// A compiler for a target.
#[derive(Debug)]
pub(crate) enum Compiler {
    /// Debian's `rustc-web`, which also builds the standard library.
    Debian,
    /// The toolchain for all other builds.
    Toolchain,
}

impl Target {
    /// Compiles a package, and returns the folder with the result.
    ///
    /// # Errors
    ///
    /// Fails if no compiler for the target is available (the error lists the packages to install), or if the compiler
    /// fails.
    pub(crate) fn build(
        &self,
        project: &Project,
        package: &str,
        features: &[&str],
    ) -> Result<PathBuf> {
        let compiler = self.compiler()?;
        report::note(&format!("compiling {package} with {}", compiler.version()?));
        let Self { name, profile, .. } = self;
        let arguments = ["build", "--package", package, "--profile", profile];
        let arguments = [&arguments, &["--target", name][..], features].concat();
        let title = format!("cargo {}", arguments.join(" "));
        process::run(&title, &self.command(&compiler, project, &arguments)?)?;
        Ok(project.target(self.folder).join(name).join(profile))
    }

    /// Returns the compiler, which is installed if it is missing.
    pub(crate) fn compiler(&self) -> Result<Compiler> {
        if rust::has_target(self.name)? {
            return Ok(Compiler::Toolchain);
        }
        if debian::is_here() {
            let (_, linker) = self.linker;
            debian::install(&[&DEBIAN_PACKAGES[..], &[linker]].concat())
                .with_context(|| self.advice())?;
            return Ok(Compiler::Debian);
        }
        self.add()?;
        Ok(Compiler::Toolchain)
    }

    /// Returns the command of a build.
    fn command(
        &self,
        compiler: &Compiler,
        project: &Project,
        arguments: &[&str],
    ) -> Result<duct::Expression> {
        let [options, flags] = match compiler {
            Compiler::Debian => self.debian_options,
            Compiler::Toolchain => [&[][..]; 2],
        };
        let paths = rust::portable_paths(project, &compiler.program())?;
        let flags = [flags, &[&paths]].concat().join("\x1f");
        let command = process::cargo(project, &[arguments, options].concat())
            .env("CARGO_TARGET_DIR", project.target(self.folder))
            .env("CARGO_ENCODED_RUSTFLAGS", flags);
        let variable = self.name.to_uppercase().replace('-', "_");
        let (linker, _) = self.linker;
        Ok(match compiler {
            Compiler::Debian => command
                .env("RUSTC", DEBIAN_COMPILER)
                .env("RUSTC_BOOTSTRAP", "1")
                .env(format!("CARGO_TARGET_{variable}_LINKER"), linker),
            Compiler::Toolchain => command,
        })
    }

    fn add(&self) -> Result<()> {
        let title = format!("rustup target add {}", self.name);
        report::command(&title);
        let rustup = cmd!("rustup", "target", "add", self.name).stdin_null();
        let download = rustup.start().with_context(|| self.advice())?;
        let end = download.wait_timeout(RUSTUP_LIMIT);
        if end.with_context(|| self.advice())?.is_none() {
            download.kill()?;
            bail!(
                "`{title}` took longer than {} s: {}",
                RUSTUP_LIMIT.as_secs(),
                self.advice()
            );
        }
        Ok(())
    }

    fn advice(&self) -> String {
        let (name, (_, linker)) = (self.name, self.linker);
        format!(
            "no compiler for `{name}`: install the Rust target (`rustup target add {name}`), or on Debian {} and `{linker}`",
            DEBIAN_PACKAGES
                .map(|package| format!("`{package}`"))
                .join(", ")
        )
    }
}

impl Compiler {
    fn program(&self) -> String {
        match self {
            Self::Debian => DEBIAN_COMPILER.to_owned(),
            Self::Toolchain => rust::compiler(),
        }
    }

    /// Returns the compiler's name and version.
    pub(crate) fn version(&self) -> Result<String> {
        process::read("rustc --version", &cmd!(self.program(), "--version"))
    }
}
