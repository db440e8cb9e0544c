//! Rust to wasm, with whichever compiler can.

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

/// Debian's compiler for the web; it brings the standard library as source.
const DEBIAN_COMPILER: &str = "/usr/bin/rustc";
const DEBIAN_PACKAGES: &[&str] = &["rustc-web", "rust-web-src", "lld"];

const ADVICE: &str = "no compiler for wasm: install the Rust target `wasm32-unknown-unknown` (`rustup target add \
                      wasm32-unknown-unknown`), or on Debian `rustc-web`, `rust-web-src` and `lld`";

/// Debian's compiler builds the standard library from source, and so may build it for size: its small algorithms, no
/// words for panics (which a wasm has nobody to tell), and of `{:?}` the names of types and variants only.
const DEBIAN_BUILD: &[&str] = &[
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];
const DEBIAN_FLAGS: &[&str] = &[
    "-Cpanic=immediate-abort",
    "-Zunstable-options",
    "-Zfmt-debug=shallow",
];

/// The version of Debian's compiler that makes the reproducible build, whose sizes are recorded.
pub(super) const REPRODUCIBLE: &str =
    "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";

/// A download that has not come by then will not come.
const RUSTUP_LIMIT: Duration = Duration::from_secs(180);

/// Compiles the engine and gives the path of the wasm, still without glue.
///
/// # Errors
///
/// When there is no compiler for wasm and none can be had (the error says what to install), or when it fails.
pub(crate) fn engine(project: &Project) -> Result<PathBuf> {
    build(project, ENGINE, &[])?;
    Ok(output(project, "smithy_waiters_js"))
}

/// The same without retries, pagination, compression and idempotency.
pub(crate) fn waiters_alone(project: &Project) -> Result<PathBuf> {
    build(project, ENGINE, &["--no-default-features"])?;
    Ok(output(project, "smithy_waiters_js"))
}

/// Compiles the module of the component.
pub(crate) fn component(project: &Project) -> Result<PathBuf> {
    build(project, "smithy-waiters-component", &[])?;
    Ok(output(project, "smithy_waiters_component"))
}

/// Compiles a program of the workspace, likewise.
pub(crate) fn program(project: &Project, package: &str) -> Result<PathBuf> {
    build(project, package, &[])?;
    Ok(output(project, package))
}

/// Whether this machine makes the reproducible build.
pub(super) fn is_reproducible() -> Result<bool> {
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

/// Who compiles.
enum Compiler {
    /// Debian's `rustc-web`, which builds the standard library too.
    Debian,
    /// The toolchain that compiles everything else.
    Own,
}

impl Compiler {
    fn choose() -> Result<Self> {
        if own_target()? {
            return Ok(Self::Own);
        }
        if debian::is_here() {
            debian::install(DEBIAN_PACKAGES).context(ADVICE)?;
            return Ok(Self::Debian);
        }
        add_target()?;
        Ok(Self::Own)
    }

    fn program(&self) -> String {
        match self {
            Self::Debian => DEBIAN_COMPILER.to_owned(),
            Self::Own => rust::compiler(),
        }
    }

    fn version(&self) -> Result<String> {
        process::read("rustc --version", &cmd!(self.program(), "--version"))
    }

    /// A target folder of its own: another compiler would throw away the normal build's work.
    fn build(&self, project: &Project, arguments: &[&str]) -> Result<duct::Expression> {
        let (extra, flags) = match self {
            Self::Debian => (DEBIAN_BUILD, DEBIAN_FLAGS),
            Self::Own => (&[][..], &[][..]),
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
            Self::Own => command,
        })
    }
}

fn own_target() -> Result<bool> {
    Ok(rust::sysroot(&rust::compiler())?
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir())
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
