//! Waits on Apache Airflow.

use anyhow::Result;

use super::{TESTS, WAITS, summary, tests};
use crate::project::Project;
use crate::test::python;

/// Runs the waits on Apache Airflow with SQLite, and its examples.
pub(crate) fn run(project: &Project) -> Result<String> {
    run_tests(project, WAITS, &tests(&["airflow", "airflow_input"]))
}

/// Kills the triggerer of many waits on Apache Airflow.
pub(crate) fn killed(project: &Project, waits: &str) -> Result<String> {
    run_tests(project, waits, &tests(&["airflow_killed"]))
}

fn run_tests(project: &Project, waits: &str, paths: &[String]) -> Result<String> {
    let requirements = project.path(TESTS).join("requirements-airflow.txt");
    let environment = python::environment_with(project, "durable-airflow", &requirements)?;
    python::pytest_files(project, &environment, paths, |pytest| {
        Ok(pytest.env("SMITHY_WAITERS_DURABLE_WAITS", waits))
    })?
    .summarize(summary)
}
