//! The tools that the verbs need. They are fetched if this does not change anything outside the project.

pub(crate) mod crates;
pub(crate) mod debian;
pub(crate) mod maven;
pub(crate) mod node;
pub(crate) mod python;
pub(crate) mod rust;
pub(crate) mod target;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use semver::{Version, VersionReq};

use crate::process;

/// Returns the version of a program if it meets `requirement`.
///
/// # Errors
///
/// Fails with `advice` if the program is missing or too old.
pub(crate) fn require_version(program: &str, requirement: &str, advice: &str) -> Result<Version> {
    let output = process::read(&format!("{program} --version"), &cmd!(program, "--version"))
        .context(advice.to_owned())?;
    let number = output.trim_start_matches(|character: char| !character.is_ascii_digit());
    let number = number
        .split(|character: char| character != '.' && !character.is_ascii_digit())
        .next()
        .unwrap_or_default();
    let version = Version::parse(number)
        .with_context(|| format!("cannot parse the version of `{program}`: `{output}`"))?;
    ensure!(
        VersionReq::parse(requirement)?.matches(&version),
        "`{program}` is version {version}: {advice}"
    );
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::require_version;

    #[test]
    fn the_error_for_an_old_or_missing_program_contains_the_advice() {
        let old = require_version("cargo", ">=999", "install a newer one").unwrap_err();
        assert!(
            format!("{old:#}").starts_with("`cargo` is")
                && format!("{old:#}").ends_with("install a newer one")
        );
        let missing = require_version("no-such-program", ">=1", "install it").unwrap_err();
        assert!(format!("{missing:#}").starts_with("install it"));
    }
}
