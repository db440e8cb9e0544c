//! Tests the component in three hosts. Each one runs the supported vectors and the first example of the component's
//! page.

use fs_err as fs;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::{Expression, cmd};

use super::{javascript, oracle, readme};
use crate::packages::component;
use crate::process;
use crate::project::{self, Project};
use crate::steps::Skipped;
use crate::tools::{self, node, python::Environment};

const HOSTS: &str = "component/hosts";
const PAGE: &str = "component/README.md";

/// The minimum Rust version of wasmtime.
const WASMTIME_RUST: &str = ">=1.95";

/// The output of the first example in each host.
const CLOSING: &str = "active after 2 attempts";

/// Builds the component, and the runner of the vectors without the host in Rust.
pub(super) fn build(project: &Project) -> Result<String> {
    component::run(project, &component::Options)?;
    build_runner(project, &[])?;
    Ok("the component has no imports".to_owned())
}

fn build_runner(project: &Project, features: &[&str]) -> Result<()> {
    let arguments = [&["build", "--locked"], features].concat();
    let build = process::cargo_in(&project.path(HOSTS), &arguments);
    let build = with_target(project, &build);
    process::run("cargo build (component/hosts)", &build).map(drop)
}

/// Tests the component with wasmtime in Rust, whose compilation takes minutes.
pub(crate) fn rust(project: &Project) -> Result<String> {
    tools::require_version("rustc", WASMTIME_RUST, "wasmtime needs Rust 1.95")
        .map_err(|error| Skipped(format!("{error:#}")))?;
    component::run(project, &component::Options)?;
    build_runner(project, &["--features", "wasmtime"])?;
    let folder = project.path(HOSTS);
    check_example(project)?;
    let manifest = folder.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let example = [
        "run",
        "--quiet",
        "--locked",
        "--features",
        "wasmtime",
        "--manifest-path",
        &*manifest,
        "--example",
        "first_wait",
    ];
    first_wait(
        "wasmtime",
        &with_target(project, &process::cargo(project, &example)),
    )?;
    let vectors = run_vectors(project, "rust", None)?;
    let cases = run_cases(project, "rust", None, &oracle::many_for_component(project)?)?;
    Ok(format!("{cases}; {vectors}"))
}

/// Tests the component with wasmtime in Python.
pub(super) fn python(project: &Project) -> Result<String> {
    let environment = Environment::open(project, "component")?;
    environment.install_requirements(&project.path(HOSTS).join("python/requirements.txt"))?;
    let folder = page(
        project,
        "python",
        "first_wait.py",
        &project.target("component/python"),
    )?;
    let first = environment
        .python(&[&folder.to_string_lossy()])
        .dir(project.path("."));
    first_wait("python", &first)?;
    let host = project.path(HOSTS).join("python/host.py");
    let program = environment.program("python");
    let component = component_path(project);
    let host: Option<&[&Path]> = Some(&[&program, &host, &component]);
    let vectors = run_vectors(project, "python", host)?;
    let cases = run_cases(
        project,
        "python",
        host,
        &oracle::few_for_component(project)?,
    )?;
    Ok(format!("{cases}; {vectors}"))
}

/// Tests the component with jco in Node.
pub(super) fn javascript(project: &Project) -> Result<String> {
    let folder = transpile(project)?;
    let program = page(project, "js", "first-wait.mjs", &folder)?;
    first_wait("node", &cmd!("node", program).dir(&folder))?;
    let host = folder.join("host.mjs");
    let transpiled = folder.join("engine/smithy-waiters.js");
    run_vectors(
        project,
        "javascript",
        Some(&[Path::new("node"), &host, &transpiled]),
    )
}

/// Compares the component in wasmtime with the native engine, and in Node with the npm package.
pub(crate) fn measure(project: &Project) -> Result<String> {
    build(project)?;
    let manifest = project.path(HOSTS).join("Cargo.toml");
    let (manifest, component) = (manifest.to_string_lossy(), component_path(project));
    let options = [
        "run",
        "--release",
        "--quiet",
        "--locked",
        "--features",
        "wasmtime",
        "--manifest-path",
        &*manifest,
        "--example",
        "bench",
        "--",
    ];
    let bench = process::cargo(
        project,
        &[&options[..], &[&component.to_string_lossy()]].concat(),
    );
    let in_wasmtime = process::read("component in wasmtime", &with_target(project, &bench))?;
    let folder = transpile(project)?;
    javascript::wasm(project)?;
    node::install_own_package(project, &folder)?;
    fs::copy(
        project.path("npm/bench/timing.mjs"),
        folder.join("timing.mjs"),
    )?;
    let bench = cmd!("node", "bench.mjs").dir(&folder);
    let in_node = process::read("component in Node", &bench)?;
    Ok(format!("{in_wasmtime}\n{in_node}"))
}

fn component_path(project: &Project) -> PathBuf {
    project.path("component/dist/smithy-waiters.wasm")
}

/// Transpiles the component to JavaScript, and returns the folder of the host.
fn transpile(project: &Project) -> Result<PathBuf> {
    let folder = project.target("component/node");
    project::copy_files(&project.path(HOSTS).join("javascript"), &folder)?;
    node::install(&folder)?;
    let transpile = cmd!("node", "transpile.mjs", component_path(project)).dir(&folder);
    process::run("jco transpile", &transpile)?;
    Ok(folder)
}

/// Sets the target folder to one in the project's `target/`, which version control ignores.
fn with_target(project: &Project, command: &Expression) -> Expression {
    command.env("CARGO_TARGET_DIR", project.target("component/hosts"))
}

/// Runs the vectors in a host. Without a command, the runner uses wasmtime in its own process.
fn run_vectors(project: &Project, name: &str, host: Option<&[&Path]>) -> Result<String> {
    run_in(
        project,
        &format!("vectors, component in {name}"),
        name,
        host,
        |it| it,
    )
}

/// Compares the component in a host with the results of the native engine in a folder.
fn run_cases(
    project: &Project,
    name: &str,
    host: Option<&[&Path]>,
    results: &Path,
) -> Result<String> {
    run_in(
        project,
        &format!("random cases, component in {name}"),
        name,
        host,
        |runner| runner.env("SMITHY_WAITERS_CASES", results),
    )
}

fn run_in(
    project: &Project,
    title: &str,
    name: &str,
    host: Option<&[&Path]>,
    prepare: impl Fn(Expression) -> Expression,
) -> Result<String> {
    let runner = project.target("component/hosts/debug/smithy-waiters-component-hosts");
    let runner = runner.with_extension(std::env::consts::EXE_EXTENSION);
    let mut arguments = vec![OsString::from(name), component_path(project).into()];
    arguments.extend(
        host.into_iter()
            .flatten()
            .map(|path| path.as_os_str().to_owned()),
    );
    process::tee(title, &prepare(cmd(runner, arguments)))?.summarize(|output| {
        let mut lines = output.lines();
        let line = lines.find_map(|line| line.strip_prefix("component, "));
        Ok(line
            .context("the runner did not print a summary")?
            .to_owned())
    })
}

/// Writes the page's first block in a language to a file.
fn page(project: &Project, language: &str, name: &str, folder: &Path) -> Result<PathBuf> {
    let text = project::read(&project.path(PAGE))?;
    let block = readme::first_block(&text, language);
    let block = block.with_context(|| format!("{PAGE} has no `{language}` block"))?;
    let file = folder.join(name);
    fs::create_dir_all(folder)?;
    project::write(&file, block)?;
    Ok(file)
}

/// Compares the page's first Rust block with the example in the hosts' crate.
fn check_example(project: &Project) -> Result<()> {
    let text = project::read(&project.path(PAGE))?;
    let example = project::read(&project.path(HOSTS).join("examples/first_wait.rs"))?;
    let block = readme::first_block(&text, "rust");
    ensure!(
        block.as_ref() == Some(&example),
        "the `rust` block of {PAGE} differs from examples/first_wait.rs"
    );
    Ok(())
}

fn first_wait(host: &str, program: &Expression) -> Result<()> {
    process::tee(&format!("{host}: {PAGE}"), program)?.summarize(|output| {
        ensure!(
            output.contains(CLOSING),
            "the first example did not print `{CLOSING}`"
        );
        Ok(String::new())
    })?;
    Ok(())
}
