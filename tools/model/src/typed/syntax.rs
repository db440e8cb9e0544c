//! Parses expressions as the engine does.

use smithy_waiters::internal::jmespath::{self, Ast};
use smithy_waiters::{CompiledExpression, ExpressionError};

use super::Function;
use crate::messages;
use crate::path;

/// The reason that the engine rejects an expression.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    /// A text that completes a sentence about the expression.
    pub(crate) message: String,
    /// The byte offset of the error, if it has one.
    pub(crate) offset: Option<usize>,
    /// `true` if the expression exceeds a limit of the engine.
    pub(crate) is_limit: bool,
}

/// Parses an expression.
///
/// # Errors
///
/// Returns an error if the engine rejects the expression.
pub(super) fn parse(text: &str) -> Result<Ast, SyntaxError> {
    let ast = jmespath::parse(text).map_err(|error| SyntaxError::new(text, error))?;
    match CompiledExpression::new(text) {
        Ok(_) => Ok(ast),
        Err(error) => Err(SyntaxError::new(text, error)),
    }
}

impl SyntaxError {
    fn new(text: &str, error: ExpressionError) -> Self {
        let offset = error.column.map(|column| column_offset(text, column));
        let near = match offset {
            Some(offset) if error.code == "unknown_function" => {
                let name = text.get(offset..path::end_of(text, offset));
                messages::did_you_mean(name.unwrap_or_default(), Function::NAMES.iter().copied())
            }
            _ => String::new(),
        };
        Self {
            message: error.message + &near,
            offset,
            is_limit: error.code.starts_with("expression_"),
        }
    }

    /// Creates the error for a part that the parser does not produce at its place.
    pub(super) fn unknown() -> Self {
        Self {
            message: "contains a part of unknown syntax".to_owned(),
            offset: None,
            is_limit: false,
        }
    }
}

/// Returns the byte offset of a column.
fn column_offset(text: &str, column: usize) -> usize {
    let mut chars = text.char_indices().skip(column.saturating_sub(1));
    chars.next().map_or(text.len(), |(at, _)| at)
}
