//! `cargo xtask deep`: what takes too long for every change.

use anyhow::Result;

use crate::bench;
use crate::process;
use crate::project::Project;
use crate::public_api;
use crate::report;
use crate::wheel;

/// How many random cases each property is held against.
const CASES: &str = "500000";

/// Checks the list of public items, runs the random tests for long, builds all wheels of a release, then runs the benchmarks.
///
/// `cargo xtask test` runs the same properties on fewer cases.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    report::heading("public items (Rust)");
    public_api::check(project)?;
    report::heading("random paths and values");
    let arguments = [
        "test",
        "--release",
        "--package",
        "smithy-waiters",
        "--test",
        "linear",
    ];
    let tests = process::cargo(project, &arguments).env("PROPTEST_CASES", CASES);
    process::run(
        &format!("cargo {} ({CASES} cases)", arguments.join(" ")),
        &tests,
    )?;
    report::heading("the Python package's files");
    wheel::run(project, &wheel::Options::release_set())?;
    bench::run(project, &bench::Options::default())
}
