//! Translation of paths to TypeScript code. Null becomes `undefined`. A failure throws if it must be distinguishable
//! from null.

mod compare;
mod functions;
mod literal;
mod truth;

use std::cell::Cell;

use serde_json::Value as Json;
use smithy_waiters_model::Kind;

use self::literal::{equals_boolean, equals_text};
use super::tree::{Property, Ts};
use crate::context::{Context, is_not_json};
use crate::ir::{Comparator, Expression, Form, Op, PathMatcher, Service, Sides, ordered_members};

/// Translates the paths of one service.
pub(super) struct Lower<'s, 'm> {
    service: &'s Service<'m>,
    depth: Cell<usize>,
    /// `true` if the current condition may throw.
    throws: Cell<bool>,
}

/// The object `{input, output}`. Code accesses only its members, so this name never appears in it.
const RECORD: &str = "{input, output}";

/// Error returned for expressions without plain code. The engine evaluates their waiters.
#[derive(Debug)]
pub(super) struct NotPlain;

type LowerResult = Result<Ts, NotPlain>;

impl<'s, 'm> Lower<'s, 'm> {
    pub(super) fn new(service: &'s Service<'m>) -> Self {
        Self {
            service,
            depth: Cell::new(0),
            throws: Cell::new(false),
        }
    }

    /// Translates a matcher to a condition.
    pub(super) fn condition(&mut self, path: &PathMatcher<'m>) -> LowerResult {
        self.depth.set(0);
        self.throws.set(false);
        let condition = self.plain(path)?;
        if self.throws.get() {
            let condition = Ts::Arrow(Vec::new(), Box::new(condition));
            return Ok(Ts::call("holds", vec![condition]));
        }
        Ok(condition)
    }

    fn plain(&self, path: &PathMatcher<'m>) -> LowerResult {
        let root = Ts::name(match path.sides {
            Sides::InputOutput => RECORD,
            Sides::Output => "output",
        });
        let (expression, expected) = (&path.expression, path.expected);
        let form = &expression.gives.form;
        let may_be_true = matches!(form, Form::Boolean(_));
        let value = || self.value(expression, &root, Context::END);
        match path.comparator {
            Comparator::BooleanEquals if expected == "true" && may_be_true => {
                self.is_true(expression, &root)
            }
            Comparator::BooleanEquals => Ok(equals_boolean(value()?, form, expected)),
            Comparator::StringEquals => Ok(equals_text(value()?, form, expected)),
            Comparator::AllStringEquals => {
                array(expression)?;
                Ok(Ts::call("all", vec![value()?, Ts::string(expected)]))
            }
            Comparator::AnyStringEquals => {
                array(expression)?;
                self.some(expression, expected, &root)
            }
        }
    }

    /// Returns a condition that an array contains a string.
    fn some(&self, expression: &Expression<'m>, expected: &str, root: &Ts) -> LowerResult {
        let name = self.variable();
        let item = Ts::name(&name);
        // Nulls, which a projection drops, don't equal a string. A projection that can fail is evaluated completely,
        // because an early match would hide a failure.
        let (of, each, form) = match &expression.op {
            Op::Each {
                of,
                when: None,
                each,
            } if !each.can_fail() => {
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
        let of = self.value(of, root, Context::END)?.items();
        let test = equals_text(each, &form, expected).of_element(&name);
        Ok(of.method("some", vec![test]))
    }

    fn value(&self, expression: &Expression<'m>, current: &Ts, context: Context) -> LowerResult {
        match &expression.op {
            Op::And(sides) => self.choice(Ts::and, sides, current, [context, context]),
            Op::Or(sides) => self.choice(Ts::or, sides, current, [Context::STRICT, context]),
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
                self.value(second, &first, context)
            }
            Op::Values(of) if matches!(of.gives.form, Form::Map(_)) => {
                let of = self.value(of, current, context)?;
                Ok(Ts::call("valuesOf", vec![of]))
            }
            _ => Err(NotPlain),
        }
    }

    /// Returns `true` for the object `{input, output}`.
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
    ) -> LowerResult {
        if of.op == Op::Current && Self::is_record(current) {
            return match name {
                "input" | "output" => Ok(Ts::name(name)),
                _ => Ok(Ts::undefined()),
            };
        }
        match &of.gives.form {
            Form::Structure(shape) => {
                let member = shape.member(name).ok_or(NotPlain)?;
                if is_not_json(self.service, member.target) {
                    return Err(NotPlain);
                }
            }
            Form::Map(_) | Form::Record(_) => {}
            _ => return Err(NotPlain),
        }
        let of_value = self.value(of, current, context)?;
        let value = if is_inherited(name) {
            Ts::call("own", vec![of_value, Ts::string(name)])
        } else {
            of_value.member(name)
        };
        let is_of_union =
            matches!(&of.gives.form, Form::Structure(shape) if shape.kind == Kind::Union);
        Ok(if is_of_union {
            widen(value, gives)
        } else {
            value
        })
    }

    fn index(
        &self,
        of: &Expression<'m>,
        index: i64,
        current: &Ts,
        context: Context,
    ) -> LowerResult {
        array(of)?;
        let of = self.value(of, current, context)?.items();
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
    ) -> LowerResult {
        array(of)?;
        let of = self.value(of, current, context)?.items();
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
    ) -> LowerResult {
        array(of)?;
        let mut values = self.value(of, current, context)?.items();
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

    fn flatten(&self, of: &Expression<'m>, current: &Ts, context: Context) -> LowerResult {
        array(of)?;
        let element = self.service.element(&of.gives);
        let of = self.value(of, current, context)?;
        match element.form {
            Form::Any => Err(NotPlain),
            Form::Array { .. } => Ok(of.items().method("flat", vec![])),
            _ => Ok(Ts::call("flat", vec![of])),
        }
    }

    fn list(&self, items: &[Expression<'m>], current: &Ts) -> LowerResult {
        let items = items
            .iter()
            .map(|item| self.value(item, current, Context::STRICT));
        let items = Ts::Array(items.collect::<Result<_, _>>()?);
        if Self::is_record(current) {
            return Ok(items);
        }
        let missing = current.clone().or_undefined();
        let missing = missing.binary("===", Ts::undefined());
        Ok(Ts::Ternary(Box::new([missing, Ts::undefined(), items])))
    }

    /// Returns a parameter name for the elements of a projection.
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

/// Widens the type of a union's member. Otherwise, the compiler narrows the union by it.
fn widen(value: Ts, form: &Form<'_, '_>) -> Ts {
    match form {
        Form::Boolean(_) => value.cast("boolean | undefined"),
        Form::Number(_) => value.cast("number | undefined"),
        Form::String(_) => value.cast("string | undefined"),
        _ => value,
    }
}

/// Returns `true` if objects, strings or arrays of JavaScript have a property of that name that isn't a member: an
/// inherited property, an index or `length`. Their other properties are functions, which never equal a value.
fn is_inherited(name: &str) -> bool {
    const OF_OBJECTS: [&str; 12] = [
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    ];
    OF_OBJECTS.contains(&name) || name == "length" || name.parse::<u32>().is_ok()
}

fn array(expression: &Expression<'_>) -> Result<(), NotPlain> {
    match expression.gives.form {
        Form::Array { .. } => Ok(()),
        _ => Err(NotPlain),
    }
}

fn literal(value: &Json) -> LowerResult {
    Ok(match value {
        Json::Null => Ts::undefined(),
        Json::Bool(value) => Ts::name(value.to_string()),
        Json::Number(number) => Ts::number(number),
        Json::String(text) => Ts::string(text),
        Json::Array(_) | Json::Object(_) => return Err(NotPlain),
    })
}

/// Returns JSON as an expression.
pub(super) fn json(value: &Json) -> Ts {
    match value {
        Json::Array(items) => Ts::Array(items.iter().map(json).collect()),
        Json::Object(members) => {
            let members = ordered_members(members).into_iter();
            let members = members.map(|(name, value)| Property::Is(name.clone(), json(value)));
            Ts::Object(members.collect())
        }
        Json::Null => Ts::name("null"),
        Json::Bool(value) => Ts::name(value.to_string()),
        Json::Number(number) => Ts::number(number),
        Json::String(text) => Ts::string(text),
    }
}
