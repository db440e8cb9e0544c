//! The Rust toolchain.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::Project;

/// The compiler that cargo uses here.
pub(crate) fn compiler() -> String {
    env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())
}

/// Where a compiler keeps its libraries.
pub(crate) fn sysroot(compiler: &str) -> Result<PathBuf> {
    let command = cmd!(compiler, "--print", "sysroot");
    Ok(process::read("rustc --print sysroot", &command)?.into())
}

/// Whether the compiler has its library for a target.
pub(crate) fn has_target(target: &str) -> Result<bool> {
    let libraries = sysroot(&compiler())?.join("lib/rustlib").join(target);
    Ok(libraries.join("lib").is_dir())
}

/// Where cargo keeps the sources of the packages we use.
///
/// # Errors
///
/// When the user has no home folder and `CARGO_HOME` is not set.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    if let Some(set) = env::var_os("CARGO_HOME") {
        return Ok(set.into());
    }
    let home = env::home_dir().context("this user has no home folder: set `CARGO_HOME`")?;
    Ok(home.join(".cargo"))
}

/// The value of `CARGO_ENCODED_RUSTFLAGS` with which panic messages name source files by a path that is the same on every
/// machine.
///
/// # Errors
///
/// When the compiler does not start, or there is no home folder.
pub(crate) fn portable_paths(project: &Project, compiler: &str) -> Result<String> {
    let library = sysroot(compiler)?.join("lib/rustlib/src/rust");
    let real_library = library.canonicalize().unwrap_or_else(|_| library.clone());
    // Of two that fit, the later one counts.
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
