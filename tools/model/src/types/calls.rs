//! The result types of JMESPath functions.
//!
//! Clause: [built-in functions](https://jmespath.org/specification.html#built-in-functions).

use std::rc::Rc;

use smithy_waiters::internal::jmespath::Ast;

use super::infer::{Inference, NULL, WRONG_TYPE, count};
use super::{Form, Numbers, Type};
use crate::event::Severity;
use crate::path;
use crate::shapes::{Kind, Model, Shape};

/// The possible results of `type()`.
const TYPES: [&str; 6] = ["array", "boolean", "null", "number", "object", "string"];

impl<'m, 'a> Inference<'m, 'a> {
    pub(crate) fn call(
        &mut self,
        name: &str,
        arguments: &[Ast],
        current: &Type<'m, 'a>,
    ) -> Type<'m, 'a> {
        let types: Vec<Type<'m, 'a>> = arguments
            .iter()
            .map(|argument| self.infer(argument, current))
            .collect();
        for (place, (argument, value)) in arguments.iter().zip(&types).enumerate() {
            self.argument(name, place, path::start_of(argument), value);
        }
        self.may_fail |= !accepts_elements(self.model, name, &types);
        let first = types.first();
        match name {
            "abs" => Form::Number(Numbers::Between(0.0, f64::INFINITY)).into(),
            "avg" | "to_number" => Type::from(Form::Number(Numbers::ANY)).or_null(true),
            "ceil" | "floor" => Form::Number(Numbers::INTEGERS).into(),
            "sum" => Form::Number(Numbers::ANY).into(),
            "contains" => self.contains(arguments, &types),
            "ends_with" => self.compare_strings(
                arguments,
                &types,
                ("ends with", |text, end| text.ends_with(end)),
            ),
            "join" => Form::String(None).into(),
            "keys" => keys(self.model, first),
            "length" => length(first),
            "map" => self.map(arguments, &types),
            "max" | "min" | "max_by" | "min_by" => {
                self.infer_key(arguments, first);
                self.element(first).or_null(true)
            }
            "not_null" => self.not_null(types),
            "reverse" => reverse(first),
            "sort" | "sort_by" => {
                self.infer_key(arguments, first);
                array(first)
            }
            "starts_with" => self.compare_strings(
                arguments,
                &types,
                ("starts with", |text, start| text.starts_with(start)),
            ),
            "to_array" => to_array(self.model, first),
            "to_string" => string(first),
            "type" => kind(first),
            "values" => self.values_of(first),
            _ => Form::Any.into(),
        }
    }

    /// Reports an argument of the wrong type, or one that can be null although null is an error.
    fn argument(&mut self, name: &str, place: usize, offset: usize, value: &Type<'m, 'a>) {
        let Some(accepted) = accepted_types(name, place) else {
            return;
        };
        let found = match value.form {
            Form::Any => {
                self.may_fail = true;
                return;
            }
            Form::Array { .. } => ArgumentTypes::ARRAY,
            Form::Boolean(_) => ArgumentTypes::BOOLEAN,
            Form::Expression => ArgumentTypes::EXPRESSION,
            Form::Map(_) | Form::Record(_) | Form::Structure(_) => ArgumentTypes::OBJECT,
            Form::Null => ArgumentTypes::NULL,
            Form::Number(_) => ArgumentTypes::NUMBER,
            Form::String(_) => ArgumentTypes::STRING,
        };
        self.may_fail |= value.nullable || accepted.0 & found.0 == 0;
        if accepted.0 & found.0 == 0 {
            let message = format!("`{name}` does not accept {}", value.name());
            self.warning(WRONG_TYPE, offset, message);
        } else if value.nullable {
            let message = format!(
                "`{name}` fails on null: the acceptor does not match if this value is missing"
            );
            self.add(NULL, Severity::Note, offset, message);
        }
    }

    fn map(&mut self, arguments: &[Ast], types: &[Type<'m, 'a>]) -> Type<'m, 'a> {
        let (Some(Ast::Expref { ast, .. }), Some(array)) = (arguments.first(), types.get(1)) else {
            return Form::Any.into();
        };
        let Form::Array { element, length } = &array.form else {
            self.may_fail = true;
            return Form::Any.into();
        };
        let mapped = self.infer(ast, &element.get(self.model));
        // Unlike a projection, `map` keeps nulls.
        let array = Form::Array {
            element: mapped.into(),
            length: length.clone(),
        };
        array.into()
    }

    /// Returns the type of the first argument that is not null.
    fn not_null(&self, types: Vec<Type<'m, 'a>>) -> Type<'m, 'a> {
        let mut joined: Option<Type<'m, 'a>> = None;
        for value in types {
            let is_last = !value.nullable;
            joined = Some(match joined {
                Some(before) => before.not_null().join(value, self.model),
                None => value,
            });
            if is_last {
                break;
            }
        }
        joined.unwrap_or_else(Type::null)
    }

    /// Infers the type of the key expression that `max_by`, `min_by` and `sort_by` compare.
    fn infer_key(&mut self, arguments: &[Ast], array: Option<&Type<'m, 'a>>) {
        if let Some(Ast::Expref { ast, .. }) = arguments.get(1) {
            let key = self.infer(ast, &self.element(array));
            self.may_fail |= !is_orderable(&key);
        }
    }

    /// Returns the values of an object. Unlike in a projection, they can include null.
    fn values_of(&self, object: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
        let element = match object.map(|object| &object.form) {
            Some(Form::Map(value)) => value.get(self.model),
            _ => Form::Any.into(),
        };
        let array = Form::Array {
            element: element.into(),
            length: Numbers::COUNTS,
        };
        array.into()
    }

    fn element(&self, array: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
        match array.map(|array| &array.form) {
            Some(Form::Array { element, .. }) => element.get(self.model),
            _ => Form::Any.into(),
        }
    }
}

/// Returns `true` if no element of an array can fail a function.
fn accepts_elements<'m, 'a>(model: &'m Model<'a>, name: &str, types: &[Type<'m, 'a>]) -> bool {
    let of = |place: usize| {
        let array = types.get(place);
        array.map_or_else(|| Form::Any.into(), |array| array.element(model))
    };
    let is = |element: &Type<'_, '_>, is: bool| is && !element.nullable;
    match name {
        "avg" | "sum" => {
            let element = of(0);
            is(&element, matches!(element.form, Form::Number(_)))
        }
        "join" => {
            let element = of(1);
            is(&element, matches!(element.form, Form::String(_)))
        }
        "max" | "min" | "sort" => is_orderable(&of(0)),
        _ => true,
    }
}

/// Returns `true` if all values have the same orderable type.
fn is_orderable(value: &Type<'_, '_>) -> bool {
    matches!(value.form, Form::Number(_) | Form::String(_)) && !value.nullable
}

/// Returns the type of `keys`: the names of members for a structure or union, or the type of the keys for a map.
fn keys<'m, 'a>(model: &'m Model<'a>, of: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    match of.map(|of| &of.form) {
        Some(Form::Structure(shape)) => {
            let names = shape.members.iter().map(|member| Rc::from(member.name));
            let names = Form::String(Some(names.collect()));
            Type::array_of(names.into(), &members(shape))
        }
        Some(Form::Map(values)) => Type::array_of(values.key(model), &Numbers::COUNTS),
        _ => Type::array_of(Form::String(None).into(), &Numbers::COUNTS),
    }
}

/// Returns the possible number of set members of a structure or union.
fn members(shape: &Shape<'_>) -> Numbers {
    match shape.kind {
        Kind::Union => Numbers::one(1.0),
        _ => count(shape.members.len()).or_fewer(),
    }
}

/// Returns the type of `length`.
fn length<'m, 'a>(of: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    let lengths = match of.map(|of| &of.form) {
        Some(Form::Array { length, .. }) => length.clone(),
        Some(Form::Structure(shape)) => members(shape),
        Some(Form::String(Some(values))) => {
            let lengths = values.iter().map(|value| value.chars().count());
            let lengths = lengths.map(|length| u32::try_from(length).map_or(f64::MAX, f64::from));
            Numbers::Among(lengths.collect())
        }
        _ => Numbers::COUNTS,
    };
    Form::Number(lengths).into()
}

/// Returns the type of an array without null. For other types it is `Any`.
fn array<'m, 'a>(value: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    match value {
        Some(value) if matches!(value.form, Form::Array { .. }) => value.clone().not_null(),
        _ => Form::Any.into(),
    }
}

fn reverse<'m, 'a>(value: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    match value.map(|value| &value.form) {
        Some(Form::String(values)) => {
            let backwards = |text: &Rc<str>| Rc::from(text.chars().rev().collect::<String>());
            let values = values.as_ref();
            let values = values.map(|values| values.iter().map(backwards).collect());
            Form::String(values).into()
        }
        _ => array(value),
    }
}

/// Returns the type of `to_string`, which returns a string unchanged.
fn string<'m, 'a>(value: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    match value {
        Some(value) if matches!(value.form, Form::String(_)) && !value.nullable => value.clone(),
        _ => Form::String(None).into(),
    }
}

/// Returns the type of `type`.
fn kind<'m, 'a>(value: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    let Some(value) = value else {
        return Type::one_of(TYPES);
    };
    let name = match value.form {
        Form::Any | Form::Expression => return Type::one_of(TYPES),
        Form::Array { .. } => "array",
        Form::Boolean(_) => "boolean",
        Form::Map(_) | Form::Record(_) | Form::Structure(_) => "object",
        Form::Null => "null",
        Form::Number(_) => "number",
        Form::String(_) => "string",
    };
    let null = value.nullable.then_some("null");
    Type::one_of(std::iter::once(name).chain(null.filter(|null| *null != name)))
}

/// Returns the common value of all booleans, if they are equal.
pub(crate) fn common_value(mut truths: impl Iterator<Item = bool>) -> Option<bool> {
    let first = truths.next()?;
    truths.all(|truth| truth == first).then_some(first)
}

/// Returns the type of `to_array`, which returns an array unchanged and wraps any other value.
fn to_array<'m, 'a>(model: &'m Model<'a>, value: Option<&Type<'m, 'a>>) -> Type<'m, 'a> {
    let alone = |element: Type<'m, 'a>| {
        let (element, length) = (element.into(), count(1));
        Type::from(Form::Array { element, length })
    };
    match value {
        Some(value) => match value.form {
            Form::Any => Type::array_of(Form::Any.into(), &Numbers::COUNTS),
            Form::Array { .. } if value.nullable => {
                value.clone().not_null().join(alone(Type::null()), model)
            }
            Form::Array { .. } => value.clone(),
            _ => alone(value.clone()),
        },
        None => Form::Any.into(),
    }
}

/// The types that an argument can have, as a bit set.
#[derive(Clone, Copy)]
struct ArgumentTypes(u8);

impl ArgumentTypes {
    const ARRAY: Self = Self(1);
    const BOOLEAN: Self = Self(2);
    const EXPRESSION: Self = Self(4);
    const NULL: Self = Self(8);
    const NUMBER: Self = Self(16);
    const OBJECT: Self = Self(32);
    const STRING: Self = Self(64);

    const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Returns the types that an argument of a function can have, or `None` for any type.
fn accepted_types(name: &str, place: usize) -> Option<ArgumentTypes> {
    Some(match (name, place) {
        ("abs" | "ceil" | "floor", 0) => ArgumentTypes::NUMBER,
        ("avg" | "max" | "min" | "max_by" | "min_by" | "sort" | "sort_by" | "sum", 0)
        | ("join" | "map", 1) => ArgumentTypes::ARRAY,
        ("contains" | "reverse", 0) => ArgumentTypes::ARRAY.or(ArgumentTypes::STRING),
        ("ends_with" | "starts_with", 0 | 1) | ("join", 0) => ArgumentTypes::STRING,
        ("keys" | "values", 0) | ("merge", _) => ArgumentTypes::OBJECT,
        ("length", 0) => ArgumentTypes::ARRAY
            .or(ArgumentTypes::OBJECT)
            .or(ArgumentTypes::STRING),
        ("map", 0) | ("max_by" | "min_by" | "sort_by", 1) => ArgumentTypes::EXPRESSION,
        _ => return None,
    })
}
