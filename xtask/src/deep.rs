//! `cargo xtask deep`: the checks that take too long for every change, in parts.

mod lost_waits;
mod newest;

use anyhow::Result;
use cargo_metadata::MetadataCommand;
use clap::builder::PossibleValuesParser;

use crate::bench;
use crate::checks::public_api;
use crate::events;
use crate::packages::{licences, wasm, wheel};
use crate::process;
use crate::project::Project;
use crate::report;
use crate::steps::Language::{All, JavaScript, Python, Rust};
use crate::steps::{self, Skipped, Step, part};
use crate::test::{artefacts, generation, javascript};
use crate::tools::maven;

/// The crate with features.
const CRATE: &str = "smithy-waiters";

/// How many random cases each property is held against.
const CASES: &str = "500000";

/// How many random paths, and waiters, the analysis of models is held against.
const CLAIMS: &str = "100000";

/// How many random pairs of an expression and a value Smithy's evaluator gets.
const SMITHY_PAIRS: &str = "60000";

/// Runs the checks that take too long for every change, in parts of at most 20 minutes on two cores.
///
/// `cargo xtask test` checks the same properties on fewer cases. Each part prints its figures; the table at the end has them
/// all. Ends with status 1 if a part failed.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// List the parts and end.
    #[arg(long)]
    list: bool,
    /// Run these parts; separated by commas, or repeated.
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
}

/// The parts.
pub(crate) static STEPS: &[Step] = &[
    part("public-api", Rust, "list of public items", |project| {
        public_api::check(project)?;
        Ok("the list of public items is up to date".to_owned())
    }),
    part("licences", All, "licences of all crates", |project| {
        licences::check(project)?;
        Ok("the licences of all crates are packed".to_owned())
    }),
    part("features", Rust, "each feature alone", each_feature),
    part("storm", Rust, "picture of the retry storm", storm),
    part("paces", Rust, "picture of the paces of waits", |project| {
        bench::sources::paces(project, &["--check"])?;
        Ok("the picture is up to date".to_owned())
    }),
    part("properties", Rust, "random paths and values", properties),
    part("claims", Rust, "random waiters, analysed", claims),
    part(
        "smithy-jmespath",
        Rust,
        "random pairs, compared with Smithy's evaluator",
        smithy_jmespath,
    ),
    part(
        "smithy-validator",
        Rust,
        "recorded events, compared with Smithy's validator",
        events::check,
    ),
    part(
        "newest-sdk",
        Rust,
        "tests with the newest AWS SDK for Rust",
        newest::run,
    ),
    part(
        "lost-waits",
        All,
        "waits of real clients behind a proxy that fails most requests",
        lost_waits::run,
    ),
    part(
        "release-wheels",
        Python,
        "portable wheels and the source distribution",
        release_wheels,
    ),
    part(
        "waiters-alone",
        JavaScript,
        "size of the wasm with waiters only",
        |project| {
            wasm::waiters_alone(project)?;
            Ok("the wasm with waiters only is below its limit".to_owned())
        },
    ),
    part(
        "node-random",
        JavaScript,
        "random paths and plans, leaks",
        javascript::for_long,
    ),
    part(
        "generated-typescript",
        JavaScript,
        "generated code, random responses",
        generation::typescript_for_long,
    ),
    part(
        "generated-python",
        Python,
        "generated code, random responses",
        generation::python_for_long,
    ),
    part("bench-rust", Rust, "benchmarks", |project| {
        bench::one(project, "rust")
    }),
    part("bench-javascript", JavaScript, "benchmarks", |project| {
        bench::one(project, "javascript")
    }),
    part("bench-python", Python, "benchmarks", |project| {
        bench::one(project, "python")
    }),
    part(
        "bench-model",
        Rust,
        "benchmarks of the command",
        |project| bench::one(project, "model"),
    ),
];

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if options.list {
        for Step { name, about, .. } in STEPS {
            report::note(&format!("{name:24}{about}"));
        }
        return Ok(());
    }
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
    ran.describe(&format!(
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
