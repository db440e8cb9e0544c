//! Builds typed trees from the trees of the parser.

use smithy_waiters::internal::jmespath::Ast;

use super::{Expression, Function, Op};
use crate::path;
use crate::shapes::{Model, Shape};
use crate::types::infer::Inference;
use crate::types::{Form, Type};

impl<'a> Model<'a> {
    /// Returns the typed tree of a path on an operation's output, or `None` if the engine rejects the path.
    /// [`lint`](crate::lint()) reports the reason.
    #[must_use]
    pub fn output_path<'m>(&'m self, operation: &Shape<'a>, path: &str) -> Option<Expression<'m>> {
        let output = Type::of(self.input_or_output(operation, "output"));
        build(self, path, &output)
    }

    /// Returns the typed tree of a path on `{input, output}`, or `None` if the engine rejects the path.
    #[must_use]
    pub fn input_output_path<'m>(
        &'m self,
        operation: &Shape<'a>,
        path: &str,
    ) -> Option<Expression<'m>> {
        let both = Form::Record(self.sides(operation, Type::of));
        build(self, path, &both.into())
    }
}

fn build<'m>(model: &'m Model<'m>, text: &str, current: &Type<'m, 'm>) -> Option<Expression<'m>> {
    let parsed = path::parse(text)
        .ok()
        .filter(|parsed| parsed.engine_error.is_none())?;
    let builder = Builder { model };
    builder.build(&parsed.ast, current)
}

/// Builds trees. The engine has already accepted the expression, so all functions are known.
struct Builder<'m> {
    model: &'m Model<'m>,
}

impl<'m> Builder<'m> {
    fn build(&self, ast: &Ast, current: &Type<'m, 'm>) -> Option<Expression<'m>> {
        match ast {
            Ast::Subexpr { lhs, rhs, .. } => self.chain(lhs, rhs, current),
            ast => Some(Expression {
                op: self.op(ast, current)?,
                gives: self.infer(ast, current),
            }),
        }
    }

    /// Returns the operation of a node. A chain has no operation of its own; see `chain`.
    fn op(&self, ast: &Ast, current: &Type<'m, 'm>) -> Option<Op<'m>> {
        Some(match ast {
            Ast::And { lhs, rhs, .. } => Op::And(self.pair(lhs, rhs, current)?),
            Ast::Comparison {
                comparator,
                lhs,
                rhs,
                ..
            } => Op::Compare(comparator.into(), self.pair(lhs, rhs, current)?),
            // The parser produces conditions only on the right side of projections, and references only as arguments.
            Ast::Condition { .. } | Ast::Expref { .. } | Ast::Subexpr { .. } => return None,
            Ast::Field { name, .. } => Op::Member(here(current), name.clone()),
            Ast::Flatten { node, .. } => Op::Flatten(self.build_box(node, current)?),
            Ast::Function { name, args, .. } => self.call(name, args, current)?,
            Ast::Identity { .. } => Op::Current,
            Ast::Index { idx, .. } => Op::Index(here(current), i64::from(*idx)),
            Ast::Literal { value, .. } => Op::Literal(serde_json::to_value(value).ok()?),
            Ast::MultiHash { elements, .. } => {
                let members = elements.iter();
                let members = members
                    .map(|member| Some((member.key.clone(), self.build(&member.value, current)?)));
                Op::Record(members.collect::<Option<_>>()?)
            }
            Ast::MultiList { elements, .. } => Op::List(self.all(elements, current)?),
            Ast::Not { node, .. } => Op::Not(self.build_box(node, current)?),
            Ast::ObjectValues { node, .. } => Op::Values(self.build_box(node, current)?),
            Ast::Or { lhs, rhs, .. } => Op::Or(self.pair(lhs, rhs, current)?),
            Ast::Projection { lhs, rhs, .. } => self.projection(lhs, rhs, current)?,
            Ast::Slice {
                start, stop, step, ..
            } => Op::Slice {
                of: here(current),
                start: start.map(i64::from),
                stop: stop.map(i64::from),
                step: i64::from(*step),
            },
        })
    }

    /// Builds `lhs.rhs` and `lhs | rhs`. The result is nested if the right side uses the current value only at its
    /// start.
    fn chain(&self, lhs: &Ast, rhs: &Ast, current: &Type<'m, 'm>) -> Option<Expression<'m>> {
        let left = self.build(lhs, current)?;
        let mut right = self.build(rhs, &left.gives)?;
        if let Some(start) = start(&mut right) {
            *start = left;
            return Some(right);
        }
        let gives = right.gives.clone();
        let op = Op::Then(Box::new([left, right]));
        Some(Expression { op, gives })
    }

    fn projection(&self, lhs: &Ast, rhs: &Ast, current: &Type<'m, 'm>) -> Option<Op<'m>> {
        let of = self.build_box(lhs, current)?;
        let element = of.gives.element(self.model);
        let (when, each) = match rhs {
            Ast::Condition {
                predicate, then, ..
            } => (Some(self.build_box(predicate, &element)?), then.as_ref()),
            each => (None, each),
        };
        let each = self.build_box(each, &element)?;
        Some(Op::Each { of, when, each })
    }

    fn call(&self, name: &str, arguments: &[Ast], current: &Type<'m, 'm>) -> Option<Op<'m>> {
        let function = Function::from_name(name)?;
        let of = |place: usize| {
            let array = arguments.get(place).map(|array| self.infer(array, current));
            array.map_or_else(|| Form::Any.into(), |array| array.element(self.model))
        };
        let argument = |argument: &Ast| match argument {
            Ast::Expref { ast, .. } => {
                let element = of(usize::from(function == Function::Map));
                let referred = self.build_box(ast, &element)?;
                let (op, gives) = (Op::Reference(referred), Form::Expression.into());
                Some(Expression { op, gives })
            }
            argument => self.build(argument, current),
        };
        let arguments = arguments.iter().map(argument).collect::<Option<_>>()?;
        Some(Op::Call(function, arguments))
    }

    fn all(&self, nodes: &[Ast], current: &Type<'m, 'm>) -> Option<Vec<Expression<'m>>> {
        nodes.iter().map(|node| self.build(node, current)).collect()
    }

    fn pair(
        &self,
        left: &Ast,
        right: &Ast,
        current: &Type<'m, 'm>,
    ) -> Option<Box<[Expression<'m>; 2]>> {
        let sides = [self.build(left, current)?, self.build(right, current)?];
        Some(Box::new(sides))
    }

    fn build_box(&self, node: &Ast, current: &Type<'m, 'm>) -> Option<Box<Expression<'m>>> {
        Some(Box::new(self.build(node, current)?))
    }

    fn infer(&self, ast: &Ast, current: &Type<'m, 'm>) -> Type<'m, 'm> {
        Inference::quiet(self.model).infer(ast, current)
    }
}

fn here<'m>(current: &Type<'m, 'm>) -> Box<Expression<'m>> {
    let (op, gives) = (Op::Current, current.clone());
    Box::new(Expression { op, gives })
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
