//! Tests of waits that outlive the process, on the engines that store them.

use anyhow::Result;

use super::{counts, python};
use crate::project::Project;

const TESTS: &str = "tests/durable";

/// The number of killed waits, for a test that runs for every change.
const WAITS: &str = "50";

/// Runs the waits on Apache Airflow with SQLite, and its examples.
pub(super) fn airflow(project: &Project) -> Result<String> {
    on_airflow(
        project,
        WAITS,
        &tests(&["airflow", "airflow_input", "airflow_killed"]),
    )
}

/// Kills the triggerer of many waits on Apache Airflow.
pub(crate) fn airflow_killed(project: &Project, waits: &str) -> Result<String> {
    on_airflow(project, waits, &tests(&["airflow_killed"]))
}

fn on_airflow(project: &Project, waits: &str, paths: &[String]) -> Result<String> {
    let requirements = project.path(TESTS).join("requirements-airflow.txt");
    let environment = python::environment_with(project, "durable-airflow", &requirements)?;
    python::pytest_files(project, &environment, paths, |pytest| {
        Ok(pytest.env("SMITHY_WAITERS_DURABLE_WAITS", waits))
    })?
    .summarize(counts::pytest)
}

/// Runs the waits on DBOS with SQLite, and the examples.
pub(super) fn dbos(project: &Project) -> Result<String> {
    on_dbos(project, WAITS, &tests(&["dbos", "dbos_killed", "examples"]))
}

/// Kills the workers of many waits on DBOS.
pub(crate) fn dbos_killed(project: &Project, waits: &str) -> Result<String> {
    on_dbos(project, waits, &tests(&["dbos_killed"]))
}

fn on_dbos(project: &Project, waits: &str, paths: &[String]) -> Result<String> {
    let requirements = project.path(TESTS).join("requirements-dbos.txt");
    let environment = python::environment_with(project, "durable-dbos", &requirements)?;
    python::pytest_files(project, &environment, paths, |pytest| {
        Ok(pytest.env("SMITHY_WAITERS_DURABLE_WAITS", waits))
    })?
    .summarize(counts::pytest)
}

fn tests(names: &[&str]) -> Vec<String> {
    let path = |name| format!("{TESTS}/test_{name}.py");
    names.iter().map(path).collect()
}
