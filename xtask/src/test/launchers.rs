//! Tests the launchers of the command in new Python and Node environments.

use std::path::Path;

use anyhow::Result;
use duct::{Expression, cmd};
use serde_json::json;

use super::counts;
use crate::packages::command::{self, Packages};
use crate::packages::wheel;
use crate::process;
use crate::project::{self, Project, VERSION};
use crate::tools::node;
use crate::tools::python::{self, Environment};

/// The prefix of the last line of both programs.
const CLOSING: &str = "launchers: ";

/// Runs `python -m smithy_waiters` and `npx smithy-waiters`, without and with the command's packages installed.
pub(super) fn run(project: &Project) -> Result<String> {
    let packages = command::debug_packages(project)?;
    let in_python = in_python(project, &packages)?;
    let in_node = in_node(project, &packages)?;
    Ok(format!("{in_python}; {in_node}"))
}

/// Tests the launcher in Python. The command is installed as an extra of the engine's package.
fn in_python(project: &Project, packages: &Packages) -> Result<String> {
    let engine = wheel::latest(project)?;
    let environment = Environment::fresh(project, "launchers", python::ours()?)?;
    environment.pip_install(&["--no-index", &engine.to_string_lossy()])?;
    let program = project
        .path("tools/cli/tests/launchers/launch.py")
        .to_string_lossy()
        .into_owned();
    check(&environment.python(&["-I", &program, "without"]))?;
    let folders = [&engine, &packages.wheel]
        .map(|file| format!("--find-links={}", file.with_file_name("").display()));
    let [engine, command] = folders;
    environment.pip_install(&["--no-index", &engine, &command, "smithy-waiters[lint]"])?;
    check(&environment.python(&["-I", &program, "with"]))
}

/// Tests the launcher in Node, offline.
fn in_node(project: &Project, packages: &Packages) -> Result<String> {
    let folder = project.target("command/project");
    project::fresh_folder(&folder)?;
    let package = json!({ "name": "project", "private": true });
    project::write(&folder.join("package.json"), package.to_string())?;
    let engine = project.target(&format!("npm/smithy-waiters-{VERSION}.tgz"));
    let install = |tarballs: &[&Path]| node::install_tarballs(&folder, &["--offline"], tarballs);
    let program = project.path("tools/cli/tests/launchers/launch.mjs");
    let launch = |part: &str| cmd!("node", &program, part).dir(&folder);
    install(&[&engine])?;
    check(&launch("without"))?;
    let [main, platform] = &packages.tarballs;
    install(&[platform, main])?;
    check(&launch("with"))
}

fn check(program: &Expression) -> Result<String> {
    process::tee("launch", program)?.summarize(|output| counts::after(output, CLOSING))
}
