//! The checks of the Rust workspace.

use std::path::Path;

use anyhow::{Result, ensure};
use duct::{Expression, cmd};
use regex::Regex;

use super::counts;
use crate::packages::wasm;
use crate::process::{self, TOGETHER};
use crate::project::Project;
use crate::report;

/// The packages that use the AWS SDK. They share a build, because each set of features builds the SDK again.
const SDK_USERS: [&str; 8] = [
    "--package",
    "smithy-waiters-generate-proof",
    "--package",
    "smithy-waiters-examples",
    "--package",
    "smithy-waiters-real-use",
    "--package",
    "smithy-waiters-bench",
];

/// The number of random responses for each generated matcher.
const RESPONSES: &str = "15000";

/// This program. It is tested separately, because its dependencies are already built.
const XTASK: [&str; 2] = ["--package", "xtask"];

pub(super) fn format(project: &Project) -> Result<String> {
    let fmt = process::cargo(project, &["fmt", "--all", "--check"]);
    process::tee("cargo fmt --all --check", &fmt)?.describe("all crates")
}

/// Lints all test targets as part of their build. A separate run of clippy would compile every dependency again.
pub(super) fn clippy(project: &Project) -> Result<String> {
    lint(project, &TOGETHER)?;
    lint(project, &XTASK)?;
    Ok("all targets and features, except users of the AWS SDK".to_owned())
}

fn lint(project: &Project, packages: &[&str]) -> Result<()> {
    let build = [packages, &["--all-targets", "--no-run"]].concat();
    test(project, &build)?.describe("").map(drop)
}

/// Builds the public documentation. Warnings, such as broken links, are errors.
pub(super) fn documentation(project: &Project) -> Result<String> {
    let arguments = [
        "doc",
        "--package",
        "smithy-waiters",
        "--package",
        "smithy-waiters-derive",
        "--all-features",
        "--no-deps",
    ];
    let doc = process::cargo(project, &arguments).env("RUSTDOCFLAGS", "--deny warnings");
    process::tee("cargo doc", &doc)?.describe("the public items")
}

pub(super) fn tests(project: &Project) -> Result<String> {
    let run = |packages: &[&str]| {
        test(project, &[packages, &["--no-fail-fast"]].concat())?.summarize(counts::cargo_test)
    };
    let (others, xtask) = (run(&TOGETHER), run(&XTASK));
    Ok(format!("{}; xtask: {}", others?, xtask?))
}

/// Lints and tests the packages that use the AWS SDK, including generated code.
pub(super) fn generated_code(project: &Project) -> Result<String> {
    lint(project, &SDK_USERS)?;
    let tests = test(
        project,
        &[&SDK_USERS[..], &["--", "--show-output"]].concat(),
    )?;
    tests.summarize(|output| {
        let (tests, responses) = (counts::cargo_test(output)?, responses(output)?);
        let responses = report::thousands(responses);
        Ok(format!("{responses} cases, as in the engine; {tests}"))
    })
}

/// Compares generated code with the engine on many random responses.
pub(crate) fn generated_code_for_long(project: &Project) -> Result<String> {
    let proof = ["--test", "proof", "--", "--show-output"];
    let arguments = [&SDK_USERS[..], &proof].concat();
    let tests = test_command(project, &arguments).env("SMITHY_WAITERS_RESPONSES", RESPONSES);
    tee(&arguments, &tests)?.summarize(|output| {
        let responses = report::thousands(responses(output)?);
        Ok(format!("{responses} cases, as in the engine"))
    })
}

/// Sums up the lines `generated: 12 responses of …`.
fn responses(output: &str) -> Result<usize> {
    let lines = Regex::new(r"(?m)^generated: (\d+) responses")?;
    let counts = lines.captures_iter(output);
    let counts = counts.filter_map(|captures| captures.get(1)?.as_str().parse::<usize>().ok());
    let sum = counts.fold(0, usize::saturating_add);
    ensure!(sum > 0, "no response was compared");
    Ok(sum)
}

/// Runs the ignored tests of a file whose names match the filter, in the build of the packages that use the AWS SDK.
pub(super) fn ignored_tests(
    project: &Project,
    file: &str,
    filter: &[&str],
    prepare: impl Fn(Expression) -> Expression,
) -> Result<String> {
    let arguments = [&SDK_USERS[..], &["--test", file, "--", "--ignored"], filter].concat();
    tee(&arguments, &prepare(test_command(project, &arguments)))?.summarize(counts::cargo_test)
}

/// Compares the engine and its driver with the oracle on the cases of a folder.
pub(super) fn as_in_the_oracle(project: &Project, cases: &Path) -> Result<()> {
    of_vectors(project, "results_are_those_of_the_oracle", cases, |it| it)
}

/// Writes the results of the engine on the cases of a folder into another one.
pub(super) fn record(project: &Project, cases: &Path, results: &Path) -> Result<()> {
    of_vectors(project, "results_are_recorded", cases, |tests| {
        tests.env("SMITHY_WAITERS_RECORDED", results)
    })
}

fn of_vectors(
    project: &Project,
    test: &str,
    cases: &Path,
    prepare: impl Fn(Expression) -> Expression,
) -> Result<()> {
    let options = ["--test", "vectors", "--", "--ignored", "--nocapture", test];
    let arguments = [&TOGETHER[..], &options].concat();
    let tests = test_command(project, &arguments).env("SMITHY_WAITERS_CASES", cases);
    tee(&arguments, &prepare(tests))?.describe("").map(drop)
}

/// Builds the packages that use the AWS SDK, with their examples.
pub(crate) fn build_sdk_users(project: &Project) -> Result<()> {
    let build = test_command(project, &[&SDK_USERS[..], &["--no-run"]].concat())
        .env("CARGO_TARGET_DIR", project.target(""));
    process::run("cargo test --no-run", &build)
}

fn test(project: &Project, arguments: &[&str]) -> Result<process::TeeOutput> {
    tee(arguments, &test_command(project, arguments))
}

fn tee(arguments: &[&str], command: &Expression) -> Result<process::TeeOutput> {
    let title = format!("cargo test {} (by clippy)", arguments.join(" "));
    process::tee(&title, command)
}

fn test_command(project: &Project, arguments: &[&str]) -> Expression {
    process::cargo(project, &[&["test"], arguments].concat())
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings")
}

/// Builds a program that uses the crate for wasm, and runs it in Node.
pub(super) fn on_wasm(project: &Project) -> Result<String> {
    let program = wasm::program(project, "smithy-waiters-wasm-consumer")?;
    let run = cmd!("node", "--eval", RUN_WASM, program);
    process::run("node: a consumer's `main`", &run)?;
    Ok("a consumer with the driver and a derived response".to_owned())
}

/// A script that runs a wasm program whose imports all fail when called. The program does not need its imports, which
/// are for random seeds.
const RUN_WASM: &str = r#"
    const module = new WebAssembly.Module(require("node:fs").readFileSync(process.argv[1]));
    const imports = {};
    const fail = (name) => () => { throw new Error(`${name} must not be called`); };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        (imports[from] ??= {})[name] = fail(name);
    }
    const { main } = new WebAssembly.Instance(module, imports).exports;
    if (main(0, 0) !== 0) throw new Error("main failed");
"#;
