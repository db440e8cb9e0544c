//! From the parser's tree to the compiled form: chains flattened, names interned, functions bound.

use jmespath::ast::{Ast, Comparator};
use serde_json::Value as Json;

use super::functions;
use super::limits::{column, excerpt};
use super::node::{Comparison, Names, Node, Op, Slice};
use crate::error::ExpressionError;

/// The deepest nesting of the compiled form: it bounds the evaluator's recursion.
const MAX_DEPTH: usize = 128;

/// Compiles a whole expression.
pub(super) fn compile(text: &str, ast: &Ast, names: &mut Names) -> Result<Node, ExpressionError> {
    Compiler { text, names }.node(ast, 0)
}

struct Compiler<'a> {
    text: &'a str,
    names: &'a mut Names,
}

impl Compiler<'_> {
    fn node(&mut self, ast: &Ast, depth: usize) -> Result<Node, ExpressionError> {
        let (at, depth) = (offset(ast), depth.saturating_add(1));
        if depth > MAX_DEPTH {
            return Err(self.error(
                "expression_too_deep",
                at,
                &format!("nests more than {MAX_DEPTH} operations"),
            ));
        }
        let op = match ast {
            Ast::And { lhs, rhs, .. } => Op::And(self.pair(lhs, rhs, depth)?),
            Ast::Comparison {
                comparator,
                lhs,
                rhs,
                ..
            } => Op::Compare(comparison(comparator), self.pair(lhs, rhs, depth)?),
            Ast::Condition {
                predicate, then, ..
            } => Op::Condition(self.pair(predicate, then, depth)?),
            Ast::Expref { ast, .. } => Op::Expref(self.boxed(ast, depth)?),
            Ast::Field { name, .. } => Op::Path(Box::new([self.names.intern(name)])),
            Ast::Flatten { node, .. } => Op::Flatten(self.boxed(node, depth)?),
            Ast::Function { name, args, .. } => self.call(name, args, at, depth)?,
            Ast::Identity { .. } => Op::Current,
            Ast::Index { idx, .. } => Op::Index(i64::from(*idx)),
            Ast::Literal { value, .. } => Op::Literal(literal(value)),
            Ast::MultiHash { elements, .. } => {
                let members = elements
                    .iter()
                    .map(|pair| Ok((pair.key.as_str().into(), self.node(&pair.value, depth)?)));
                Op::Hash(members.collect::<Result<_, ExpressionError>>()?)
            }
            Ast::MultiList { elements, .. } => Op::List(self.nodes(elements, depth)?),
            Ast::Not { node, .. } => Op::Not(self.boxed(node, depth)?),
            Ast::ObjectValues { node, .. } => Op::Values(self.boxed(node, depth)?),
            Ast::Or { lhs, rhs, .. } => Op::Or(self.pair(lhs, rhs, depth)?),
            Ast::Projection { lhs, rhs, .. } => Op::Project(self.pair(lhs, rhs, depth)?),
            Ast::Slice { step: 0, .. } => {
                return Err(self.error("invalid_expression", at, "has a slice with step 0"));
            }
            Ast::Slice {
                start, stop, step, ..
            } => Op::Slice(Slice {
                start: start.map(i64::from),
                stop: stop.map(i64::from),
                step: i64::from(*step),
            }),
            Ast::Subexpr { .. } => self.chain(ast, depth)?,
        };
        Ok(Node { op, at })
    }

    /// A chain leans to the left in the parser's tree; here it is a list, and its fields are one path.
    fn chain(&mut self, ast: &Ast, depth: usize) -> Result<Op, ExpressionError> {
        let mut links = Vec::new();
        let mut rest = ast;
        while let Ast::Subexpr { lhs, rhs, .. } = rest {
            links.push(&**rhs);
            rest = lhs;
        }
        links.push(rest);
        let mut nodes: Vec<Node> = Vec::new();
        for link in links.into_iter().rev() {
            let node = self.node(link, depth)?;
            match (nodes.last_mut().map(|last| &mut last.op), node.op) {
                (Some(Op::Path(path)), Op::Path(more)) => {
                    *path = path.iter().chain(&more).cloned().collect()
                }
                (_, op) => nodes.push(Node { op, at: node.at }),
            }
        }
        match nodes.pop() {
            Some(only) if nodes.is_empty() => Ok(only.op),
            last => Ok(Op::Chain(nodes.into_iter().chain(last).collect())),
        }
    }

    fn call(
        &mut self,
        name: &str,
        args: &[Ast],
        at: usize,
        depth: usize,
    ) -> Result<Op, ExpressionError> {
        let function =
            functions::bind(name, args).map_err(|(code, what)| self.error(code, at, &what))?;
        Ok(Op::Call(function, self.nodes(args, depth)?))
    }

    fn boxed(&mut self, ast: &Ast, depth: usize) -> Result<Box<Node>, ExpressionError> {
        Ok(Box::new(self.node(ast, depth)?))
    }

    fn pair(
        &mut self,
        left: &Ast,
        right: &Ast,
        depth: usize,
    ) -> Result<Box<[Node; 2]>, ExpressionError> {
        Ok(Box::new([
            self.node(left, depth)?,
            self.node(right, depth)?,
        ]))
    }

    fn nodes(&mut self, asts: &[Ast], depth: usize) -> Result<Box<[Node]>, ExpressionError> {
        asts.iter().map(|ast| self.node(ast, depth)).collect()
    }

    fn error(&self, code: &'static str, at: usize, what: &str) -> ExpressionError {
        let column = column(self.text, at);
        ExpressionError::new(
            code,
            Some(column),
            format!("`{}` {what} at column {column}", excerpt(self.text)),
        )
    }
}

const fn comparison(comparator: &Comparator) -> Comparison {
    match comparator {
        Comparator::Equal => Comparison::Equal,
        Comparator::GreaterThan => Comparison::Greater,
        Comparator::GreaterThanEqual => Comparison::GreaterOrEqual,
        Comparator::LessThan => Comparison::Less,
        Comparator::LessThanEqual => Comparison::LessOrEqual,
        Comparator::NotEqual => Comparison::NotEqual,
    }
}

/// The parser read the literal from JSON, so it is JSON.
fn literal(value: &jmespath::Variable) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

const fn offset(ast: &Ast) -> usize {
    match ast {
        Ast::And { offset, .. }
        | Ast::Comparison { offset, .. }
        | Ast::Condition { offset, .. }
        | Ast::Expref { offset, .. }
        | Ast::Field { offset, .. }
        | Ast::Flatten { offset, .. }
        | Ast::Function { offset, .. }
        | Ast::Identity { offset }
        | Ast::Index { offset, .. }
        | Ast::Literal { offset, .. }
        | Ast::MultiHash { offset, .. }
        | Ast::MultiList { offset, .. }
        | Ast::Not { offset, .. }
        | Ast::ObjectValues { offset, .. }
        | Ast::Or { offset, .. }
        | Ast::Projection { offset, .. }
        | Ast::Slice { offset, .. }
        | Ast::Subexpr { offset, .. } => *offset,
    }
}
