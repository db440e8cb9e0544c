//! The text of JMESPath expressions: syntax errors, and places in it.

mod place;
mod token;

// Once placed, the offset is that of the beginning.
pub(crate) use smithy_waiters::internal::jmespath::offset as start_of;
pub(crate) use token::culprit;

use smithy_waiters::internal::jmespath::{self, Ast};
use smithy_waiters::{CompiledExpression, ExpressionError};

/// What is wrong with the text of an expression.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    /// The byte offset of the culprit, where there is one.
    pub(crate) offset: Option<usize>,
    /// Whether it is only that the engine has limits.
    pub(crate) is_limit: bool,
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) ast: Ast,
    /// Why the engine refuses it though it parses: a function that does not exist, `&` out of place.
    pub(crate) engine_error: Option<SyntaxError>,
}

/// Parses an expression.
///
/// # Errors
///
/// The text breaks the grammar or a limit. Other reasons for which the engine refuses it have a place in the tree, and are in
/// [`Expression::engine_error`].
pub(crate) fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut ast = jmespath::parse(text).map_err(|error| SyntaxError::new(text, error))?;
    let engine_error = CompiledExpression::new(text).err();
    let engine_error = engine_error.map(|error| SyntaxError::new(text, error));
    match engine_error {
        Some(limit) if limit.is_limit => Err(limit),
        engine_error => {
            place::place(&mut ast, text);
            Ok(Expression { ast, engine_error })
        }
    }
}

impl SyntaxError {
    fn new(text: &str, error: ExpressionError) -> Self {
        Self {
            message: error.message,
            offset: error.column.map(|column| offset(text, column)),
            is_limit: error.code.starts_with("expression_"),
        }
    }
}

/// Where a byte offset is, for messages: the column, in code points from 1, and the line if there are several.
pub(crate) fn place_of(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.chars().count().saturating_add(1);
    if !text.contains('\n') {
        return format!("column {column}");
    }
    let lines = before.split('\n').count();
    format!("line {lines}, column {column}")
}

/// The byte offset of a column.
fn offset(text: &str, column: usize) -> usize {
    let mut chars = text.char_indices().skip(column.saturating_sub(1));
    chars.next().map_or(text.len(), |(at, _)| at)
}
