//! The front of the parser: limits before it sees a text, a stricter grammar behind it, and the columns and words of errors.
//!
//! Only this module uses the crate `jmespath`. To replace it, provide [`parse`] and the types of its tree, and adapt
//! `words.rs`.

mod error;
mod grammar;
mod limits;
mod tree;
mod words;

pub use ::jmespath::Variable;
pub use ::jmespath::ast::{Ast, Comparator, KeyValuePair};
use error::does_not_parse;
pub(super) use error::error_at;
pub use tree::{Comparison, offset, offset_mut};

use crate::error::ExpressionError;

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
