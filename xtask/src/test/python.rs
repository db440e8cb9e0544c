//! The checks of the Python package: of the built wheel, installed in an environment of its own.

use anyhow::Result;
use duct::Expression;

use super::counts;
use crate::process;
use crate::project::{self, Project};
use crate::tools::python::Environment;
use crate::wheel;

pub(super) fn wheel(project: &Project) -> Result<String> {
    wheel::run(project, &wheel::Options::default())?;
    Ok(project.shown(&wheel::built(project)?))
}

/// Installs what the checks need, as pinned.
pub(super) fn tools(project: &Project) -> Result<String> {
    let requirements = project.path("python/requirements-dev.txt");
    environment(project)?.install_requirements(&requirements)?;
    Ok(project.shown(&requirements))
}

/// Installs the wheel beside the tools.
pub(super) fn install(project: &Project) -> Result<String> {
    let wheel = wheel::built(project)?;
    environment(project)?.install_wheel(&wheel)?;
    Ok(project.shown(&wheel))
}

pub(super) fn types(project: &Project) -> Result<String> {
    run(
        project,
        &["mypy", "--strict", "src", "tests", "../tests/python"],
    )?
    .summed_up(counts::last_line)
}

/// Compares the stubs with the extension that is in the wheel.
pub(super) fn stubs(project: &Project) -> Result<String> {
    run(project, &["mypy.stubtest", "smithy_waiters"])?.summed_up(counts::last_line)
}

pub(super) fn tests(project: &Project) -> Result<String> {
    run(project, &["pytest", "-r", "a", "tests"])?.summed_up(counts::pytest)
}

/// Runs the vectors that all languages share.
pub(super) fn vectors(project: &Project) -> Result<String> {
    // No result of an earlier run counts.
    project::write(&project.target("vectors/python.json"), "{}")?;
    let arguments = [
        "pytest",
        "--config-file=pyproject.toml",
        "-r",
        "a",
        "../tests/python",
    ];
    run(project, &arguments)?.summed_up(counts::pytest)
}

pub(super) fn lint(project: &Project) -> Result<String> {
    run(
        project,
        &["ruff", "check", ".", "../tests", "../xtask/demo"],
    )?
    .summed_up(counts::last_line)
}

pub(super) fn format(project: &Project) -> Result<String> {
    run(
        project,
        &[
            "ruff",
            "format",
            "--check",
            ".",
            "../tests",
            "../xtask/demo",
        ],
    )?
    .summed_up(counts::last_line)
}

fn run(project: &Project, arguments: &[&str]) -> Result<process::Finished> {
    process::tee(
        &format!("python -m {}", arguments.join(" ")),
        &module(project, arguments)?,
    )
}

fn module(project: &Project, arguments: &[&str]) -> Result<Expression> {
    let arguments = [&["-m"], arguments].concat();
    Ok(environment(project)?
        .python(&arguments)
        .dir(project.path("python")))
}

/// The environment that the wheel is installed in.
pub(super) fn environment(project: &Project) -> Result<Environment> {
    Environment::open(project, "test")
}
