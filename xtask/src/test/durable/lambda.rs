//! Waits in durable functions of AWS Lambda, in the local runners of their SDKs.

use std::path::PathBuf;

use anyhow::Result;

use super::{TESTS, summary, tests};
use crate::process;
use crate::project::{self, Project};
use crate::steps::Skipped;
use crate::test::{counts, javascript as npm, python};
use crate::tools::node;
use crate::tools::python::Environment;

/// The packages of the tests in JavaScript, with a Node that is new enough for the SDK.
const PACKAGES: &str = "tests/durable/lambda";

/// The tests in JavaScript.
const RUNNER: &str = "lambda.test.mjs";

/// The number of killed waits, for a test that runs for every change. Each of them waits for a service of the SDK.
const WAITS: &str = "20";

/// Runs the waits in Python.
pub(crate) fn run(project: &Project) -> Result<String> {
    let environment = environment(project)?;
    run_tests(
        project,
        &environment,
        &[("SMITHY_WAITERS_DURABLE_WAITS", WAITS)],
        &tests(&["lambda", "lambda_killed"]),
    )
}

/// Runs the waits in JavaScript.
pub(crate) fn javascript(project: &Project) -> Result<String> {
    let packages = packages(project)?;
    let program = packages.join("node_modules/.bin/node");
    let command = duct::cmd!(program, "--test", "--test-reporter=spec", RUNNER).dir(&packages);
    let runner =
        process::tee(&format!("node --test {RUNNER}"), &command)?.summarize(counts::node_test)?;
    let killed = killed_in_node(project, &packages.to_string_lossy(), WAITS)?;
    Ok(format!("{runner}; workers that are killed: {killed}"))
}

/// Kills the workers of many waits, in both languages.
pub(crate) fn killed(project: &Project, waits: &str) -> Result<String> {
    npm::wasm(project)?;
    python::wheel(project)?;
    let environment = environment(project)?;
    let in_python = run_tests(
        project,
        &environment,
        &[("SMITHY_WAITERS_DURABLE_WAITS", waits)],
        &tests(&["lambda_killed"]),
    )?;
    let packages = packages(project)?;
    let in_node = killed_in_node(project, &packages.to_string_lossy(), waits)?;
    Ok(format!("{in_python}; {in_node}"))
}

/// Compares the waits with the SDK's own strategy.
pub(crate) fn strategies(project: &Project) -> Result<String> {
    python::wheel(project)?;
    let environment = environment(project)?;
    run_tests(project, &environment, &[], &tests(&["lambda_strategies"]))
}

fn killed_in_node(project: &Project, packages: &str, waits: &str) -> Result<String> {
    let case =
        format!("{TESTS}/test_lambda_killed.py::test_killed_waits_end_as_undisturbed_ones[node]");
    let variables = [
        ("SMITHY_WAITERS_DURABLE_WAITS", waits),
        ("SMITHY_WAITERS_LAMBDA_NODE", packages),
    ];
    run_tests(project, &environment(project)?, &variables, &[case])
}

fn run_tests(
    project: &Project,
    environment: &Environment,
    variables: &[(&str, &str)],
    paths: &[String],
) -> Result<String> {
    python::pytest_files(project, environment, paths, |pytest| {
        Ok(variables
            .iter()
            .fold(pytest, |pytest, (name, value)| pytest.env(name, value)))
    })?
    .summarize(summary)
}

/// Returns the environment with the SDK and its local runner.
///
/// # Errors
///
/// Returns `Skipped` for a version of Python that the SDK does not support.
fn environment(project: &Project) -> Result<Environment> {
    let name = "durable-lambda";
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    let check = Environment::open(project, name)?.python(&["-c", is_new]);
    if check.run().is_err() {
        return Err(Skipped("the SDK for durable functions needs Python 3.11".to_owned()).into());
    }
    let requirements = project.path(TESTS).join("requirements-lambda.txt");
    python::environment_with(project, name, &requirements)
}

/// Installs the packages of the tests in JavaScript, and returns their folder, which has a copy of the tests.
fn packages(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("lambda-node")?;
    let folder = project.target("lambda/node");
    for from in [TESTS, PACKAGES, "examples/durable"] {
        project::copy_files(&project.path(from), &folder)?;
    }
    node::install(&folder)?;
    node::install_own_package(project, &folder)?;
    Ok(folder)
}
