//! Compares the command with Smithy's: whole processes on the service models of the test data.

use anyhow::Result;

use crate::data;
use crate::packages::command;
use crate::process;
use crate::project::Project;
use crate::report;
use crate::tools::maven;
use crate::tools::python::Environment;

/// Measures both commands, or only ours if Smithy's cannot be fetched.
pub(super) fn measure(project: &Project) -> Result<String> {
    let models = data::models(project)?;
    let program = command::program(project)?;
    let script = project.path("tools/cli/bench/processes.py");
    let (script, program, models) = (
        script.to_string_lossy(),
        program.to_string_lossy(),
        models.to_string_lossy(),
    );
    let mut arguments = vec![&*script, &*program, &*models];
    let smithy = maven::command(project);
    match &smithy {
        Ok(classes) => arguments.push(classes),
        Err(error) => report::error(error),
    }
    let measure = Environment::open(project, "build")?.python(&arguments);
    process::read("python tools/cli/bench/processes.py", &measure)
}
