//! Paths as Python, on dictionaries. Null is `None`; a failure is raised.

use std::cell::Cell;

use serde_json::Value as Json;

use super::tree::Py;
use crate::context::{are_alike, is_foreign, is_scalar, is_set_literal};
use crate::ir::{
    Comparator, Comparison, Expression, Form, Function, Op, PathMatcher, Service, Sides,
};

/// Makes Python of expressions.
pub(super) struct Lower<'s, 'm> {
    service: &'s Service<'m>,
    depth: Cell<usize>,
    raises: Cell<bool>,
}

/// `{input, output}`, which there is only in parts: no code has that name.
const RECORD: &str = "{input, output}";

/// What has no plain code: the engine is asked then.
#[derive(Debug)]
pub(super) struct NotPlain;

pub(super) type Lowered = Result<Py, NotPlain>;

/// The names of elements, by how deep their projections are in others.
const ITEMS: [&str; 4] = ["item", "item2", "item3", "item4"];

impl<'s, 'm> Lower<'s, 'm> {
    pub(super) fn new(service: &'s Service<'m>) -> Self {
        Self {
            service,
            depth: Cell::new(0),
            raises: Cell::new(false),
        }
    }

    /// The condition of a matcher.
    pub(super) fn condition(&mut self, path: &PathMatcher<'m>) -> Lowered {
        self.depth.set(0);
        self.raises.set(false);
        let condition = self.plain(path)?;
        if self.raises.get() {
            return Ok(Py::call("_holds", vec![Py::lambda("", condition)]));
        }
        Ok(condition)
    }

    fn plain(&self, path: &PathMatcher<'m>) -> Lowered {
        let root = Py::name(match path.sides {
            Sides::InputOutput => RECORD,
            Sides::Output => "output",
        });
        let expression = &path.expression;
        let is_boolean = matches!(expression.gives.form, Form::Boolean(_));
        if path.comparator == Comparator::BooleanEquals && path.expected == "true" && is_boolean {
            return self.truth(expression, &root);
        }
        let value = self.value(expression, &root)?;
        Ok(compared(value, path))
    }

    /// What Python takes for true where JMESPath does.
    fn truth(&self, expression: &Expression<'m>, current: &Py) -> Lowered {
        match &expression.op {
            Op::And(sides) => self.both("and", sides, current, Self::truth),
            Op::Or(sides) => self.both("or", sides, current, Self::truth),
            Op::Not(of) => Ok(Py::Not(Box::new(self.truth(of, current)?))),
            _ => {
                let value = self.value(expression, current)?;
                match expression.gives.form {
                    Form::Number(_) => Ok(value.binary("is not", Py::none())),
                    Form::Any => Err(NotPlain),
                    _ => Ok(value),
                }
            }
        }
    }

    fn both(
        &self,
        operator: &'static str,
        sides: &[Expression<'m>; 2],
        current: &Py,
        lower: impl Fn(&Self, &Expression<'m>, &Py) -> Lowered,
    ) -> Lowered {
        let [left, right] = sides;
        let left = lower(self, left, current)?;
        Ok(left.binary(operator, lower(self, right, current)?))
    }

    fn value(&self, expression: &Expression<'m>, current: &Py) -> Lowered {
        match &expression.op {
            Op::And(sides) if is_truthy_alike(sides) => {
                self.both("and", sides, current, Self::value)
            }
            Op::Or(sides) if is_truthy_alike(sides) => self.both("or", sides, current, Self::value),
            Op::Call(function, arguments) => self.call(*function, arguments, current),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current),
            Op::Current if Self::is_record(current) => Err(NotPlain),
            Op::Current => Ok(current.clone()),
            Op::Each { of, when, each } => self.each(of, when.as_deref(), each, current),
            Op::Flatten(of) => {
                let of = self.value(of, current)?;
                Ok(Py::call("_flat", vec![of]))
            }
            Op::Index(of, index) => {
                let of = self.value(of, current)?;
                Ok(Py::call("_item", vec![of, Py::name(index.to_string())]))
            }
            Op::List(items) if is_there(current) => {
                let items = items.iter().map(|item| self.value(item, current));
                Ok(Py::List(items.collect::<Result<_, _>>()?))
            }
            Op::Literal(value) => literal(value),
            Op::Member(of, name) => self.member(of, name, current),
            Op::Not(_) => self.truth(expression, current),
            Op::Then(links) => {
                let [first, second] = &**links;
                let first = self.value(first, current)?;
                self.value(second, &first)
            }
            Op::Values(of) => {
                let of = self.value(of, current)?;
                Ok(Py::call("_values", vec![of]))
            }
            _ => Err(NotPlain),
        }
    }

    fn is_record(current: &Py) -> bool {
        *current == Py::name(RECORD)
    }

    fn member(&self, of: &Expression<'m>, name: &str, current: &Py) -> Lowered {
        if of.op == Op::Current && Self::is_record(current) {
            return Ok(match name {
                "input" | "output" => Py::name(name),
                _ => Py::none(),
            });
        }
        if let Form::Structure(shape) = &of.gives.form {
            let member = shape.member(name).ok_or(NotPlain)?;
            if is_foreign(self.service, member.target) {
                return Err(NotPlain);
            }
        }
        let of = self.value(of, current)?;
        // A member of a member is asked for at once.
        if let Py::Call(called, mut arguments) = of.clone()
            && *called == Py::name("_member")
        {
            arguments.push(Py::string(name));
            return Ok(Py::Call(called, arguments));
        }
        Ok(Py::call("_member", vec![of, Py::string(name)]))
    }

    fn each(
        &self,
        of: &Expression<'m>,
        when: Option<&Expression<'m>>,
        each: &Expression<'m>,
        current: &Py,
    ) -> Lowered {
        let of = self.value(of, current)?;
        let depth = self.depth.get();
        let name = *ITEMS.get(depth).ok_or(NotPlain)?;
        self.depth.set(depth.saturating_add(1));
        let item = Py::name(name);
        let when = when.map(|when| self.truth(when, &item)).transpose()?;
        let each = self.value(each, &item)?;
        self.depth.set(depth);
        let mut arguments = vec![of, Py::lambda(name, each)];
        arguments.extend(when.map(|when| Py::lambda(name, when)));
        Ok(Py::call("_each", arguments))
    }

    fn compare(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
        current: &Py,
    ) -> Lowered {
        let [left, right] = sides;
        let forms = [left, right].map(|side| &side.gives.form);
        let [one, other] = [left, right].map(|side| self.value(side, current));
        let (one, other) = (one?, other?);
        let function = match comparison {
            Comparison::Equal => return equality("==", forms, [one, other]),
            Comparison::NotEqual => return equality("!=", forms, [one, other]),
            Comparison::Greater => "operator.gt",
            Comparison::GreaterOrEqual => "operator.ge",
            Comparison::Less => "operator.lt",
            Comparison::LessOrEqual => "operator.le",
        };
        Ok(Py::call("_ordered", vec![one, Py::name(function), other]))
    }

    fn call(&self, function: Function, arguments: &[Expression<'m>], current: &Py) -> Lowered {
        let form = |at: usize| arguments.get(at).map(|argument| &argument.gives.form);
        let of = |at: usize| {
            arguments
                .get(at)
                .map_or(Err(NotPlain), |argument| self.required(argument, current))
        };
        match (function, form(0)) {
            (Function::Length, Some(Form::Array { .. } | Form::String(_) | Form::Map(_))) => {
                Ok(Py::call("len", vec![of(0)?]))
            }
            // What is null may be in a list; a string has no part that may be null.
            (Function::Contains, Some(Form::Array { .. }))
                if matches!(form(1), Some(Form::String(_))) =>
            {
                let item = arguments.get(1).map(|item| self.value(item, current));
                Ok(item.ok_or(NotPlain)??.binary("in", of(0)?))
            }
            (Function::Contains, Some(Form::String(_)))
                if matches!(form(1), Some(Form::String(_)))
                    && arguments.get(1).is_some_and(is_set_literal) =>
            {
                Ok(of(1)?.binary("in", of(0)?))
            }
            (Function::StartsWith, Some(Form::String(_))) => {
                Ok(of(0)?.method("startswith", vec![of(1)?]))
            }
            (Function::EndsWith, Some(Form::String(_))) => {
                Ok(of(0)?.method("endswith", vec![of(1)?]))
            }
            _ => Err(NotPlain),
        }
    }

    /// An argument that fails the path where it is null.
    fn required(&self, argument: &Expression<'m>, current: &Py) -> Lowered {
        let value = self.value(argument, current)?;
        if let Py::String(_) = value {
            return Ok(value);
        }
        self.raises.set(true);
        Ok(Py::call("_required", vec![value]))
    }
}

/// Whether it is a whole response, or request: these are never null.
fn is_there(current: &Py) -> bool {
    [RECORD, "input", "output"]
        .iter()
        .any(|name| *current == Py::name(*name))
}

fn compared(value: Py, path: &PathMatcher<'_>) -> Py {
    let expected = Py::string(path.expected);
    match path.comparator {
        Comparator::AllStringEquals => Py::call("_all", vec![value, expected]),
        Comparator::AnyStringEquals => Py::call("_any", vec![value, expected]),
        Comparator::BooleanEquals => {
            let expected = if path.expected == "true" {
                "True"
            } else {
                "False"
            };
            let is_boolean = matches!(path.expression.gives.form, Form::Boolean(_));
            let value = match value {
                // Type checkers take what is never a boolean for a mistake.
                Py::Binary(..) | Py::String(_) if !is_boolean => {
                    Py::call("cast", vec![Py::string("Any"), value])
                }
                value => value,
            };
            value.binary("is", Py::name(expected))
        }
        Comparator::StringEquals => same("==", value, expected),
    }
}

/// Two sides compared. Type checkers take two literals for a mistake: these are compared at once.
fn same(operator: &'static str, left: Py, right: Py) -> Py {
    match (&left, &right) {
        (Py::String(one), Py::String(other)) => boolean((one == other) == (operator == "==")),
        (Py::Name(one), Py::Name(other)) if is_constant(one) && is_constant(other) => {
            let number = |name: &str| name.parse::<f64>().ok();
            let are_equal = one == other || number(one).is_some() && number(one) == number(other);
            boolean(are_equal == (operator == "=="))
        }
        _ => left.binary(operator, right),
    }
}

fn boolean(is: bool) -> Py {
    Py::name(if is { "True" } else { "False" })
}

fn is_constant(name: &str) -> bool {
    matches!(name, "False" | "None" | "True") || name.parse::<f64>().is_ok()
}

fn equality(
    operator: &'static str,
    [one, other]: [&Form<'_, '_>; 2],
    [left, right]: [Py; 2],
) -> Lowered {
    if right == Py::none() {
        let operator = if operator == "==" { "is" } else { "is not" };
        return Ok(left.binary(operator, right));
    }
    // `1 == True` in Python, but not here.
    if !(is_scalar(one) && are_alike(one, other)) {
        return Err(NotPlain);
    }
    if matches!(one, Form::Number(_)) && !(is_exact(&left) || is_exact(&right)) {
        let [left, right] = [left, right].map(|side| Py::call("_double", vec![side]));
        return Ok(left.binary(operator, right));
    }
    Ok(same(operator, left, right))
}

/// Whether it is a literal that no other integer is as a double.
fn is_exact(side: &Py) -> bool {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    let Py::Name(name) = side else { return false };
    name.parse::<f64>().is_ok_and(|number| number.abs() < LIMIT)
}

/// Sides whose truth is what Python takes for it.
fn is_truthy_alike([left, _]: &[Expression<'_>; 2]) -> bool {
    !matches!(left.gives.form, Form::Any | Form::Number(_))
}

fn literal(value: &Json) -> Lowered {
    Ok(match value {
        Json::Null => Py::none(),
        Json::Bool(true) => Py::name("True"),
        Json::Bool(false) => Py::name("False"),
        Json::Number(number) => Py::name(number.to_string()),
        Json::String(text) => Py::string(text),
        Json::Array(_) | Json::Object(_) => return Err(NotPlain),
    })
}
