//! Errors of the parser, with the column of their cause.

use crate::error::ExpressionError;

/// How much of an expression a message shows, in code points.
const EXCERPT: usize = 80;

/// An error that names the byte offset of its cause.
pub(crate) fn error_at(
    code: &'static str,
    text: &str,
    offset: usize,
    what: &str,
) -> ExpressionError {
    let (column, excerpt) = (column(text, offset), excerpt(text));
    let message = format!("`{excerpt}` {what} (column {column})");
    ExpressionError::new(code, Some(column), message)
}

pub(super) fn does_not_parse(text: &str, offset: usize, what: &str) -> ExpressionError {
    let (column, excerpt) = (column(text, offset), excerpt(text));
    let message = format!("`{excerpt}` does not parse at column {column}: {what}");
    ExpressionError::new("invalid_expression", Some(column), message)
}

/// The column of a byte offset, in code points from 1.
fn column(text: &str, offset: usize) -> usize {
    text.char_indices()
        .take_while(|(at, _)| *at < offset)
        .count()
        .saturating_add(1)
}

/// The start of an expression, for a message.
fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(EXCERPT).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}
