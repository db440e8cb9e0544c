//! Builds the npm package around the engine.

use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::{Value, json};

use crate::process;
use crate::project::{self, Project, VERSION};
use crate::report;
use crate::tools::node;

/// Sets the version of `npm/package.json` and its lock file to the workspace's, if it differs.
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
        "setting the version of npm/package.json to {VERSION}"
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
    // The package's own settings, with `stage` instead of `dist`.
    let settings = json!({
        "extends": "../tsconfig.json",
        "compilerOptions": { "rootDir": "../src", "outDir": ".", "rootDirs": ["../src", "."], "noEmit": false },
        "include": ["../src"],
    });
    let file = stage.join("tsconfig.json");
    node::compile_typescript(project, "tsc", &file, &settings)?;
    Ok(fs_err::remove_file(file)?)
}

/// Bundles the modules in `stage`, and removes the types that are not public.
///
/// # Errors
///
/// Fails if `bundle.mjs` fails.
pub(crate) fn bundle(project: &Project, stage: &Path) -> Result<()> {
    let npm = project.path("npm");
    process::run(
        "node bundle.mjs",
        &cmd!("node", "bundle.mjs", stage).dir(npm),
    )
}
