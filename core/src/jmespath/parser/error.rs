//! Errors of the parser, with the column of the culprit.

use crate::error::ExpressionError;

/// The maximum length of an expression in a message, in code points.
const EXCERPT: usize = 80;

/// Creates an error from the byte offset of the culprit. `what` completes the sentence that starts with the expression.
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

/// Returns the column of a byte offset, in code points, starting at 1.
fn column(text: &str, offset: usize) -> usize {
    text.char_indices()
        .take_while(|(at, _)| *at < offset)
        .count()
        .saturating_add(1)
}

fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(EXCERPT).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}
