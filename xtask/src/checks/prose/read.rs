//! Extracts prose from source files and Markdown.

use std::path::Path;

use anyhow::Result;
use regex::Regex;

/// A line of prose, without the marks of its comment.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    /// `true` for the first line of a doc comment.
    pub(super) is_summary: bool,
}

/// The languages whose comments are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Language {
    Markdown,
    Python,
    Rust,
    Script,
}

impl Language {
    /// Returns the language of a file by its extension.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match Path::new(name).extension()?.to_str()? {
            "rs" => Self::Rust,
            "ts" | "mjs" => Self::Script,
            "py" | "pyi" => Self::Python,
            "md" => Self::Markdown,
            _ => return None,
        })
    }
}

/// Extracts prose; compiles its patterns once.
pub(super) struct Reader {
    rust_tests: Regex,
    script_doc: Regex,
    script_comment: Regex,
    python_string: Regex,
    python_comment: Regex,
}

impl Reader {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            rust_tests: Regex::new(r"\n#\[cfg\(test\)\]\s*mod tests \{")?,
            script_doc: Regex::new(r"(?s)/\*\*(.*?)\*/")?,
            script_comment: Regex::new(r"(?m)^\s*//(.*)$")?,
            python_string: Regex::new(r#"(?s)"""(.*?)""""#)?,
            python_comment: Regex::new(r"(?m)#\s(.*)$")?,
        })
    }

    pub(super) fn lines(&self, language: Language, text: &str) -> Vec<Line> {
        match language {
            Language::Markdown => markdown(text),
            Language::Python => self.python(text),
            Language::Rust => self.rust(text),
            Language::Script => self.script(text),
        }
    }

    /// Returns doc comments without their code, and comments on separate lines, up to the unit tests.
    fn rust(&self, text: &str) -> Vec<Line> {
        let text = self.rust_tests.splitn(text, 2).next().unwrap_or_default();
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
        lines
    }

    /// Returns doc comments, and comments on separate lines.
    fn script(&self, text: &str) -> Vec<Line> {
        let mut lines: Vec<Line> = self
            .script_doc
            .captures_iter(text)
            .filter_map(|doc| doc.get(1))
            .flat_map(|doc| block(text, doc.start(), doc.as_str()))
            .collect();
        lines.extend(matches(text, &self.script_comment));
        lines
    }

    /// Returns docstrings and comments.
    fn python(&self, text: &str) -> Vec<Line> {
        let docs = self
            .python_string
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
        lines.extend(matches(text, &self.python_comment));
        lines
    }
}

fn markdown(text: &str) -> Vec<Line> {
    let mut is_code = false;
    let prose = (1..).zip(text.lines()).filter(|(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    });
    prose
        .map(|(number, text)| Line {
            number,
            text: text.to_owned(),
            is_summary: false,
        })
        .collect()
}

/// Returns the lines of a doc comment; the first one is its summary.
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
    use super::{Language, Line, Reader};

    fn line(number: usize, text: &str, is_summary: bool) -> Line {
        Line {
            number,
            text: text.to_owned(),
            is_summary,
        }
    }

    #[test]
    fn comments_are_read_without_code() {
        let reader = Reader::new().unwrap();
        let text = "/// One.\n///\n/// ```\n/// let two;\n/// ```\nfn f() {\n    // Three.\n}\n\n#[cfg(test)]\nmod tests {\n    // Four.\n}\n";
        let lines = [
            line(1, "One.", true),
            line(2, "", false),
            line(7, "Three.", false),
        ];
        assert_eq!(reader.lines(Language::Rust, text), lines);
        let text = "/**\n * One.\n * Two.\n */\nf(); // Three.\n  // Four.\n";
        let lines = [
            line(2, "One.", true),
            line(3, "Two.", false),
            line(6, "Four.", false),
        ];
        assert_eq!(reader.lines(Language::Script, text), lines);
        let text = "def f():\n    \"\"\"One.\n\n    Two.\n    \"\"\"\n    x = \"\"\"\nthree\n\"\"\"  # Four.\n";
        let lines = [
            line(2, "One.", true),
            line(4, "Two.", false),
            line(8, "Four.", false),
        ];
        assert_eq!(reader.lines(Language::Python, text), lines);
        assert_eq!(
            reader.lines(Language::Markdown, "One.\n```\ntwo\n```\n"),
            [line(1, "One.", false)]
        );
    }
}
