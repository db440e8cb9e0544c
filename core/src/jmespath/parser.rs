//! The front of the parser: limits before it sees a text, a stricter grammar behind it, and the columns and words of errors.
//!
//! Only this module uses the crate `jmespath`. To replace it, provide [`parse`] and the types of its tree, and adapt
//! `words.rs`.

mod grammar;
mod limits;
mod tree;
mod words;

pub use ::jmespath::Variable;
pub use ::jmespath::ast::{Ast, Comparator, KeyValuePair};
pub use tree::{Comparison, offset, offset_mut};

use crate::error::ExpressionError;

/// How much of an expression a message shows, in code points.
const EXCERPT: usize = 80;

/// Parses an expression.
///
/// # Errors
///
/// `expression_too_long` or `expression_too_deep` if the text exceeds a limit, `invalid_expression` if it breaks the grammar.
pub fn parse(text: &str) -> Result<Ast, ExpressionError> {
    limits::check(text)?;
    let ast = ::jmespath::parse(text)
        .map_err(|error| does_not_parse(text, error.offset, &words::of(&error.reason)))?;
    match grammar::check(text) {
        None => Ok(ast),
        Some(offence) => {
            let what = format!("{}, found {}", offence.expected, offence.found);
            Err(does_not_parse(text, offence.at, &what))
        }
    }
}

/// An error that names the byte offset of its cause.
pub(super) fn error_at(
    code: &'static str,
    text: &str,
    offset: usize,
    what: &str,
) -> ExpressionError {
    let (column, excerpt) = (column(text, offset), excerpt(text));
    let message = format!("`{excerpt}` {what} (column {column})");
    ExpressionError::new(code, Some(column), message)
}

fn does_not_parse(text: &str, offset: usize, what: &str) -> ExpressionError {
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
