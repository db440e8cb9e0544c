//! Builds the packages again in another folder, and compares their bytes.

use std::path::Path;

use anyhow::{Result, ensure};
use duct::cmd;
use fs_err as fs;
use sha2::{Digest, Sha256};

use crate::packages::{component, wasm, wheel};
use crate::process;
use crate::project::{self, Project};
use crate::report;

/// The verbs that build the packages.
const VERBS: [&str; 3] = ["wasm", "wheel", "component"];

/// The folders that the packages are made of.
const RESULTS: [&str; 3] = ["npm/dist", "python/dist", "component/dist"];

/// Compares the packages of this folder with those of a clone, which has another path and an empty `target/`.
///
/// # Errors
///
/// Fails if a file is not committed, or if a byte of a package differs.
pub(super) fn run(project: &Project) -> Result<String> {
    let status = cmd!("git", "status", "--porcelain").dir(project.root());
    let changes = process::read("git status --porcelain", &status)?;
    ensure!(
        changes.is_empty(),
        "the clone would lack what is not committed:\n{changes}"
    );
    wasm::make(project, false, false)?;
    wheel::run(project, &wheel::Options::default())?;
    component::build(project)?;

    let other = project.target("twice");
    project::remove(&other)?;
    let clone = cmd!("git", "clone", "--quiet", project.root(), &other);
    process::run("git clone", &clone)?;
    for verb in VERBS {
        let build = cmd!("cargo", "xtask", verb)
            .dir(&other)
            .env_remove("CARGO_TARGET_DIR");
        let build = process::without_cargo_variables(&build);
        process::run(&format!("cargo xtask {verb} in the clone"), &build)?;
    }

    let mut count = 0_usize;
    for folder in RESULTS {
        let (here, there) = (project.path(folder), other.join(folder));
        for file in project::list(&here)?.iter().filter(|path| path.is_file()) {
            let name = file.file_name().unwrap_or_default();
            let (first, second) = (hash(file)?, hash(&there.join(name))?);
            ensure!(
                first == second,
                "`{}` differs in the clone",
                project.display(file)
            );
            report::note(&format!("{first}  {}", project.display(file)));
            count = count.saturating_add(1);
        }
    }
    project::remove(&other)?;
    Ok(format!(
        "{count} files of three packages, built in two folders, are equal"
    ))
}

/// Returns the first 16 digits of a file's hash.
fn hash(file: &Path) -> Result<String> {
    let digest = Sha256::digest(fs::read(file)?);
    Ok(report::hex(digest.as_slice()).chars().take(16).collect())
}
