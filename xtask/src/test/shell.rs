//! Tests of the recipes in `docs/shell.md` and of the table of errors, with real programs.

use std::path::PathBuf;

use anyhow::Result;
use duct::cmd;

use super::{counts, python, real};
use crate::process;
use crate::project::Project;
use crate::tools::debian;
use crate::tools::python::Environment;

const TESTS: &str = "tests/shell";

/// Runs the recipes, with one failure of each recipe for AWS.
pub(super) fn run(project: &Project) -> Result<String> {
    tests(project, &["test_recipes", "test_errors"], None)
}

/// Runs the recipes with all failures, and counts the waits with the AWS CLI that are lost behind a proxy.
pub(crate) fn all(project: &Project, waits: &str) -> Result<String> {
    let setting = Some(("SMITHY_WAITERS_SHELL_ALL", "1"));
    let recipes = tests(project, &["test_recipes"], setting)?;
    let program = project.path(TESTS).join("aws_waits.py");
    let arguments = [&*program.to_string_lossy(), waits, "--own"];
    let waits = environment(project)?
        .python(&arguments)
        .env("SMITHY_WAITERS_COMMAND", command(project))
        .env("SMITHY_WAITERS_REAL", real::services(project)?);
    let waits = process::without_aws_settings(project, &waits);
    let lost = process::tee(&arguments.join(" "), &waits)?;
    let lost = lost.summarize(|output| counts::after(output, "lost waits: "))?;
    Ok(format!("{recipes}; lost waits: {lost}"))
}

fn tests(project: &Project, names: &[&str], setting: Option<(&str, &str)>) -> Result<String> {
    process::program(project, process::COMMAND)?;
    install_programs()?;
    let environment = environment(project)?;
    let path = |name| format!("{TESTS}/{name}.py");
    let files: Vec<String> = names.iter().map(path).collect();
    python::pytest_files(project, &environment, &files, |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_COMMAND", command(project));
        let pytest = setting
            .into_iter()
            .fold(pytest, |pytest, (name, value)| pytest.env(name, value));
        Ok(process::without_aws_settings(project, &pytest))
    })?
    .summarize(counts::pytest)
}

/// Returns the path of the command without optimization.
fn command(project: &Project) -> PathBuf {
    project.target("debug/smithy-waiters")
}

/// Returns the environment with the AWS CLI and moto.
fn environment(project: &Project) -> Result<Environment> {
    let environment = Environment::open(project, "shell")?;
    environment.install_requirements(&project.path(TESTS).join("requirements.txt"))?;
    Ok(environment)
}

/// Installs the programs of the recipes on Debian. Any version of `kubectl` will do.
fn install_programs() -> Result<()> {
    if !debian::is_here() {
        return Ok(());
    }
    let kubectl = cmd!("kubectl", "version", "--client").stdout_null();
    match kubectl.stderr_null().run() {
        Ok(_) => debian::install(&["curl", "postgresql"]),
        Err(_) => debian::install(&["curl", "postgresql", "kubernetes-client"]),
    }
}
