//! Translation of paths to Python code over dictionaries. Null becomes `None`, and a failure raises an exception.

use std::cell::Cell;

use serde_json::Value as Json;

use super::tree::Py;
use crate::context::{is_boolean, is_native_choice, is_not_json, is_scalar};
use crate::ir::{
    Comparator, Comparison, Expression, Form, Function, Op, PathMatcher, Service, Sides,
};

/// Translates the paths of one service.
pub(super) struct Lower<'s, 'm> {
    service: &'s Service<'m>,
    depth: Cell<usize>,
    raises: Cell<bool>,
}

/// The object `{input, output}`. Code accesses only its members, so this name never appears in it.
const RECORD: &str = "{input, output}";

/// Error returned for expressions without plain code. The engine evaluates their waiters.
#[derive(Debug)]
pub(super) struct NotPlain;

pub(super) type LowerResult = Result<Py, NotPlain>;

/// The parameter names of projections, by nesting depth.
const ITEMS: [&str; 4] = ["item", "item2", "item3", "item4"];

impl<'s, 'm> Lower<'s, 'm> {
    pub(super) fn new(service: &'s Service<'m>) -> Self {
        Self {
            service,
            depth: Cell::new(0),
            raises: Cell::new(false),
        }
    }

    /// Translates a matcher to a condition.
    pub(super) fn condition(&mut self, path: &PathMatcher<'m>) -> LowerResult {
        self.depth.set(0);
        self.raises.set(false);
        let condition = self.plain(path)?;
        if self.raises.get() {
            return Ok(Py::call("_holds", vec![Py::lambda("", condition)]));
        }
        Ok(condition)
    }

    fn plain(&self, path: &PathMatcher<'m>) -> LowerResult {
        let root = Py::name(match path.sides {
            Sides::InputOutput => RECORD,
            Sides::Output => "output",
        });
        let expression = &path.expression;
        let may_be_true = matches!(expression.gives.form, Form::Boolean(_));
        if path.comparator == Comparator::BooleanEquals && path.expected == "true" && may_be_true {
            return self.is_true(expression, &root);
        }
        let value = self.value(expression, &root)?;
        Ok(comparison(value, path))
    }

    /// Translates an expression at the end of a path that must be exactly `True`. Other truthy values don't match.
    fn is_true(&self, expression: &Expression<'m>, current: &Py) -> LowerResult {
        match &expression.op {
            Op::And(sides) => {
                let [left, right] = &**sides;
                let left = self.truth(left, current)?;
                Ok(left.binary("and", self.is_true(right, current)?))
            }
            Op::Or(sides) => {
                let [left, right] = &**sides;
                let (truth, other) = (self.truth(left, current)?, self.is_true(right, current)?);
                if is_boolean(left) {
                    return Ok(truth.binary("or", other));
                }
                // The right side is the result only if the left side is falsy.
                let other = Py::Not(Box::new(truth)).binary("and", other);
                Ok(self.is_true(left, current)?.binary("or", other))
            }
            _ if is_boolean(expression) => self.truth(expression, current),
            _ => Ok(self
                .value(expression, current)?
                .binary("is", Py::name("True"))),
        }
    }

    /// Translates an expression to a condition with JMESPath's rules for truth.
    fn truth(&self, expression: &Expression<'m>, current: &Py) -> LowerResult {
        match &expression.op {
            Op::And(sides) => self.both("and", sides, current, Self::truth),
            Op::Or(sides) => self.both("or", sides, current, Self::truth),
            Op::Not(of) => Ok(Py::Not(Box::new(self.truth(of, current)?))),
            _ => {
                let value = self.value(expression, current)?;
                match expression.gives.form {
                    Form::Any => Err(NotPlain),
                    _ if is_boolean(expression) => Ok(value),
                    _ => Ok(Py::call("_truthy", vec![value])),
                }
            }
        }
    }

    /// Translates both sides of `and` or `or` by `lower`.
    fn both(
        &self,
        operator: &'static str,
        sides: &[Expression<'m>; 2],
        current: &Py,
        lower: impl Fn(&Self, &Expression<'m>, &Py) -> LowerResult,
    ) -> LowerResult {
        let [left, right] = sides;
        let left = lower(self, left, current)?;
        Ok(left.binary(operator, lower(self, right, current)?))
    }

    fn value(&self, expression: &Expression<'m>, current: &Py) -> LowerResult {
        match &expression.op {
            Op::And(sides) if is_native_choice(sides) => {
                self.both("and", sides, current, Self::value)
            }
            Op::Or(sides) if is_native_choice(sides) => {
                self.both("or", sides, current, Self::value)
            }
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
            // The result is null if its subject is. Only the record is never null.
            Op::List(items) if Self::is_record(current) => {
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

    fn member(&self, of: &Expression<'m>, name: &str, current: &Py) -> LowerResult {
        if of.op == Op::Current && Self::is_record(current) {
            return Ok(match name {
                "input" | "output" => Py::name(name),
                _ => Py::none(),
            });
        }
        if let Form::Structure(shape) = &of.gives.form {
            let member = shape.member(name).ok_or(NotPlain)?;
            if is_not_json(self.service, member.target) {
                return Err(NotPlain);
            }
        }
        let of = self.value(of, current)?;
        // Successive members become one call.
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
    ) -> LowerResult {
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
    ) -> LowerResult {
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

    /// Translates a function call. It raises an error for arguments of the wrong type.
    fn call(&self, function: Function, arguments: &[Expression<'m>], current: &Py) -> LowerResult {
        let form = |at: usize| arguments.get(at).map(|argument| &argument.gives.form);
        let is_string = |at: usize| matches!(form(at), Some(Form::String(_)));
        let values = arguments
            .iter()
            .map(|argument| self.value(argument, current));
        let name = match (function, form(0)) {
            (Function::Length, Some(Form::Array { .. } | Form::String(_) | Form::Map(_))) => "len",
            (Function::Contains, Some(Form::Array { .. } | Form::String(_))) => "_contains",
            (Function::StartsWith, _) if is_string(0) && is_string(1) => "str.startswith",
            (Function::EndsWith, _) if is_string(0) && is_string(1) => "str.endswith",
            _ => return Err(NotPlain),
        };
        self.raises.set(true);
        Ok(Py::call(name, values.collect::<Result<_, _>>()?))
    }
}

fn comparison(value: Py, path: &PathMatcher<'_>) -> Py {
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
                // Type checkers report a comparison of a non-boolean with a boolean.
                Py::Binary(..) | Py::String(_) if !is_boolean => {
                    Py::call("cast", vec![Py::string("Any"), value])
                }
                value => value,
            };
            value.binary("is", Py::name(expected))
        }
        Comparator::StringEquals => compare_values("==", value, expected),
    }
}

/// Compares two values. Type checkers report comparisons of two literals, so these are evaluated here.
fn compare_values(operator: &'static str, left: Py, right: Py) -> Py {
    match (&left, &right) {
        (Py::String(one), Py::String(other)) => boolean((one == other) == (operator == "==")),
        (Py::Name(one), Py::Name(other)) if is_literal(&left) && is_literal(&right) => {
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

fn is_literal(side: &Py) -> bool {
    matches!(side, Py::Name(name) if matches!(&**name, "False" | "None" | "True") || name.parse::<f64>().is_ok())
}

fn is_length(side: &Py) -> bool {
    matches!(side, Py::Call(called, _) if **called == Py::name("len"))
}

fn equality(
    operator: &'static str,
    [one, other]: [&Form<'_, '_>; 2],
    [left, right]: [Py; 2],
) -> LowerResult {
    if right == Py::none() {
        let operator = if operator == "==" { "is" } else { "is not" };
        return Ok(left.binary(operator, right));
    }
    if !(is_scalar(one) && is_scalar(other)) {
        return Err(NotPlain);
    }
    // Python compares strings, and pairs of numbers, as JMESPath does. Other operands need the helper: `1 == True`
    // holds only in Python.
    let is_string = |side: &Py| matches!(side, Py::String(_));
    let is_set = |side: &Py| is_literal(side) || is_length(side);
    if is_string(&left) || is_string(&right) || is_set(&left) && is_set(&right) {
        return Ok(compare_values(operator, left, right));
    }
    let equal = Py::call("_equal", vec![left, right]);
    Ok(match operator {
        "==" => equal,
        _ => Py::Not(Box::new(equal)),
    })
}

fn literal(value: &Json) -> LowerResult {
    Ok(match value {
        Json::Null => Py::none(),
        Json::Bool(true) => Py::name("True"),
        Json::Bool(false) => Py::name("False"),
        Json::Number(number) => Py::name(number.to_string()),
        Json::String(text) => Py::string(text),
        Json::Array(_) | Json::Object(_) => return Err(NotPlain),
    })
}
