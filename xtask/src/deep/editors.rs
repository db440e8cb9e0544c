//! The example of `docs/editors.md` for Neovim, in Neovim.

use anyhow::Result;
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::steps::Skipped;
use crate::test::counts;
use crate::tools::debian;

const TEST: &str = "tests/editors/neovim.lua";

/// Runs the example on an unsaved model.
pub(super) fn run(project: &Project) -> Result<String> {
    if debian::is_here() {
        debian::install(&["neovim"])?;
    } else {
        let version = cmd!("nvim", "--version");
        process::read("nvim --version", &version)
            .map_err(|error| Skipped(format!("needs Neovim: {error:#}")))?;
    }
    process::command_alone(project)?;
    let folder = project.target("editors");
    project::fresh_folder(&folder)?;
    let arguments = ["--headless", "-u", "NONE", "-i", "NONE", "-S"];
    let test = cmd(
        "nvim",
        arguments
            .map(Into::into)
            .into_iter()
            .chain([project.path(TEST).into_os_string()]),
    )
    .dir(folder)
    .env(
        "SMITHY_WAITERS_COMMAND",
        project.target("debug").join(process::COMMAND),
    )
    .env("SMITHY_WAITERS_PAGE", project.path("docs/editors.md"))
    .stderr_to_stdout();
    process::tee("nvim", &test)?.summarize(counts::last_line)
}
