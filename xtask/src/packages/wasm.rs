//! `cargo xtask wasm`: the engine as WebAssembly, and the npm package around it.
//!
//! Rust to wasm (`compile`), the glue that wasm-bindgen writes (`glue`), a smaller wasm (`wasm-opt`), the same bytes as text for
//! hosts that cannot read files, the constants of both sides (`constants`), the hand-written TypeScript: all into `npm/.dist`,
//! which becomes `npm/dist` when it is whole.

pub(super) mod compile;
mod constants;
mod glue;
mod package;
mod size;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::node;

pub(super) use glue::optimise;
pub(crate) use size::Size;

/// Builds the engine's wasm and leaves `npm/` ready for `npm pack`.
///
/// Uses the toolchain's own wasm32-unknown-unknown target where it is installed; else Debian's `rustc-web` (installed when this
/// is root); else `rustup target add`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even when nothing has changed.
    #[arg(long)]
    force: bool,
}

/// Compiles a program of the workspace to wasm, and gives its path.
pub(crate) fn program(project: &Project, package: &str) -> Result<PathBuf> {
    let _lock = project.lock("wasm")?;
    compile::program(project, package)
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    node::check()?;
    let _lock = project.lock("wasm")?;
    package::set_version(project)?;
    let compiled = compile::engine(project)?;
    let stamp = stamp(project, &compiled)?;
    if !options.force && stamp.is_fresh()? {
        report::note("npm/dist is up to date");
        return sizes(project);
    }
    node::install(&project.path("npm"))?;
    build(project, &compiled)?;
    stamp.set()?;
    sizes(project)
}

/// Everything of `npm/dist` is made beside it and moved at the end: a build that fails leaves what was there.
fn build(project: &Project, compiled: &Path) -> Result<()> {
    let stage = Stage::open(project)?;
    glue::write(project, compiled, &stage.0)?;
    package::compile_typescript(project, &stage.0)?;
    package::bundle(project, &stage.0)?;
    stage.become_dist(project)
}

fn stamp(project: &Project, compiled: &Path) -> Result<Stamp> {
    let npm = [
        "src",
        "bundle.mjs",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
    ]
    .map(|name| project.path("npm").join(name));
    let inputs = Fingerprint::default()
        .files(&[compiled.to_owned()])?
        .sources(&npm)?;
    let inputs = inputs.sources(
        &["xtask/src/packages/wasm", constants::SOURCE, "Cargo.lock"]
            .map(|name| project.path(name)),
    )?;
    Ok(Stamp::new(
        project.target("wasm/dist.stamp"),
        inputs,
        &[project.path("npm/dist")],
    ))
}

/// All that the package has, as it is and after gzip.
const WHOLE: [Size; 2] = [
    Size::of("the wasm", 453_909),
    Size::of("the wasm after gzip", 195_991),
];

/// The waiters' engine alone.
const WAITERS_ALONE: [Size; 2] = [
    Size::of("the wasm of waiters alone", 386_801),
    Size::of("the wasm of waiters alone after gzip", 168_542),
];

fn sizes(project: &Project) -> Result<()> {
    let dist = project.path("npm/dist");
    report::size(project, &dist.join("core.js"))?;
    check_sizes(project, &dist, &WHOLE)
}

/// Builds the waiters' engine without the rest and checks its size; nothing of it is kept.
///
/// # Errors
///
/// When there is no compiler for wasm or a tool fails, and when it is too large.
pub(crate) fn waiters_alone(project: &Project) -> Result<()> {
    node::check()?;
    let _lock = project.lock("wasm")?;
    let compiled = compile::waiters_alone(project)?;
    node::install(&project.path("npm"))?;
    let stage = Stage::open(project)?;
    glue::write(project, &compiled, &stage.0)?;
    check_sizes(project, &stage.0, &WAITERS_ALONE)
}

fn check_sizes(project: &Project, folder: &Path, sizes: &[Size; 2]) -> Result<()> {
    let (raw, gzip) = report::size(project, &folder.join("engine.wasm"))?;
    let [raw_size, gzip_size] = sizes;
    raw_size.check(raw)?;
    gzip_size.check(gzip)
}

/// The folder in which `npm/dist` grows; gone when this value is.
struct Stage(PathBuf);

impl Stage {
    fn open(project: &Project) -> Result<Self> {
        let stage = Self(project.path("npm/.dist"));
        project::fresh_folder(&stage.0)?;
        Ok(stage)
    }

    fn become_dist(self, project: &Project) -> Result<()> {
        let dist = project.path("npm/dist");
        project::remove(&dist)?;
        fs::rename(&self.0, &dist).context("cannot move `npm/.dist` to `npm/dist`")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Err(error) = project::remove(&self.0) {
            report::error(&error);
        }
    }
}
