//! Writes the files of the engine: the glue, the constants and the wasm as text, each with its types, and the wasm.

use fs_err as fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasmparser::{Parser, Payload};

use super::{constants, text};
use crate::process;
use crate::project::{self, Project};
use crate::tools::{node, rust};

/// The modules that the wasm may import: the glue, and the hand-written functions that read JavaScript values.
const HOST_MODULES: &[&str] = &["./engine_bg.js", "./host-imports.js"];

/// Writes `engine/{engine,text}.{js,d.ts}`, `constants.{js,d.ts}` and `engine.wasm`, which is not optimised if `quick`.
///
/// # Errors
///
/// Fails if a tool fails, or if the wasm has other imports or contains a path of this machine.
pub(crate) fn write(project: &Project, compiled: &Path, stage: &Path, quick: bool) -> Result<()> {
    let folder = stage.join("engine");
    project::fresh_folder(&folder)?;
    bindgen(compiled, &folder)?;
    let module = folder.join("engine_bg.wasm");
    let wasm = stage.join("engine.wasm");
    if quick {
        fs::copy(&module, &wasm)?;
    } else {
        optimise(project, &module, &wasm)?;
    }
    for name in ["engine_bg.wasm", "engine_bg.wasm.d.ts"] {
        fs::remove_file(folder.join(name))?;
    }
    let wasm = fs::read(wasm)?;
    check_imports(&wasm)?;
    check_paths(project, &wasm)?;
    constants::write(stage)?;
    text::write(&wasm, &folder)
}

fn bindgen(compiled: &Path, folder: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).out_name("engine").web(true)?;
    // The package passes the bytes to the glue. If the glue contained a path, bundlers would emit the wasm a second
    // time.
    bindgen
        .omit_default_module_path(true)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .generate(folder)
        .context("cannot generate the glue of the wasm")?;
    let glue = folder.join("engine.js");
    project::write(&glue, without_effects(&project::read(&glue)?))
}

/// Removes the side effects of the glue's classes, so that bundlers can remove the classes that a program does not use.
fn without_effects(glue: &str) -> String {
    let lines = glue
        .lines()
        .filter(|line| !line.starts_with("if (Symbol.dispose) "));
    let glue: String = lines.flat_map(|line| [line, "\n"]).collect();
    glue.replace(
        "new FinalizationRegistry(",
        "/* @__PURE__ */ new FinalizationRegistry(",
    )
}

/// Reduces the size of a module.
pub(in crate::packages) fn optimise(project: &Project, from: &Path, to: &Path) -> Result<()> {
    let passes = [
        "-Oz",
        "--flatten",
        "--rereloop",
        "-Oz",
        "-Oz",
        // These passes reduce the size by a percent, but increase the compressed size by as much.
        "--skip-pass=simplify-locals",
        "--skip-pass=local-cse",
        "--skip-pass=memory-packing",
        // The stack grows down into low memory, which is otherwise unused.
        "--low-memory-unused",
        // Only linkers use this section.
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
        let contains_path = wasm
            .windows(path.len())
            .any(|window| window == path.as_bytes());
        ensure!(!contains_path, "the wasm contains the local path `{path}`");
    }
    Ok(())
}
