//! Waits on DBOS, with SQLite and PostgreSQL.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{TESTS, WAITS, summary, tests};
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::test::{counts, javascript as npm, python};
use crate::tools::debian;
use crate::tools::python::Environment;

/// The number of pending waits that several workers share.
const PENDING: &str = "10000";

/// Runs the waits on DBOS with SQLite and PostgreSQL, and the examples.
pub(crate) fn run(project: &Project) -> Result<String> {
    let files = tests(&["dbos", "dbos_killed", "examples"]);
    run_tests(project, WAITS, None, &files)
}

/// Runs the waits of the npm package on DBOS with PostgreSQL.
pub(crate) fn javascript(project: &Project) -> Result<String> {
    let folder = programs(project)?;
    let server = folder.join("postgres.py").to_string_lossy().into_owned();
    let node = ["node", "--test", "--test-reporter=spec", "dbos.test.mjs"];
    let command = [&[&*server], &node[..]].concat();
    let tests = environment(project)?.python(&command).dir(&folder);
    let functions = process::tee(&node.join(" "), &tests)?.summarize(counts::node_test)?;
    let cases = [
        "test_dbos_killed.py::test_killed_waits_end_as_undisturbed_ones[node-postgres]",
        "test_dbos_killed.py::test_a_killed_fleet_ends_as_an_undisturbed_one[node-postgres]",
        "test_examples.py::test_a_wait_on_dbos_in_javascript_continues",
    ];
    let cases = cases.map(|case| format!("{TESTS}/{case}"));
    let programs = run_tests(project, WAITS, Some(&folder), &cases)?;
    Ok(format!("{functions}; programs that are killed: {programs}"))
}

/// Kills the workers of many waits on DBOS, and restarts its server.
pub(crate) fn killed(project: &Project, waits: &str) -> Result<String> {
    npm::with_package(project)?;
    let folder = programs(project)?;
    run_tests(project, waits, Some(&folder), &tests(&["dbos_killed"]))
}

/// Measures many pending waits on DBOS.
pub(crate) fn load(project: &Project) -> Result<String> {
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
pub(crate) fn overhead(project: &Project) -> Result<String> {
    npm::with_package(project)?;
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
fn run_tests(
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
    .summarize(summary)
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
    let folder = npm::scratch(project).join("durable");
    project::copy_folder(&project.path(TESTS), &folder)?;
    Ok(folder)
}
