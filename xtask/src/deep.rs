//! `cargo xtask deep`: what takes too long for every change.

use anyhow::Result;
use cargo_metadata::MetadataCommand;
use clap::builder::PossibleValuesParser;

use crate::bench;
use crate::licences;
use crate::process;
use crate::project::Project;
use crate::public_api;
use crate::steps::Language::{All, JavaScript, Python, Rust};
use crate::steps::{self, Skipped, Step, step};
use crate::test::{artefacts, generated, javascript};
use crate::tools::maven;
use crate::wasm;
use crate::wheel;

/// The crate with features.
const CRATE: &str = "smithy-waiters";

/// How many random cases each property is held against.
const CASES: &str = "500000";

/// How many random paths, and waiters, the analysis of models is held against.
const CLAIMS: &str = "100000";

/// How many random pairs of an expression and a value Smithy's evaluator gets.
const SMITHY_PAIRS: &str = "60000";

/// Checks the lists of public items and licences and each feature by itself, draws the storm's picture again, runs the random tests for long, builds all wheels of a release, then runs the benchmarks.
///
/// `cargo xtask test` runs the same properties on fewer cases. Closes with a table of what ran, and ends with status 1 when a
/// step failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Run these steps; with commas between them, or given more than once.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
}

/// All steps.
pub(crate) static STEPS: &[Step] = &[
    step("public-api", Rust, &[], |project| {
        public_api::check(project)?;
        Ok("the list of public items".to_owned())
    }),
    step("licences", All, &[], |project| {
        licences::check(project)?;
        Ok("the licences of all crates are packed".to_owned())
    }),
    step("features", Rust, &[], each_feature),
    step("storm", Rust, &[], storm),
    step("properties", Rust, &[], properties),
    step("claims", Rust, &[], claims),
    step("smithy-jmespath", Rust, &[], smithy_jmespath),
    step("release-wheels", Python, &[], release_wheels),
    step("waiters-alone", JavaScript, &[], |project| {
        wasm::waiters_alone(project)?;
        Ok("the size of the waiters' engine alone".to_owned())
    }),
    step("node-random", JavaScript, &[], |project| {
        javascript::for_long(project)?;
        Ok("random paths and plans, leaks".to_owned())
    }),
    step("generated", All, &[], generated::for_long),
    step("bench", All, &[], |project| {
        bench::run(project, &bench::Options::default())?;
        Ok("target/bench.md".to_owned())
    }),
];

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    steps::run(project, STEPS, &options.only)
}

/// `cargo xtask test` has all of them at once, where one may lean on what another brings.
fn each_feature(project: &Project) -> Result<String> {
    let workspace = MetadataCommand::new()
        .manifest_path(project.path("Cargo.toml"))
        .no_deps()
        .exec()?;
    let crates = workspace.packages.iter();
    let core = crates.filter(|package| package.name == CRATE);
    let features: Vec<&String> = core.flat_map(|core| core.features.keys()).collect();
    for feature in &features {
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
        process::run_cargo(project, &arguments)?;
    }
    Ok(format!("{} features", features.len()))
}

/// Whether the picture is what the simulation draws.
fn storm(project: &Project) -> Result<String> {
    let of_crate = ["run", "--release", "--package", CRATE];
    let arguments = [&of_crate[..], &["--example", "storm", "--", "--check"]].concat();
    process::run_cargo(project, &arguments)?;
    Ok("the picture is up to date".to_owned())
}

fn properties(project: &Project) -> Result<String> {
    at_random(project, CRATE, "shared_paths", ("PROPTEST_CASES", CASES))?;
    Ok(format!("random paths and values, {CASES} cases each"))
}

fn claims(project: &Project) -> Result<String> {
    let model = "smithy-waiters-model";
    at_random(project, model, "claims", ("CLAIMS_CASES", CLAIMS))?;
    Ok(format!("what is said of {CLAIMS} random waiters"))
}

/// Compares the evaluator with Smithy's own.
fn smithy_jmespath(project: &Project) -> Result<String> {
    let classes = maven::smithy(project, &["smithy-jmespath"])
        .map_err(|error| Skipped(format!("cannot run Smithy's evaluator: {error:#}")))?;
    let options = ["--ignored", "--nocapture"];
    let arguments = [
        "test",
        "--package",
        CRATE,
        "--test",
        "smithy_jmespath",
        "--",
    ];
    let tests = process::cargo(project, &[&arguments[..], &options].concat())
        .env("SMITHY_JMESPATH", classes)
        .env("PROPTEST_CASES", SMITHY_PAIRS);
    let ran = process::tee("cargo test --test smithy_jmespath", &tests)?;
    ran.covered(&format!(
        "{SMITHY_PAIRS} random pairs, beside Smithy's evaluator"
    ))
}

/// Runs a test on so many random cases as the variable says.
fn at_random(
    project: &Project,
    package: &str,
    test: &str,
    (variable, cases): (&str, &str),
) -> Result<()> {
    let arguments = ["test", "--release", "--package", package, "--test", test];
    let tests = process::cargo(project, &arguments).env(variable, cases);
    let title = format!("cargo {} ({cases} cases)", arguments.join(" "));
    process::run(&title, &tests)
}

fn release_wheels(project: &Project) -> Result<String> {
    wheel::run(project, &wheel::Options::release_set())?;
    let files = artefacts::portable(project)?;
    artefacts::install_sdist(project)?;
    Ok(format!(
        "all wheels, and one built from the source distribution; of the portable ones {files}"
    ))
}
