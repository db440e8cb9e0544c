//! The Rust toolchain.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::Project;

/// Returns the compiler that cargo uses.
pub(crate) fn compiler() -> String {
    env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())
}

/// Returns the folder of a compiler's libraries.
pub(crate) fn sysroot(compiler: &str) -> Result<PathBuf> {
    let command = cmd!(compiler, "--print", "sysroot");
    Ok(process::read("rustc --print sysroot", &command)?.into())
}

/// Returns the compiler's target for this machine.
pub(crate) fn host() -> Result<String> {
    let command = cmd!(compiler(), "--print", "host-tuple");
    process::read("rustc --print host-tuple", &command)
}

/// Returns `true` if the compiler's library for a target is installed.
pub(crate) fn has_target(target: &str) -> Result<bool> {
    let libraries = sysroot(&compiler())?.join("lib/rustlib").join(target);
    Ok(libraries.join("lib").is_dir())
}

/// Returns cargo's home folder, which contains the sources of packages.
///
/// # Errors
///
/// Fails if the user does not have a home folder and `CARGO_HOME` is not set.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("CARGO_HOME") {
        return Ok(folder.into());
    }
    let home = env::home_dir().context("this user has no home folder: set `CARGO_HOME`")?;
    Ok(home.join(".cargo"))
}

/// Returns the value of `CARGO_ENCODED_RUSTFLAGS` that makes the source paths in panic messages equal on all machines.
///
/// # Errors
///
/// Fails if the compiler does not start or the user does not have a home folder.
pub(crate) fn portable_paths(project: &Project, compiler: &str) -> Result<String> {
    let library = sysroot(compiler)?.join("lib/rustlib/src/rust");
    let real_library = library.canonicalize().unwrap_or_else(|_| library.clone());
    // If several prefixes match, the compiler uses the last one.
    let names = [
        (project.root().to_owned(), "."),
        (cargo_home()?, "cargo"),
        (library, "rust"),
        (real_library, "rust"),
    ];
    let flag =
        |(path, name): &(PathBuf, &str)| format!("--remap-path-prefix={}={name}", path.display());
    Ok(names.iter().map(flag).collect::<Vec<_>>().join("\x1f"))
}
