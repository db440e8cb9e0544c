//! Changes the engine and the tools in a sample of small ways, of which the tests must notice most.

use std::env;
use std::path::Path;

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

/// The mutants of a part of the project.
struct Sample {
    /// The file in `.cargo` with the sources, the tests, and the changes without an effect.
    config: &'static str,
    /// The part of the mutants that is tested, if the environment variable does not set another.
    shard: &'static str,
    /// The percentage that must be noticed.
    least: usize,
}

const SAMPLES: [Sample; 2] = [
    Sample {
        config: "mutants.toml",
        shard: "0/80",
        least: 95,
    },
    Sample {
        config: "mutants-tools.toml",
        shard: "0/240",
        least: 90,
    },
];

/// Runs the tests against each mutant of both samples.
pub(super) fn run(project: &Project) -> Result<String> {
    let tool = TOOL.install(project)?;
    let folder = project.target("mutants");
    project::fresh_folder(&folder)?;
    let shard = env::var("SMITHY_WAITERS_MUTANTS").ok();
    let samples = SAMPLES.iter().map(|sample| {
        let shard = shard.as_deref().unwrap_or(sample.shard);
        sample.run(project, &tool, &folder, shard)
    });
    Ok(samples.collect::<Result<Vec<_>>>()?.join("; "))
}

impl Sample {
    fn run(&self, project: &Project, tool: &Path, folder: &Path, shard: &str) -> Result<String> {
        let Self { config, least, .. } = self;
        let (file, out) = (format!(".cargo/{config}"), folder.join(config));
        let files = [
            "mutants",
            "--config",
            &file,
            "--output",
            &out.to_string_lossy(),
        ];
        // A shard in turns has mutants of every file; one in a row has those of a single file.
        let turns = ["--sharding", "round-robin", "--shard", shard];
        let mutants = cmd(tool, [&files[..], &turns].concat())
            .dir(project.root())
            .env("CARGO_INCREMENTAL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        let mutants = process::without_cargo_variables(&mutants);
        // It ends with 2 if the tests miss a mutant, and with 3 if one of them takes too long.
        let output = process::tee(
            &format!("cargo mutants --config {file} --shard {shard}"),
            &mutants,
        )?;
        output.accept(2).accept(3).summarize(|text| {
            let [caught, missed, slow] =
                ["caught", "missed", "timeout"].map(|word| count(text, word));
            let (noticed, all) = (caught?.saturating_add(slow?), missed?);
            let all = all.saturating_add(noticed);
            ensure!(all > 0, "no mutant of `{file}` was tested");
            ensure!(
                noticed.saturating_mul(100) >= all.saturating_mul(*least),
                "the tests notice only {noticed} of {all} mutants of `{file}`: see `target/mutants`"
            );
            Ok(format!(
                "{noticed} of {all} mutants of `{file}` are noticed"
            ))
        })
    }
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
