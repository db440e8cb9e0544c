//! Waits on Apache Airflow.

use anyhow::Result;

use super::{TESTS, WAITS, summary, tests};
use crate::project::Project;
use crate::test::python;

/// An environment of Airflow, and the file of its requirements.
const NEWEST: (&str, &str) = ("durable-airflow", "requirements-airflow.txt");
const OLDEST: (&str, &str) = ("durable-airflow-oldest", "requirements-airflow-oldest.txt");

/// The tests of the decisions and of the processes of Airflow.
const ALL: [&str; 3] = ["airflow_input", "airflow_cancel", "airflow"];

/// Runs the waits on Apache Airflow with SQLite, and its examples.
pub(crate) fn run(project: &Project) -> Result<String> {
    run_tests(project, NEWEST, WAITS, &ALL)
}

/// Runs the same on the oldest version, and kills its triggerer.
pub(crate) fn oldest(project: &Project) -> Result<String> {
    run_tests(
        project,
        OLDEST,
        WAITS,
        &[&ALL[..], &["airflow_killed"]].concat(),
    )
}

/// Kills the triggerer of many waits on Apache Airflow.
pub(crate) fn killed(project: &Project, waits: &str) -> Result<String> {
    run_tests(project, NEWEST, waits, &["airflow_killed"])
}

/// Stops, kills and loses triggerers with jobs, on the newest version.
pub(crate) fn restarts(project: &Project) -> Result<String> {
    run_tests(project, NEWEST, WAITS, &["airflow_restarts"])
}

/// Stops, kills and loses triggerers with jobs, on the oldest version.
pub(crate) fn oldest_restarts(project: &Project) -> Result<String> {
    run_tests(project, OLDEST, WAITS, &["airflow_restarts"])
}

fn run_tests(
    project: &Project,
    (name, requirements): (&str, &str),
    waits: &str,
    names: &[&str],
) -> Result<String> {
    let requirements = project.path(TESTS).join(requirements);
    let environment = python::environment_with(project, name, &requirements)?;
    python::pytest_files(project, &environment, &tests(names), |pytest| {
        Ok(pytest.env("SMITHY_WAITERS_DURABLE_WAITS", waits))
    })?
    .summarize(summary)
}
