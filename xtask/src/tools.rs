//! The tools that the verbs need: checked, and fetched where that can be done without touching anything outside the project.

pub(crate) mod crates;
pub(crate) mod debian;
pub(crate) mod maven;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod rust;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use semver::{Version, VersionReq};

use crate::process;

/// The version of a program, when it is one that will do.
///
/// # Errors
///
/// When the program is not there or too old; `advice` says what to install.
pub(crate) fn require_version(program: &str, wanted: &str, advice: &str) -> Result<Version> {
    let printed = process::read(&format!("{program} --version"), &cmd!(program, "--version"))
        .context(advice.to_owned())?;
    let number = printed.trim_start_matches(|character: char| !character.is_ascii_digit());
    let number = number
        .split(|character: char| character != '.' && !character.is_ascii_digit())
        .next()
        .unwrap_or_default();
    let version = Version::parse(number)
        .with_context(|| format!("`{program}` has a version of its own kind: `{printed}`"))?;
    ensure!(
        VersionReq::parse(wanted)?.matches(&version),
        "`{program}` is {version}: {advice}"
    );
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::require_version;

    #[test]
    fn an_old_or_missing_program_is_named_with_the_advice() {
        let old = require_version("cargo", ">=999", "install a newer one").unwrap_err();
        assert!(
            format!("{old:#}").starts_with("`cargo` is")
                && format!("{old:#}").ends_with("install a newer one")
        );
        let missing = require_version("no-such-program", ">=1", "install it").unwrap_err();
        assert!(format!("{missing:#}").starts_with("install it"));
    }
}
