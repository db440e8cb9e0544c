//! `cargo xtask component`: the engine as a WebAssembly component.
//!
//! Compiles Rust to wasm, reduces its size with `wasm-opt`, and wraps it in a component (`component/examples/encode.rs`). The
//! component must not import anything. It is written to `component/dist`, together with the WIT.

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use duct::cmd;
use wasmparser::{Parser, Payload};

use super::wasm::{Size, compile, optimise};
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::node;

/// Builds the engine as a WebAssembly component into `component/dist`, with its WIT.
///
/// The component does not import anything, not even WASI, so every component host can run it.
#[derive(clap::Args, Debug)]
pub(crate) struct Options;

const WIT: &str = "component/wit";
const DIST: &str = "component/dist";

const SIZES: [Size; 2] = [
    Size::new("the component", 702_540),
    Size::new("the component after gzip", 296_656),
];

/// Runs the verb.
///
/// # Errors
///
/// Fails if no compiler for wasm is available, a tool fails, or the component has imports or is too large.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let component = build(project)?;
    let (bytes, gzip) = report::size(project, &component)?;
    let [raw_size, gzip_size] = &SIZES;
    raw_size.check(bytes)?;
    gzip_size.check(gzip)
}

/// Builds the component if it is not up to date, and returns its path.
pub(crate) fn build(project: &Project) -> Result<PathBuf> {
    node::check()?;
    let _lock = project.lock("wasm")?;
    let dist = project.path(DIST);
    let component = dist.join("smithy-waiters.wasm");
    let compiled = compile::component(project)?;
    let inputs = Fingerprint::default().files(std::slice::from_ref(&compiled))?;
    let inputs = inputs.sources(
        &[
            WIT,
            "component/examples",
            "Cargo.lock",
            "xtask/src/packages",
        ]
        .map(|name| project.path(name)),
    )?;
    let stamp = Stamp::new(
        project.target("wasm/component.stamp"),
        inputs,
        std::slice::from_ref(&dist),
    );
    if stamp.is_fresh()? {
        report::note("component/dist is up to date");
        return Ok(component);
    }
    node::install(&project.path("npm"))?;
    project::fresh_folder(&dist)?;
    let module = dist.join("module.wasm");
    optimise(project, &compiled, &module)?;
    encode(project, &module, &component)?;
    fs::remove_file(&module)?;
    fs::copy(
        project.path(WIT).join("waiters.wit"),
        dist.join("waiters.wit"),
    )?;
    stamp.set()?;
    Ok(component)
}

fn encode(project: &Project, module: &Path, component: &Path) -> Result<()> {
    let encoder = process::program(project, "encode")?;
    process::run("encode the component", &cmd!(encoder, module, component))?;
    let imports = imports(&fs::read(component)?)?;
    ensure!(
        imports.is_empty(),
        "the component imports {}",
        imports.join(", ")
    );
    Ok(())
}

/// Returns the names of a component's imports, without those of the modules inside it.
fn imports(component: &[u8]) -> Result<Vec<String>> {
    let (mut names, mut depth) = (Vec::new(), 0_u32);
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                depth = depth.saturating_add(1)
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    names.push(import?.name.0.to_owned());
                }
            }
            _ => {}
        }
    }
    Ok(names)
}
