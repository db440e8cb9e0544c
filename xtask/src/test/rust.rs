//! The checks of the Rust workspace.

use anyhow::Result;

use super::counts;
use crate::process;
use crate::project::Project;

pub(super) fn format(project: &Project) -> Result<String> {
    cargo(project, &["fmt", "--all", "--check"])?.covered("all crates")
}

pub(super) fn clippy(project: &Project) -> Result<String> {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "--deny",
        "warnings",
    ];
    cargo(project, &arguments)?.covered("all crates, targets and features")
}

/// The public documentation: a link that leads nowhere is an error.
pub(super) fn documentation(project: &Project) -> Result<String> {
    let arguments = [
        "doc",
        "--package",
        "smithy-waiters",
        "--package",
        "smithy-waiters-derive",
        "--all-features",
        "--no-deps",
    ];
    let doc = process::cargo(project, &arguments).env("RUSTDOCFLAGS", "--deny warnings");
    process::tee(&format!("cargo {}", arguments.join(" ")), &doc)?.covered("the public items")
}

pub(super) fn tests(project: &Project) -> Result<String> {
    cargo(
        project,
        &["test", "--workspace", "--all-features", "--no-fail-fast"],
    )?
    .summed_up(counts::cargo_test)
}

fn cargo(project: &Project, arguments: &[&str]) -> Result<process::Finished> {
    process::tee(
        &format!("cargo {}", arguments.join(" ")),
        &process::cargo(project, arguments),
    )
}
