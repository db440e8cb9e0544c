//! `cargo xtask picture`: draws the moving picture of a wait.

use anyhow::Result;
use duct::Expression;

use crate::process;
use crate::project::Project;
use crate::test::counts;
use crate::tools::python::Environment;

const FOLDER: &str = "docs/picture";

const FILE: &str = "docs/wait.svg";

/// Draws the picture.
pub(crate) fn run(project: &Project) -> Result<()> {
    process::run("picture.py", &program(project, &[])?)
}

/// Checks that the picture shows what the command shows today.
pub(crate) fn check(project: &Project) -> Result<String> {
    let program = program(project, &["--check"])?;
    process::tee("picture.py --check", &program)?.summarize(counts::last_line)
}

fn program(project: &Project, options: &[&str]) -> Result<Expression> {
    process::command_alone(project)?;
    let command = project.target("debug").join(process::COMMAND);
    let environment = Environment::open(project, "picture")?;
    environment.install_requirements(&project.path(FOLDER).join("requirements.txt"))?;
    let [program, command, file] = [
        project.path(FOLDER).join("picture.py"),
        command,
        project.path(FILE),
    ]
    .map(|path| path.to_string_lossy().into_owned());
    let arguments = [&[&*program, &*command, &*file], options].concat();
    Ok(environment.python(&arguments))
}
