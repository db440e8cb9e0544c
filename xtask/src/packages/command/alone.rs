//! The program linked statically with musl, which runs on every Linux of its architecture, without any other file.

use fs_err as fs;
use std::env::consts::ARCH;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::project::{self, Project};
use crate::tools::target::Target;

#[cfg(target_arch = "aarch64")]
const NAME: &str = "aarch64-unknown-linux-musl";
#[cfg(not(target_arch = "aarch64"))]
const NAME: &str = "x86_64-unknown-linux-musl";

/// The folder for the linker, in `target/`.
const LIBRARIES: &str = "static/lib";

const EMPTY_ARCHIVE: &str = "!<arch>\n";

/// The target, with the linker of Debian's musl.
const TARGET: Target = Target {
    name: NAME,
    profile: "command",
    folder: "static",
    linker: ("musl-gcc", "musl-tools"),
    debian_options: [
        &[
            "-Zbuild-std=std,panic_abort",
            "-Zbuild-std-features=optimize_for_size",
        ],
        &[
            // Rust's own copy of musl is a part of the library for the target, which Debian does not have.
            "-Clink-self-contained=no",
            "-Lnative=target/static/lib",
            // Debian's musl cannot link programs that are static and independent of their position.
            "-Crelocation-model=static",
            // Nothing unwinds the stack: a panic prints its message and then aborts. An error asks for a backtrace if
            // `RUST_BACKTRACE` is set, and gets none: the function calls nothing and returns a number.
            "-Clink-arg=-Wl,--defsym=_Unwind_Backtrace=getpid",
            "-Clink-arg=-Wl,--defsym=_Unwind_GetIP=abort",
            "-Clink-arg=-Wl,--defsym=_Unwind_GetIPInfo=abort",
            "-Clink-arg=-Wl,--defsym=_Unwind_GetCFA=abort",
            "-Clink-arg=-Wl,--defsym=_Unwind_FindEnclosingFunction=abort",
        ],
    ],
};

/// Compiles the program, and returns its target and its path.
pub(super) fn build(project: &Project) -> Result<(&'static str, PathBuf)> {
    ensure!(
        cfg!(target_os = "linux") && matches!(ARCH, "aarch64" | "x86_64"),
        "the static program is for Linux on aarch64 and x86_64, and is built there"
    );
    let _lock = project.lock("static")?;
    // The standard library requires this library, but the options above replace its functions.
    let library = project.target(LIBRARIES).join("libunwind.a");
    project::write(&library, EMPTY_ARCHIVE)?;
    let folder = TARGET.build(project, "smithy-waiters-cli", &["--locked"])?;
    let program = folder.join("smithy-waiters");
    // The place in the `Dockerfile`, where Docker looks for the program of a platform.
    let image = image(project);
    let folder = image.parent().context("a file without a folder")?;
    fs::create_dir_all(folder)?;
    fs::copy(&program, &image)?;
    Ok((NAME, image))
}

fn image(project: &Project) -> PathBuf {
    let cpu = if ARCH == "aarch64" { "arm64" } else { "amd64" };
    project.target(&format!("command/linux/{cpu}/smithy-waiters"))
}
