//! `cargo xtask wasm`: builds the engine as WebAssembly, and the npm package around it.
//!
//! Compiles Rust to wasm (`compile`), generates the glue with wasm-bindgen (`glue`), reduces the size of the wasm with
//! `wasm-opt`, encodes the wasm as text for hosts that cannot read files (`text`), writes the constants that Rust and
//! TypeScript share (`constants`), and compiles the TypeScript. The result is built in `npm/.dist` and then renamed to
//! `npm/dist`.

pub(super) mod compile;
mod constants;
mod glue;
mod package;
mod size;
mod text;

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::node;

pub(crate) use compile::is_reproducible;
pub(super) use glue::optimise;
pub(crate) use size::Size;

/// Builds the engine's wasm and prepares `npm/` for `npm pack`.
///
/// Uses the toolchain's wasm32-unknown-unknown target if it is installed. Otherwise it uses Debian's `rustc-web`, which
/// it installs if it runs as root, or `rustup target add`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Build even if nothing has changed
    #[arg(long)]
    force: bool,
}

/// Compiles a program of the workspace to wasm, and returns its path.
pub(crate) fn program(project: &Project, package: &str) -> Result<PathBuf> {
    let _lock = project.lock("wasm")?;
    compile::program(project, package)
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    make(project, options.force, false)?;
    sizes(project)
}

/// Builds `npm/dist` if it is not up to date. A `quick` build skips `wasm-opt`; it is not up to date for other builds.
pub(crate) fn make(project: &Project, force: bool, quick: bool) -> Result<()> {
    node::check()?;
    let _lock = project.lock("wasm")?;
    package::set_version(project)?;
    let compiled = compile::engine(project)?;
    let stamp = |quick| stamp(project, &compiled, quick);
    let is_fresh = stamp(false)?.is_fresh()? || (quick && stamp(true)?.is_fresh()?);
    if force || !is_fresh {
        node::install(&project.path("npm"))?;
        build(project, &compiled, quick)?;
        stamp(quick)?.set()?;
    } else {
        report::note("npm/dist is up to date");
    }
    Ok(())
}

/// Builds `npm/dist` in another folder and moves it at the end, so that a failed build preserves the previous one.
fn build(project: &Project, compiled: &Path, quick: bool) -> Result<()> {
    let stage = Stage::open(project)?;
    glue::write(project, compiled, &stage.0, quick)?;
    package::compile_typescript(project, &stage.0)?;
    package::bundle(project, &stage.0)?;
    stage.move_to_dist(project)
}

fn stamp(project: &Project, compiled: &Path, quick: bool) -> Result<Stamp> {
    let npm = [
        "src",
        "bundle.mjs",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
    ]
    .map(|name| project.path("npm").join(name));
    let inputs = Fingerprint::default()
        .text(if quick { "quick" } else { "optimised" })
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

/// The sizes of the whole engine, uncompressed and after gzip.
const ENGINE: [Size; 2] = [
    Size::new("the wasm", 778_000),
    Size::new("the wasm after gzip", 331_500),
];

/// The sizes of the engine with waiters only.
const WAITERS_ONLY: [Size; 2] = [
    Size::new("the wasm with waiters only", 544_770),
    Size::new("the wasm with waiters only, after gzip", 231_684),
];

fn sizes(project: &Project) -> Result<()> {
    let dist = project.path("npm/dist");
    report::size(project, &dist.join("core.js"))?;
    check_sizes(project, &dist, &ENGINE)
}

/// Builds the engine with waiters only, checks its size, and removes it.
///
/// # Errors
///
/// Fails if no compiler for wasm is available, a tool fails, or the wasm is too large.
pub(crate) fn waiters_only(project: &Project) -> Result<()> {
    node::check()?;
    let _lock = project.lock("wasm")?;
    let compiled = compile::waiters_only(project)?;
    node::install(&project.path("npm"))?;
    let stage = Stage::open(project)?;
    glue::write(project, &compiled, &stage.0, false)?;
    check_sizes(project, &stage.0, &WAITERS_ONLY)
}

fn check_sizes(project: &Project, folder: &Path, sizes: &[Size; 2]) -> Result<()> {
    let (raw, gzip) = report::size(project, &folder.join("engine.wasm"))?;
    let [raw_size, gzip_size] = sizes;
    raw_size.check(raw)?;
    gzip_size.check(gzip)
}

/// The folder in which `npm/dist` is built. It is removed when this value is dropped.
struct Stage(PathBuf);

impl Stage {
    fn open(project: &Project) -> Result<Self> {
        let stage = Self(project.path("npm/.dist"));
        project::fresh_folder(&stage.0)?;
        Ok(stage)
    }

    fn move_to_dist(self, project: &Project) -> Result<()> {
        let dist = project.path("npm/dist");
        project::remove(&dist)?;
        Ok(fs::rename(&self.0, &dist)?)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Err(error) = project::remove(&self.0) {
            report::error(&error);
        }
    }
}
