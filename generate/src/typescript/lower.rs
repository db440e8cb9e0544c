//! Paths as TypeScript. Null is `undefined`; a failure is thrown where it must be told from null.

mod functions;

use std::cell::Cell;

use serde_json::Value as Json;
use smithy_waiters_model::Kind;

use super::tree::{Property, Ts};
use crate::context::{Context, are_alike, is_foreign, is_scalar, is_set_literal};
use crate::ir::{Comparison, Expression, Form, Op, Service, Sides, in_order};

/// Makes TypeScript of expressions.
pub(super) struct Lower<'s, 'm> {
    service: &'s Service<'m>,
    depth: Cell<usize>,
    /// Whether something throws.
    throws: Cell<bool>,
}

/// `{input, output}`, which there is only in parts: no code has that name.
const RECORD: &str = "{input, output}";

/// What has no plain code: the engine is asked then.
#[derive(Debug)]
pub(super) struct NotPlain;

type Lowered = Result<Ts, NotPlain>;

impl<'s, 'm> Lower<'s, 'm> {
    pub(super) fn new(service: &'s Service<'m>) -> Self {
        Self {
            service,
            depth: Cell::new(0),
            throws: Cell::new(false),
        }
    }

    /// A path on the sides of an operation, and whether it may throw.
    pub(super) fn path(
        &mut self,
        sides: Sides,
        expression: &Expression<'m>,
        context: Context,
    ) -> Result<(Ts, bool), NotPlain> {
        self.attempt(sides, |lower, root| lower.lower(expression, root, context))
    }

    /// Lowers on the sides of an operation.
    fn attempt(
        &mut self,
        sides: Sides,
        lowered: impl FnOnce(&Self, &Ts) -> Lowered,
    ) -> Result<(Ts, bool), NotPlain> {
        self.depth.set(0);
        self.throws.set(false);
        let root = match sides {
            Sides::InputOutput => RECORD,
            Sides::Output => "output",
        };
        let tree = lowered(self, &Ts::name(root))?;
        Ok((tree, self.throws.get()))
    }

    /// Whether an array has a string, and whether that may throw.
    pub(super) fn any(
        &mut self,
        sides: Sides,
        expression: &Expression<'m>,
        expected: &str,
    ) -> Result<(Ts, bool), NotPlain> {
        self.attempt(sides, |lower, root| lower.some(expression, expected, root))
    }

    fn some(&self, expression: &Expression<'m>, expected: &str, root: &Ts) -> Lowered {
        let name = self.variable();
        let item = Ts::name(&name);
        // Nulls, which a projection drops, are no strings either.
        let (of, each, form) = match &expression.op {
            Op::Each {
                of,
                when: None,
                each,
            } => {
                array(of)?;
                let form = each.gives.form.clone();
                let each = self.value(each, &item, Context::STRICT)?;
                (&**of, each, form)
            }
            _ => {
                let form = self.service.element(&expression.gives).form;
                (expression, item, form)
            }
        };
        self.leave();
        let of = self.value(of, root, Context::END)?;
        let test = Self::equals(each, &form, expected).of_element(&name);
        Ok(of.method("some", vec![test]))
    }

    /// `value === literal`, in the words of the value's type.
    pub(super) fn equals(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
        let value = match form {
            Form::String(Some(values)) if !values.iter().any(|value| &**value == literal) => {
                value.cast("unknown")
            }
            // One side of `a && b` may be an enum's.
            Form::String(_) if !matches!(value, Ts::Binary(..)) => value,
            _ => value.cast("unknown"),
        };
        value.binary("===", Ts::string(literal))
    }

    fn lower(&self, expression: &Expression<'m>, current: &Ts, context: Context) -> Lowered {
        if context.truth {
            return self.truth(expression, current, context);
        }
        self.value(expression, current, context)
    }

    /// What the compiler takes for true where JMESPath does.
    fn truth(&self, expression: &Expression<'m>, current: &Ts, context: Context) -> Lowered {
        match &expression.op {
            Op::And(sides) => self.both("&&", sides, current, [context, context]),
            Op::Or(sides) => self.both("||", sides, current, [Context::STRICT_TRUTH, context]),
            Op::Not(of) => {
                let of = self.truth(of, current, Context::STRICT_TRUTH)?;
                Ok(match of.constant_truth() {
                    Some(truth) => Ts::name((!truth).to_string()),
                    None => Ts::Not(Box::new(of)),
                })
            }
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current, context),
            _ => {
                let value = self.value(expression, current, context.value())?;
                match &expression.gives.form {
                    Form::Boolean(_) | Form::String(_) => Ok(value),
                    Form::Array { .. } => Ok(value.member("length")),
                    Form::Number(_) => Ok(value.or_undefined().binary("!==", Ts::undefined())),
                    _ => Err(NotPlain),
                }
            }
        }
    }

    fn both(
        &self,
        operator: &'static str,
        sides: &[Expression<'m>; 2],
        current: &Ts,
        contexts: [Context; 2],
    ) -> Lowered {
        let [left, right] = sides;
        let [first, second] = contexts;
        let left = self.lower(left, current, first)?;
        let right = self.lower(right, current, second)?;
        // Compilers take a literal as a condition for a mistake.
        Ok(match left.constant_truth() {
            Some(truth) if truth == (operator == "&&") => right,
            Some(_) => left,
            None => left.binary(operator, right),
        })
    }

    fn value(&self, expression: &Expression<'m>, current: &Ts, context: Context) -> Lowered {
        match &expression.op {
            // Only of these is the language's own truth JMESPath's.
            Op::And(sides) if is_truthy_alike(sides) => {
                self.both("&&", sides, current, [context, context])
            }
            Op::Or(sides) if is_truthy_alike(sides) => {
                self.both("||", sides, current, [Context::STRICT, context])
            }
            Op::Call(function, arguments) => self.call(*function, arguments, current, context),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current, context),
            Op::Current if Self::is_record(current) => Err(NotPlain),
            Op::Current => Ok(current.clone()),
            Op::Each { of, when, each } => self.each(of, when.as_deref(), each, current, context),
            Op::Flatten(of) => self.flatten(of, current, context),
            Op::Index(of, index) => self.index(of, *index, current, context),
            Op::List(items) => self.list(items, current),
            Op::Literal(value) => literal(value),
            Op::Member(of, name) => self.member(of, name, &expression.gives.form, current, context),
            Op::Not(_) => self.truth(expression, current, Context::STRICT_TRUTH),
            Op::Slice {
                of,
                start,
                stop,
                step: 1,
            } => self.slice(of, [*start, *stop], current, context),
            Op::Then(links) => {
                let [first, second] = &**links;
                let first = self.value(first, current, Context::STRICT)?;
                self.lower(second, &first, context)
            }
            Op::Values(of) if matches!(of.gives.form, Form::Map(_)) => {
                let of = self.value(of, current, context)?;
                Ok(Ts::call("valuesOf", vec![of]))
            }
            _ => Err(NotPlain),
        }
    }

    /// Whether what is worked on is `{input, output}`, which there is only in parts.
    fn is_record(current: &Ts) -> bool {
        *current == Ts::name(RECORD)
    }

    fn member(
        &self,
        of: &Expression<'m>,
        name: &str,
        gives: &Form<'_, '_>,
        current: &Ts,
        context: Context,
    ) -> Lowered {
        if of.op == Op::Current && Self::is_record(current) {
            return match name {
                "input" | "output" => Ok(Ts::name(name)),
                _ => Ok(Ts::undefined()),
            };
        }
        match &of.gives.form {
            Form::Structure(shape) => {
                let member = shape.member(name).ok_or(NotPlain)?;
                if is_foreign(self.service, member.target) {
                    return Err(NotPlain);
                }
            }
            Form::Map(_) if !is_of_object(name) => {}
            Form::Record(_) => {}
            _ => return Err(NotPlain),
        }
        let value = self.value(of, current, context)?.member(name);
        let is_of_union =
            matches!(&of.gives.form, Form::Structure(shape) if shape.kind == Kind::Union);
        Ok(if is_of_union {
            widened(value, gives)
        } else {
            value
        })
    }

    fn index(&self, of: &Expression<'m>, index: i64, current: &Ts, context: Context) -> Lowered {
        array(of)?;
        let of = self.value(of, current, context)?;
        if index < 0 {
            return Ok(of.method("at", vec![Ts::number(index)]));
        }
        Ok(match of {
            undefined if undefined == Ts::undefined() => undefined,
            of => Ts::Index(Box::new(of), Box::new(Ts::number(index))),
        })
    }

    fn slice(
        &self,
        of: &Expression<'m>,
        [start, stop]: [Option<i64>; 2],
        current: &Ts,
        context: Context,
    ) -> Lowered {
        array(of)?;
        let of = self.value(of, current, context)?;
        let start = Ts::number(start.unwrap_or_default());
        let arguments = std::iter::once(start).chain(stop.map(Ts::number));
        Ok(of.method("slice", arguments.collect()))
    }

    fn each(
        &self,
        of: &Expression<'m>,
        when: Option<&Expression<'m>>,
        each: &Expression<'m>,
        current: &Ts,
        context: Context,
    ) -> Lowered {
        array(of)?;
        let mut values = self.value(of, current, context)?;
        let name = self.variable();
        let item = Ts::name(&name);
        if let Some(when) = when {
            let when = self.truth(when, &item, Context::STRICT_TRUTH)?;
            values = values.method("filter", vec![when.of_element(&name)]);
        }
        if each.op != Op::Current {
            let each = self.value(each, &item, Context::STRICT)?;
            values = values.method("map", vec![each.of_element(&name)]);
        }
        self.leave();
        Ok(Ts::call("present", vec![values]))
    }

    fn flatten(&self, of: &Expression<'m>, current: &Ts, context: Context) -> Lowered {
        array(of)?;
        let element = self.service.element(&of.gives);
        let of = self.value(of, current, context)?;
        match element.form {
            Form::Any => Err(NotPlain),
            Form::Array { .. } => Ok(of.method("flat", vec![])),
            _ => Ok(of),
        }
    }

    fn list(&self, items: &[Expression<'m>], current: &Ts) -> Lowered {
        let items = items
            .iter()
            .map(|item| self.value(item, current, Context::STRICT));
        let items = Ts::Array(items.collect::<Result<_, _>>()?);
        if [RECORD, "input", "output"]
            .iter()
            .any(|name| *current == Ts::name(*name))
        {
            return Ok(items);
        }
        let missing = current.clone().or_undefined();
        let missing = missing.binary("===", Ts::undefined());
        Ok(Ts::Ternary(Box::new([missing, Ts::undefined(), items])))
    }

    fn compare(
        &self,
        comparison: Comparison,
        sides: &[Expression<'m>; 2],
        current: &Ts,
        context: Context,
    ) -> Lowered {
        let [left, right] = sides;
        let inner = context.sides(comparison, sides);
        let [one, other] = [left, right].map(|side| self.value(side, current, inner));
        let (one, other) = (one?, other?);
        let operator = match comparison {
            Comparison::Equal => "===",
            Comparison::NotEqual => "!==",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
        };
        if matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return self.equality(operator, [(left, one), (right, other)]);
        }
        let numbers = |side: &Expression<'_>| matches!(side.gives.form, Form::Number(_));
        if !(numbers(left) && numbers(right)) {
            return Err(NotPlain);
        }
        // What is no number is in no order: false to whom only the truth counts.
        let is_there = |tree: &Ts| matches!(tree, Ts::Number(_)) || is_a_length(tree);
        let are_there = is_there(&one) && is_there(&other);
        if !(context.truth || are_there) {
            return Err(NotPlain);
        }
        let or_none = |tree: Ts| match tree {
            there if is_there(&there) => there,
            missing => missing.binary("??", Ts::name("NaN")),
        };
        Ok(or_none(one).binary(operator, or_none(other)))
    }

    fn equality(
        &self,
        operator: &'static str,
        [(left, one), (right, other)]: [(&Expression<'m>, Ts); 2],
    ) -> Lowered {
        let (forms, nulls) = (
            [&left.gives.form, &right.gives.form],
            [left, right].map(|side| matches!(&side.op, Op::Literal(value) if value.is_null())),
        );
        if nulls.contains(&true) {
            return Ok(one.or_undefined().binary(operator, other.or_undefined()));
        }
        let [form, expected] = forms;
        if !(is_scalar(form) && is_scalar(expected)) {
            return Err(NotPlain);
        }
        if let (Op::Literal(Json::String(text)), true) = (&right.op, are_alike(form, expected)) {
            let Ts::Binary(_, sides) = Self::equals(one, form, text) else {
                return Err(NotPlain);
            };
            return Ok(Ts::Binary(operator, sides));
        }
        let (one, other) = if is_set_literal(left) || is_set_literal(right) {
            (one, other)
        } else {
            (one.or_undefined(), other.or_undefined())
        };
        // The compiler knows what some strings are, and what is never equal.
        if are_alike(form, expected) && !matches!(form, Form::String(_)) {
            return Ok(one.binary(operator, other));
        }
        Ok(one.cast("unknown").binary(operator, other))
    }

    /// A name for the elements of a projection.
    fn variable(&self) -> String {
        let depth = self.depth.get();
        self.depth.set(depth.saturating_add(1));
        match depth {
            0 => "item".to_owned(),
            _ => format!("item{}", depth.saturating_add(1)),
        }
    }

    fn leave(&self) {
        self.depth.set(self.depth.get().saturating_sub(1));
    }
}

/// A member of a union, which tells the compiler nothing about the union's others.
fn widened(value: Ts, form: &Form<'_, '_>) -> Ts {
    match form {
        Form::Boolean(_) => value.cast("boolean | undefined"),
        Form::Number(_) => value.cast("number | undefined"),
        Form::String(_) => value.cast("string | undefined"),
        _ => value,
    }
}

/// Sides whose truth is what the language takes for it: booleans and strings.
fn is_truthy_alike([left, _]: &[Expression<'_>; 2]) -> bool {
    matches!(left.gives.form, Form::Boolean(_) | Form::String(_))
}

fn is_a_length(tree: &Ts) -> bool {
    matches!(tree, Ts::Member(of, name, false) if name == "length" && matches!(&**of, Ts::Call(called, _) if **called == Ts::name("required")))
}

/// What every object of JavaScript has, whatever its keys.
fn is_of_object(name: &str) -> bool {
    matches!(
        name,
        "__defineGetter__"
            | "__defineSetter__"
            | "__lookupGetter__"
            | "__lookupSetter__"
            | "__proto__"
            | "constructor"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "toLocaleString"
            | "toString"
            | "valueOf"
    )
}

fn array(expression: &Expression<'_>) -> Result<(), NotPlain> {
    match expression.gives.form {
        Form::Array { .. } => Ok(()),
        _ => Err(NotPlain),
    }
}

fn literal(value: &Json) -> Lowered {
    Ok(match value {
        Json::Null => Ts::undefined(),
        Json::Bool(value) => Ts::name(value.to_string()),
        Json::Number(number) => Ts::number(number),
        Json::String(text) => Ts::string(text),
        Json::Array(_) | Json::Object(_) => return Err(NotPlain),
    })
}

/// JSON as an expression.
pub(super) fn json(value: &Json) -> Ts {
    match value {
        Json::Array(items) => Ts::Array(items.iter().map(json).collect()),
        Json::Object(members) => {
            let members = in_order(members).into_iter();
            let members = members.map(|(name, value)| Property::Is(name.clone(), json(value)));
            Ts::Object(members.collect())
        }
        Json::Null => Ts::name("null"),
        Json::Bool(value) => Ts::name(value.to_string()),
        Json::Number(number) => Ts::number(number),
        Json::String(text) => Ts::string(text),
    }
}
