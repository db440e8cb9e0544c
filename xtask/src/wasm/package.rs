//! The npm package around the engine.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::{Value, json};

use crate::process;
use crate::project::{self, Project, VERSION};
use crate::report;
use crate::tools::node;

/// Gives `npm/package.json` and its lock file the version of the workspace, where they have another.
///
/// # Errors
///
/// When the file cannot be read, or npm fails.
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
///
/// # Errors
///
/// When it does not compile.
pub(crate) fn compile_typescript(project: &Project, stage: &Path) -> Result<()> {
    // The package's own settings, with `stage` in the place of `dist`.
    let settings = json!({
        "extends": "../tsconfig.json",
        "compilerOptions": { "rootDir": "../src", "outDir": ".", "rootDirs": ["../src", "."], "noEmit": false },
        "include": ["../src"],
    });
    let file = stage.join("tsconfig.json");
    project::write(&file, settings.to_string())?;
    process::run(
        "tsc",
        &node::tool(
            &project.path("npm"),
            "typescript/bin/tsc",
            &["--project", &file.to_string_lossy()],
        ),
    )?;
    std::fs::remove_file(file).context("cannot remove the settings of `tsc`")
}

/// What other programs import, and what the tests look into; everything else goes into chunks that these share.
const ENTRIES: &[&str] = &["index.js", "workerd.js", "engine.js", "kernel.js"];

/// Puts the modules in `stage` together into a few: each file costs an import most of a millisecond.
///
/// # Errors
///
/// When rollup fails.
pub(crate) fn bundle(project: &Project, stage: &Path) -> Result<()> {
    let bundle = stage.join("bundle");
    let entries = ENTRIES.iter().flat_map(|entry| ["--input", *entry]);
    let settings = [
        "--dir",
        "bundle",
        "--format",
        "es",
        "--external",
        "./engine.wasm",
        "--chunkFileNames",
        "chunk-[name].js",
        "--failAfterWarnings",
        "--silent",
    ];
    let arguments: Vec<&str> = entries.chain(settings).collect();
    let rollup = node::tool(
        &project.path("npm"),
        "@rollup/wasm-node/dist/bin/rollup",
        &arguments,
    );
    process::run("rollup", &rollup.dir(stage))?;
    for module in modules(stage)? {
        std::fs::remove_file(stage.join(module))?;
    }
    for module in modules(&bundle)? {
        std::fs::rename(bundle.join(&module), stage.join(&module))
            .context("cannot move what rollup made")?;
    }
    project::remove(&bundle)
}

fn modules(folder: &Path) -> Result<Vec<OsString>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name()));
    let is_module = |name: &OsString| Path::new(name).extension().is_some_and(|end| end == "js");
    let names = names.collect::<Result<Vec<_>>>()?;
    Ok(names.into_iter().filter(is_module).collect())
}
