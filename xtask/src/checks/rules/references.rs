//! References to rules in the files of the repository.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use ignore::WalkBuilder;
use regex::Regex;

use super::PAGE;
use crate::project::{self, Project};

/// The extensions of files with references.
const EXTENSIONS: [&str; 8] = ["cts", "json", "md", "mjs", "py", "pyi", "rs", "ts"];

/// Finds references to sections that don't exist, and codes that only the authors of the project understand.
///
/// # Errors
///
/// A file that cannot be read.
pub(super) fn problems(project: &Project, anchors: &BTreeSet<String>) -> Result<Vec<String>> {
    let scan = Scan::new(anchors)?;
    let mut problems = Vec::new();
    for entry in WalkBuilder::new(project.root())
        .require_git(false)
        .sort_by_file_path(Path::cmp)
        .build()
    {
        let path = entry?.into_path();
        let file = project.display(&path).replace('\\', "/");
        if path.is_file() && has_references(&file) {
            problems.extend(scan.problems(&file, &project::read(&path)?));
        }
    }
    Ok(problems)
}

/// Returns `true` for sources and documentation, and for the JSON files that name rules.
fn has_references(file: &str) -> bool {
    let is_json = file.ends_with(".json");
    let is_ours = file.starts_with("tests/vectors") || file == "tests/rules.json";
    EXTENSIONS
        .iter()
        .any(|extension| file.ends_with(&format!(".{extension}")))
        && (is_ours || !is_json)
        && !file.contains("THIRD-PARTY")
}

struct Scan<'a> {
    anchors: &'a BTreeSet<String>,
    reference: Regex,
    link: Regex,
    code: Regex,
}

impl<'a> Scan<'a> {
    fn new(anchors: &'a BTreeSet<String>) -> Result<Self> {
        Ok(Self {
            anchors,
            reference: Regex::new(r"docs/rules\.md#([a-z0-9-]+)")?,
            link: Regex::new(r"\]\(#([^)]+)\)")?,
            code: Regex::new(r"\b(?:D[0-9]{1,2}\b|SPEC[:])")?,
        })
    }

    /// Finds the problems of a file, each as `file:line: problem`.
    fn problems(&self, file: &str, text: &str) -> Vec<String> {
        let mut problems = Vec::new();
        for (number, line) in (1_usize..).zip(text.lines()) {
            let references = self.reference.captures_iter(line);
            let links = self.link.captures_iter(line).filter(|_| file == PAGE);
            for reference in references.chain(links) {
                let anchor = reference.get(1).map_or("", |anchor| anchor.as_str());
                if !self.anchors.contains(anchor) {
                    problems.push(format!("{file}:{number}: no section `{PAGE}#{anchor}`"));
                }
            }
            for code in self.code.find_iter(line) {
                let code = code.as_str();
                problems.push(format!(
                    "{file}:{number}: `{code}`: name a section of `{PAGE}`"
                ));
            }
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{PAGE, Scan, has_references};

    fn problems(file: &str, text: &str) -> Vec<String> {
        let anchors = BTreeSet::from(["delays".to_owned()]);
        Scan::new(&anchors).unwrap().problems(file, text)
    }

    #[test]
    fn references_resolve() {
        let reference = |anchor| format!("\n// Rule: {PAGE}#{anchor}.");
        assert_eq!(problems("a.rs", &reference("delays")), [""; 0]);
        assert_eq!(
            problems("a.rs", &reference("delay")),
            [format!("a.rs:2: no section `{PAGE}#delay`")]
        );
        assert_eq!(
            problems(PAGE, "[Delay](#delay)"),
            [format!("{PAGE}:1: no section `{PAGE}#delay`")]
        );
        assert_eq!(problems("README.md", "[Delay](#delay)"), [""; 0]);
    }

    #[test]
    fn codes_are_found() {
        // Split, so that this file has none.
        for code in [concat!("D", "15"), concat!("SPEC", ":")] {
            let expected = format!("a.py:1: `{code}`: name a section of `{PAGE}`");
            assert_eq!(problems("a.py", &format!("# {code} delays")), [expected]);
        }
        assert_eq!(problems("a.py", "3D5 D123 0xD1 SPECIAL"), [""; 0]);
    }

    #[test]
    fn other_json_files_are_not_read() {
        let files = [
            "core/src/lib.rs",
            "tests/vectors/a/b.json",
            "package-lock.json",
            "python/THIRD-PARTY-LICENSES.md",
        ];
        assert_eq!(files.map(has_references), [true, true, false, false]);
    }
}
