//! Tests of waits that outlive the process, on the engines that store them.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{counts, javascript, python};
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::tools::debian;
use crate::tools::python::Environment;

const TESTS: &str = "tests/durable";

/// The number of killed waits, for a test that runs for every change.
const WAITS: &str = "50";

/// The number of pending waits that several workers share.
const PENDING: &str = "10000";

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

/// Runs the waits on DBOS with SQLite and PostgreSQL, and the examples.
pub(super) fn dbos(project: &Project) -> Result<String> {
    let files = tests(&["dbos", "dbos_killed", "examples"]);
    on_dbos(project, WAITS, None, &files)
}

/// Runs the waits of the npm package on DBOS with PostgreSQL.
pub(super) fn dbos_javascript(project: &Project) -> Result<String> {
    let folder = programs(project)?;
    let server = folder.join("postgres.py").to_string_lossy().into_owned();
    let node = ["node", "--test", "--test-reporter=spec", "dbos.test.mjs"];
    let command = [&[&*server], &node[..]].concat();
    let tests = environment(project)?.python(&command).dir(&folder);
    let functions = process::tee(&node.join(" "), &tests)?.summarize(counts::node_test)?;
    let cases = [
        "test_dbos_killed.py::test_killed_waits_end_as_undisturbed_ones[node-postgres]",
        "test_examples.py::test_a_wait_on_dbos_in_javascript_continues",
    ];
    let cases = cases.map(|case| format!("{TESTS}/{case}"));
    let programs = on_dbos(project, WAITS, Some(&folder), &cases)?;
    Ok(format!("{functions}; programs that are killed: {programs}"))
}

/// Kills the workers of many waits on DBOS, and restarts its server.
pub(crate) fn dbos_killed(project: &Project, waits: &str) -> Result<String> {
    javascript::with_package(project)?;
    let folder = programs(project)?;
    on_dbos(project, waits, Some(&folder), &tests(&["dbos_killed"]))
}

/// Measures many pending waits on DBOS.
pub(crate) fn dbos_load(project: &Project) -> Result<String> {
    let program = project.path(TESTS).join("load.py");
    let folder = project.target("durable/load");
    let load =
        environment(project)?.python(&[&program.to_string_lossy(), &folder.to_string_lossy()]);
    let load = load.env("SMITHY_WAITERS_DURABLE_WAITS", PENDING);
    let output = process::tee(&format!("load.py ({PENDING} waits)"), &load)?;
    report::note(&project.display(&folder.join("load.svg")));
    output.summarize(|output| counts::after(output, "| lag |"))
}

/// Measures the overhead of each poll over a poll on DBOS alone, in both languages.
pub(crate) fn dbos_overhead(project: &Project) -> Result<String> {
    javascript::with_package(project)?;
    let folder = programs(project)?;
    let environment = environment(project)?;
    let measure = |language: &str, program: &str, polls: &str| {
        let measure = environment.python(&["postgres.py", language, program, polls]);
        process::tee(program, &measure.dir(&folder))?
            .summarize(|output| counts::after(output, "each poll: "))
    };
    let python = environment.program("python");
    let in_python = measure(&python.to_string_lossy(), "overhead.py", "1500")?;
    let in_javascript = measure("node", "overhead.mjs", "1500")?;
    Ok(format!("Python: {in_python}; JavaScript: {in_javascript}"))
}

/// Runs test files. With a folder of programs for Node, the tests kill those, too.
fn on_dbos(
    project: &Project,
    waits: &str,
    programs: Option<&Path>,
    paths: &[String],
) -> Result<String> {
    python::pytest_files(project, &environment(project)?, paths, |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_DURABLE_WAITS", waits);
        Ok(match programs {
            Some(folder) => pytest.env("SMITHY_WAITERS_DURABLE_NODE", folder),
            None => pytest,
        })
    })?
    .summarize(counts::pytest)
}

/// Returns the environment with DBOS, and installs its server.
fn environment(project: &Project) -> Result<Environment> {
    if debian::is_here() {
        debian::install(&["postgresql"])?;
    }
    let requirements = project.path(TESTS).join("requirements-dbos.txt");
    python::environment_with(project, "durable-dbos", &requirements)
}

/// Copies the programs for Node into the project with the npm package, and returns their folder.
fn programs(project: &Project) -> Result<PathBuf> {
    let folder = javascript::scratch(project).join("durable");
    project::copy_folder(&project.path(TESTS), &folder)?;
    Ok(folder)
}

fn tests(names: &[&str]) -> Vec<String> {
    let path = |name| format!("{TESTS}/test_{name}.py");
    names.iter().map(path).collect()
}
