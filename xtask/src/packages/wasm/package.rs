//! The npm package around the engine.

use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::{Value, json};

use crate::process;
use crate::project::{self, Project, VERSION};
use crate::report;
use crate::tools::node;

/// Gives `npm/package.json` and its lock file the version of the workspace, where they have another.
pub(crate) fn set_version(project: &Project) -> Result<()> {
    let package: Value = serde_json::from_str(&project::read(&project.path("npm/package.json"))?)
        .context("`npm/package.json`")?;
    let lock: Value = serde_json::from_str(&project::read(&project.path("npm/package-lock.json"))?)
        .context("`npm/package-lock.json`")?;
    let versions = [
        package.get("version"),
        lock.get("version"),
        lock.pointer("/packages//version"),
    ];
    if versions
        .iter()
        .all(|version| *version == Some(&json!(VERSION)))
    {
        return Ok(());
    }
    report::note(&format!(
        "npm/package.json gets the workspace's version {VERSION}"
    ));
    let npm = cmd!(
        node::NPM,
        "version",
        VERSION,
        "--no-git-tag-version",
        "--allow-same-version",
        "--ignore-scripts"
    );
    process::run(
        &format!("npm version {VERSION}"),
        &npm.dir(project.path("npm")),
    )
}

/// Compiles the hand-written TypeScript into `stage`, beside the engine that it imports.
pub(crate) fn compile_typescript(project: &Project, stage: &Path) -> Result<()> {
    // The package's own settings, with `stage` in the place of `dist`.
    let settings = json!({
        "extends": "../tsconfig.json",
        "compilerOptions": { "rootDir": "../src", "outDir": ".", "rootDirs": ["../src", "."], "noEmit": false },
        "include": ["../src"],
    });
    let file = stage.join("tsconfig.json");
    node::compile_typescript(project, "tsc", &file, &settings)?;
    std::fs::remove_file(file).context("cannot remove the settings of `tsc`")
}

/// Puts the modules in `stage` together into a few, and leaves out the types that nobody sees.
///
/// # Errors
///
/// When they do not fit together.
pub(crate) fn bundle(project: &Project, stage: &Path) -> Result<()> {
    let npm = project.path("npm");
    process::run(
        "node bundle.mjs",
        &cmd!("node", "bundle.mjs", stage).dir(npm),
    )
}
