//! Wasm to the engine's files: the glue, the constants and the wasm as text, each with its types, and the wasm itself.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasmparser::{Parser, Payload};

use super::{constants, text};
use crate::process;
use crate::project::{self, Project};
use crate::tools::{node, rust};

/// The only modules that the wasm may ask its host for: the glue itself, and the hand-written reads of JavaScript values.
const HOST_MODULES: &[&str] = &["./engine_bg.js", "./host-imports.js"];

/// Writes `engine/{engine,constants,text}.{js,d.ts}` and `engine.wasm`.
///
/// # Errors
///
/// When a tool fails, or the wasm asks for more than it may, or has a path of this machine in it.
pub(crate) fn write(project: &Project, compiled: &Path, stage: &Path) -> Result<()> {
    let folder = stage.join("engine");
    project::fresh_folder(&folder)?;
    bindgen(compiled, &folder)?;
    let module = folder.join("engine_bg.wasm");
    optimise(project, &module, &stage.join("engine.wasm"))?;
    for name in ["engine_bg.wasm", "engine_bg.wasm.d.ts"] {
        fs::remove_file(folder.join(name))?;
    }
    let wasm = fs::read(stage.join("engine.wasm"))?;
    check_imports(&wasm)?;
    check_paths(project, &wasm)?;
    constants::write(&folder)?;
    text::write(&wasm, &folder)
}

fn bindgen(compiled: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).out_name("engine").web(true)?;
    // The package hands over the bytes itself; with a path in the glue, bundlers would emit the wasm a second time.
    bindgen
        .omit_default_module_path(true)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .generate(folder)
        .context("the glue of the wasm could not be written")
}

/// Writes a module again, smaller.
pub(in crate::packages) fn optimise(project: &Project, from: &Path, to: &Path) -> Result<()> {
    let passes = [
        "-Oz",
        "--flatten",
        "--rereloop",
        "-Oz",
        "-Oz",
        // These make it a percent smaller, and larger by as much once it is packed, as it is wherever it is sent.
        "--skip-pass=simplify-locals",
        "--skip-pass=local-cse",
        "--skip-pass=memory-packing",
        // The stack grows down to there: what runs into it has overflowed.
        "--low-memory-unused",
        // What it says is for linkers.
        "--strip-target-features",
    ];
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    let arguments = [&passes[..], &[&from, "--output", &to]].concat();
    let tool = node::tool(&project.path("npm"), "binaryen/bin/wasm-opt", &arguments);
    process::run("wasm-opt -Oz", &tool)
}

fn check_imports(wasm: &[u8]) -> Result<()> {
    for payload in Parser::new(0).parse_all(wasm) {
        let Payload::ImportSection(imports) = payload? else {
            continue;
        };
        for import in imports.into_imports() {
            let import = import?;
            ensure!(
                HOST_MODULES.contains(&import.module),
                "the wasm imports `{}` from `{}`",
                import.name,
                import.module
            );
        }
    }
    Ok(())
}

fn check_paths(project: &Project, wasm: &[u8]) -> Result<()> {
    for folder in [project.root().to_owned(), rust::cargo_home()?] {
        let path = folder.to_string_lossy();
        let found = wasm
            .windows(path.len())
            .any(|window| window == path.as_bytes());
        ensure!(!found, "the wasm has the local path `{path}` in it");
    }
    Ok(())
}
