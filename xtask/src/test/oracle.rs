//! Compares whole waits, fleets, requests, walks over pages and expressions with the oracle of `tests/oracle` on random cases, in three
//! languages.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::shared::Runner;
use super::{javascript, python, rust};
use crate::data;
use crate::process;
use crate::project::{self, Project};
use crate::report;

/// The numbers of cases of each machine. A wait takes longest, because the runners drive it in several ways.
type Counts = [(&'static str, usize); 5];

const FEW: Counts = [
    ("waits", 150),
    ("fleets", 60),
    ("retries", 300),
    ("walks", 3_000),
    ("searches", 20_000),
];

/// The numbers for `cargo xtask deep`: in all languages, and for each seed in Rust alone, where a case takes least.
const MANY: Counts = [
    ("waits", 5_000),
    ("fleets", 1_000),
    ("retries", 5_000),
    ("walks", 300_000),
    ("searches", 300_000),
];
const IN_RUST: Counts = [
    ("waits", 10_000),
    ("fleets", 3_400),
    ("retries", 10_000),
    ("walks", 340_000),
    ("searches", 600_000),
];

/// The seeds of the cases in Rust. Each has its own process, because the values of cases may be cyclic and are never freed.
const SEEDS_IN_RUST: RangeInclusive<u32> = 11..=16;

/// The numbers of cases for the component: in a host in another process, and for `cargo xtask deep` in one in the same process.
/// The component has no fleets.
const FOR_COMPONENT: Counts = [
    ("waits", 60),
    ("fleets", 0),
    ("retries", 100),
    ("walks", 300),
    ("searches", 800),
];
const MANY_FOR_COMPONENT: Counts = [
    ("waits", 20_000),
    ("fleets", 0),
    ("retries", 40_000),
    ("walks", 300_000),
    ("searches", 150_000),
];

/// Runs a few cases in all languages.
pub(super) fn run(project: &Project) -> Result<String> {
    in_all_languages(project, "few", 1, &FEW)
}

/// Writes the results of the native engine for the component, and returns their folder.
pub(super) fn few_for_component(project: &Project) -> Result<PathBuf> {
    record(project, "few", 4, &FOR_COMPONENT)
}

pub(super) fn many_for_component(project: &Project) -> Result<PathBuf> {
    record(project, "many", 5, &MANY_FOR_COMPONENT)
}

fn record(project: &Project, name: &str, seed: u32, counts: &Counts) -> Result<PathBuf> {
    let results = project.target("oracle").join(format!("{name}-native"));
    project::fresh_folder(&results)?;
    let cases = write(project, &format!("{name}-component"), seed, counts)?;
    rust::record(project, &cases, &results)?;
    Ok(results)
}

/// Runs many cases in all languages. Other seeds than those of [`run`] find what it does not.
pub(crate) fn for_long(project: &Project) -> Result<String> {
    javascript::with_package(project)?;
    python::with_package(project)?;
    in_all_languages(project, "many", 2, &MANY)
}

/// Runs more cases in Rust.
pub(crate) fn in_rust(project: &Project) -> Result<String> {
    for seed in SEEDS_IN_RUST {
        rust::as_in_the_oracle(project, &write(project, "rust", seed, &IN_RUST)?)?;
    }
    let cases = total(&IN_RUST).saturating_mul(SEEDS_IN_RUST.count());
    Ok(format!("{} cases", report::thousands(cases)))
}

fn in_all_languages(project: &Project, name: &str, seed: u32, counts: &Counts) -> Result<String> {
    let folder = write(project, name, seed, counts)?;
    rust::as_in_the_oracle(project, &folder)?;
    Runner::JavaScript.as_in_the_oracle(project, &folder)?;
    Runner::Python.as_in_the_oracle(project, &folder)?;
    let languages = 3;
    Ok(format!(
        "{} cases, a third in each language",
        report::thousands(total(counts).saturating_mul(languages))
    ))
}

/// Writes the cases of each machine, and returns their folder.
fn write(project: &Project, name: &str, seed: u32, counts: &Counts) -> Result<PathBuf> {
    let folder = project.target("oracle").join(name);
    project::fresh_folder(&folder)?;
    let python = data::oracle(project)?;
    let program = project.path("tests/oracle/cases.py");
    for (machine, count) in counts.iter().filter(|(_, count)| *count > 0) {
        let (seed, count) = (seed.to_string(), count.to_string());
        let arguments = [&*program.to_string_lossy(), machine, &seed, &count];
        let file = folder.join(format!("{machine}.jsonl"));
        let cases = python.python(&arguments).stdout_path(&file);
        process::run(&format!("python cases.py {machine} {seed} {count}"), &cases)
            .with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(folder)
}

fn total(counts: &Counts) -> usize {
    counts.iter().map(|(_, count)| count).sum()
}
