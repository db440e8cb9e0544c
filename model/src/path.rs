//! JMESPath expressions over the shapes of a model, as far as Smithy's own validator looks into them.
//!
//! Smithy evaluates an expression on one made-up value of the shape (see [`sample`]) and says what does not fit. Its events
//! are only the same if the sample and the evaluation are.

mod functions;
mod lint;
mod sample;

pub(crate) use lint::{Linted, lint, start_of};
pub(crate) use sample::{Sample, Type};

use jmespath::ast::Ast;
use smithy_waiters::CompiledExpression;

/// What is wrong with the text of an expression.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
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
        });
    }
    jmespath::parse(text).map_err(|error| SyntaxError {
        message: error.to_string(),
    })
}

fn is_about_function(code: &str) -> bool {
    matches!(
        code,
        "unknown_function" | "invalid_arity" | "invalid_argument"
    )
}
