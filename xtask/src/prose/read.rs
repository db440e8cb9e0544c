//! Prose out of source files and Markdown.

use std::path::Path;

use anyhow::Result;
use regex::Regex;

/// A line of prose, without the marks of its comment.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    /// Whether it is the first of a doc comment.
    pub(super) is_summary: bool,
}

pub(super) type Reader = fn(&str) -> Result<Vec<Line>>;

pub(super) fn reader(name: &str) -> Option<Reader> {
    Some(match Path::new(name).extension()?.to_str()? {
        "rs" => rust,
        "ts" | "mjs" => script,
        "py" | "pyi" => python,
        "md" => markdown,
        _ => return None,
    })
}

/// Doc comments without their code, and comments on lines of their own, up to the unit tests.
fn rust(text: &str) -> Result<Vec<Line>> {
    let text = Regex::new(r"\n#\[cfg\(test\)\]\s*mod ")?
        .splitn(text, 2)
        .next()
        .unwrap_or_default();
    let (mut lines, mut follows, mut is_code) = (Vec::new(), false, false);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let doc = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))
            .map(str::trim);
        is_code &= doc.is_some();
        if let Some(text) = doc {
            if text.starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                let is_summary = !follows && !text.is_empty();
                lines.push(Line {
                    number,
                    text: text.to_owned(),
                    is_summary,
                });
            }
        } else if let Some(comment) = line.strip_prefix("//") {
            lines.push(Line {
                number,
                text: comment.trim().to_owned(),
                is_summary: false,
            });
        }
        follows = doc.is_some();
    }
    Ok(lines)
}

/// Doc comments, and comments on lines of their own.
fn script(text: &str) -> Result<Vec<Line>> {
    let docs = Regex::new(r"(?s)/\*\*(.*?)\*/")?;
    let mut lines: Vec<Line> = docs
        .captures_iter(text)
        .filter_map(|doc| doc.get(1))
        .flat_map(|doc| block(text, doc.start(), doc.as_str()))
        .collect();
    lines.extend(matches(text, &Regex::new(r"(?m)^\s*//(.*)$")?));
    Ok(lines)
}

/// Docstrings and comments.
fn python(text: &str) -> Result<Vec<Line>> {
    let strings = Regex::new(r#"(?s)"""(.*?)""""#)?;
    let docs = strings
        .captures_iter(text)
        .filter_map(|doc| doc.get(1))
        .filter(|doc| {
            let before = text
                .get(..doc.start())
                .and_then(|text| text.lines().next_back())
                .unwrap_or_default();
            before.trim_start().trim_start_matches('r') == "\"\"\""
        });
    let mut lines: Vec<Line> = docs
        .flat_map(|doc| block(text, doc.start(), doc.as_str()))
        .collect();
    lines.extend(matches(text, &Regex::new(r"(?m)#\s(.*)$")?));
    Ok(lines)
}

fn markdown(text: &str) -> Result<Vec<Line>> {
    let mut is_code = false;
    let prose = (1..).zip(text.lines()).filter(|(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    });
    Ok(prose
        .map(|(number, text)| Line {
            number,
            text: text.to_owned(),
            is_summary: false,
        })
        .collect())
}

/// The lines of a doc comment, the first of which is its summary.
fn block(text: &str, start: usize, block: &str) -> Vec<Line> {
    let first = line_number(text, start);
    let lines = (first..)
        .zip(block.lines())
        .map(|(number, line)| (number, line.trim_start().trim_start_matches('*').trim()));
    let lines = lines.filter(|(_, text)| !text.is_empty()).enumerate();
    lines
        .map(|(at, (number, text))| Line {
            number,
            text: text.to_owned(),
            is_summary: at == 0,
        })
        .collect()
}

fn matches<'t>(text: &'t str, comment: &'t Regex) -> Vec<Line> {
    let found = comment.captures_iter(text).filter_map(|found| found.get(1));
    found
        .map(|found| Line {
            number: line_number(text, found.start()),
            text: found.as_str().trim().to_owned(),
            is_summary: false,
        })
        .collect()
}

fn line_number(text: &str, at: usize) -> usize {
    text.get(..at)
        .unwrap_or_default()
        .matches('\n')
        .count()
        .saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::{Line, markdown, python, rust, script};

    fn line(number: usize, text: &str, is_summary: bool) -> Line {
        Line {
            number,
            text: text.to_owned(),
            is_summary,
        }
    }

    #[test]
    fn comments_are_read_without_code() {
        let text = "/// One.\n///\n/// ```\n/// let two;\n/// ```\nfn f() {\n    // Three.\n}\n\n#[cfg(test)]\nmod tests {\n    // Four.\n}\n";
        let lines = [
            line(1, "One.", true),
            line(2, "", false),
            line(7, "Three.", false),
        ];
        assert_eq!(rust(text).unwrap(), lines);
        let text = "/**\n * One.\n * Two.\n */\nf(); // Three.\n  // Four.\n";
        let lines = [
            line(2, "One.", true),
            line(3, "Two.", false),
            line(6, "Four.", false),
        ];
        assert_eq!(script(text).unwrap(), lines);
        let text = "def f():\n    \"\"\"One.\n\n    Two.\n    \"\"\"\n    x = \"\"\"\nthree\n\"\"\"  # Four.\n";
        let lines = [
            line(2, "One.", true),
            line(4, "Two.", false),
            line(8, "Four.", false),
        ];
        assert_eq!(python(text).unwrap(), lines);
        assert_eq!(
            markdown("One.\n```\ntwo\n```\n").unwrap(),
            [line(1, "One.", false)]
        );
    }
}
