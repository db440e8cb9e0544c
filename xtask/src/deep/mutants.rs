//! Changes the engine in a sample of small ways, each of which its quick tests must notice.

use std::env;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use regex::Regex;

use crate::process;
use crate::project::{self, Project};
use crate::tools::crates::Tool;

const TOOL: Tool = Tool {
    name: "cargo-mutants",
    version: "27.1.0",
    features: "",
};

/// The part of the mutants, if the environment variable does not set another.
const SHARD: &str = "0/80";

/// The percentage of the mutants that must be noticed.
const LEAST: usize = 95;

/// Runs the quick tests against each mutant of a shard. `.cargo/mutants.toml` has the files and the tests.
pub(super) fn run(project: &Project) -> Result<String> {
    let tool = TOOL.install(project)?;
    let folder = project.target("mutants");
    project::fresh_folder(&folder)?;
    let shard = env::var("SMITHY_WAITERS_MUTANTS");
    let shard = shard.as_deref().unwrap_or(SHARD);
    // A shard in turns has mutants of every file; one in a row has those of a single file.
    let turns = ["--sharding", "round-robin", "--shard", shard];
    let mutants = cmd(tool, [&["mutants"], &turns[..]].concat())
        .dir(project.root())
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "0");
    let mutants = process::without_cargo_variables(&mutants);
    // It ends with 2 if the tests miss a mutant, and with 3 if one of them takes too long.
    let output = process::tee(&format!("cargo mutants --shard {shard}"), &mutants)?;
    output.accept(2).accept(3).summarize(|text| {
        let [caught, missed, slow] = ["caught", "missed", "timeout"].map(|word| count(text, word));
        let (noticed, all) = (caught?.saturating_add(slow?), missed?);
        let all = all.saturating_add(noticed);
        ensure!(all > 0, "no mutant was tested");
        ensure!(
            noticed.saturating_mul(100) >= all.saturating_mul(LEAST),
            "the tests notice only {noticed} of {all} mutants: see `target/mutants`"
        );
        Ok(format!("{noticed} of {all} mutants are noticed"))
    })
}

/// Returns a number of the closing line: `81 mutants tested in 12m: 2 missed, 70 caught, 9 unviable`.
fn count(text: &str, word: &str) -> Result<usize> {
    let closing = text
        .lines()
        .rev()
        .find(|line| line.contains("mutants tested in"));
    let closing = closing.context("the closing line is missing")?;
    let number = Regex::new(&format!(r"(\d+) {word}"))?;
    let captures = number
        .captures(closing)
        .and_then(|captures| captures.get(1));
    Ok(captures.map_or(Ok(0), |digits| digits.as_str().parse())?)
}
