//! The README's quick starts, run as they stand. (The Rust one is a documentation test of `core/`.)

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use duct::Expression;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::{javascript, python};
use crate::process;
use crate::project::{self, Project};

/// What every quick start says when it has worked.
const CLOSING: &str = "active after 3 attempts";

/// Runs the quick start for Node beside the installed tarball.
pub(super) fn javascript(project: &Project) -> Result<String> {
    let program = written(
        project,
        "js",
        javascript::scratch(project).join("quick-start.mjs"),
    )?;
    worked("node", &duct::cmd!("node", program))
}

/// Runs the quick start for Python with the installed wheel.
pub(super) fn python(project: &Project) -> Result<String> {
    let program = written(project, "python", project.target("readme/quick_start.py"))?;
    worked(
        "python",
        &python::environment(project)?.python(&[&program.to_string_lossy()]),
    )
}

fn worked(title: &str, command: &Expression) -> Result<String> {
    let title = format!("{title}: the README's quick start");
    process::tee(&title, command)?.summed_up(|output| {
        ensure!(
            output.contains(CLOSING),
            "the quick start does not say `{CLOSING}`"
        );
        Ok("the quick start".to_owned())
    })
}

fn written(project: &Project, language: &str, file: PathBuf) -> Result<PathBuf> {
    let readme = project.path("README.md");
    let text = fs::read_to_string(&readme).context("the README cannot be read")?;
    let code = first_block(&text, language)
        .with_context(|| format!("the README has no `{language}` block"))?;
    project::write(&file, code)?;
    Ok(file)
}

/// The first block of code in a language.
fn first_block(markdown: &str, language: &str) -> Option<String> {
    let mut events = Parser::new(markdown);
    events.find(|event| match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => &**info == language,
        _ => false,
    })?;
    let lines = events.take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)));
    let text = lines.filter_map(|event| match event {
        Event::Text(text) => Some(text.into_string()),
        _ => None,
    });
    Some(text.collect())
}

#[cfg(test)]
mod tests {
    use super::first_block;

    #[test]
    fn the_first_block_of_the_language_is_taken() {
        let markdown = "```js\na\n```\n\n```python\nb\nc\n```\n\n```python\nd\n```\n";
        assert_eq!(first_block(markdown, "python").as_deref(), Some("b\nc\n"));
        assert_eq!(first_block(markdown, "rust"), None);
    }
}
