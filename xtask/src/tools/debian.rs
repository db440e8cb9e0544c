//! Installs Debian packages.

use fs_err as fs;

use anyhow::{Result, bail};
use duct::cmd;

use crate::process;

/// Returns `true` if the system is Debian. Derivatives have different packages.
pub(crate) fn is_here() -> bool {
    fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

/// Installs packages that are missing.
///
/// # Errors
///
/// Fails if a package is missing and the user is not root. The error contains the command that installs it.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    if !is_root() {
        bail!("packages are missing: run `sudo apt-get install --no-install-recommends {names}`");
    }
    process::run("apt-get update", &apt(&["update"]))?;
    let arguments = [
        &["install", "--yes", "--no-install-recommends"],
        missing.as_slice(),
    ]
    .concat();
    process::run(
        &format!("apt-get install --no-install-recommends {names}"),
        &apt(&arguments),
    )
}

fn apt(arguments: &[&str]) -> duct::Expression {
    // Parallel steps wait for each other, because apt itself does not wait.
    let apt = ["/run/lock/smithy-waiters-apt", "apt-get", "--quiet=2"];
    cmd("flock", [&apt, arguments].concat()).env("DEBIAN_FRONTEND", "noninteractive")
}

fn is_installed(package: &str) -> bool {
    let status = cmd!(
        "dpkg-query",
        "--show",
        "--showformat=${db:Status-Status}",
        package
    )
    .stderr_null()
    .read();
    status.is_ok_and(|status| status == "installed")
}

fn is_root() -> bool {
    cmd!("id", "-u").read().is_ok_and(|user| user == "0")
}
