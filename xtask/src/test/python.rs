//! The checks of the Python package. They use the built wheel, installed in a virtual environment.

use std::path::Path;

use anyhow::{Result, ensure};
use duct::Expression;
use serde::Deserialize;

use super::counts;
use crate::packages::wheel;
use crate::process;
use crate::project::Project;
use crate::tools::python::Environment;

pub(super) fn wheel(project: &Project) -> Result<String> {
    wheel::run(project, &wheel::Options::default())?;
    Ok(project.display(&wheel::latest(project)?))
}

/// Installs the pinned requirements of the checks.
pub(super) fn tools(project: &Project) -> Result<String> {
    let requirements = project.path("python/requirements-dev.txt");
    environment(project)?.install_requirements(&requirements)?;
    Ok(project.display(&requirements))
}

/// Installs the wheel beside the tools.
pub(super) fn install(project: &Project) -> Result<String> {
    install_in(project, &environment(project)?)
}

/// Installs the wheel in another environment.
pub(super) fn install_in(project: &Project, environment: &Environment) -> Result<String> {
    let wheel = wheel::latest(project)?;
    environment.install_wheel(&wheel)?;
    Ok(project.display(&wheel))
}

/// Builds and installs the wheel, and returns the environment.
pub(crate) fn with_package(project: &Project) -> Result<Environment> {
    tools(project)?;
    wheel(project)?;
    install(project)?;
    environment(project)
}

pub(super) fn types(project: &Project) -> Result<String> {
    run(
        project,
        &[
            "mypy",
            "--strict",
            "src",
            "tests",
            "artefacts",
            "bench",
            "../tests/python",
            "../tests/real",
            "../tests/generated",
            "../tests/durable",
            "../tests/shell",
            "../docs/picture",
        ],
    )?
    .summarize(counts::last_line)
}

/// Checks the types with pyright, and the completeness of the installed package's public types.
pub(super) fn pyright(project: &Project) -> Result<String> {
    tee(&["pyright"], &pyright_command(project, &[])?)?.describe("the package and its consumer")?;
    let arguments = [
        "--verifytypes",
        "smithy_waiters",
        "--ignoreexternal",
        "--outputjson",
    ];
    let verify = pyright_command(project, &arguments)?;
    // pyright fails because of Airflow's classes, so the report decides.
    let report = process::read("pyright --verifytypes", &verify.unchecked())?;
    let report: TypeReport = serde_json::from_str(&report)?;
    let symbols = report.type_completeness.symbols.iter();
    let symbols = symbols.filter(|symbol| symbol.is_exported || symbol.is_of_airflow());
    let incomplete = symbols.clone().filter(|symbol| !symbol.is_complete());
    let incomplete: Vec<&str> = incomplete.map(|symbol| &*symbol.name).collect();
    let count = symbols.count();
    ensure!(count > 0, "pyright found no public symbols");
    ensure!(
        incomplete.is_empty(),
        "types are not known: {}",
        incomplete.join(", ")
    );
    Ok(format!(
        "the types of {count} symbols are complete, except base classes of Airflow, which is not installed here"
    ))
}

/// The report of `pyright --verifytypes`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeReport {
    type_completeness: TypeCompleteness,
}

#[derive(Deserialize)]
struct TypeCompleteness {
    symbols: Vec<Symbol>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Symbol {
    name: String,
    is_exported: bool,
    is_type_known: bool,
    is_type_ambiguous: bool,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
}

impl Symbol {
    /// Of the modules for Airflow, private symbols are checked too: public classes may have a base class among them.
    fn is_of_airflow(&self) -> bool {
        self.name.starts_with("smithy_waiters.airflow.")
    }

    fn is_complete(&self) -> bool {
        let is_by_airflow = |diagnostic: &Diagnostic| {
            let kinds = [
                "Type of base class unknown",
                "Type of base class \"smithy_waiters.airflow.",
                "Type of metaclass unknown",
            ];
            kinds
                .iter()
                .any(|kind| diagnostic.message.starts_with(kind))
        };
        (self.is_type_known && !self.is_type_ambiguous)
            || (self.is_of_airflow() && self.diagnostics.iter().all(is_by_airflow))
    }
}

fn pyright_command(project: &Project, arguments: &[&str]) -> Result<Expression> {
    let arguments = [&["pyright"], arguments].concat();
    Ok(module(project, &arguments)?
        // pyright resolves packages with the first Python on the path.
        .env("PATH", environment(project)?.path()?)
        // The version is pinned, so the warning about a newer one is not relevant.
        .env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1"))
}

/// Compares the stubs with the extension module in the wheel.
pub(super) fn stubs(project: &Project) -> Result<String> {
    run(
        project,
        &[
            "mypy.stubtest",
            "smithy_waiters",
            "--mypy-config-file",
            "pyproject.toml",
            "--allowlist",
            "stubtest-allowlist.txt",
        ],
    )?
    .summarize(counts::last_line)
}

pub(super) fn tests(project: &Project) -> Result<String> {
    run(project, &["pytest", "-r", "a", "tests"])?.summarize(counts::pytest)
}

/// Runs a test file outside of the package, with a path relative to the root of the project.
pub(super) fn pytest_file(
    project: &Project,
    path: &str,
    prepare: impl Fn(Expression) -> Result<Expression>,
) -> Result<process::TeeOutput> {
    pytest_files(project, &environment(project)?, &[path.to_owned()], prepare)
}

/// Runs test files outside of the package in an environment.
pub(super) fn pytest_files(
    project: &Project,
    environment: &Environment,
    paths: &[String],
    prepare: impl Fn(Expression) -> Result<Expression>,
) -> Result<process::TeeOutput> {
    let paths: Vec<String> = paths.iter().map(|path| format!("../{path}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let arguments = [
        &["pytest", "--config-file=pyproject.toml", "-r", "a"],
        &paths[..],
    ]
    .concat();
    tee(
        &arguments,
        &prepare(module_in(project, environment, &arguments))?,
    )
}

fn tee(arguments: &[&str], command: &Expression) -> Result<process::TeeOutput> {
    process::tee(&format!("python -m {}", arguments.join(" ")), command)
}

pub(super) fn lint(project: &Project) -> Result<String> {
    run(
        project,
        &[
            "ruff",
            "check",
            ".",
            "../tests",
            "../examples",
            "../conformance",
            "../docs",
        ],
    )?
    .summarize(counts::last_line)
}

/// Checks the spelling of all files, with the exceptions of `typos.toml`.
pub(super) fn spelling(project: &Project) -> Result<String> {
    let typos = environment(project)?.program("typos");
    let command = duct::cmd!(typos, "--format", "brief").dir(project.root());
    process::tee("typos", &command)?.describe("no misspelled word")
}

/// Prints the order of the modules, and checks that no import goes up.
pub(super) fn layers(project: &Project) -> Result<String> {
    let command = environment(project)?.python(&["tests/layers.py"]);
    process::tee("python tests/layers.py", &command.dir(project.root()))?
        .summarize(counts::last_line)
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
            "../examples",
            "../conformance",
            "../docs",
        ],
    )?
    .summarize(counts::last_line)
}

pub(super) fn run(project: &Project, arguments: &[&str]) -> Result<process::TeeOutput> {
    tee(arguments, &module(project, arguments)?)
}

/// Returns the command that runs a module of the test environment in the package's folder.
fn module(project: &Project, arguments: &[&str]) -> Result<Expression> {
    Ok(module_in(project, &environment(project)?, arguments))
}

fn module_in(project: &Project, environment: &Environment, arguments: &[&str]) -> Expression {
    let arguments = [&["-m"], arguments].concat();
    environment.python(&arguments).dir(project.path("python"))
}

/// Returns an environment with the wheel and the requirements in a file.
pub(crate) fn environment_with(
    project: &Project,
    name: &str,
    requirements: &Path,
) -> Result<Environment> {
    let environment = Environment::open(project, name)?;
    environment.install_requirements(requirements)?;
    install_in(project, &environment)?;
    Ok(environment)
}

/// Returns the environment in which the wheel is installed.
pub(crate) fn environment(project: &Project) -> Result<Environment> {
    Environment::open(project, "test")
}
