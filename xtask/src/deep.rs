//! `cargo xtask deep`: what takes too long for every change.

use anyhow::Result;
use cargo_metadata::MetadataCommand;

use crate::bench;
use crate::licences;
use crate::process;
use crate::project::Project;
use crate::public_api;
use crate::report;
use crate::test::{artefacts, generated, javascript};
use crate::wasm;
use crate::wheel;

/// The crate with features.
const CRATE: &str = "smithy-waiters";

/// How many random cases each property is held against.
const CASES: &str = "500000";

/// Checks the lists of public items and licences and each feature by itself, draws the storm's picture again, runs the random tests for long, builds all wheels of a release, then runs the benchmarks.
///
/// `cargo xtask test` runs the same properties on fewer cases.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    report::heading("public items (Rust)");
    public_api::check(project)?;
    report::heading("licences");
    licences::check(project)?;
    report::heading("each feature by itself (Rust)");
    each_feature(project)?;
    report::heading("the picture of a storm (Rust)");
    let arguments = [
        "run",
        "--release",
        "--package",
        CRATE,
        "--example",
        "storm",
        "--",
        "--check",
    ];
    let storm = process::cargo(project, &arguments);
    process::run(&format!("cargo {}", arguments.join(" ")), &storm)?;
    report::heading("random paths and values");
    let arguments = ["test", "--release", "--package", CRATE, "--test", "linear"];
    let tests = process::cargo(project, &arguments).env("PROPTEST_CASES", CASES);
    process::run(
        &format!("cargo {} ({CASES} cases)", arguments.join(" ")),
        &tests,
    )?;
    report::heading("the Python package's files");
    wheel::run(project, &wheel::Options::release_set())?;
    artefacts::install_sdist(project)?;
    report::heading("the size of the waiters' engine alone (wasm)");
    wasm::waiters_alone(project)?;
    report::heading("the npm package's random tests and leaks");
    javascript::for_long(project)?;
    report::heading("generated matchers on random responses (TypeScript, Python)");
    generated::for_long(project)?;
    bench::run(project, &bench::Options::default())
}

/// `cargo xtask test` has all of them at once, where one may lean on what another brings.
fn each_feature(project: &Project) -> Result<()> {
    let workspace = MetadataCommand::new()
        .manifest_path(project.path("Cargo.toml"))
        .no_deps()
        .exec()?;
    let crates = workspace.packages.iter();
    let core = crates.filter(|package| package.name == CRATE);
    for feature in core.flat_map(|core| core.features.keys()) {
        let arguments = [
            "clippy",
            "--quiet",
            "--package",
            CRATE,
            "--no-default-features",
            "--features",
            feature,
            "--",
            "--deny",
            "warnings",
        ];
        let clippy = process::cargo(project, &arguments);
        process::run(&format!("cargo {}", arguments.join(" ")), &clippy)?;
    }
    Ok(())
}
