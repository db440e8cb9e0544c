//! Compiles Rust to wasm with an available compiler.

use std::path::PathBuf;

use anyhow::Result;

use crate::project::Project;
use crate::tools::target::{Compiler, Target};

const ENGINE: &str = "smithy-waiters-js";

/// With Debian's compiler, options reduce the size of the standard library.
///
/// They select its small algorithms, remove the messages of panics, which the wasm cannot report, and reduce `{:?}` to
/// the names of types and variants.
const WASM: Target = Target {
    name: "wasm32-unknown-unknown",
    profile: "wasm",
    folder: "wasm",
    linker: ("wasm-ld", "lld"),
    debian_options: [
        &[
            "-Zbuild-std=std,panic_abort",
            "-Zbuild-std-features=optimize_for_size",
        ],
        &[
            "-Cpanic=immediate-abort",
            "-Zunstable-options",
            "-Zfmt-debug=shallow",
        ],
    ],
};

/// The version of Debian's compiler for the reproducible build, to which the recorded sizes apply.
pub(super) const REPRODUCIBLE: &str =
    "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";

/// Compiles the engine and returns the path of the wasm, without glue.
///
/// # Errors
///
/// Fails if no compiler for wasm is available (the error lists the packages to install), or if the compiler fails.
pub(crate) fn engine(project: &Project) -> Result<PathBuf> {
    let folder = WASM.build(project, ENGINE, &[])?;
    Ok(folder.join("smithy_waiters_js.wasm"))
}

/// Compiles the engine without retries, pagination, compression and idempotency.
pub(crate) fn waiters_only(project: &Project) -> Result<PathBuf> {
    let folder = WASM.build(project, ENGINE, &["--no-default-features"])?;
    Ok(folder.join("smithy_waiters_js.wasm"))
}

/// Compiles the module of the component.
pub(crate) fn component(project: &Project) -> Result<PathBuf> {
    let folder = WASM.build(project, "smithy-waiters-component", &[])?;
    Ok(folder.join("smithy_waiters_component.wasm"))
}

/// Compiles a program of the workspace and returns the path of the wasm.
pub(crate) fn program(project: &Project, package: &str) -> Result<PathBuf> {
    let folder = WASM.build(project, package, &[])?;
    Ok(folder.join(format!("{package}.wasm")))
}

/// Returns `true` if this machine's build is the reproducible one.
pub(crate) fn is_reproducible() -> Result<bool> {
    let compiler = WASM.compiler()?;
    Ok(matches!(compiler, Compiler::Debian) && compiler.version()? == REPRODUCIBLE)
}
