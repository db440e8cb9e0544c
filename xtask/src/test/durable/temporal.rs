//! Waits on Temporal: their attempts in a row for every change, and with a server in `cargo xtask deep`.

use std::path::PathBuf;

use anyhow::Result;
use duct::cmd;

use super::{TESTS, WAITS, summary, tests};
use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};
use crate::steps::Skipped;
use crate::test::{counts, javascript as npm, python};
use crate::tools::node;

/// The source of the Temporal server, and the packages of the tests in JavaScript.
const SOURCE: &str = "tests/durable/temporal";

/// The tests in JavaScript without a server.
const ATTEMPTS: &str = "temporal-attempts.test.mjs";

/// Runs the attempts of waits in the environments that the SDKs have for tests of activities. These need no server, whose
/// build takes minutes.
pub(crate) fn attempts(project: &Project) -> Result<String> {
    let file = format!("{TESTS}/test_temporal_attempts.py");
    let in_python = python::pytest_file(project, &file, Ok)?.summarize(counts::pytest)?;
    let node = node::tests(&packages(project)?, &[ATTEMPTS]);
    let in_node =
        process::tee(&format!("node --test {ATTEMPTS}"), &node)?.summarize(counts::node_test)?;
    Ok(format!("Python: {in_python}; JavaScript: {in_node}"))
}

/// Runs the waits on a Temporal server, in Python and JavaScript.
pub(crate) fn run(project: &Project) -> Result<String> {
    run_tests(
        project,
        WAITS,
        &tests(&["temporal", "temporal_example", "temporal_node"]),
    )
}

/// Kills the workers and the server of many waits on Temporal.
pub(crate) fn killed(project: &Project, waits: &str) -> Result<String> {
    run_tests(project, waits, &tests(&["temporal_killed"]))
}

/// Compares the cost of a poll on Temporal with that of a bare activity.
pub(crate) fn overhead(project: &Project) -> Result<String> {
    run_tests(project, WAITS, &tests(&["temporal_overhead"]))
}

fn run_tests(project: &Project, waits: &str, paths: &[String]) -> Result<String> {
    let server = built_server(project)?;
    npm::wasm(project)?;
    python::wheel(project)?;
    let packages = packages(project)?;
    let requirements = project.path(TESTS).join("requirements-temporal.txt");
    let environment = python::environment_with(project, "durable-temporal", &requirements)?;
    python::pytest_files(project, &environment, paths, |pytest| {
        Ok(pytest
            .env("SMITHY_WAITERS_DURABLE_WAITS", waits)
            .env("SMITHY_WAITERS_TEMPORAL_SERVER", &server)
            .env("SMITHY_WAITERS_TEMPORAL_NODE", &packages))
    })?
    .summarize(summary)
}

/// Builds the Temporal server, and returns its path.
///
/// # Errors
///
/// Returns `Skipped` if Go is not installed.
fn built_server(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("temporal-server")?;
    let source = project.path(SOURCE);
    let server = project.target("temporal/server");
    let inputs = ["main.go", "go.mod", "go.sum"].map(|name| source.join(name));
    let stamp = Stamp::new(
        project.target("temporal/server.stamp"),
        Fingerprint::default().files(&inputs)?,
        std::slice::from_ref(&server),
    );
    if stamp.is_fresh()? {
        return Ok(server);
    }
    if cmd!("go", "version")
        .stdout_null()
        .stderr_null()
        .run()
        .is_err()
    {
        return Err(Skipped(
            "the Temporal server is not available: Go is not installed".to_owned(),
        )
        .into());
    }
    let build = cmd!(
        "go",
        "build",
        "-trimpath",
        "-ldflags=-s -w",
        // Half of the time of the build goes into optimization, and the tests make few calls.
        "-gcflags=all=-N -l",
        "-o",
        &server,
        "."
    );
    process::run("go build", &build.dir(source))?;
    stamp.set()?;
    Ok(server)
}

/// Installs the packages of the tests in JavaScript, and returns their folder, which has a copy of the tests.
fn packages(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("temporal-node")?;
    let folder = project.target("temporal/node");
    for from in [TESTS, SOURCE, "examples/durable"] {
        project::copy_files(&project.path(from), &folder)?;
    }
    node::install(&folder)?;
    node::install_own_package(project, &folder)?;
    Ok(folder)
}
