//! The README's quick starts, run as they stand, and the npm package's own pages. (The Rust one is a documentation test of
//! `core/`.)

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
    let program = write_quick_start(
        project,
        "js",
        javascript::scratch(project).join("quick-start.mjs"),
    )?;
    run_quick_start("node", &duct::cmd!("node", program))?;
    npm(project)
}

/// The npm package's pages.
const PAGES: [&str; 2] = ["npm/README.md", "npm/BEHAVIOURS.md"];

fn npm(project: &Project) -> Result<String> {
    let ran = PAGES
        .iter()
        .map(|page| run_page(project, page))
        .collect::<Result<Vec<_>>>()?;
    Ok(format!("the quick start; {}", ran.join("; ")))
}

/// Runs all blocks of a page as one program: what a block makes, the ones below it use. What the page shows of their output
/// must be in it.
fn run_page(project: &Project, page: &str) -> Result<String> {
    let text = project::read(&project.path(page))?;
    let (blocks, shown) = (blocks(&text, "js"), blocks(&text, "text"));
    let closing = format!("{} blocks ran", blocks.len());
    let program = format!("{}\nconsole.log(\"{closing}\");\n", blocks.concat());
    let file = javascript::scratch(project).join("page.mjs");
    project::write(&file, program)?;
    process::tee(&format!("node: {page}"), &duct::cmd!("node", file))?.summarize(|output| {
        ensure!(
            output.contains(&closing),
            "the blocks of {page} do not run to their end"
        );
        for shown in &shown {
            ensure!(
                output.contains(shown),
                "the blocks of {page} do not print what it shows:\n{shown}"
            );
        }
        Ok(format!("{page}: {closing}"))
    })
}

/// Runs the quick start for Python with the installed wheel.
pub(super) fn python(project: &Project) -> Result<String> {
    let program = write_quick_start(project, "python", project.target("readme/quick_start.py"))?;
    run_quick_start(
        "python",
        &python::environment(project)?.python(&[&program.to_string_lossy()]),
    )
}

fn run_quick_start(title: &str, command: &Expression) -> Result<String> {
    let title = format!("{title}: the README's quick start");
    process::tee(&title, command)?.summarize(|output| {
        ensure!(
            output.contains(CLOSING),
            "the quick start does not say `{CLOSING}`"
        );
        Ok("the quick start".to_owned())
    })
}

fn write_quick_start(project: &Project, language: &str, file: PathBuf) -> Result<PathBuf> {
    let readme = project.path("README.md");
    let text = fs::read_to_string(&readme).context("the README cannot be read")?;
    let code = first_block(&text, language)
        .with_context(|| format!("the README has no `{language}` block"))?;
    project::write(&file, code)?;
    Ok(file)
}

/// The first block of code in a language.
pub(super) fn first_block(markdown: &str, language: &str) -> Option<String> {
    blocks(markdown, language).into_iter().next()
}

/// The blocks of code in a language.
fn blocks(markdown: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut inside = false;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if &*info == language => {
                inside = true;
                blocks.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                blocks
                    .last_mut()
                    .into_iter()
                    .for_each(|block| block.push_str(&text));
            }
            _ => {}
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
}
