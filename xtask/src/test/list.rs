//! The steps of `cargo xtask test`, in order. To add a check, add a line here and a function in a sibling module.

use super::durable::{airflow, dbos, lambda, temporal};
use super::shared::Runner;
use super::{
    artefacts, book, component, demo, environments, generation, javascript, launchers, oracle,
    playground, python, readme, real, rust, sdks, shell,
};
use crate::checks::{dependencies, parity, prose, rules};
use crate::conformance;
use crate::data;
use crate::steps::Language::{All, JavaScript, Python, Rust};
use crate::steps::{Step, step};

/// The number of waits right after a change for each option. The tests in Rust make as many.
const STALE_RUNS: &str = "1000";

/// All steps.
pub(crate) static STEPS: &[Step] = &[
    step("rust-format", Rust, &[], rust::format),
    step("rust-doc", Rust, &[], rust::documentation),
    step("clippy", Rust, &[], rust::clippy),
    // After the build that it shares crates with, and before the steps that need it, which would hold their workers while
    // they wait.
    step("data", All, &["clippy"], data::for_tests),
    step("rust-tests", Rust, &["data"], rust::tests),
    step("generated-rust", Rust, &["data"], rust::generated_code),
    step("rust-real-use", Rust, &["generated-rust"], real::rust_sdk),
    step("wasm", JavaScript, &[], javascript::wasm),
    step("rust-wasm", Rust, &["wasm"], rust::on_wasm),
    step("npm-install", JavaScript, &["wasm"], javascript::install),
    step("tsc", JavaScript, &["npm-install"], javascript::types),
    step("node-tests", JavaScript, &["tsc"], javascript::tests),
    step("node-vectors", JavaScript, &["npm-install"], |project| {
        Runner::JavaScript.vectors(project)
    }),
    step("node-stale", JavaScript, &["npm-install"], |project| {
        Runner::JavaScript.stale(project, STALE_RUNS)
    }),
    step("node-compliance", JavaScript, &["npm-install"], |project| {
        Runner::JavaScript.compliance(project)
    }),
    step(
        "node-verdicts",
        JavaScript,
        &["npm-install", "data"],
        |project| Runner::JavaScript.aws_verdicts(project),
    ),
    step(
        "node-readme",
        JavaScript,
        &["npm-install"],
        readme::javascript,
    ),
    step("node-real-use", JavaScript, &["npm-install"], real::aws_sdk),
    step(
        "generated-typescript",
        JavaScript,
        &["npm-install", "data"],
        generation::typescript,
    ),
    step("npm-lint", JavaScript, &["npm-install"], environments::lint),
    step(
        "environments",
        JavaScript,
        &["npm-install"],
        environments::run,
    ),
    step("python-tools", Python, &[], python::tools),
    step("ruff", Python, &["python-tools"], python::lint),
    step("ruff-format", Python, &["python-tools"], python::format),
    step("mypy", Python, &["python-tools"], python::types),
    step("wheel", Python, &[], python::wheel),
    step(
        "wheel-install",
        Python,
        &["python-tools", "wheel"],
        python::install,
    ),
    step(
        "playground",
        JavaScript,
        &["npm-install", "wheel-install"],
        playground::run,
    ),
    step("pyright", Python, &["wheel-install"], python::pyright),
    step("stubtest", Python, &["wheel-install"], python::stubs),
    step("pytest", Python, &["wheel-install"], python::tests),
    step("python-vectors", Python, &["wheel-install"], |project| {
        Runner::Python.vectors(project)
    }),
    step("python-stale", Python, &["wheel-install"], |project| {
        Runner::Python.stale(project, STALE_RUNS)
    }),
    step("python-compliance", Python, &["wheel-install"], |project| {
        Runner::Python.compliance(project)
    }),
    step(
        "python-verdicts",
        Python,
        &["wheel-install", "data"],
        |project| Runner::Python.aws_verdicts(project),
    ),
    step("python-readme", Python, &["wheel-install"], readme::python),
    step("python-real-use", Python, &["wheel-install"], real::python),
    step("boto3-moto", Python, &["wheel"], sdks::boto3),
    step(
        "aiobotocore-moto",
        Python,
        &["boto3-moto"],
        sdks::asynchronous,
    ),
    step("dbos", Python, &["wheel"], dbos::run),
    step(
        "dbos-javascript",
        JavaScript,
        &["npm-install", "dbos"],
        dbos::javascript,
    ),
    step("lambda", Python, &["wheel"], lambda::run),
    step(
        "lambda-javascript",
        JavaScript,
        &["npm-install", "lambda"],
        lambda::javascript,
    ),
    step("airflow", Python, &["wheel"], airflow::run),
    step(
        "temporal",
        All,
        &["npm-install", "wheel-install"],
        temporal::attempts,
    ),
    step("botocore-tests", Python, &["boto3-moto"], sdks::botocore),
    step(
        "generated-python",
        Python,
        &["wheel-install", "data"],
        generation::python,
    ),
    step("sdist", Python, &[], artefacts::sdist),
    step(
        "python-files",
        Python,
        &["wheel", "sdist"],
        artefacts::files,
    ),
    step("python-oldest", Python, &["wheel"], |project| {
        artefacts::test_on(project, artefacts::OLDEST)
    }),
    step(
        "python-newest",
        Python,
        &["wheel"],
        artefacts::test_on_newest,
    ),
    step("component", All, &["clippy", "wasm"], component::build),
    step(
        "component-python",
        Python,
        &["component", "data"],
        component::python,
    ),
    step(
        "component-javascript",
        JavaScript,
        &["component"],
        component::javascript,
    ),
    step(
        "launchers",
        All,
        &["npm-install", "wheel", "sdist"],
        launchers::run,
    ),
    step("shell", All, &[], shell::run),
    step("prose", All, &[], prose::check),
    step("book", All, &[], book::build),
    step("conformance", All, &["data"], conformance::check),
    step(
        "conformance-sdks",
        All,
        &["conformance", "npm-install", "wheel-install"],
        conformance::sdks::few,
    ),
    step("layers", All, &["python-tools"], python::layers),
    step("spelling", All, &["python-tools"], python::spelling),
    step("rules", All, &[], rules::check),
    step("dependencies", All, &[], dependencies::check),
    step(
        "parity",
        All,
        &["rust-tests", "node-vectors", "python-vectors"],
        parity::check,
    ),
    step(
        "oracle",
        All,
        &["rust-tests", "npm-install", "wheel-install"],
        oracle::run,
    ),
    step(
        "demo",
        All,
        &[
            "rust-tests",
            "npm-install",
            "wheel-install",
            "generated-rust",
        ],
        demo::run,
    ),
];
