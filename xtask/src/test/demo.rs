//! Runs the demo as a check.

use anyhow::Result;

use super::counts;
use crate::process;
use crate::project::Project;

pub(super) fn run(project: &Project) -> Result<String> {
    let demo = process::this_program(&["demo", "--tested"])?.dir(project.root());
    process::tee("cargo xtask demo", &demo)?.summarize(counts::last_line)
}
