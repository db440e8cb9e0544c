//! `cargo xtask bench`: what a verdict costs beside what people use today, measured in one run.
//!
//! Ratios count, times do not: the contestants take turns on the same machine, on the same objects.

mod figures;
mod model;
mod sources;
mod table;

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::project::Project;
use crate::report;
use figures::Figure;
use sources::SOURCES;

/// Measures verdicts, imports and sizes, and writes a table.
///
/// Each contestant is timed in turns with the others in one process; the table has nanoseconds and ratios. It is printed
/// and written to `target/bench.md`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Measure only this language, or the command: rust, javascript, python or model.
    #[arg(long, value_name = "LANGUAGE")]
    only: Option<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let wanted = |language: &str| {
        options
            .only
            .as_deref()
            .is_none_or(|only| only.eq_ignore_ascii_case(language))
    };
    let mut figures: Vec<Figure> = Vec::new();
    for source in SOURCES.iter().filter(|source| wanted(source.language)) {
        report::heading(source.title);
        let output = (source.measure)(project)?;
        figures.extend(
            figures::read(source.language, &output)
                .with_context(|| format!("`{}`", source.title))?,
        );
    }
    ensure!(
        !figures.is_empty(),
        "nothing was measured: there are rust, javascript, python and model"
    );
    let tables = table::of(&figures);
    report::heading("what was measured");
    report::note(&tables);
    let file = project.target("bench.md");
    fs::write(&file, format!("```text\n{tables}\n```\n"))
        .with_context(|| format!("`{}`", file.display()))?;
    report::note(&format!("written to {}", project.shown(&file)));
    Ok(())
}
