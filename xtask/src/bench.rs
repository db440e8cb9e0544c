//! `cargo xtask bench`: whole polls, verdicts and imports beside what people use today, measured in one run.
//!
//! Ratios count, times do not: the contestants take turns on the same machine, on the same objects.

mod figures;
mod model;
pub(crate) mod sources;
mod table;

use std::env::consts::{ARCH, OS};
use std::fs;
use std::thread::available_parallelism;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use duct::cmd;

use crate::process;
use crate::project::Project;
use crate::report;
use crate::steps::Skipped;
use crate::tools::python;
use figures::Figure;
use sources::{LANGUAGES, SOURCES};

/// Measures polls, verdicts and imports, and writes a table.
///
/// The contestants of a case take turns in one process; times are medians. A poll is one round of a public `wait` of 200 polls
/// that end at once, beside the peer's own loop over the same calls; the bare call is subtracted from both. Ratios have their
/// budget beside them. A missed budget is not an error; sources whose data is not there are skipped, and listed.
///
/// `waits` measures no time: it simulates waits with the delays of all published waiters, and draws `cli/paces.svg`.
///
/// The table is printed and written to `target/bench.md`, with `--only python` to `target/bench-python.md`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Measure only these, with commas between them: the packages, `component`, `model`, the command's analysis of models, or `waits`, a simulation of the
    /// paces of waits.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = PossibleValuesParser::new(LANGUAGES))]
    only: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let wanted = |language: &str| {
        let mut names = options.only.iter();
        options.only.is_empty() || names.any(|name| name.eq_ignore_ascii_case(language))
    };
    let mut figures: Vec<Figure> = Vec::new();
    let mut notes = vec![conditions()];
    for source in SOURCES.iter().filter(|source| wanted(source.language)) {
        let title = source.title();
        report::heading(&title);
        match source
            .program
            .measure(project)
            .map_err(anyhow::Error::downcast::<Skipped>)
        {
            Ok(output) => {
                let read = figures::read(source.language, &output);
                figures.extend(read.with_context(|| format!("`{title}`"))?);
            }
            Err(Ok(skipped)) => {
                report::note(&format!("skipped: {skipped}"));
                notes.push(format!("skipped: {title}: {skipped}"));
            }
            Err(Err(error)) => return Err(error),
        }
    }
    let text = format!("{}\n{}", table::of(&figures), notes.join("\n"));
    report::heading("what was measured");
    report::note(&text);
    let names = [&["bench".to_owned()], &options.only[..]].concat();
    let file = project.target(&format!("{}.md", names.join("-")));
    fs::write(&file, format!("```text\n{text}\n```\n"))
        .with_context(|| format!("`{}`", file.display()))?;
    report::note(&format!("written to {}", project.display(&file)));
    Ok(())
}

/// Measures one language.
pub(crate) fn one(project: &Project, language: &str) -> Result<String> {
    let only = vec![language.to_owned()];
    run(project, &Options { only })?;
    Ok(format!("target/bench-{language}.md"))
}

/// What it was measured with.
fn conditions() -> String {
    let version = |program| process::read("--version", &cmd!(program, "--version")).ok();
    let node = || version("node".as_ref()).map(|node| format!("node {node}"));
    let python = || version(python::ours().ok()?);
    let processors = available_parallelism().map_or(1, usize::from);
    let parts = [version("rustc".as_ref()), node(), python()];
    let machine = format!("{processors} processors, {OS} {ARCH}");
    let parts = parts.into_iter().flatten().chain([machine]);
    parts.collect::<Vec<_>>().join("; ")
}
