//! JMESPath: parsed, compiled once, evaluated over borrowed host values.

mod compile;
mod equality;
mod evaluate;
mod function;
mod functions;
mod item;
mod node;
mod parser;
mod render;

pub(crate) use evaluate::{EvaluationError, Evaluator, Visited};
pub(crate) use function::Function;
pub(crate) use item::Item;
pub(crate) use node::{Names, Node, Op};
pub use parser::{Ast, Comparator, Comparison, KeyValuePair, Variable, offset, offset_mut, parse};
pub(crate) use render::{escape_control_char, quote, render};

use crate::error::ExpressionError;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: Box<str>,
    root: Node,
    calls_functions: bool,
}

impl Expression {
    /// Parses and compiles an expression; its member names join `names`.
    pub(crate) fn new(text: &str, names: &mut Names) -> Result<Self, ExpressionError> {
        let root = compile::compile(text, &parse(text)?, names)?;
        Ok(Self {
            text: text.into(),
            calls_functions: root.calls_functions(),
            root,
        })
    }

    /// Returns the expression of a member.
    pub(crate) fn of_member(name: &str, names: &mut Names) -> Self {
        let op = Op::Path(Box::new([names.intern(name)]));
        Self {
            text: name.into(),
            calls_functions: false,
            root: Node { op, at: 0 },
        }
    }

    /// The expression as it was written.
    pub(crate) const fn text(&self) -> &str {
        &self.text
    }

    /// Whether a function is called in it, and so whether its evaluation can fail by a value's type.
    pub(crate) const fn calls_functions(&self) -> bool {
        self.calls_functions
    }

    pub(crate) const fn root(&self) -> &Node {
        &self.root
    }
}
