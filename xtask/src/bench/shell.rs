//! Measures the verb `wait` of the command as a process.

use anyhow::Result;

use crate::packages::command;
use crate::process;
use crate::project::Project;
use crate::steps::Skipped;
use crate::tools::python::Environment;

/// Measures the static program beside the programs that people use instead.
pub(super) fn measure(project: &Project) -> Result<String> {
    if cfg!(not(target_os = "linux")) {
        return Err(Skipped("the static program is for Linux".to_owned()).into());
    }
    let [program, _] = command::alone(project)?;
    let script = project.path("tools/cli/bench/waits.py");
    let (script, program) = (script.to_string_lossy(), program.to_string_lossy());
    let measure = Environment::open(project, "build")?.python(&[&script, &program]);
    process::read("python tools/cli/bench/waits.py", &measure)
}
