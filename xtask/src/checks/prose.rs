//! `cargo xtask prose`: how the documentation reads, as rates that may fall and not rise.

mod pattern;
mod read;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ignore::WalkBuilder;
use regex::Regex;

use crate::project::{self, Project};
use crate::report;

use pattern::PATTERNS;
use read::{Language, Line, Reader};

/// The highest rates that are allowed: by folder, then by pattern.
const TABLE: &str = "xtask/prose.json";

/// The number of examples that a rate above its limit prints.
const EXAMPLES: usize = 5;

/// Measures patterns of unclear English in doc comments, comments and Markdown files.
///
/// Fails if a rate is above `xtask/prose.json`, which has a row for each folder; test code counts as the folder `tests`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Lower the rates that have fallen, and add new folders.
    #[arg(long)]
    write: bool,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    let found = measure(project)?;
    if options.write {
        let mut table = read_table(project).unwrap_or_default();
        lower(&mut table, &found);
        let text = serde_json::to_string_pretty(&table)?;
        project::write(&project.path(TABLE), format!("{text}\n"))?;
    }
    for (folder, measured) in &found {
        report::note(&format!("{folder}: {} words", measured.words));
        for (name, rate) in measured.rates() {
            report::note(&format!("  {name:24}{rate:7.2}"));
        }
    }
    compare(&found, &read_table(project)?).map(drop)
}

/// Compares the rates with the table.
pub(crate) fn check(project: &Project) -> Result<String> {
    compare(&measure(project)?, &read_table(project)?)
}

type Table = BTreeMap<String, BTreeMap<String, f64>>;

fn read_table(project: &Project) -> Result<Table> {
    let text = project::read(&project.path(TABLE))?;
    serde_json::from_str(&text).with_context(|| format!("cannot parse `{TABLE}`"))
}

/// The counts of a folder, and each match as `file:line: text`.
#[derive(Default)]
struct Measurement {
    words: usize,
    summaries: usize,
    matches: BTreeMap<&'static str, Vec<String>>,
}

impl Measurement {
    fn add(&mut self, file: &str, lines: &[Line], regexes: &[Regex]) {
        for Line {
            number,
            text,
            is_summary,
        } in lines
        {
            let is_letter = |c: char| c.is_ascii_alphabetic() || c == '\'';
            let words = text
                .split(|c| !is_letter(c))
                .filter(|word| !word.is_empty());
            self.words = self.words.saturating_add(words.count());
            self.summaries = self.summaries.saturating_add(usize::from(*is_summary));
            for (pattern, regex) in PATTERNS.iter().zip(regexes) {
                let counted = regex.captures_iter(text).filter(|found| {
                    let rest = found
                        .get(1)
                        .and_then(|word| text.get(word.start()..))
                        .unwrap_or_default();
                    !pattern.except.iter().any(|except| rest.starts_with(except))
                });
                if *is_summary || !pattern.of_summaries {
                    let place = || format!("{file}:{number}: {text}");
                    self.matches
                        .entry(pattern.name)
                        .or_default()
                        .extend(counted.map(|_| place()));
                }
            }
        }
    }

    fn matches(&self, pattern: &str) -> &[String] {
        self.matches.get(pattern).map_or(&[], Vec::as_slice)
    }

    /// Rounded up, so that a rate in the table is never below the one that was measured.
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    fn rates(&self) -> impl Iterator<Item = (&'static str, f64)> {
        PATTERNS.iter().map(|pattern| {
            let (whole, per) = if pattern.of_summaries {
                (self.summaries, 100.0)
            } else {
                (self.words, 1000.0)
            };
            let rate = per * self.matches(pattern.name).len() as f64 / whole.max(1) as f64;
            (pattern.name, (rate * 100.0).ceil() / 100.0)
        })
    }
}

fn measure(project: &Project) -> Result<BTreeMap<String, Measurement>> {
    let regexes = PATTERNS.iter().map(|pattern| Regex::new(pattern.regex));
    let regexes = regexes.collect::<Result<Vec<_>, _>>()?;
    let mut files = Vec::new();
    for entry in WalkBuilder::new(project.root())
        .require_git(false)
        .sort_by_file_path(Path::cmp)
        .build()
    {
        let entry = entry?;
        let name = project.display(entry.path()).replace('\\', "/");
        let is_ours = !name.contains("THIRD-PARTY") && !name.ends_with("_engine.py");
        if let Some(language) = Language::of(&name).filter(|_| is_ours && entry.path().is_file()) {
            files.push((entry.metadata()?.modified()?, name, language));
        }
    }
    // The file that was edited last is the likely cause of a rise: its matches are the first examples.
    files.sort_by(|(one, ..), (other, ..)| other.cmp(one));
    let mut found: BTreeMap<String, Measurement> = BTreeMap::new();
    let reader = Reader::new()?;
    for (_, name, language) in files {
        let text = fs::read_to_string(project.path(&name))
            .with_context(|| format!("cannot read `{name}`"))?;
        let measured = found.entry(folder(&name).to_owned()).or_default();
        measured.add(&name, &reader.lines(language, &text), &regexes);
    }
    Ok(found)
}

fn folder(name: &str) -> &str {
    let Some((top, _)) = name.split_once('/') else {
        return "root";
    };
    let mut folders = name.split('/').rev().skip(1);
    if folders.any(|part| ["test", "tests", "bench", "benches"].contains(&part)) {
        "tests"
    } else {
        top
    }
}

/// Lowers the table to what was measured. A rate that has risen stays above its limit.
fn lower(table: &mut Table, found: &BTreeMap<String, Measurement>) {
    table.retain(|folder, _| found.contains_key(folder));
    for (folder, measured) in found {
        let row = table.entry(folder.clone()).or_default();
        for (name, rate) in measured.rates() {
            let limit = row.entry(name.to_owned()).or_insert(rate);
            *limit = limit.min(rate);
        }
    }
}

fn compare(found: &BTreeMap<String, Measurement>, table: &Table) -> Result<String> {
    let (mut risen, mut fallen) = (0_usize, 0_usize);
    for (folder, measured) in found {
        let Some(row) = table.get(folder) else {
            bail!("`{TABLE}` has no row for `{folder}`: run `cargo xtask prose --write`");
        };
        for (name, rate) in measured.rates() {
            let limit = row.get(name).copied().unwrap_or_default();
            fallen = fallen.saturating_add(usize::from(rate < limit));
            if rate > limit {
                risen = risen.saturating_add(1);
                report::note(&format!(
                    "{folder}: `{name}` rose from {limit:.2} to {rate:.2}, for example"
                ));
                let examples = measured.matches(name).iter().take(EXAMPLES);
                examples.for_each(|example| report::note(&format!("  {example}")));
            }
        }
    }
    if risen > 0 {
        bail!("{risen} rates of prose rose");
    }
    if fallen > 0 {
        report::note(&format!(
            "{fallen} rates fell: `cargo xtask prose --write` lowers `{TABLE}`"
        ));
    }
    let words: usize = found.values().map(|measured| measured.words).sum();
    Ok(format!(
        "{} words in {} folders",
        report::thousands(words),
        found.len()
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use regex::Regex;

    use super::pattern::PATTERNS;
    use super::read::{Language, Reader};
    use super::{Measurement, Table, compare, folder, lower};

    fn measure(text: &str) -> BTreeMap<String, Measurement> {
        let regexes = PATTERNS.map(|pattern| Regex::new(pattern.regex).unwrap());
        let mut measured = Measurement::default();
        let lines = Reader::new().unwrap().lines(Language::Markdown, text);
        measured.add("a.md", &lines, &regexes);
        BTreeMap::from([("a".to_owned(), measured)])
    }

    #[test]
    fn exceptions_do_not_count() {
        let found = measure("It is no object, and is no longer one.\n");
        assert_eq!(
            found["a"].matches("is no NOUN"),
            ["a.md:1: It is no object, and is no longer one."]
        );
    }

    #[test]
    fn a_rate_may_fall_and_not_rise() {
        let mut table = Table::new();
        lower(&mut table, &measure("It is no object.\n"));
        assert!(compare(&measure("It is no object.\n"), &table).is_ok());
        assert!(compare(&measure("It is no object, is no list.\n"), &table).is_err());
        lower(&mut table, &measure("It is not an object.\n"));
        lower(&mut table, &measure("It is no object.\n"));
        assert_eq!(table["a"]["is no NOUN"], 0.0);
    }

    #[test]
    fn test_code_is_a_folder_of_its_kind() {
        let folders = [
            "README.md",
            "core/src/lib.rs",
            "core/tests/a.rs",
            "tests/README.md",
        ]
        .map(folder);
        assert_eq!(folders, ["root", "core", "tests", "tests"]);
    }
}
