//! Tests with real SDKs and a service behind a proxy, which fails as configured or at random with a seed.

use std::path::{Path, PathBuf};

use anyhow::Result;
use duct::{Expression, cmd};

use super::{counts, javascript, python, rust, sdks};
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::tools::node;
use crate::tools::python::Environment;

const TESTS: &str = "tests/real";
const LOST_WAITS: &str = "test_lost_waits.py";

/// Runs the tests with boto3 and with aiobotocore.
pub(super) fn python(project: &Project) -> Result<String> {
    let boto3 = ["test_boto3.py", "test_fleets.py", LOST_WAITS];
    let boto3 = pytest(project, &python::environment(project)?, &boto3, None)?;
    let aiobotocore = pytest(
        project,
        &sdks::environment(project, "aiobotocore")?,
        &[LOST_WAITS],
        None,
    )?;
    Ok(format!("boto3: {boto3}; aiobotocore: {aiobotocore}"))
}

/// Runs the tests with the AWS SDK for Rust.
pub(super) fn rust_sdk(project: &Project) -> Result<String> {
    rust_tests(project, &[], None)
}

/// Runs the tests with the AWS SDK for JavaScript.
pub(super) fn aws_sdk(project: &Project) -> Result<String> {
    let files = [
        "aws-sdk.test.mjs",
        "fleets.test.mjs",
        "lost-waits.test.mjs",
        "waiters.test.mjs",
    ];
    node_tests(project, &files, None)
}

/// Runs only the tests for lost waits, with every client and in every scenario, and writes their reports into a folder.
pub(crate) fn lost_waits(project: &Project, reports: &Path) -> Result<String> {
    let reports = Some(reports);
    let environment = python::with_package(project)?;
    let boto3 = pytest(project, &environment, &[LOST_WAITS], reports);
    let aiobotocore = sdks::environment(project, "aiobotocore")
        .and_then(|python| pytest(project, &python, &[LOST_WAITS], reports));
    let node = javascript::wasm(project)
        .and_then(|_| node_tests(project, &["lost-waits.test.mjs"], reports));
    let rust = rust_tests(project, &["lost_waits"], reports);
    Ok(format!(
        "boto3: {}; aiobotocore: {}; JavaScript: {}; Rust: {}",
        boto3?, aiobotocore?, node?, rust?
    ))
}

/// Runs hundreds of waits at once behind a proxy with faults, with each client, and returns a line for each.
pub(crate) fn faults(project: &Project) -> Result<String> {
    let services = services(project)?;
    let program = project.path(TESTS).join("faults.py");
    let program = program.to_string_lossy();
    let boto3 = python::with_package(project)?.python(&[&program]);
    let aiobotocore = sdks::environment(project, "aiobotocore")?.python(&[&program]);
    javascript::wasm(project)?;
    let node = cmd!("node", "--expose-gc", "faults.mjs").dir(node_clients(project)?);
    rust::build_sdk_users(project)?;
    let rust = cmd!(project.target("debug/examples/faults"));
    let programs = [boto3, aiobotocore, node, rust];
    let lines = programs.map(|program| {
        let program = program.env("SMITHY_WAITERS_REAL", &services);
        process::tee("faults", &process::without_aws_settings(project, &program))?
            .summarize(counts::last_line)
    });
    Ok(lines.into_iter().collect::<Result<Vec<_>>>()?.join("; "))
}

/// Measures waits for 1,000 instances of the fake of EC2, and returns a line of JSON for each kind of waits.
pub(crate) fn fleets(project: &Project) -> Result<String> {
    let services = services(project)?;
    let read = |title: &str, program: Expression| {
        report::command(title);
        let program = program.env("SMITHY_WAITERS_REAL", &services);
        process::read(title, &process::without_aws_settings(project, &program))
    };
    let script = project.path(TESTS).join("fleet_figures.py");
    let python = python::with_package(project)?.python(&[&script.to_string_lossy()]);
    let python = read("python fleet_figures.py", python)?;
    javascript::wasm(project)?;
    let folder = node_clients(project)?;
    let node = cmd!("node", "fleet-figures.mjs").dir(folder);
    let node = read("node fleet-figures.mjs", node)?;
    let arguments = [
        "bench",
        "--quiet",
        "--package",
        "smithy-waiters-bench",
        "--bench",
        "fleets",
    ];
    let rust = read(
        "cargo bench --bench fleets",
        process::cargo(project, &arguments),
    )?;
    Ok([python, node, rust].join("\n"))
}

/// Passes the folder for reports to a test program. Without it, only the scenario of the tests runs.
fn with_reports(program: Expression, reports: Option<&Path>) -> Expression {
    match reports {
        Some(folder) => program.env("SMITHY_WAITERS_LOST_WAITS_REPORTS", folder),
        None => program,
    }
}

fn pytest(
    project: &Project,
    environment: &Environment,
    files: &[&str],
    reports: Option<&Path>,
) -> Result<String> {
    let services = services(project)?;
    let files: Vec<String> = files.iter().map(|file| format!("{TESTS}/{file}")).collect();
    python::pytest_files(project, environment, &files, |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_REAL", &services);
        Ok(process::without_aws_settings(
            project,
            &with_reports(pytest, reports),
        ))
    })?
    .summarize(counts::pytest)
}

fn rust_tests(project: &Project, filter: &[&str], reports: Option<&Path>) -> Result<String> {
    let services = services(project)?;
    rust::ignored_tests(project, "real", filter, |tests| {
        with_reports(tests.env("SMITHY_WAITERS_REAL", &services), reports)
    })
}

fn node_tests(project: &Project, files: &[&str], reports: Option<&Path>) -> Result<String> {
    let folder = node_clients(project)?;
    let node = with_reports(node::tests(&folder, files), reports);
    let title = format!("node --test {}", files.join(" "));
    process::tee(&title, &process::without_aws_settings(project, &node))?
        .summarize(counts::node_test)
}

/// Installs clients of the AWS SDK for JavaScript and the package, and returns their folder.
pub(crate) fn node_clients(project: &Project) -> Result<PathBuf> {
    let folder = install(project, "real-node")?;
    node::install_own_package(project, &folder)?;
    Ok(folder)
}

/// Installs the program that runs the services, and returns its folder.
pub(crate) fn services(project: &Project) -> Result<PathBuf> {
    install(project, "real")
}

fn install(project: &Project, name: &str) -> Result<PathBuf> {
    let _lock = project.lock(name)?;
    let folder = project.target(name);
    project::copy_files(&project.path(TESTS), &folder)?;
    node::install(&folder)?;
    Ok(folder)
}
