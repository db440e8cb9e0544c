//! The syntax of JMESPath expressions: errors and positions.

mod offsets;
mod token;

// After `set_offsets`, the offset of a node is the offset of its first byte.
pub(crate) use smithy_waiters::internal::jmespath::offset as start_of;
pub(crate) use token::culprit;

use smithy_waiters::internal::jmespath::{self, Ast};
use smithy_waiters::{CompiledExpression, ExpressionError};

/// A syntax error in an expression.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    /// The byte offset of the error, if it has one.
    pub(crate) offset: Option<usize>,
    /// `true` if the expression exceeds a limit of the engine.
    pub(crate) is_limit: bool,
}

/// A parsed expression.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) ast: Ast,
    /// The reason that the engine rejects the expression although it parses: an unknown function, or `&` in the wrong
    /// place.
    pub(crate) engine_error: Option<SyntaxError>,
}

/// Parses an expression.
///
/// # Errors
///
/// Returns an error if the text violates the grammar or exceeds a limit of the engine. Other errors of the engine
/// belong to a node of the tree and are returned in [`Expression::engine_error`].
pub(crate) fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut ast = jmespath::parse(text).map_err(|error| SyntaxError::new(text, error))?;
    let engine_error = CompiledExpression::new(text).err();
    let engine_error = engine_error.map(|error| SyntaxError::new(text, error));
    match engine_error {
        Some(limit) if limit.is_limit => Err(limit),
        engine_error => {
            offsets::set_offsets(&mut ast, text);
            Ok(Expression { ast, engine_error })
        }
    }
}

impl SyntaxError {
    fn new(text: &str, error: ExpressionError) -> Self {
        Self {
            message: error.message,
            offset: error.column.map(|column| column_offset(text, column)),
            is_limit: error.code.starts_with("expression_"),
        }
    }
}

/// Returns a byte offset as a position for messages: the column in code points from 1, and the line if there are
/// several.
pub(crate) fn describe_position(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.chars().count().saturating_add(1);
    if !text.contains('\n') {
        return format!("column {column}");
    }
    let lines = before.split('\n').count();
    format!("line {lines}, column {column}")
}

/// Returns the byte offset of a column.
fn column_offset(text: &str, column: usize) -> usize {
    let mut chars = text.char_indices().skip(column.saturating_sub(1));
    chars.next().map_or(text.len(), |(at, _)| at)
}
