//! `docs/rules.md`: a section for each decision.

use std::collections::BTreeSet;

use anyhow::Result;

use super::PAGE;
use crate::project::{self, Project};

/// The beginning of the generated line of a section.
const VECTORS: &str = "**Vectors:**";

/// The mark of a section's title. Higher levels are groups.
const SECTION: &str = "### ";

/// The page of the project's decisions.
pub(super) struct Page(String);

impl Page {
    pub(super) const fn new(text: String) -> Self {
        Self(text)
    }

    pub(super) fn read(project: &Project) -> Result<Self> {
        project::read(&project.path(PAGE)).map(Self::new)
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Returns the anchors of all headings.
    pub(super) fn anchors(&self) -> BTreeSet<String> {
        let headings = self.0.lines().filter(|line| line.starts_with('#'));
        headings
            .map(|line| anchor(line.trim_start_matches('#')))
            .collect()
    }

    /// Compares the sections with the rules of `tests/rules.json`, and finds sections without the generated line.
    pub(super) fn problems(&self, rules: &BTreeSet<&str>) -> Vec<String> {
        let sections = self.sections();
        let mut problems = Vec::new();
        for (id, has_vectors) in &sections {
            if !rules.contains(&**id) {
                problems.push(format!("`tests/rules.json` has no rule `{id}`"));
            }
            if !has_vectors {
                problems.push(format!("the section `{id}` has no line `{VECTORS}`"));
            }
        }
        let missing = rules
            .iter()
            .filter(|rule| sections.iter().all(|(id, _)| id != *rule));
        problems.extend(missing.map(|rule| format!("`{PAGE}` has no section `{rule}`")));
        problems
    }

    /// Returns the anchor of each section, and `true` if the section has the generated line.
    fn sections(&self) -> Vec<(String, bool)> {
        let mut sections: Vec<(String, bool)> = Vec::new();
        for line in self.0.lines() {
            if let Some(title) = line.strip_prefix(SECTION) {
                sections.push((anchor(title), false));
            } else if let Some((_, has_vectors)) = sections.last_mut() {
                *has_vectors |= line.starts_with(VECTORS);
            }
        }
        sections
    }

    /// Returns the text of the page with a new line of vectors in each section. `vectors` returns the content of that line.
    pub(super) fn with_vectors(&self, vectors: impl Fn(&str) -> Option<String>) -> String {
        let mut text = String::with_capacity(self.0.len());
        let mut id = String::new();
        let mut lines = self.0.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix(SECTION) {
                id = anchor(title);
            }
            let generated = line.starts_with(VECTORS).then(|| vectors(&id)).flatten();
            if let Some(vectors) = generated {
                text.push_str(VECTORS);
                text.push(' ');
                text.push_str(&vectors);
                // A long line is wrapped.
                while lines.next_if(|line| !line.is_empty()).is_some() {}
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    }
}

/// Returns the anchor that GitHub gives a heading.
fn anchor(title: &str) -> String {
    let title = title.trim().to_lowercase();
    let in_anchor = |char: &char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_');
    let chars = title.chars().filter(in_anchor);
    chars
        .map(|char| if char == ' ' { '-' } else { char })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Page, anchor};

    #[test]
    fn anchors_are_those_of_github() {
        assert_eq!(anchor(" Retry-After lists"), "retry-after-lists");
        assert_eq!(anchor("Null, and `types`"), "null-and-types");
    }

    #[test]
    fn vectors_are_replaced_with_all_their_lines() {
        let page = Page::new("### Delays\n\n**Vectors:** `a`,\n`b`\n\n### Limits\n".to_owned());
        let expected = "### Delays\n\n**Vectors:** `c`\n\n### Limits\n";
        assert_eq!(page.with_vectors(|_| Some("`c`".to_owned())), expected);
    }

    #[test]
    fn sections_and_rules_correspond() {
        let page =
            Page::new("# Rules\n\n### Delays\n\n### Limits\n\n**Vectors:** none\n".to_owned());
        let problems = [
            "the section `delays` has no line `**Vectors:**`",
            "`tests/rules.json` has no rule `limits`",
            "`docs/rules.md` has no section `options`",
        ];
        assert_eq!(
            page.problems(&BTreeSet::from(["delays", "options"])),
            problems
        );
    }
}
