//! JMESPath: the parser, the compiler, and the evaluator over borrowed host values.

mod compile;
mod equality;
mod evaluate;
mod function;
mod functions;
mod item;
mod node;
mod parser;
mod render;
mod search;

pub(crate) use evaluate::{EvaluationError, Evaluator, Visited};
pub(crate) use function::Function;
pub(crate) use item::Item;
pub(crate) use node::{Names, Node, Op};
pub use parser::{Ast, Comparison, parse};
pub(crate) use render::render;
pub use search::{CompiledExpression, SearchResult};

use crate::error::ExpressionError;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: Box<str>,
    root: Node,
    calls_functions: bool,
}

impl Expression {
    /// Parses and compiles an expression. Its member names are added to `names`.
    pub(crate) fn new(text: &str, names: &mut Names) -> Result<Self, ExpressionError> {
        let root = compile::compile(text, &parse(text)?, names)?;
        Ok(Self {
            text: text.into(),
            calls_functions: root.calls_functions(),
            root,
        })
    }

    /// Creates an expression that reads a single member.
    pub(crate) fn of_member(name: &str, names: &mut Names) -> Self {
        let op = Op::Path(Box::new([names.intern(name)]));
        Self {
            text: name.into(),
            calls_functions: false,
            root: Node { op, at: 0 },
        }
    }

    /// The source text of the expression.
    pub(crate) const fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the expression calls a function, so that its evaluation can fail because of a value's type.
    pub(crate) const fn calls_functions(&self) -> bool {
        self.calls_functions
    }

    pub(crate) const fn root(&self) -> &Node {
        &self.root
    }
}
