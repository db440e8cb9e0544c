//! Documentation comments.

use super::WIDTH;
use crate::docs;
use crate::document::{Doc, lines, text};

/// Formats a documentation comment, on one line if it fits.
pub(crate) fn comment(docs: &[String]) -> Doc {
    let width = WIDTH.saturating_sub(5);
    let paragraphs: Vec<Vec<String>> = docs.iter().map(|text| wrap(text, width)).collect();
    if let [paragraph] = &paragraphs[..]
        && let [line] = &paragraph[..]
        && line.chars().count() < width.saturating_sub(5)
    {
        return text(format!("/** {line} */"));
    }
    let all = paragraphs.join(&[String::new()][..]);
    let all = all
        .iter()
        .map(|line| text(format!(" * {line}").trim_end().to_owned()));
    lines(std::iter::once(text("/**")).chain(all).chain([text(" */")]))
}

/// Formats the documentation comment above a declaration, or nothing without documentation.
pub(super) fn comment_above(docs: &[String]) -> Doc {
    if docs.is_empty() {
        return Doc::nil();
    }
    comment(docs).append(Doc::hardline())
}

/// Wraps each line of a paragraph separately, which preserves lists.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = text.replace("*/", "*\\/");
    let lines = text.trim().lines();
    lines.flat_map(|line| docs::wrap(line, width)).collect()
}

/// Escapes `@` in a text of the model, because it begins a tag in comments.
pub(crate) fn escape_tags(text: &str) -> String {
    text.replace('@', "\\@")
}
