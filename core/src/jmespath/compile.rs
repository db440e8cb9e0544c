//! Compiles the parser's tree: flattens chains, interns names and resolves functions.

use serde_json::Value as Json;

use super::function::Function;
use super::node::{Names, Node, Op, Slice};
use super::parser::{Ast, KeyValuePair, Variable, error_at, offset};
use crate::error::ExpressionError;

/// The maximum depth of the compiled form, which bounds the evaluator's recursion.
const MAX_DEPTH: usize = 128;

pub(super) fn compile(text: &str, ast: &Ast, names: &mut Names) -> Result<Node, ExpressionError> {
    Compiler { text, names }.node(ast, 0)
}

struct Compiler<'a> {
    text: &'a str,
    names: &'a mut Names,
}

impl Compiler<'_> {
    fn node(&mut self, ast: &Ast, depth: usize) -> Result<Node, ExpressionError> {
        let at = offset(ast);
        // The parser's limits count the text. Operators without brackets can nest deeper in the tree.
        if depth >= MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        let op = self.op(ast, at, depth.saturating_add(1))?;
        Ok(Node { op, at })
    }

    // Recursive. The arms call functions that are not inlined here, to keep the stack frame small.
    fn op(&mut self, ast: &Ast, at: usize, depth: usize) -> Result<Op, ExpressionError> {
        match ast {
            Ast::And { lhs, rhs, .. }
            | Ast::Comparison { lhs, rhs, .. }
            | Ast::Condition {
                predicate: lhs,
                then: rhs,
                ..
            }
            | Ast::Or { lhs, rhs, .. }
            | Ast::Projection { lhs, rhs, .. } => {
                let sides = self.pair(lhs, rhs, depth)?;
                Ok(pair_op(ast, sides))
            }
            Ast::Flatten { node, .. } | Ast::Not { node, .. } | Ast::ObjectValues { node, .. } => {
                let node = self.boxed(node, depth)?;
                Ok(match ast {
                    Ast::Flatten { .. } => Op::Flatten(node),
                    Ast::Not { .. } => Op::Not(node),
                    _ => Op::Values(node),
                })
            }
            Ast::Expref { .. } => Err(self.misplaced_reference(at)),
            Ast::Function { name, args, .. } => self.call(name, args, at, depth),
            Ast::MultiHash { elements, .. } => self.hash(elements, depth),
            Ast::MultiList { elements, .. } => self.nodes(elements, depth).map(Op::List),
            Ast::Subexpr { .. } => self.chain(ast, depth),
            leaf => self.leaf(leaf, at),
        }
    }

    /// Compiles a node without children.
    fn leaf(&mut self, ast: &Ast, at: usize) -> Result<Op, ExpressionError> {
        Ok(match ast {
            Ast::Field { name, .. } => Op::Path(Box::new([self.names.intern(name)])),
            Ast::Index { idx, .. } => Op::Index(i64::from(*idx)),
            Ast::Literal { value, .. } => Op::Literal(literal(value)),
            Ast::Slice { step: 0, .. } => {
                // The parser accepts it, and the evaluator's loop would not advance.
                return Err(self.error("invalid_expression", at, "has a slice with step 0"));
            }
            Ast::Slice {
                start, stop, step, ..
            } => Op::Slice(Slice {
                start: start.map(i64::from),
                stop: stop.map(i64::from),
                step: i64::from(*step),
            }),
            _ => Op::Current,
        })
    }

    fn hash(&mut self, pairs: &[KeyValuePair], depth: usize) -> Result<Op, ExpressionError> {
        let mut members = Vec::with_capacity(pairs.len());
        for pair in pairs {
            members.push((pair.key.as_str().into(), self.node(&pair.value, depth)?));
        }
        Ok(Op::Hash(members.into()))
    }

    /// Compiles a left-leaning chain of the parser's tree to a list. Consecutive fields become one path.
    fn chain(&mut self, ast: &Ast, depth: usize) -> Result<Op, ExpressionError> {
        let mut links = Vec::new();
        // A loop, because the tree of a long path is as deep as the path and nests to the left.
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
                    // One path for adjacent members: a host then reads all of them in one call.
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
        // Bound here, so that an unknown function is an error of the definition and not of the first response.
        let function = Function::bind(name, args)
            .map_err(|(code, what)| self.error(code, self.name_at(name, at), &what))?;
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            nodes.push(self.argument(arg, depth)?);
        }
        Ok(Op::Call(function, nodes.into()))
    }

    /// Returns the offset of a function's name. The parser's offset is that of the parenthesis.
    fn name_at(&self, name: &str, parenthesis: usize) -> usize {
        // The parser reports the place of the parenthesis, and the error must point at the name.
        let before = self.text.get(..parenthesis).unwrap_or_default();
        before.trim_end().len().saturating_sub(name.len())
    }

    /// Compiles an argument of a function. Only arguments may be expression references.
    fn argument(&mut self, arg: &Ast, depth: usize) -> Result<Node, ExpressionError> {
        match arg {
            Ast::Expref { ast, offset } => Ok(Node {
                op: Op::Expref(self.boxed(ast, depth)?),
                at: *offset,
            }),
            _ => self.node(arg, depth),
        }
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
        let mut nodes = Vec::with_capacity(asts.len());
        for ast in asts {
            nodes.push(self.node(ast, depth)?);
        }
        Ok(nodes.into())
    }

    fn too_deep(&self, at: usize) -> ExpressionError {
        let what = format!("nests more than {MAX_DEPTH} operations");
        self.error("expression_too_deep", at, &what)
    }

    fn misplaced_reference(&self, at: usize) -> ExpressionError {
        self.error(
            "invalid_expression",
            at,
            "has an expression reference (`&…`) that is not an argument of a function",
        )
    }

    fn error(&self, code: &'static str, at: usize, what: &str) -> ExpressionError {
        error_at(code, self.text, at, what)
    }
}

/// Returns the operation of a node with two sides.
fn pair_op(ast: &Ast, sides: Box<[Node; 2]>) -> Op {
    match ast {
        Ast::And { .. } => Op::And(sides),
        Ast::Comparison { comparator, .. } => Op::Compare(comparator.into(), sides),
        Ast::Condition { .. } => Op::Condition(sides),
        Ast::Or { .. } => Op::Or(sides),
        _ => Op::Project(sides),
    }
}

/// Converts a literal. The parser reads literals from JSON, so that they contain only JSON values.
fn literal(value: &Variable) -> Json {
    match value {
        Variable::Array(items) => Json::Array(items.iter().map(|item| literal(item)).collect()),
        Variable::Bool(value) => Json::Bool(*value),
        // The parser creates references only outside literals.
        Variable::Null | Variable::Expref(_) => Json::Null,
        Variable::Number(number) => Json::Number(number.clone()),
        Variable::Object(members) => {
            let mut object = serde_json::Map::new();
            for (name, member) in members {
                object.insert(name.clone(), literal(member));
            }
            Json::Object(object)
        }
        Variable::String(text) => Json::String(text.clone()),
    }
}
