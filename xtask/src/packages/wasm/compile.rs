//! Compiles Rust to wasm with an available compiler.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duct::cmd;

use crate::process;
use crate::project::Project;
use crate::report;
use crate::tools::{debian, rust};

const TARGET: &str = "wasm32-unknown-unknown";
const ENGINE: &str = "smithy-waiters-js";

/// Debian's compiler for the web. Its packages contain the source of the standard library.
const DEBIAN_COMPILER: &str = "/usr/bin/rustc";
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "rust-web-src", "lld"];

const ADVICE: &str = "no compiler for wasm: install the Rust target `wasm32-unknown-unknown` (`rustup target add \
                      wasm32-unknown-unknown`), or on Debian `rustc-web`, `rust-web-src` and `lld`";

/// Options that reduce the size of the standard library, which Debian's compiler builds from source.
///
/// They select its small algorithms, remove the messages of panics, which the wasm cannot report, and reduce `{:?}` to
/// the names of types and variants.
const DEBIAN_BUILD: &[&str] = &[
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];
const DEBIAN_FLAGS: &[&str] = &[
    "-Cpanic=immediate-abort",
    "-Zunstable-options",
    "-Zfmt-debug=shallow",
];

/// The version of Debian's compiler for the reproducible build, to which the recorded sizes apply.
pub(super) const REPRODUCIBLE: &str =
    "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";

/// The timeout of a download.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// Compiles the engine and returns the path of the wasm, without glue.
///
/// # Errors
///
/// Fails if no compiler for wasm is available (the error lists the packages to install), or if the compiler fails.
pub(crate) fn engine(project: &Project) -> Result<PathBuf> {
    build(project, ENGINE, &[])?;
    Ok(output(project, "smithy_waiters_js"))
}

/// Compiles the engine without retries, pagination, compression and idempotency.
pub(crate) fn waiters_only(project: &Project) -> Result<PathBuf> {
    build(project, ENGINE, &["--no-default-features"])?;
    Ok(output(project, "smithy_waiters_js"))
}

/// Compiles the module of the component.
pub(crate) fn component(project: &Project) -> Result<PathBuf> {
    build(project, "smithy-waiters-component", &[])?;
    Ok(output(project, "smithy_waiters_component"))
}

/// Compiles a program of the workspace and returns the path of the wasm.
pub(crate) fn program(project: &Project, package: &str) -> Result<PathBuf> {
    build(project, package, &[])?;
    Ok(output(project, package))
}

/// Returns `true` if this machine's build is the reproducible one.
pub(crate) fn is_reproducible() -> Result<bool> {
    let compiler = Compiler::choose()?;
    Ok(matches!(compiler, Compiler::Debian) && compiler.version()? == REPRODUCIBLE)
}

fn build(project: &Project, package: &str, features: &[&str]) -> Result<()> {
    let compiler = Compiler::choose()?;
    report::note(&format!("compiling {package} with {}", compiler.version()?));
    let arguments = [
        "build",
        "--package",
        package,
        "--profile",
        "wasm",
        "--target",
        TARGET,
    ];
    let arguments = [&arguments, features].concat();
    process::run(
        &format!("cargo {}", arguments.join(" ")),
        &compiler.build(project, &arguments)?,
    )
}

fn output(project: &Project, name: &str) -> PathBuf {
    let folder = project.target("wasm").join(TARGET).join("wasm");
    folder.join(format!("{name}.wasm"))
}

/// The compiler.
enum Compiler {
    /// Debian's `rustc-web`, which also builds the standard library.
    Debian,
    /// The toolchain for all other builds.
    Toolchain,
}

impl Compiler {
    fn choose() -> Result<Self> {
        if rust::has_target(TARGET)? {
            return Ok(Self::Toolchain);
        }
        if debian::is_here() {
            debian::install(DEBIAN_PACKAGES).context(ADVICE)?;
            return Ok(Self::Debian);
        }
        add_target()?;
        Ok(Self::Toolchain)
    }

    fn program(&self) -> String {
        match self {
            Self::Debian => DEBIAN_COMPILER.to_owned(),
            Self::Toolchain => rust::compiler(),
        }
    }

    fn version(&self) -> Result<String> {
        process::read("rustc --version", &cmd!(self.program(), "--version"))
    }

    /// Returns the command of the build. It uses a separate target folder, because cargo rebuilds everything if the
    /// compiler changes.
    fn build(&self, project: &Project, arguments: &[&str]) -> Result<duct::Expression> {
        let (extra, flags) = match self {
            Self::Debian => (DEBIAN_BUILD, DEBIAN_FLAGS),
            Self::Toolchain => (&[][..], &[][..]),
        };
        let paths = rust::portable_paths(project, &self.program())?;
        let flags = [flags, &[&paths]].concat().join("\x1f");
        let command = process::cargo(project, &[arguments, extra].concat())
            .env("CARGO_TARGET_DIR", project.target("wasm"))
            .env("CARGO_ENCODED_RUSTFLAGS", flags);
        Ok(match self {
            Self::Debian => command
                .env("RUSTC", DEBIAN_COMPILER)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld"),
            Self::Toolchain => command,
        })
    }
}

fn add_target() -> Result<()> {
    let title = format!("rustup target add {TARGET}");
    report::command(&title);
    let rustup = cmd!("rustup", "target", "add", TARGET).stdin_null();
    let download = rustup.start().context(ADVICE)?;
    if download
        .wait_timeout(RUSTUP_LIMIT)
        .context(ADVICE)?
        .is_none()
    {
        download.kill()?;
        bail!(
            "`{title}` took longer than {} s: {ADVICE}",
            RUSTUP_LIMIT.as_secs()
        );
    }
    Ok(())
}
