//! Conversion of a model's documentation to plain text for code comments.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::escape::is_invisible;

/// Returns the first paragraph as plain text on one line, or `None` if it is empty. Tags and invisible characters are
/// removed, and entities are decoded.
///
/// The backend must escape markup that the language's comments would interpret.
#[must_use]
pub fn summary(documentation: &str) -> Option<String> {
    let paragraph = documentation.trim_start();
    let end = ["</p>", "\n\n", "<ul>", "<note>"];
    let end = end.iter().filter_map(|end| paragraph.find(end));
    let end = end.filter(|end| *end > 0).min();
    let paragraph = end
        .and_then(|end| paragraph.get(..end))
        .unwrap_or(paragraph);
    let text = read_entities(&without_tags(paragraph));
    let visible: String = text.chars().filter(|char| !is_invisible(*char)).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

/// Returns the first sentence of a text. A sentence ends at a full stop before a capital letter.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut ends = text.match_indices(". ").map(|(at, _)| at);
    let begins = |at: usize| {
        let rest = text.get(at.saturating_add(2)..);
        rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    let end = ends.find(|at| begins(*at)).map(|at| at.saturating_add(1));
    let sentence = end.and_then(|end| text.get(..end));
    sentence.unwrap_or(text).to_owned()
}

/// Wraps a text into lines. Words and hyphenated names are never split.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let whole = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(false);
    let lines = textwrap::wrap(text, whole).into_iter();
    lines.map(|line| line.trim_end().to_owned()).collect()
}

fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let is_tag = after.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
        match after.split_once('>').filter(|_| is_tag) {
            Some((tag, after)) => {
                if matches!(tag, "code" | "/code") {
                    plain.push('`');
                }
                rest = after;
            }
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn read_entities(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let read = |text: String, (entity, char): (&str, &str)| text.replace(entity, char);
    entities.into_iter().fold(text.to_owned(), read)
}

#[cfg(test)]
mod tests {
    use super::{sentence, summary};

    #[test]
    fn the_first_sentence_ends_before_a_capital() {
        let texts = [
            (
                "The name, e.g. of a table. It is short.",
                "The name, e.g. of a table.",
            ),
            ("The name.", "The name."),
            ("Version 1.0 of it. And more. Yet.", "Version 1.0 of it."),
            ("", ""),
        ];
        for (text, expected) in texts {
            assert_eq!(sentence(text), expected);
        }
    }

    #[test]
    fn the_first_paragraph_is_read() {
        let texts = [
            (
                "<p>The <code>name</code> of a\n  table.</p> <p>More.</p>",
                "The `name` of a table.",
            ),
            ("Plain text.\n\nMore.", "Plain text."),
            ("<p>a &lt; b &amp;&amp; c < d</p>", "a < b && c < d"),
            ("a\u{202e}b\u{7}c\r\nd", "abc d"),
            ("<ul><li>One.</li></ul>", "One."),
            ("<p></p>", ""),
            ("", ""),
        ];
        for (text, expected) in texts {
            assert_eq!(summary(text).unwrap_or_default(), expected);
        }
    }
}
