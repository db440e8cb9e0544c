//! Compares `docs/dependencies.md` with the dependencies of the published packages.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use crate::process;
use crate::project::{self, Project};

/// The folders of the crates that are not published, but compiled into a package that is.
const COMPILED: [&str; 3] = ["bindings-js", "bindings-py", "component"];

/// The prefix of the project's own crates.
const OWN: &str = "smithy-waiters";

/// Checks that each dependency has a line, and each line a dependency.
pub(crate) fn check(project: &Project) -> Result<String> {
    let packages = process::own_packages(project)?;
    let published = packages.iter().filter(|package| {
        let is_compiled = |folder| package.manifest_path.starts_with(project.path(folder));
        package.is_published() || COMPILED.into_iter().any(is_compiled)
    });
    let used: BTreeSet<&str> = published
        .flat_map(|package| &package.dependencies)
        .filter(|dependency| dependency.kind.is_none() && !dependency.name.starts_with(OWN))
        .map(|dependency| &*dependency.name)
        .collect();
    let text = project::read(&project.path("docs/dependencies.md"))?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows
        .filter_map(|row| row.split_once(" | "))
        .filter_map(|(names, _)| names.split(" (").next())
        .flat_map(|names| names.split('`').step_by(2))
        .collect();
    let listed_only: Vec<_> = listed.difference(&used).collect();
    let used_only: Vec<_> = used.difference(&listed).collect();
    ensure!(
        listed_only.is_empty() && used_only.is_empty(),
        "docs/dependencies.md lacks {used_only:?}, and has {listed_only:?}, on which no published package depends"
    );
    Ok(format!("{} dependencies with a line each", used.len()))
}
