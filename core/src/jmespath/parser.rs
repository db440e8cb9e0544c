//! The parser: the crate `jmespath`, with limits that are checked before it, a stricter grammar that is checked after
//! it, and readable errors with columns.
//!
//! No other module uses the crate `jmespath`. To replace it, provide [`parse`] and the types of its tree, and adapt
//! `words.rs`.

mod error;
mod grammar;
mod limits;
mod tree;
mod words;

pub(super) use ::jmespath::Variable;
pub use ::jmespath::ast::Ast;
pub(super) use ::jmespath::ast::{Comparator, KeyValuePair};
use error::does_not_parse;
pub(super) use error::error_at;
pub use tree::Comparison;
pub(super) use tree::offset;

use crate::error::ExpressionError;

/// Parses an expression.
///
/// # Errors
///
/// - `expression_too_long` or `expression_too_deep` if the text exceeds a limit. See [docs/rules.md#parse-limits](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#parse-limits).
/// - `invalid_expression` if the text does not follow the grammar.
pub fn parse(text: &str) -> Result<Ast, ExpressionError> {
    limits::check(text)?;
    let ast = ::jmespath::parse(text)
        .map_err(|error| does_not_parse(text, error.offset, &words::describe(&error.reason)))?;
    match grammar::check(text) {
        None => Ok(ast),
        Some(violation) => {
            let what = format!("{}, found {}", violation.expected, violation.found);
            Err(does_not_parse(text, violation.at, &what))
        }
    }
}
