//! Runs the command in root file systems without Rust and Python.

use anyhow::Result;

use super::counts;
use crate::packages::command;
use crate::process;
use crate::project::{self, Project};
use crate::steps::Skipped;
use crate::tools::debian;
use crate::tools::python::Environment;

/// Runs the static program in the image of the `Dockerfile`, and in two releases of Debian.
pub(crate) fn run(project: &Project) -> Result<String> {
    if !debian::is_here() {
        return Err(Skipped("only Debian has `debootstrap`".to_owned()).into());
    }
    debian::install(&["debootstrap"])?;
    let [alone, _] = command::alone(project)?;
    let folder = project.target("roots");
    project::fresh_folder(&folder)?;
    let script = project.path("tools/cli/tests/roots/roots.py");
    let arguments = [&*script, project.root(), &folder, &alone];
    let arguments = arguments.map(|path| path.to_string_lossy().into_owned());
    let arguments = arguments.each_ref().map(String::as_str);
    let python = Environment::open(project, "build")?.python(&arguments);
    process::tee("python tools/cli/tests/roots/roots.py", &python)?
        .summarize(|output| counts::after(output, "roots: "))
}
