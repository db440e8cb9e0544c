//! Runs the demo as a check, with the same comparisons and plain output.

use anyhow::Result;

use super::counts;
use crate::process;
use crate::project::Project;

pub(super) fn run(project: &Project) -> Result<String> {
    let demo = process::this_program(&["demo", "--no-live", "--tested"])?.dir(project.root());
    let closing =
        process::tee("cargo xtask demo --no-live", &demo)?.summarize(counts::last_line)?;
    Ok(closing.trim_start_matches("✔ ").to_owned())
}
