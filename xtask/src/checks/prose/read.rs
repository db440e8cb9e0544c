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

/// A language, by the extensions of its files. The regex has the group `doc` for doc comments and `line` for other
/// prose. Unit tests and strings match without a group.
type Syntax = (&'static [&'static str], &'static str);

const SYNTAXES: [Syntax; 4] = [
    (
        &["rs"],
        r"(?m)^(?<doc>(?:[ \t]*//[/!].*\n)+)|^[ \t]*//(?<line>.*)$|^#\[cfg\(test\)\]\s*mod tests \{(?s:.*)",
    ),
    (
        &["ts", "mjs"],
        r"(?m)/\*\*(?<doc>(?s:.*?))\*/|^[ \t]*//(?<line>.*)$",
    ),
    (
        &["py", "pyi"],
        r#"(?m)^[ \t]*r?"""(?<doc>(?s:.*?))"""|"""(?s:.*?)"""|#\s(?<line>.*)$"#,
    ),
    (
        &["md"],
        r"(?m)^[ \t]*```(?s:.*?)^[ \t]*```.*$|^(?<line>.+)$",
    ),
];

/// Extracts prose; compiles its regexes once.
pub(super) struct Reader(Vec<(&'static [&'static str], Regex)>);

impl Reader {
    pub(super) fn new() -> Result<Self> {
        let syntaxes = SYNTAXES.into_iter();
        let syntaxes = syntaxes.map(|(extensions, regex)| Ok((extensions, Regex::new(regex)?)));
        Ok(Self(syntaxes.collect::<Result<_>>()?))
    }

    /// Returns the regex for a file, or `None` if its language is not known.
    pub(super) fn regex(&self, name: &str) -> Option<&Regex> {
        let extension = Path::new(name).extension()?.to_str()?;
        let mut syntaxes = self.0.iter();
        let (_, regex) = syntaxes.find(|(extensions, _)| extensions.contains(&extension))?;
        Some(regex)
    }
}

/// Returns the prose of a text, without the code in doc comments.
pub(super) fn lines(regex: &Regex, text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for captures in regex.captures_iter(text) {
        let doc = captures.name("doc");
        let Some(found) = doc.or_else(|| captures.name("line")) else {
            continue;
        };
        let before = text.get(..found.start()).unwrap_or_default();
        let first = before.matches('\n').count().saturating_add(1);
        let (mut is_code, mut is_summary) = (false, doc.is_some());
        for (number, line) in (first..).zip(found.as_str().lines()) {
            let text = line.trim().trim_start_matches(['/', '!', '*']).trim();
            if doc.is_some() && text.starts_with("```") {
                is_code = !is_code;
            } else if !is_code && !text.is_empty() {
                let text = text.to_owned();
                lines.push(Line {
                    number,
                    text,
                    is_summary,
                });
                is_summary = false;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Line, Reader, lines};

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
        let read = |name: &str, text: &str| lines(reader.regex(name).unwrap(), text);
        let text = "/// One.\n///\n/// ```\n/// let two;\n/// ```\nfn f() {\n    // Three.\n}\n\n#[cfg(test)]\nmod tests {\n    // Four.\n}\n";
        let expected = [line(1, "One.", true), line(7, "Three.", false)];
        assert_eq!(read("a.rs", text), expected);
        let text = "/**\n * One.\n * Two.\n */\nf(); // Three.\n  // Four.\n";
        let expected = [
            line(2, "One.", true),
            line(3, "Two.", false),
            line(6, "Four.", false),
        ];
        assert_eq!(read("a.ts", text), expected);
        let text = "def f():\n    \"\"\"One.\n\n    Two.\n    \"\"\"\n    x = \"\"\"\nthree\n\"\"\"  # Four.\n";
        let expected = [
            line(2, "One.", true),
            line(4, "Two.", false),
            line(8, "Four.", false),
        ];
        assert_eq!(read("a.pyi", text), expected);
        let expected = [line(1, "One.", false)];
        assert_eq!(read("a.md", "One.\n```\ntwo\n```\n"), expected);
        assert!(reader.regex("a.json").is_none());
    }
}
