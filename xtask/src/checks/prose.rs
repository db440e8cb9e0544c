//! `cargo xtask prose`: limits on patterns of unclear English.

mod pattern;
mod read;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use ignore::WalkBuilder;
use regex::Regex;

use crate::project::{self, Project};
use crate::report;

use pattern::{PATTERNS, Pattern};
use read::{Line, Reader};

/// A folder with fewer words or summaries is measured as if it had this many, so that one match isn't a high rate.
const LEAST_WORDS: usize = 1_000;
const LEAST_SUMMARIES: usize = 100;

/// Measures patterns of unclear English in doc comments, comments and Markdown files.
///
/// Fails if a folder's rate is above the pattern's limit, and prints each match with its file and line. Test code counts as the
/// folder `tests`.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {
    /// Also print the matches of rates that are below their limits.
    #[arg(long)]
    all: bool,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    check_limits(&measure(project)?, Some(options)).map(drop)
}

/// Checks all folders.
pub(crate) fn check(project: &Project) -> Result<String> {
    check_limits(&measure(project)?, None)
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
        for line in lines {
            let is_letter = |c: char| c.is_ascii_alphabetic() || c == '\'';
            let words = line.text.split(|c| !is_letter(c));
            let words = words.filter(|word| !word.is_empty()).count();
            self.words = self.words.saturating_add(words);
            self.summaries = self.summaries.saturating_add(line.is_summary.into());
            for (pattern, regex) in PATTERNS.iter().zip(regexes) {
                let place = format!("{file}:{}: {}", line.number, line.text);
                let matches = self.matches.entry(pattern.name).or_default();
                matches.extend(vec![place; count(pattern, regex, line)]);
            }
        }
    }

    fn matches(&self, pattern: &str) -> &[String] {
        self.matches.get(pattern).map_or(&[], Vec::as_slice)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    fn rate(&self, pattern: &Pattern) -> f64 {
        let (whole, per) = if pattern.of_summaries {
            (self.summaries.max(LEAST_SUMMARIES), 100.0)
        } else {
            (self.words.max(LEAST_WORDS), 1000.0)
        };
        per * self.matches(pattern.name).len() as f64 / whole as f64
    }
}

/// Returns the number of matches in a line.
fn count(pattern: &Pattern, regex: &Regex, line: &Line) -> usize {
    if pattern.of_summaries && !line.is_summary {
        return 0;
    }
    let matches = regex.captures_iter(&line.text).filter(|captures| {
        let rest = captures
            .get(1)
            .and_then(|word| line.text.get(word.start()..))
            .unwrap_or_default();
        !pattern.except.iter().any(|except| rest.starts_with(except))
    });
    matches.count()
}

fn measure(project: &Project) -> Result<BTreeMap<String, Measurement>> {
    let regexes = PATTERNS.iter().map(|pattern| Regex::new(pattern.regex));
    let regexes = regexes.collect::<Result<Vec<_>, _>>()?;
    let mut folders: BTreeMap<String, Measurement> = BTreeMap::new();
    let reader = Reader::new()?;
    for entry in WalkBuilder::new(project.root())
        .require_git(false)
        .sort_by_file_path(Path::cmp)
        .build()
    {
        let entry = entry?;
        let name = project.display(entry.path()).replace('\\', "/");
        let is_ours = !name.contains("THIRD-PARTY") && entry.path().is_file();
        if let Some(syntax) = reader.regex(&name).filter(|_| is_ours) {
            let lines = read::lines(syntax, &project::read(entry.path())?);
            let measured = folders.entry(folder(&name).to_owned()).or_default();
            measured.add(&name, &lines, &regexes);
        }
    }
    Ok(folders)
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

/// Prints the matches of rates above their limits; for the verb, also all rates.
fn check_limits(folders: &BTreeMap<String, Measurement>, verb: Option<&Options>) -> Result<String> {
    let mut above = 0_usize;
    for (folder, measured) in folders {
        if verb.is_some() {
            report::note(&format!("{folder}: {} words", measured.words));
        }
        for pattern in &PATTERNS {
            let Pattern { name, limit, .. } = pattern;
            let rate = measured.rate(pattern);
            let is_above = rate > *limit;
            above = above.saturating_add(is_above.into());
            if is_above || verb.is_some() {
                report::note(&format!("  {folder}: {name:20}{rate:7.2}  of {limit:.1}"));
            }
            if is_above || verb.is_some_and(|options| options.all) {
                for place in measured.matches(name) {
                    report::note(&format!("    {place}"));
                }
            }
        }
    }
    ensure!(above == 0, "{above} rates of prose are above their limits");
    let words: usize = folders.values().map(|measured| measured.words).sum();
    let (words, folders) = (report::thousands(words), folders.len());
    Ok(format!("{words} words in {folders} folders"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use regex::Regex;

    use super::pattern::PATTERNS;
    use super::read::{Reader, lines};
    use super::{Measurement, check_limits, folder};

    fn measure(text: &str) -> BTreeMap<String, Measurement> {
        let regexes = PATTERNS.map(|pattern| Regex::new(pattern.regex).unwrap());
        let mut measured = Measurement::default();
        let reader = Reader::new().unwrap();
        let lines = lines(reader.regex("a.md").unwrap(), text);
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
    fn a_rate_above_its_limit_is_an_error() {
        let plain = "It is not an object. ".repeat(1_000);
        assert!(check_limits(&measure(&plain), None).is_ok());
        assert!(check_limits(&measure("It is no object.\n"), None).is_err());
        assert!(check_limits(&measure(&format!("It is no object.\n{plain}")), None).is_ok());
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
