//! Builds typed trees from the parser's trees, which no other module reads.

use std::rc::Rc;

use smithy_waiters::internal::jmespath::Ast;

use super::infer::{Finding, Inference};
use super::syntax::{self, SyntaxError};
use super::{Expression, Function, Op};
use crate::shapes::{Model, Shape};
use crate::types::Form;

type Type<'m> = crate::types::Type<'m, 'm>;

impl<'a> Model<'a> {
    /// Returns the typed tree of a path on an operation's output, or `None` if the engine rejects the path.
    /// [`lint`](crate::lint()) reports the reason.
    #[must_use]
    pub fn output_path<'m>(&'m self, operation: &Shape<'a>, path: &str) -> Option<Expression<'m>> {
        let analysis = Sides::Output.analyze(self, operation, path);
        Some(analysis.ok()?.expression)
    }

    /// Returns the typed tree of a path on `{input, output}`, or `None` if the engine rejects the path.
    #[must_use]
    pub fn input_output_path<'m>(
        &'m self,
        operation: &Shape<'a>,
        path: &str,
    ) -> Option<Expression<'m>> {
        let analysis = Sides::Both.analyze(self, operation, path);
        Some(analysis.ok()?.expression)
    }
}

/// The value that a path is evaluated on.
#[derive(Clone, Copy)]
pub(crate) enum Sides {
    Both,
    Output,
}

impl Sides {
    /// Infers the types of a path, as [`analyze`].
    ///
    /// # Errors
    ///
    /// Returns an error if the engine rejects the path.
    pub(crate) fn analyze<'m>(
        self,
        model: &'m Model<'m>,
        operation: &Shape<'m>,
        path: &str,
    ) -> Result<Analysis<'m>, SyntaxError> {
        analyze(model, path, &self.root(model, operation))
    }

    /// Returns the type of the value that a path is evaluated on.
    fn root<'m>(self, model: &'m Model<'m>, operation: &Shape<'m>) -> Type<'m> {
        match self {
            Self::Both => {
                let side = |side: &str| {
                    let shape = model.input_or_output(operation, side);
                    (side.to_owned(), Type::of(shape))
                };
                Form::Record(Rc::new(["input", "output"].map(side).into())).into()
            }
            Self::Output => Type::of(model.input_or_output(operation, "output")),
        }
    }
}

/// A path with its types and the problems in it.
pub(crate) struct Analysis<'m> {
    pub(crate) expression: Expression<'m>,
    pub(crate) findings: Vec<Finding>,
}

/// Infers the types of a path on a value of the type `root`.
///
/// # Errors
///
/// Returns an error if the engine rejects the path.
pub(crate) fn analyze<'m>(
    model: &'m Model<'m>,
    path: &str,
    root: &Type<'m>,
) -> Result<Analysis<'m>, SyntaxError> {
    let ast = syntax::parse(path)?;
    let mut builder = Builder {
        path,
        inference: Inference::new(model),
    };
    let expression = builder.build(&ast, root);
    Ok(Analysis {
        expression: expression.ok_or_else(SyntaxError::unknown)?,
        findings: builder.inference.findings,
    })
}

/// Builds trees. The engine has already accepted the expression, so all functions are known.
struct Builder<'m, 'p> {
    path: &'p str,
    inference: Inference<'m>,
}

impl<'m> Builder<'m, '_> {
    fn build(&mut self, ast: &Ast, current: &Type<'m>) -> Option<Expression<'m>> {
        match ast {
            Ast::Subexpr { lhs, rhs, .. } => self.chain(lhs, rhs, current),
            ast => {
                let (at, op) = self.op(ast, current)?;
                Some(self.expression(at, op, current))
            }
        }
    }

    /// Returns the operation of a node and the position of its token. A chain has no operation of its own; see `chain`.
    fn op(&mut self, ast: &Ast, current: &Type<'m>) -> Option<(usize, Op<'m>)> {
        let op = match ast {
            Ast::And { lhs, rhs, .. } => Op::And(self.pair(lhs, rhs, current)?),
            Ast::Comparison {
                comparator,
                lhs,
                rhs,
                ..
            } => Op::Compare(comparator.into(), self.compared(lhs, rhs, current)?),
            // The parser produces conditions only on the right side of projections, and references only as arguments.
            Ast::Condition { .. } | Ast::Expref { .. } | Ast::Subexpr { .. } => return None,
            Ast::Field { offset, name } => Op::Member(here(*offset, current), name.clone()),
            Ast::Flatten { node, .. } => Op::Flatten(self.build_box(node, current)?),
            Ast::Function { name, args, .. } => self.call(name, args, current)?,
            Ast::Identity { .. } => Op::Current,
            Ast::Index { offset, idx } => {
                Op::Index(here(self.bracket(*offset), current), i64::from(*idx))
            }
            Ast::Literal { value, .. } => Op::Literal(serde_json::to_value(value).ok()?),
            Ast::MultiHash { elements, .. } => {
                let members = elements.iter();
                let members = members
                    .map(|member| Some((member.key.clone(), self.build(&member.value, current)?)));
                Op::Record(members.collect::<Option<_>>()?)
            }
            Ast::MultiList { elements, .. } => {
                let elements = elements.iter().map(|element| self.build(element, current));
                Op::List(elements.collect::<Option<_>>()?)
            }
            Ast::Not { node, .. } => Op::Not(self.build_box(node, current)?),
            Ast::ObjectValues { node, .. } => Op::Values(self.build_box(node, current)?),
            Ast::Or { lhs, rhs, .. } => Op::Or(self.pair(lhs, rhs, current)?),
            Ast::Projection { lhs, rhs, .. } => self.projection(lhs, rhs, current)?,
            Ast::Slice {
                offset,
                start,
                stop,
                step,
            } => Op::Slice {
                of: here(self.bracket(*offset), current),
                start: start.map(i64::from),
                stop: stop.map(i64::from),
                step: i64::from(*step),
            },
        };
        Some((self.position(ast, &op), op))
    }

    /// Returns the position of an operation's own token, or of its first operand if it has none before it.
    fn position(&self, ast: &Ast, op: &Op<'m>) -> usize {
        match ast {
            // The parser reports the position of the parenthesis.
            Ast::Function { offset, name, .. } => offset.saturating_sub(name.len()),
            Ast::Index { offset, .. } | Ast::Slice { offset, .. } => self.bracket(*offset),
            Ast::Field { offset, .. }
            | Ast::Identity { offset }
            | Ast::Literal { offset, .. }
            | Ast::MultiHash { offset, .. }
            | Ast::MultiList { offset, .. }
            | Ast::Not { offset, .. } => *offset,
            _ => op.first().map_or(0, Expression::start),
        }
    }

    /// Returns the position of the bracket before an offset, because the parser reports that of a later token.
    fn bracket(&self, offset: usize) -> usize {
        let before = self.path.get(..offset).unwrap_or_default();
        before.rfind('[').unwrap_or(offset)
    }

    fn expression(&mut self, at: usize, op: Op<'m>, current: &Type<'m>) -> Expression<'m> {
        let gives = self.inference.infer(at, &op, current);
        Expression { op, gives, at }
    }

    /// Builds `lhs.rhs` and `lhs | rhs`. The result is nested if the right side uses the current value only at its
    /// start.
    fn chain(&mut self, lhs: &Ast, rhs: &Ast, current: &Type<'m>) -> Option<Expression<'m>> {
        let left = self.build(lhs, current)?;
        let mut right = self.build(rhs, &left.gives)?;
        if let Some(start) = start(&mut right) {
            *start = left;
            return Some(right);
        }
        let (at, gives) = (left.start(), right.gives.clone());
        let op = Op::Then(Box::new([left, right]));
        Some(Expression { op, gives, at })
    }

    /// Builds the sides of a comparison. If a string is compared with a member, quotation marks may be missing.
    fn compared(
        &mut self,
        lhs: &Ast,
        rhs: &Ast,
        current: &Type<'m>,
    ) -> Option<Box<[Expression<'m>; 2]>> {
        let left = self.build(lhs, current)?;
        let is_name = matches!(rhs, Ast::Field { .. });
        self.inference.expects_text = is_name && matches!(left.gives.form, Form::String(_));
        let right = self.build(rhs, current)?;
        self.inference.expects_text = false;
        Some(Box::new([left, right]))
    }

    fn projection(&mut self, lhs: &Ast, rhs: &Ast, current: &Type<'m>) -> Option<Op<'m>> {
        let of = self.build_box(lhs, current)?;
        let element = of.gives.element(self.inference.model);
        let (when, each) = match rhs {
            Ast::Condition {
                predicate, then, ..
            } => {
                let before = self.inference.findings.len();
                let when = self.build_box(predicate, &element)?;
                // A finding in the predicate can already explain a constant result.
                if self.inference.findings.len() == before {
                    self.inference.filter(&when);
                }
                (Some(when), then.as_ref())
            }
            each => (None, each),
        };
        let each = self.build_box(each, &element)?;
        Some(Op::Each { of, when, each })
    }

    fn call(&mut self, name: &str, arguments: &[Ast], current: &Type<'m>) -> Option<Op<'m>> {
        let function = Function::from_name(name)?;
        let is_value = |argument: &&Ast| !matches!(argument, Ast::Expref { .. });
        let values = arguments.iter().filter(is_value);
        let values = values.map(|value| self.build(value, current));
        let values: Vec<Expression<'m>> = values.collect::<Option<_>>()?;
        // A function with a reference has one other argument: the array.
        let array = values.first().map(|array| &array.gives);
        let element = array.map(|array| array.element(self.inference.model));
        let mut values = values.into_iter();
        let all = arguments.iter().map(|argument| match (argument, &element) {
            (Ast::Expref { offset, ast }, Some(element)) => {
                let op = Op::Reference(self.build_box(ast, element)?);
                Some(self.expression(*offset, op, current))
            }
            _ => values.next(),
        });
        Some(Op::Call(function, all.collect::<Option<_>>()?))
    }

    fn pair(
        &mut self,
        left: &Ast,
        right: &Ast,
        current: &Type<'m>,
    ) -> Option<Box<[Expression<'m>; 2]>> {
        let sides = [self.build(left, current)?, self.build(right, current)?];
        Some(Box::new(sides))
    }

    fn build_box(&mut self, node: &Ast, current: &Type<'m>) -> Option<Box<Expression<'m>>> {
        Some(Box::new(self.build(node, current)?))
    }
}

fn here<'m>(at: usize, current: &Type<'m>) -> Box<Expression<'m>> {
    let (op, gives) = (Op::Current, current.clone());
    Box::new(Expression { op, gives, at })
}

/// Returns the start of an expression if it is the only place that uses the current value.
fn start<'e, 'm>(expression: &'e mut Expression<'m>) -> Option<&'e mut Expression<'m>> {
    if expression.op == Op::Current {
        return Some(expression);
    }
    match &mut expression.op {
        Op::Each { of, .. }
        | Op::Flatten(of)
        | Op::Index(of, _)
        | Op::Member(of, _)
        | Op::Slice { of, .. }
        | Op::Values(of) => start(of),
        _ => None,
    }
}
