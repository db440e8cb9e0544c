//! `cargo xtask rules`: the vectors that show each rule, and the references to rules in the repository.

mod page;
mod references;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use self::page::Page;
use super::vectors;
use crate::project::{self, Project};
use crate::report;

/// The list of rules.
const RULES: &str = "tests/rules.json";
/// The generated table of the specification's clauses.
const TABLE: &str = "tests/RULES.md";
/// The page of the project's decisions. It is also the source of their rules.
const PAGE: &str = "docs/rules.md";

/// The number of vectors that are named for each rule.
const EXAMPLES: usize = 3;

/// Writes the vectors that show each rule into `tests/RULES.md` and `docs/rules.md`, and checks the references to rules.
///
/// `tests/rules.json` lists the clauses of the specification and the sections of `docs/rules.md`. Each vector names its rules.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let rules = RuleTable::read(project)?;
    let page = Page::read(project)?;
    project::write(&project.path(TABLE), rules.table())?;
    project::write(&project.path(PAGE), rules.page(&page))?;
    let summary = report_problems(project, &rules, &page)?;
    report::note(&format!("`{TABLE}` and `{PAGE}`: {summary}"));
    Ok(())
}

/// Checks that each rule has a vector, that both generated texts are up to date, and that references resolve.
pub(crate) fn check(project: &Project) -> Result<String> {
    let rules = RuleTable::read(project)?;
    let page = Page::read(project)?;
    let summary = report_problems(project, &rules, &page)?;
    let table = project::read(&project.path(TABLE))?;
    for (file, is_current) in [
        (TABLE, table == rules.table()),
        (PAGE, page.text() == rules.page(&page)),
    ] {
        ensure!(
            is_current,
            "`{file}` is out of date: run `cargo xtask rules`"
        );
    }
    report::note(&summary);
    Ok(summary)
}

/// Prints all problems, and returns a summary if there are none.
fn report_problems(project: &Project, rules: &RuleTable, page: &Page) -> Result<String> {
    let mut problems = rules.problems();
    problems.extend(page.problems(&rules.decisions()));
    problems.extend(references::problems(project, &page.anchors())?);
    for problem in &problems {
        report::note(problem);
    }
    if !problems.is_empty() {
        bail!("{} problems with rules", problems.len());
    }
    Ok(rules.summary())
}

#[derive(Deserialize)]
struct File {
    rules: Vec<Rule>,
}

/// A clause of the specification, or a section of `docs/rules.md`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    id: String,
    text: String,
    source: String,
    basis: Basis,
    /// The reason that no vector shows it.
    no_vector: Option<String>,
}

/// The weight of a rule for other implementations.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Basis {
    /// The text of the specification requires it.
    Specification,
    /// The text is silent, and the rule is one of several defensible answers.
    Open,
    /// An option or a feature of this project, or a deviation from the text.
    Project,
}

impl Basis {
    const fn name(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::Open => "open",
            Self::Project => "project",
        }
    }
}

/// The rules, and the ids of the vectors that name each.
struct RuleTable {
    rules: Vec<Rule>,
    vectors: BTreeMap<String, Vec<String>>,
}

impl RuleTable {
    fn read(project: &Project) -> Result<Self> {
        let text = project::read(&project.path(RULES))?;
        let File { rules } =
            serde_json::from_str(&text).with_context(|| format!("cannot parse `{RULES}`"))?;
        let mut by_rule: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for vector in vectors::all(project)? {
            for rule in vector.rules {
                by_rule.entry(rule).or_default().push(vector.id.clone());
            }
        }
        Ok(Self {
            rules,
            vectors: by_rule,
        })
    }

    fn summary(&self) -> String {
        let with_vectors = self.rules.iter().filter(|rule| rule.no_vector.is_none());
        let with_vectors = with_vectors.count();
        let without = self.rules.len().saturating_sub(with_vectors);
        format!("{with_vectors} rules with vectors, {without} without")
    }

    /// Returns the ids of the project's own rules.
    fn decisions(&self) -> BTreeSet<&str> {
        let decisions = self.rules.iter().filter(|rule| rule.source == PAGE);
        decisions.map(|rule| &*rule.id).collect()
    }

    fn problems(&self) -> Vec<String> {
        let mut ids = BTreeSet::new();
        let mut problems = Vec::new();
        for rule in &self.rules {
            if !ids.insert(&*rule.id) {
                problems.push(format!("duplicate rule `{}`", rule.id));
            }
            problems.extend(self.problem(rule));
        }
        let unknown = self.vectors.iter().filter(|(id, _)| !ids.contains(&***id));
        problems.extend(unknown.map(|(id, vectors)| {
            let vectors = vectors.join(", ");
            format!("unknown rule `{id}`, named by {vectors}")
        }));
        problems
    }

    fn problem(&self, rule: &Rule) -> Option<String> {
        let id = &rule.id;
        match (&rule.no_vector, self.vectors_of(id)) {
            (None, []) => Some(format!("no vector shows the rule `{id}`")),
            (Some(_), [first, ..]) => Some(format!(
                "the rule `{id}` has a reason for having no vector, but `{first}` shows it"
            )),
            _ => None,
        }
    }

    fn vectors_of(&self, id: &str) -> &[String] {
        self.vectors.get(id).map_or(&[], Vec::as_slice)
    }

    /// Returns the text of `tests/RULES.md`.
    fn table(&self) -> String {
        let mut text = format!(
            "# Rules and vectors\n\n\
             Generated from `rules.json` and the vectors by `cargo xtask rules`. The last table has the project's own decisions, which \
             [`{PAGE}`](../{PAGE}) explains.\n\n\
             `basis` is the weight of a rule for other implementations: with `specification`, the text requires it; with `open`, the text is silent \
             and the rule is one of several defensible answers; with `project`, it is an option or a feature of this project, or a deviation \
             from the text. The tests in [`conformance/`](../conformance/README.md) are for other implementations.\n"
        );
        for part in self.rules.chunk_by(|one, other| one.source == other.source) {
            let source = part.first().map_or("", |rule| &rule.source);
            let head = "| rule | text | basis | vectors | examples |\n|---|---|---|---:|---|\n";
            let rows = part.iter().map(|rule| self.row(rule));
            // INVARIANT: writing to a string never fails.
            let _ = write!(text, "\n## {source}\n\n{head}{}", rows.collect::<String>());
        }
        text
    }

    fn row(&self, rule: &Rule) -> String {
        let Rule { id, text, .. } = rule;
        let id = if rule.source == PAGE {
            format!("[`{id}`](../{PAGE}#{id})")
        } else {
            format!("`{id}`")
        };
        let (count, examples) = match &rule.no_vector {
            Some(reason) => ("–".to_owned(), reason.clone()),
            None => {
                let vectors = self.vectors_of(&rule.id);
                (vectors.len().to_string(), examples(vectors))
            }
        };
        let basis = rule.basis.name();
        format!("| {id} | {text} | {basis} | {count} | {examples} |\n")
    }

    /// Returns the text of `docs/rules.md`, with the basis and the vectors of each section.
    fn page(&self, page: &Page) -> String {
        page.with_vectors(|id| {
            let rule = self.rules.iter().find(|rule| rule.id == id)?;
            let (basis, vectors) = (rule.basis.name(), self.vectors_of(id));
            Some(match &rule.no_vector {
                Some(reason) => format!("none, basis `{basis}`: {reason}"),
                None => {
                    let (number, examples) = (vectors.len(), examples(vectors));
                    format!("{number}, basis `{basis}`, for example {examples}")
                }
            })
        })
    }
}

/// Returns the first vectors of a rule.
fn examples(vectors: &[String]) -> String {
    let examples = vectors.iter().take(EXAMPLES).map(|id| format!("`{id}`"));
    examples.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::page::Page;
    use super::{Basis, PAGE, Rule, RuleTable};

    fn rule(id: &str, source: &str, no_vector: Option<&str>) -> Rule {
        Rule {
            id: id.to_owned(),
            text: "text".to_owned(),
            source: source.to_owned(),
            basis: Basis::Open,
            no_vector: no_vector.map(ToOwned::to_owned),
        }
    }

    fn rule_table(rules: Vec<Rule>, vectors: &[(&str, &str)]) -> RuleTable {
        let vectors = vectors
            .iter()
            .map(|(rule, vector)| ((*rule).to_owned(), vec![(*vector).to_owned()]));
        RuleTable {
            rules,
            vectors: vectors.collect(),
        }
    }

    #[test]
    fn the_table_lists_rules_with_and_without_vectors() {
        let rules = rule_table(
            vec![
                rule("a/b", "spec", None),
                rule("a/c", "spec", Some("services only")),
                rule("delays", PAGE, None),
            ],
            &[("a/b", "one"), ("delays", "two")],
        );
        assert_eq!(rules.problems(), [""; 0]);
        assert_eq!(rules.summary(), "2 rules with vectors, 1 without");
        let table = rules.table();
        assert!(table.contains(
            "\n## spec\n\n| rule | text | basis | vectors | examples |\n|---|---|---|---:|---|\n\
             | `a/b` | text | open | 1 | `one` |\n| `a/c` | text | open | – | services only |\n"
        ));
        assert!(
            table.ends_with("| [`delays`](../docs/rules.md#delays) | text | open | 1 | `two` |\n")
        );
    }

    #[test]
    fn problems_name_the_rule() {
        let rules = rule_table(
            vec![
                rule("a/b", "spec", None),
                rule("a/c", "spec", Some("services only")),
                rule("a/c", "spec", None),
            ],
            &[("a/c", "one"), ("a/d", "two")],
        );
        let problems = [
            "no vector shows the rule `a/b`",
            "the rule `a/c` has a reason for having no vector, but `one` shows it",
            "duplicate rule `a/c`",
            "unknown rule `a/d`, named by two",
        ];
        assert_eq!(rules.problems(), problems);
    }

    #[test]
    fn the_page_gets_the_vectors_of_each_section() {
        let rules = rule_table(
            vec![
                rule("delays", PAGE, None),
                rule("limits", PAGE, Some("unit tests")),
            ],
            &[("delays", "one")],
        );
        let page =
            Page::new("### Delays\n\n**Vectors:** 7\n\n### Limits\n\n**Vectors:**\n".to_owned());
        assert_eq!(
            rules.page(&page),
            "### Delays\n\n**Vectors:** 1, basis `open`, for example `one`\n\n### Limits\n\n**Vectors:** none, basis `open`: unit tests\n"
        );
        assert_eq!(page.problems(&rules.decisions()), [""; 0]);
    }
}
