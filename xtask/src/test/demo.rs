//! The demo as a check: the same comparisons, in plain lines.

use std::env;

use anyhow::{Context, Result};
use duct::cmd;

use super::counts;
use crate::process;
use crate::project::Project;

pub(super) fn run(project: &Project) -> Result<String> {
    let this_program = env::current_exe().context("this program has no path")?;
    let demo = cmd!(this_program, "demo", "--no-live", "--tested").dir(project.root());
    let closing =
        process::tee("cargo xtask demo --no-live", &demo)?.summarize(counts::last_line)?;
    Ok(closing.trim_start_matches("✔ ").to_owned())
}
