//! Checks the content of the Python package's release files, and tests them after installation.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::Expression;

use super::counts;
use super::python::wheel as python_wheel;
use crate::packages::wheel;
use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};
use crate::steps::Skipped;
use crate::tools::python::{self, Environment};

/// The prefix of the smoke test's last line.
const SMOKE: &str = "smoke: ";

/// The pinned packages that the tests and the checks of the code use.
const PINS: &str = "python/requirements-dev.txt";

/// The large packages, which are installed for only one Python. The tests for it run with all packages.
const LARGE: [&str; 13] = [
    "aiohttp",
    "aws-durable-execution-sdk-python",
    "boto3",
    "botocore-stubs",
    "dbos",
    "httpx",
    "mypy",
    "numpy",
    "pydantic",
    "pyright",
    "requests",
    "ruff",
    "temporalio",
];

/// The tests that need large packages.
const LARGE_TESTS: [&str; 10] = [
    "tests/test_botocore.py",
    "tests/test_client_fleets.py",
    "tests/test_clients.py",
    "tests/test_data_foreign.py",
    "tests/test_pages.py",
    "tests/test_readme.py",
    "tests/test_real_use.py",
    "tests/test_recipe_blocks.py",
    "tests/test_retry_clients.py",
    "tests/test_transient_clients.py",
];

/// The versions of Python, oldest first.
const VERSIONS: [&str; 5] = [OLDEST, "3.11", "3.12", "3.13", "3.14"];

/// The oldest version of Python.
pub(super) const OLDEST: &str = "3.10";

/// The newest Python without the global lock for which a wheel is built.
const FREE_THREADED: &str = "3.14t";

/// Builds the source distribution.
pub(super) fn sdist(project: &Project) -> Result<String> {
    Ok(project.display(&wheel::sdist(project)?))
}

/// Builds and installs the package from the source distribution, as on a platform without a wheel.
pub(crate) fn install_sdist(project: &Project) -> Result<()> {
    let sdist = wheel::sdist(project)?;
    let inputs = [sdist.clone()];
    let environment = fresh(project, "sdist", python::ours()?, &inputs, |environment| {
        build(project, environment, &sdist)
    })?;
    smoke(project, &environment).map(drop)
}

fn build(project: &Project, environment: &Environment, sdist: &Path) -> Result<()> {
    let install = environment.pip(&["--no-cache-dir", &*sdist.to_string_lossy()]);
    process::run(
        &format!("pip install {} (unoptimised)", project.display(sdist)),
        &without_optimization(&process::without_cargo_variables(&install)),
    )
}

/// Disables optimisations, which would take most of the time of this test.
fn without_optimization(command: &Expression) -> Expression {
    command
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_PROFILE_WHEEL_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_WHEEL_LTO", "off")
        .env("CARGO_PROFILE_WHEEL_OPT_LEVEL", "0")
}

/// Checks the content of this machine's wheel and of the source distribution.
pub(super) fn files(project: &Project) -> Result<String> {
    check(project, &[wheel::latest(project)?])
}

/// Checks the content and the system requirements of the portable wheels, with and without the global lock.
pub(crate) fn portable(project: &Project) -> Result<String> {
    check(project, &wheel::portable(project)?)
}

fn check(project: &Project, wheels: &[PathBuf]) -> Result<String> {
    let tools = Environment::open(project, "artefacts")?;
    let folder = project.path("python/artefacts");
    tools.install_requirements(&folder.join("requirements.txt"))?;
    let pytest = tools
        .python(&["-m", "pytest", "-p", "no:cacheprovider", "-r", "a", "."])
        .dir(&folder)
        .env("SMITHY_WAITERS_WHEELS", std::env::join_paths(wheels)?)
        .env("SMITHY_WAITERS_SDIST", wheel::latest_sdist(project)?);
    process::tee("python -m pytest python/artefacts", &pytest)?.summarize(counts::pytest)
}

/// Tests the package on the newest version of Python that is installed.
pub(super) fn test_on_newest(project: &Project) -> Result<String> {
    let mut newest = VERSIONS.iter().rev();
    let newest = newest.find(|version| python::interpreter(version).is_some());
    test_on(project, newest.unwrap_or(&OLDEST))
}

/// Tests the package on all versions of Python that are installed, with and without the global lock.
pub(crate) fn test_on_all(project: &Project) -> Result<String> {
    python_wheel(project)?;
    wheel::sdist(project)?;
    let wheels = [wheel::latest(project)?, wheel::free_threaded(project)?];
    let files = check(project, &wheels)?;
    let versions = VERSIONS.map(|version| (version, test_on(project, version)));
    let free_threaded = (FREE_THREADED, test_on_free_threaded(project));
    let mut summaries = vec![format!("files: {files}")];
    for (version, tested) in versions.into_iter().chain([free_threaded]) {
        summaries.push(match tested {
            Err(error) if error.is::<Skipped>() => error.to_string(),
            tested => format!("{version}: {}", tested.context(version)?),
        });
    }
    Ok(summaries.join("; "))
}

/// Installs the wheel in a new environment with a Python version, and runs the package's tests.
pub(super) fn test_on(project: &Project, version: &str) -> Result<String> {
    run_on(project, version, &wheel::latest(project)?, || {
        format!("Python {version} is not installed")
    })
}

/// Installs the wheel for Pythons without the global lock in a new environment, and runs the package's tests.
fn test_on_free_threaded(project: &Project) -> Result<String> {
    run_on(
        project,
        FREE_THREADED,
        &wheel::free_threaded(project)?,
        || format!("built, but Python {FREE_THREADED} is not installed"),
    )
}

fn run_on(
    project: &Project,
    version: &str,
    wheel: &Path,
    missing: impl Fn() -> String,
) -> Result<String> {
    let interpreter = python::interpreter(version).ok_or_else(|| Skipped(missing()))?;
    let pins = small_pins(&project::read(&project.path(PINS))?);
    let inputs = [wheel.to_owned(), project.path(PINS)];
    let name = format!("python-{version}");
    let environment = fresh(project, &name, &interpreter, &inputs, |environment| {
        environment.pip_install(&["--no-index", &wheel.to_string_lossy()])?;
        let pins: Vec<&str> = pins.iter().map(String::as_str).collect();
        environment.pip_install(&pins)
    })?;
    let smoke = smoke(project, &environment)?;
    let tests = tests(project, &environment)?;
    let excluded = LARGE_TESTS.join(", ");
    Ok(format!("{tests}, without {excluded}; {smoke}"))
}

/// Returns the pins in a requirements file, without those of large packages.
fn small_pins(requirements: &str) -> Vec<String> {
    let is_needed = |line: &&str| {
        let name = line.split("==").next().unwrap_or_default();
        !name.is_empty() && !name.starts_with('#') && !LARGE.contains(&name)
    };
    requirements
        .lines()
        .filter(is_needed)
        .map(str::to_owned)
        .collect()
}

/// Creates an environment, unless an existing one has the same inputs.
fn fresh(
    project: &Project,
    name: &str,
    interpreter: &OsStr,
    inputs: &[PathBuf],
    install: impl Fn(&Environment) -> Result<()>,
) -> Result<Environment> {
    let fingerprint = Fingerprint::default()
        .text(&interpreter.to_string_lossy())
        .text(&LARGE.join(" "))
        .files(inputs)?;
    let folder = project.target("python").join(name);
    let stamp = Stamp::new(folder.join(".made.stamp"), fingerprint, &[]);
    if stamp.is_fresh()? {
        return Environment::open(project, name);
    }
    let environment = Environment::fresh(project, name, interpreter)?;
    install(&environment)?;
    stamp.set()?;
    Ok(environment)
}

fn smoke(project: &Project, environment: &Environment) -> Result<String> {
    let program = project.path("python/artefacts/smoke.py");
    let python = environment.python(&["-I", &program.to_string_lossy()]);
    process::tee("python -I python/artefacts/smoke.py", &python)?
        .summarize(|output| counts::after(output, SMOKE))
}

fn tests(project: &Project, environment: &Environment) -> Result<String> {
    let excluded: Vec<String> = LARGE_TESTS
        .iter()
        .map(|file| format!("--ignore={file}"))
        .collect();
    let mut arguments = vec!["-m", "pytest", "-p", "no:cacheprovider", "-r", "a", "tests"];
    arguments.extend(excluded.iter().map(String::as_str));
    let pytest = environment.python(&arguments).dir(project.path("python"));
    process::tee(&format!("python {}", arguments.join(" ")), &pytest)?.summarize(counts::pytest)
}

#[cfg(test)]
mod tests {
    use super::small_pins;

    #[test]
    fn large_packages_are_excluded() {
        let pins = "# The tools.\nattrs==26.1.0\nbotocore==1.44.5\nbotocore-stubs==1.43.126\n\nnumpy==2.2.6\n";
        assert_eq!(small_pins(pins), ["attrs==26.1.0", "botocore==1.44.5"]);
    }
}
