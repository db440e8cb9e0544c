//! Tests of the recipes in `docs/shell.md` and of the table of errors, with real programs.

use anyhow::Result;
use duct::cmd;

use super::{counts, python};
use crate::process;
use crate::project::Project;
use crate::tools::debian;
use crate::tools::python::Environment;

const TESTS: &str = "tests/shell";

/// Runs the recipes, with one failure of each recipe for AWS.
pub(super) fn run(project: &Project) -> Result<String> {
    tests(project, &["test_recipes", "test_errors"], None)
}

/// Runs the recipes with all failures.
pub(crate) fn all(project: &Project) -> Result<String> {
    tests(
        project,
        &["test_recipes"],
        Some(("SMITHY_WAITERS_SHELL_ALL", "1")),
    )
}

fn tests(project: &Project, names: &[&str], setting: Option<(&str, &str)>) -> Result<String> {
    process::build(project, &["--package", "smithy-waiters-cli"])?;
    let command = project.target("debug/smithy-waiters");
    install_programs()?;
    let environment = environment(project)?;
    let files: Vec<String> = names
        .iter()
        .map(|name| format!("{TESTS}/{name}.py"))
        .collect();
    python::pytest_files(project, &environment, &files, |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_COMMAND", &command);
        let pytest = match setting {
            Some((name, value)) => pytest.env(name, value),
            None => pytest,
        };
        Ok(process::without_aws_settings(project, &pytest))
    })?
    .summarize(counts::pytest)
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
