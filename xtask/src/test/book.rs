//! Builds the book in `docs/`, and counts its blocks of code.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::readme;
use crate::process;
use crate::project::{self, Project};
use crate::tools::python::Environment;

/// The pages of packages, whose blocks count, too.
const PACKAGES: [&str; 5] = [
    "README.md",
    "core/README.md",
    "npm/README.md",
    "python/README.md",
    "tools/cli/README.md",
];

/// The words after the fence of blocks that run, and the tests that run them.
const TESTED: [(&str, &str); 4] = [
    ("js", "node-readme"),
    ("python", "pytest"),
    ("rust", "rust-tests"),
    ("sh", "shell"),
];

/// The words after the fence of blocks that contain code and do not run: parts of programs with other services, and lines of other
/// tools.
const SHOWN: [&str; 13] = [
    "console",
    "dockerfile",
    "go",
    "go before",
    "javascript",
    "js before",
    "lua",
    "py",
    "python before",
    "rust before",
    "rust,ignore",
    "sh before",
    "ts",
];

/// The words after the fence of blocks with data or output.
const DATA: [&str; 5] = ["json", "smithy", "text", "toml", "yaml"];

/// Builds the book, which checks its links, and the links of all other pages.
pub(super) fn build(project: &Project) -> Result<String> {
    let blocks = count_blocks(project)?;
    let environment = Environment::open(project, "book")?;
    environment.install_requirements(&project.path("docs/requirements.txt"))?;
    let mkdocs = environment.python(&["-m", "mkdocs", "build"]);
    let mkdocs = mkdocs.dir(project.root()).env("NO_MKDOCS_2_WARNING", "1");
    process::run("mkdocs build", &mkdocs)?;
    Ok(blocks)
}

/// Returns the numbers of blocks by the step that runs them, and the number of those that do not run.
fn count_blocks(project: &Project) -> Result<String> {
    let mut tested: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = 0_usize;
    let pages = readme::book_pages(project)?;
    for page in pages.iter().map(String::as_str).chain(PACKAGES) {
        for (info, _) in readme::all_blocks(&project::read(&project.path(page))?) {
            if let Some((_, step)) = TESTED.iter().find(|(language, _)| *language == info) {
                let count = tested.entry(step).or_default();
                *count = count.saturating_add(1);
            } else if SHOWN.contains(&&*info) {
                shown = shown.saturating_add(1);
            } else if !DATA.contains(&&*info) {
                bail!("`{page}` has a block of `{info}`, which no test knows");
            }
        }
    }
    let total: usize = tested.values().sum();
    let tested: Vec<String> = (tested.iter())
        .map(|(step, count)| format!("{count} in `{step}`"))
        .collect();
    Ok(format!(
        "{total} blocks of code run ({}); {shown} are only shown",
        tested.join(", ")
    ))
}
