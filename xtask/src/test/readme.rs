//! Runs the examples of the README, and the blocks for JavaScript of the npm package's page and of the book. The blocks for Python are in
//! `python/tests/test_pages.py`, those for Rust are documentation tests of `core`, and those for a shell are in `tests/shell`.

use std::iter;

use anyhow::{Context, Result, ensure};
use duct::Expression;

use super::{javascript, python};
use crate::process;
use crate::project::{self, Project};

/// A stand-in for the AWS SDK's client, which the README's example uses without creating it.
const JAVASCRIPT_CLIENT: &str = "\
class DescribeTableCommand {}
const statuses = ['CREATING', 'ACTIVE'];
const client = { send: async () => ({ Table: { TableStatus: statuses.shift() } }) };
";
/// A stand-in for boto3's client, which the README's example uses without creating it.
const PYTHON_CLIENT: &str = "\
from unittest.mock import Mock
statuses = ['CREATING', 'ACTIVE']
client = Mock(describe_table=lambda TableName: {'Table': {'TableStatus': statuses.pop(0)}})
";

/// The page of the npm package.
const NPM_PAGE: &str = "npm/README.md";

/// The page whose blocks run on scripts of answers, in `npm/test/recipes.test.mjs`.
pub(super) const RECIPES: &str = "docs/recipes.md";

/// The page with blocks for other libraries, which aren't installed.
const MIGRATION: &str = "docs/migration.md";

/// The last line of an example's output.
const CLOSING: &str = "active after 2 attempts";

/// Runs the README's example for JavaScript beside the installed tarball, and the blocks of the pages.
pub(super) fn javascript(project: &Project) -> Result<String> {
    let closing = "console.log(`active after ${outcome.attempts} attempts`);\n";
    let program = [JAVASCRIPT_CLIENT, &example(project, "js")?, closing].concat();
    let file = javascript::scratch(project).join("quick-start.mjs");
    project::write(&file, program)?;
    run_example("node", &duct::cmd!("node", file))?;
    let mut summary = "the README's example".to_owned();
    for page in iter::once(NPM_PAGE.to_owned()).chain(book_pages(project)?) {
        if page != RECIPES {
            summary.push_str(&run_page(project, &page)?);
        }
    }
    check_syntax(project)?;
    Ok(summary)
}

/// Returns the pages of the book, such as `docs/errors.md`, in the order of their names.
pub(super) fn book_pages(project: &Project) -> Result<Vec<String>> {
    let files = project::list(&project.path("docs"))?;
    let pages = files
        .iter()
        .filter(|file| file.extension() == Some("md".as_ref()));
    Ok(pages.map(|page| project.display(page)).collect())
}

/// Checks the syntax of the blocks for other libraries.
fn check_syntax(project: &Project) -> Result<()> {
    let text = project::read(&project.path(MIGRATION))?;
    for block in blocks(&text, "js before") {
        let file = javascript::scratch(project).join("before.mjs");
        project::write(&file, block)?;
        duct::cmd!("node", "--check", file).run()?;
    }
    Ok(())
}

/// Runs all blocks of a page as one program, so that a block can use the variables of those above it. The program's
/// output must contain the output that the page shows.
fn run_page(project: &Project, page: &str) -> Result<String> {
    let text = project::read(&project.path(page))?;
    let (blocks, outputs) = (blocks(&text, "js"), blocks(&text, "text"));
    if blocks.is_empty() {
        return Ok(String::new());
    }
    let closing = format!("{} blocks ran", blocks.len());
    let program = format!("{}\nconsole.log(\"{closing}\");\n", blocks.concat());
    let file = javascript::scratch(project).join("page.mjs");
    project::write(&file, program)?;
    process::tee(&format!("node: {page}"), &duct::cmd!("node", file))?.summarize(|output| {
        ensure!(
            output.contains(&closing),
            "the blocks of {page} did not run to the end"
        );
        for expected in &outputs {
            ensure!(
                output.contains(expected),
                "the blocks of {page} did not print the output that it shows:\n{expected}"
            );
        }
        Ok(format!("; {page}: {closing}"))
    })
}

/// Runs the README's example for Python with the installed wheel.
pub(super) fn python(project: &Project) -> Result<String> {
    let closing = "print(f'active after {outcome.attempts} attempts')\n";
    let program = [PYTHON_CLIENT, &example(project, "python")?, closing].concat();
    let file = project.target("readme/quick_start.py");
    project::write(&file, program)?;
    run_example(
        "python",
        &python::environment(project)?.python(&[&file.to_string_lossy()]),
    )
}

fn run_example(language: &str, command: &Expression) -> Result<String> {
    let title = format!("{language}: the README's example");
    process::tee(&title, command)?.summarize(|output| {
        ensure!(
            output.contains(CLOSING),
            "the README's example for {language} did not print `{CLOSING}`"
        );
        Ok("the README's example".to_owned())
    })
}

/// Returns the README's first code block in a language.
fn example(project: &Project, language: &str) -> Result<String> {
    let readme = project::read(&project.path("README.md"))?;
    first_block(&readme, language).with_context(|| format!("`README.md` has no `{language}` block"))
}

/// Returns the first code block in a language.
pub(super) fn first_block(markdown: &str, language: &str) -> Option<String> {
    blocks(markdown, language).into_iter().next()
}

/// Returns the code blocks in a language.
fn blocks(markdown: &str, language: &str) -> Vec<String> {
    let blocks = all_blocks(markdown).into_iter();
    let blocks = blocks.filter(|(info, _)| info == language);
    blocks.map(|(_, code)| code).collect()
}

/// Returns all code blocks with the words after their fence. A block can be indented, in a list or a tab.
pub(super) fn all_blocks(markdown: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = markdown.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let indent = line.len().saturating_sub(line.trim_start().len());
        if let Some(info) = line.trim_start().strip_prefix("```") {
            let code = lines.by_ref().take_while(|line| line.trim() != "```");
            let code = code.map(|line| line.get(indent..).unwrap_or("\n"));
            blocks.push((info.trim_end().to_owned(), code.collect()));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::{blocks, first_block};

    #[test]
    fn the_first_block_of_the_language_is_taken() {
        let markdown = "```js\na\n```\n\n```python\nb\nc\n```\n\n```python\nd\n```\n";
        assert_eq!(first_block(markdown, "python").as_deref(), Some("b\nc\n"));
        assert_eq!(first_block(markdown, "rust"), None);
        assert_eq!(blocks(markdown, "python"), ["b\nc\n", "d\n"]);
    }

    #[test]
    fn a_block_can_be_indented() {
        let markdown =
            "=== \"JavaScript\"\n\n    ```js\n    a {\n\n      b\n    ```\n\n```js\nc\n```\n";
        assert_eq!(blocks(markdown, "js"), ["a {\n\n  b\n", "c\n"]);
    }
}
