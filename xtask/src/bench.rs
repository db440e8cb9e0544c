//! `cargo xtask bench`: compares polls, verdicts and imports with those of other libraries.
//!
//! All libraries are measured in one run, in turns, on the same objects. The ratios are meaningful; the times depend on
//! the machine.

mod figures;
mod fleets;
mod model;
mod shell;
pub(crate) mod sources;
mod table;

use fs_err as fs;
use std::env::consts::{ARCH, OS};
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

/// The benchmarks that take minutes.
const LONG: &str = "Fleets";

/// Measures polls, verdicts and imports, and writes a table.
///
/// The libraries of a case take turns in one process; times are medians. A poll is one iteration of a public `wait`
/// with 200 polls that return immediately, compared with the peer's own loop over the same calls. The time of the call
/// itself is subtracted from both. The table contains a budget for the ratios; exceeding it is not an error. Benchmarks
/// whose data is not available are skipped and listed.
///
/// `fleets` waits for 1,000 instances with real clients, in real time. It takes 15 minutes, and runs only if it is named.
///
/// `waits` simulates waits with the delays of all published waiters instead of measuring times, and draws `docs/paces.svg`.
///
/// The table is printed and written to `target/bench.md`, or with `--only python` to `target/bench-python.md`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Run only these benchmarks, separated by commas
    ///
    /// `model` measures the command's analysis of models, and `shell` its verb `wait`. `waits` simulates the paces of
    /// waits. `fleets` waits for 1,000 instances with real clients.
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = PossibleValuesParser::new(LANGUAGES))]
    only: Vec<String>,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    measure(project, options).map(drop)
}

fn measure(project: &Project, options: &Options) -> Result<Vec<Figure>> {
    let is_selected = |language: &str| {
        let mut names = options.only.iter();
        let is_usual = options.only.is_empty() && language != LONG;
        is_usual || names.any(|name| name.eq_ignore_ascii_case(language))
    };
    let mut figures: Vec<Figure> = Vec::new();
    let mut notes = vec![conditions()];
    for source in SOURCES.iter().filter(|source| is_selected(source.language)) {
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
    let text = format!("{}\n{}", table::build(&figures), notes.join("\n"));
    report::heading("results");
    report::note(&text);
    let names = [&["bench".to_owned()], &options.only[..]].concat();
    let file = project.target(&format!("{}.md", names.join("-")));
    fs::write(&file, format!("```text\n{text}\n```\n"))
        .with_context(|| format!("`{}`", file.display()))?;
    report::note(&format!("wrote {}", project.display(&file)));
    Ok(figures)
}

/// Runs the benchmarks of one language, and checks the goals that do not depend on the machine.
pub(crate) fn one(project: &Project, language: &str) -> Result<String> {
    let only = vec![language.to_owned()];
    fleets::check(&measure(project, &Options { only })?)?;
    Ok(format!("target/bench-{language}.md"))
}

/// Describes the versions and the machine of a run.
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
