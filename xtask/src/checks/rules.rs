//! `cargo xtask rules`: which vectors show each rule.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::vectors;
use crate::project::{self, Project};
use crate::report;

/// The list of rules, and the table that is made of it.
const RULES: &str = "tests/rules.json";
const TABLE: &str = "tests/RULES.md";

/// How many vectors of a rule the table names.
const EXAMPLES: usize = 3;

/// Writes `tests/RULES.md`: every rule of the specification's waiters chapter and of the design, with the vectors that show it.
///
/// The rules are in `tests/rules.json`; vectors name them by their ids.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let shown = RuleTable::read(project)?;
    project::write(&project.path(TABLE), shown.table())?;
    report::note(&format!("{TABLE}: {}", shown.check()?));
    Ok(())
}

/// Checks that every rule is shown by a vector, and that the table says so.
pub(crate) fn check(project: &Project) -> Result<String> {
    let shown = RuleTable::read(project)?;
    let sentence = shown.check()?;
    let table = project::read(&project.path(TABLE))?;
    ensure!(
        table == shown.table(),
        "`{TABLE}` is out of date: run `cargo xtask rules`"
    );
    report::note(&sentence);
    Ok(sentence)
}

#[derive(Deserialize)]
struct File {
    rules: Vec<Rule>,
}

/// A clause of the specification, in a few words, or a rule of the design.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    id: String,
    text: String,
    source: String,
    /// Why no vector can show it.
    not_ours: Option<String>,
}

/// The rules, and the ids of the vectors that name each.
struct RuleTable {
    rules: Vec<Rule>,
    by: BTreeMap<String, Vec<String>>,
}

impl RuleTable {
    fn read(project: &Project) -> Result<Self> {
        let text = project::read(&project.path(RULES))?;
        let File { rules } =
            serde_json::from_str(&text).with_context(|| format!("cannot parse `{RULES}`"))?;
        let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for vector in vectors::all(project)? {
            for rule in vector.rules {
                by.entry(rule).or_default().push(vector.id.clone());
            }
        }
        Ok(Self { rules, by })
    }

    /// The sentence about them.
    fn check(&self) -> Result<String> {
        let problems = self.problems();
        for problem in &problems {
            report::note(problem);
        }
        if !problems.is_empty() {
            bail!("{} rules are not as they should be", problems.len());
        }
        let ours = self.rules.iter().filter(|rule| rule.not_ours.is_none());
        let ours = ours.count();
        let rest = self.rules.len().saturating_sub(ours);
        Ok(format!(
            "{ours} rules, each shown by a vector; {rest} are not ours"
        ))
    }

    fn problems(&self) -> Vec<String> {
        let ids: Vec<&str> = self.rules.iter().map(|rule| &*rule.id).collect();
        let unknown = self.by.iter().filter(|(rule, _)| !ids.contains(&&***rule));
        let unknown = unknown
            .map(|(rule, vectors)| format!("no rule `{rule}`, named by {}", vectors.join(", ")));
        let twice = ids
            .iter()
            .enumerate()
            .filter(|(at, id)| ids.iter().take(*at).any(|earlier| earlier == *id));
        let twice = twice.map(|(_, id)| format!("the rule `{id}` is there twice"));
        let wrong = self.rules.iter().filter_map(|rule| self.problem(rule));
        unknown.chain(twice).chain(wrong).collect()
    }

    fn problem(&self, rule: &Rule) -> Option<String> {
        let id = &rule.id;
        match (&rule.not_ours, self.vectors(rule)) {
            (None, []) => Some(format!("no vector shows the rule `{id}`")),
            (Some(_), [first, ..]) => Some(format!("`{id}` is not ours, but `{first}` shows it")),
            _ => None,
        }
    }

    fn vectors(&self, rule: &Rule) -> &[String] {
        self.by.get(&rule.id).map_or(&[], Vec::as_slice)
    }

    fn table(&self) -> String {
        let mut text = format!(
            "# The rules, and the vectors that show them\n\n\
             Made of `{RULES}` and the vectors by `cargo xtask rules`; not for editing.\n"
        );
        for part in self.rules.chunk_by(|one, other| one.source == other.source) {
            let source = part.first().map_or("", |rule| &rule.source);
            let head = "| rule | what it says | vectors | for example |\n|---|---|---:|---|\n";
            let rows = part.iter().map(|rule| self.row(rule));
            // INVARIANT: writing to a text never fails.
            let _ = write!(text, "\n## {source}\n\n{head}{}", rows.collect::<String>());
        }
        text
    }

    fn row(&self, rule: &Rule) -> String {
        let Rule { id, text, .. } = rule;
        if let Some(reason) = &rule.not_ours {
            return format!("| `{id}` | {text} | – | {reason} |\n");
        }
        let vectors = self.vectors(rule);
        let examples: Vec<String> = vectors
            .iter()
            .take(EXAMPLES)
            .map(|id| format!("`{id}`"))
            .collect();
        format!(
            "| `{id}` | {text} | {} | {} |\n",
            vectors.len(),
            examples.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, RuleTable};

    fn rule(id: &str, not_ours: Option<&str>) -> Rule {
        Rule {
            id: id.to_owned(),
            text: "says".to_owned(),
            source: "here".to_owned(),
            not_ours: not_ours.map(ToOwned::to_owned),
        }
    }

    fn rule_table(rules: Vec<Rule>, by: &[(&str, &str)]) -> RuleTable {
        let by = by
            .iter()
            .map(|(rule, vector)| ((*rule).to_owned(), vec![(*vector).to_owned()]));
        RuleTable {
            rules,
            by: by.collect(),
        }
    }

    #[test]
    fn every_rule_of_ours_has_a_vector() {
        let good = rule_table(
            vec![rule("a/b", None), rule("a/c", Some("of others"))],
            &[("a/b", "one")],
        );
        assert_eq!(
            good.check().unwrap(),
            "1 rules, each shown by a vector; 1 are not ours"
        );
        assert!(
            good.table()
                .contains("| `a/b` | says | 1 | `one` |\n| `a/c` | says | – | of others |\n")
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let bad = rule_table(
            vec![
                rule("a/b", None),
                rule("a/c", Some("of others")),
                rule("a/c", None),
            ],
            &[("a/c", "one"), ("a/d", "two")],
        );
        let problems = [
            "no rule `a/d`, named by two",
            "the rule `a/c` is there twice",
            "no vector shows the rule `a/b`",
            "`a/c` is not ours, but `one` shows it",
        ];
        assert_eq!(bad.problems(), problems);
        assert!(bad.check().is_err());
    }
}
