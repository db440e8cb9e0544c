//! `cargo xtask deep`: the checks that take too long to run for every change.

mod editors;
mod fuzz;
mod lost_waits;
mod mutants;
mod newest;
mod twice;

use std::ffi::OsString;

use anyhow::Result;
use clap::builder::PossibleValuesParser;
use duct::cmd;

use crate::bench;
use crate::checks::public_api;
use crate::conformance::sdks;
use crate::events;
use crate::packages::{licences, supply, wasm, wheel};
use crate::picture;
use crate::process;
use crate::project::Project;
use crate::report;
use crate::steps::Language::{All, JavaScript, Python, Rust};
use crate::steps::{self, Skipped, Step, part};
use crate::test::durable::{airflow, dbos, lambda, temporal};
use crate::test::shared::Runner;
use crate::test::{
    artefacts, component, counts, javascript, oracle, python, real, roots, rust, shell,
};
use crate::tools::maven;

/// The crate whose features are checked.
const CRATE: &str = "smithy-waiters";

/// The checker of workflows.
const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.8";

/// The number of random cases for each property.
const CASES: &str = "500000";

/// The number of random paths and waiters for the claims of the analysis.
const CLAIMS: &str = "100000";

/// The number of random pairs of an expression and a value that are compared with Smithy's evaluator.
const SMITHY_PAIRS: &str = "60000";

/// The number of orders of the threads, for each test.
const ORDERS: &str = "10000";

/// The number of waits right after a change, for each option.
const STALE_RUNS: &str = "10000";

/// The number of random objects for each preset.
const PRESET_OBJECTS: &str = "20000";

/// The number of waits on each engine whose workers are killed.
const KILLED_WAITS: &str = "1000";

/// The number of waits with the AWS CLI behind a proxy.
const SHELL_WAITS: &str = "200";

/// Runs the checks that take too long to run for every change.
///
/// Most parts take at most 20 minutes on two cores, and none more than an hour. Each prints its results, which are also
/// in the final table. `cargo xtask test` checks the same properties with fewer cases. Exits with status 1 if a part fails.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// List the parts and exit
    #[arg(long)]
    list: bool,
    /// Run only these parts, separated by commas
    #[arg(long, value_name = "PART", value_delimiter = ',', value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Run a single part, in a process that another run of this verb starts
    #[arg(long, hide = true)]
    step: Option<String>,
}

/// The parts of `cargo xtask deep`.
pub(crate) static STEPS: &[Step] = &[
    part("public-api", Rust, "list of public items", |project| {
        public_api::check(project)?;
        Ok("the list of public items is up to date".to_owned())
    }),
    part("licences", All, "licences of all crates", |project| {
        licences::check(project)?;
        Ok("the packages contain the licences of all crates".to_owned())
    }),
    part(
        "supply",
        Rust,
        "licences, sources and versions of all crates",
        supply::check,
    ),
    part(
        "workflows",
        All,
        "the workflows, with actionlint",
        workflows,
    ),
    part(
        "crates",
        Rust,
        "the crates of a release, compiled from their packages",
        supply::package_crates,
    ),
    part(
        "twice",
        All,
        "the packages built in two folders, byte for byte",
        twice::run,
    ),
    part("features", Rust, "each feature on its own", each_feature),
    part("storm", Rust, "image of the retry storm", storm),
    part("paces", Rust, "image of the paces of waits", |project| {
        bench::sources::paces(project, &["--check"])?;
        Ok("the image is up to date".to_owned())
    }),
    part(
        "picture",
        All,
        "moving picture of a wait, against the command",
        picture::check,
    ),
    part(
        "editors",
        All,
        "example for Neovim, in Neovim",
        editors::run,
    ),
    part(
        "oracle",
        All,
        "random waits, requests, walks and expressions, against the oracle",
        oracle::for_long,
    ),
    part(
        "oracle-rust",
        Rust,
        "more of them in Rust alone",
        oracle::in_rust,
    ),
    part("properties", Rust, "random paths and values", properties),
    part(
        "presets",
        Rust,
        "random objects of Kubernetes, against kubectl and kstatus",
        presets,
    ),
    part(
        "fuzz",
        Rust,
        "texts, states and events that nobody would write",
        fuzz::run,
    ),
    part(
        "mutants",
        Rust,
        "small changes of the engine, which tests must notice",
        mutants::run,
    ),
    part("threads", Rust, "threads in many orders", threads),
    part(
        "miri",
        Rust,
        "the engine's own tests, with each access of memory checked",
        miri,
    ),
    part("claims", Rust, "claims about random waiters", claims),
    part(
        "component-rust",
        Rust,
        "the component with wasmtime in Rust",
        component::rust,
    ),
    part(
        "generated-rust",
        Rust,
        "generated matchers on random responses, against the engine",
        rust::generated_code_for_long,
    ),
    part(
        "smithy-jmespath",
        Rust,
        "random expressions, against Smithy's evaluator",
        smithy_jmespath,
    ),
    part(
        "smithy-validator",
        Rust,
        "recorded events, against Smithy's validator",
        events::check,
    ),
    part(
        "newest-sdk",
        Rust,
        "tests with the newest AWS SDK for Rust",
        newest::run,
    ),
    part(
        "conformance-sdks",
        All,
        "conformance tests with the waiters of all SDKs",
        sdks::all,
    ),
    part(
        "lost-waits",
        All,
        "waits of real clients behind a failing proxy",
        lost_waits::run,
    ),
    part(
        "faults",
        All,
        "ten minutes of waits of real clients behind a failing proxy: their ends, and what is left",
        real::faults,
    ),
    part(
        "overrun",
        All,
        "500 waits of a service that never answers, in each language",
        overrun,
    ),
    part(
        "shell-waits",
        All,
        "recipes for the shell, and waits of the AWS CLI behind a failing proxy",
        |project| shell::all(project, SHELL_WAITS),
    ),
    part(
        "dbos-killed",
        Python,
        "waits on DBOS whose workers are killed",
        |project| dbos::killed(project, KILLED_WAITS),
    ),
    part(
        "dbos-load",
        Python,
        "10,000 pending waits on DBOS",
        dbos::load,
    ),
    part(
        "dbos-overhead",
        All,
        "processor time of a poll on DBOS",
        dbos::overhead,
    ),
    part(
        "lambda-killed",
        All,
        "waits in durable functions whose workers are killed",
        |project| lambda::killed(project, KILLED_WAITS),
    ),
    part(
        "lambda-strategies",
        Python,
        "waits in durable functions beside the SDK's own strategy",
        lambda::strategies,
    ),
    part(
        "airflow-killed",
        Python,
        "waits on Airflow whose triggerer is killed",
        |project| airflow::killed(project, KILLED_WAITS),
    ),
    part(
        "airflow-oldest",
        Python,
        "waits on the oldest version of Airflow",
        airflow::oldest,
    ),
    part(
        "airflow-restarts",
        Python,
        "jobs on Airflow whose triggerers are stopped, killed and lost",
        airflow::restarts,
    ),
    part(
        "airflow-oldest-restarts",
        Python,
        "the same on the oldest version of Airflow",
        airflow::oldest_restarts,
    ),
    part(
        "temporal",
        All,
        "waits on a Temporal server, and the examples",
        temporal::run,
    ),
    part(
        "temporal-killed",
        All,
        "waits on Temporal whose worker and server are killed",
        |project| temporal::killed(project, KILLED_WAITS),
    ),
    part(
        "temporal-overhead",
        All,
        "cost of a poll on Temporal",
        temporal::overhead,
    ),
    part(
        "pythons",
        Python,
        "tests on all versions of Python, with and without the global lock",
        artefacts::test_on_all,
    ),
    part(
        "release-wheels",
        Python,
        "portable wheels and the source distribution",
        release_wheels,
    ),
    part(
        "command-roots",
        All,
        "the command in systems without Rust and Python",
        roots::run,
    ),
    part(
        "waiters-alone",
        JavaScript,
        "size of the wasm with waiters only",
        |project| {
            wasm::waiters_only(project)?;
            Ok("the wasm with waiters only is below its limit".to_owned())
        },
    ),
    part(
        "node-random",
        JavaScript,
        "random paths and plans, leaks",
        javascript::for_long,
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
    part(
        "bench-fleets",
        All,
        "waits for 1,000 instances by real clients",
        |project| bench::one(project, "fleets"),
    ),
    part(
        "stale",
        All,
        "10,000 waits right after a change, for each option",
        stale,
    ),
    part("bench-shell", Rust, "benchmarks of `wait`", |project| {
        bench::one(project, "shell")
    }),
];

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if options.list {
        for Step { name, about, .. } in STEPS {
            report::note(&format!("{name:24}{about}"));
        }
        return Ok(());
    }
    if let Some(name) = &options.step {
        return steps::run_alone(project, STEPS, name);
    }
    // One step at a time, because the benchmarks among them would measure the others, too.
    steps::run(project, "deep", STEPS, &options.only, 1)
}

/// Checks each feature on its own. `cargo xtask test` enables all features, which hides a missing dependency of one.
fn each_feature(project: &Project) -> Result<String> {
    let packages = process::packages(project.root())?;
    let crates = packages.iter();
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

/// Compares the image of the retry storm with the simulation.
fn storm(project: &Project) -> Result<String> {
    let program = ["run", "--release", "--package", CRATE];
    let arguments = [&program[..], &["--example", "storm", "--", "--check"]].concat();
    process::run_cargo(project, &arguments)?;
    Ok("the image is up to date".to_owned())
}

fn properties(project: &Project) -> Result<String> {
    run_random_test(project, CRATE, "shared_paths", ("PROPTEST_CASES", CASES))?;
    Ok(format!("random paths and values, {CASES} cases each"))
}

fn claims(project: &Project) -> Result<String> {
    let model = "smithy-waiters-model";
    run_random_test(project, model, "claims", ("CLAIMS_CASES", CLAIMS))?;
    Ok(format!("claims about {CLAIMS} random waiters"))
}

/// Ends many waits at their deadline while their calls hang, with real connections and clocks.
fn overrun(project: &Project) -> Result<String> {
    let rust = [
        "run",
        "--release",
        "--package",
        CRATE,
        "--features",
        "tokio",
    ];
    let rust = process::cargo(project, &[&rust[..], &["--example", "hanging"]].concat());
    let environment = python::with_package(project)?;
    let python = environment.python(&["tests/real/hanging.py"]);
    let folder = javascript::with_package(project)?;
    let program = folder.join("hanging.mjs");
    fs_err::copy(project.path("tests/real/hanging.mjs"), &program)?;
    let programs = [rust, python, cmd!("node", program)];
    let lines = programs.map(|command| {
        let command = command.dir(project.root());
        process::tee("hanging", &command)?.summarize(counts::last_line)
    });
    Ok(lines.into_iter().collect::<Result<Vec<_>>>()?.join("; "))
}

/// Runs what threads share under shuttle. The crate is built a second time, with shuttle's locks.
fn threads(project: &Project) -> Result<String> {
    let features = ["--features", "driver,testing"];
    let test = ["test", "--package", CRATE, "--test", "threads"];
    let arguments = [&test[..], &features].concat();
    let command = process::cargo(project, &arguments)
        .env("RUSTFLAGS", "--cfg shuttle")
        .env("CARGO_TARGET_DIR", project.target("shuttle"))
        .env("SMITHY_WAITERS_ORDERS", ORDERS);
    process::run("cargo test --test threads", &command)?;
    Ok(format!("{ORDERS} orders of the threads for each test"))
}

/// Interprets the engine's own tests.
fn miri(project: &Project) -> Result<String> {
    let version = cmd("cargo", ["+nightly", "miri", "--version"]);
    process::read("cargo +nightly miri --version", &version)
        .map_err(|error| Skipped(format!("needs a nightly compiler with Miri: {error:#}")))?;
    let test = [
        "miri",
        "test",
        "--package",
        CRATE,
        "--lib",
        "--all-features",
    ];
    // The toolchain is that of the environment variable, because the program may not be started by rustup's `cargo`.
    let command = process::cargo(project, &test)
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .env("CARGO_TARGET_DIR", project.target("miri"));
    process::tee("cargo +nightly miri test", &command)?.summarize(counts::cargo_test)
}

/// Compares the numbers of wrong ends of waits right after a change in all languages.
fn stale(project: &Project) -> Result<String> {
    let test = ["test", "--release", "--package", CRATE, "--test", "stale"];
    let rust = process::cargo(project, &test).env("SMITHY_WAITERS_STALE_RUNS", STALE_RUNS);
    process::run(&format!("cargo {}", test.join(" ")), &rust)?;
    javascript::with_package(project)?;
    Runner::JavaScript.stale(project, STALE_RUNS)?;
    python::with_package(project)?;
    Runner::Python.stale(project, STALE_RUNS)?;
    Ok(format!("{STALE_RUNS} waits for each option"))
}

/// Compares the presets for Kubernetes with the code of kubectl and kstatus.
fn presets(project: &Project) -> Result<String> {
    require_go()?;
    let objects = project.target("presets.jsonl");
    let program = cmd!("go", "run", ".", "1", PRESET_OBJECTS).dir(project.path("tests/presets"));
    process::run("go run .", &program.stdout_path(&objects))?;
    let test = ["test", "--package", CRATE, "--test", "presets"];
    let test = [&test[..], &["--", "--ignored", "--nocapture"]].concat();
    let rust = process::cargo(project, &test).env("SMITHY_WAITERS_PRESET_OBJECTS", objects);
    process::run(&format!("cargo {}", test.join(" ")), &rust)?;
    Ok(format!("{PRESET_OBJECTS} objects for each of four presets"))
}

/// Checks the workflows of the repository, their expressions and their scripts.
fn workflows(project: &Project) -> Result<String> {
    require_go()?;
    let files = fs_err::read_dir(project.path(".github/workflows"))?;
    let files = files.map(|file| file.map(|file| file.path()));
    let files = files.collect::<std::io::Result<Vec<_>>>()?;
    let count = files.len();
    let mut arguments: Vec<OsString> = ["run", ACTIONLINT].map(OsString::from).into();
    arguments.extend(files.into_iter().map(OsString::from));
    let actionlint = cmd("go", arguments).dir(project.root());
    process::run("actionlint", &actionlint)?;
    Ok(format!("workflows: {count}"))
}

/// Returns [`Skipped`] on a machine without Go.
fn require_go() -> Result<()> {
    let version = cmd!("go", "version").stdout_null().stderr_null();
    if version.run().is_err() {
        return Err(Skipped("Go is not installed".to_owned()).into());
    }
    Ok(())
}

/// Compares the evaluator with Smithy's evaluator.
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
    let output = process::tee("cargo test --test smithy_jmespath", &tests)?;
    output.describe(&format!("{SMITHY_PAIRS} cases, as in Smithy's evaluator"))
}

/// Runs a test with a number of random cases, which the environment variable sets.
fn run_random_test(
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
    wheel::release(project, false)?;
    let files = artefacts::portable(project)?;
    artefacts::install_sdist(project)?;
    Ok(format!(
        "all wheels, and one built from the source distribution; portable: {files}"
    ))
}
