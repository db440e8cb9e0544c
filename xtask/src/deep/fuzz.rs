//! Runs the fuzz targets of the engine, of the reader of models and of the conformance tests.

use std::env;

use fs_err as fs;

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::Project;
use crate::steps::Skipped;
use crate::tools::crates::Tool;

const TOOL: Tool = Tool {
    name: "cargo-fuzz",
    version: "0.13.2",
    features: "",
};

/// The folders and their targets.
const TARGETS: [(&str, &[&str]); 3] = [
    (
        "core",
        &[
            "definition",
            "expression",
            "headers",
            "options",
            "saved",
            "wait",
        ],
    ),
    ("tools/model", &["ast", "idl", "size"]),
    ("tools/conformance", &["suite"]),
];

/// The time for each target, in seconds, if the environment variable does not set another.
const SECONDS: &str = "60";

/// Runs each target for a time, and returns the numbers of inputs.
///
/// # Errors
///
/// Returns [`Skipped`] without a nightly compiler. Fails at an input that ends a target, which is stored beside it.
pub(super) fn run(project: &Project) -> Result<String> {
    let nightly = cmd("cargo", ["+nightly", "--version"]);
    process::read("cargo +nightly --version", &nightly)
        .map_err(|error| Skipped(format!("needs a nightly compiler: {error:#}")))?;
    let tool = TOOL.install(project)?;
    let seconds = env::var("SMITHY_WAITERS_FUZZ_SECONDS");
    let limit = format!("-max_total_time={}", seconds.as_deref().unwrap_or(SECONDS));
    let mut counts = Vec::new();
    for (folder, targets) in TARGETS {
        for target in targets {
            let folders = ["corpus", "seeds"].map(|kind| format!("fuzz/{kind}/{target}"));
            for folder_of_inputs in &folders {
                fs::create_dir_all(project.path(folder).join(folder_of_inputs))?;
            }
            let arguments = [
                &["run", "--sanitizer", "none", target][..],
                &folders.each_ref().map(|it| &**it),
                &["--", &limit],
            ];
            // The toolchain is that of the environment variable, because the program is not started by cargo.
            let fuzz = cmd(&tool, arguments.concat())
                .dir(project.path(folder))
                .env("RUSTUP_TOOLCHAIN", "nightly");
            let output = process::tee(&format!("cargo fuzz run {target}"), &fuzz)?;
            counts.push(output.summarize(|text| {
                let done = text.lines().find_map(|line| line.strip_prefix("Done "));
                let runs = done.and_then(|rest| rest.split_once(' '));
                let (runs, _) = runs.context("the number of inputs is missing")?;
                Ok(format!("{target} {runs}"))
            })?);
        }
    }
    Ok(format!("inputs: {}", counts.join(", ")))
}
