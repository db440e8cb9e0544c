//! JMESPath expressions over the shapes of a model, as far as Smithy's own validator looks into them.
//!
//! Smithy evaluates an expression on one made-up value of the shape (see [`sample`]) and says what does not fit. Its events
//! are only the same if the sample and the evaluation are.

mod functions;
mod lint;
mod place;
mod sample;
mod token;

pub(crate) use lint::{Linted, lint};
pub(crate) use place::start_of;
pub(crate) use sample::{Sample, Type};
pub(crate) use token::culprit;

use jmespath::ast::Ast;
use smithy_waiters::CompiledExpression;

/// What is wrong with the text of an expression.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    /// The byte offset of the culprit, where there is one.
    pub(crate) offset: Option<usize>,
}

/// The tree of an expression.
///
/// The engine refuses what the parser must not see, and what the specification's grammar does not have. That a function
/// exists is looked at later: its name and arguments have a place in the tree.
pub(crate) fn parse(text: &str) -> Result<Ast, SyntaxError> {
    if let Err(error) = CompiledExpression::new(text)
        && !is_about_function(error.code)
    {
        return Err(SyntaxError {
            message: error.message,
            offset: error.column.map(|column| offset(text, column)),
        });
    }
    let parsed = jmespath::parse(text).map_err(|error| SyntaxError {
        message: error.to_string(),
        offset: Some(error.offset),
    });
    parsed.map(|mut ast| {
        place::place(&mut ast, text);
        ast
    })
}

fn is_about_function(code: &str) -> bool {
    matches!(code, "unknown_function" | "invalid_arity")
}

/// The column of a byte offset, in code points from 1.
pub(crate) fn column(text: &str, offset: usize) -> usize {
    let before = text.char_indices().take_while(|(at, _)| *at < offset);
    before.count().saturating_add(1)
}

/// The byte offset of a column.
fn offset(text: &str, column: usize) -> usize {
    let mut chars = text.char_indices().skip(column.saturating_sub(1));
    chars.next().map_or(text.len(), |(at, _)| at)
}
