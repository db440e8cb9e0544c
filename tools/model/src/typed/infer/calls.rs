//! The result types of JMESPath functions.
//!
//! Clause: [built-in functions](https://jmespath.org/specification.html#built-in-functions).

use std::rc::Rc;

use super::kinds::Kinds;
use super::{ERROR, Finding, Inference, NULL, Type, count};
use crate::event::Severity;
use crate::shapes::{Kind, Model, Shape};
use crate::typed::{Expression, Function, Op};
use crate::types::{Form, Numbers};

/// The possible results of `type()`.
const TYPES: [&str; 6] = ["array", "boolean", "null", "number", "object", "string"];

impl<'m> Inference<'m> {
    pub(super) fn call(&mut self, function: Function, arguments: &[Expression<'m>]) -> Type<'m> {
        for (place, argument) in arguments.iter().enumerate() {
            self.argument(function, place, argument);
        }
        let first = arguments.first().map(|argument| &argument.gives);
        match function {
            Function::Abs => Form::Number(Numbers::Between(0.0, f64::INFINITY)).into(),
            Function::Avg | Function::ToNumber => {
                Type::from(Form::Number(Numbers::ANY)).or_null(true)
            }
            Function::Ceil | Function::Floor => Form::Number(Numbers::INTEGERS).into(),
            Function::Sum => Form::Number(Numbers::ANY).into(),
            Function::Contains => self.contains(arguments),
            Function::EndsWith => {
                self.compare_strings(arguments, "ends with", |text, end| text.ends_with(end))
            }
            Function::Join => Form::String(None).into(),
            Function::Keys => keys(self.model, first),
            Function::Length => length(first),
            Function::Map => map(arguments),
            Function::Max | Function::Min | Function::MaxBy | Function::MinBy => {
                let element =
                    first.map_or_else(|| Form::Any.into(), |array| array.element(self.model));
                element.or_null(true)
            }
            Function::Merge => Form::Any.into(),
            Function::NotNull => self.not_null(arguments),
            Function::Reverse => reverse(first),
            Function::Sort | Function::SortBy => array(first),
            Function::StartsWith => {
                self.compare_strings(arguments, "starts with", |text, start| {
                    text.starts_with(start)
                })
            }
            Function::ToArray => to_array(self.model, first),
            Function::ToString => string(first),
            Function::Type => kind(first),
            Function::Values => self.values_of(first),
        }
    }

    /// Reports an argument of the wrong type, or one that can be null although null is an error.
    fn argument(&mut self, function: Function, place: usize, argument: &Expression<'m>) {
        let (value, name) = (&argument.gives, function.name());
        let Some(accepted) = accepted_types(function, place) else {
            return;
        };
        let Some(found) = Kinds::of(&value.form) else {
            return;
        };
        // Only the most severe problem of an argument. The others may follow from it.
        let (id, severity, message) = if !accepted.contains(found) {
            let message = format!("`{name}` does not accept {}", value.name());
            (ERROR, Severity::Error, message)
        } else if let Some(element) = self.wrong_element(function, place, value) {
            let message = format!(
                "`{name}` does not accept an array in which each element is {}",
                element.name()
            );
            (ERROR, Severity::Error, message)
        } else if value.nullable {
            let message = format!(
                "`{name}` fails on null: the acceptor does not match if this value is missing"
            );
            (NULL, Severity::Note, message)
        } else {
            return;
        };
        self.add(Finding {
            id,
            severity,
            offset: argument.start(),
            message,
            instead: None,
        });
    }

    /// Returns the type of an array's elements if a function accepts none of them.
    fn wrong_element(
        &self,
        function: Function,
        place: usize,
        array: &Type<'m>,
    ) -> Option<Type<'m>> {
        let accepted = accepted_elements(function, place)?;
        let element = array.element(self.model);
        let found = Kinds::of(&element.form)?;
        // The elements of an empty array have the type of null.
        let is_wrong = found != Kinds::NULL && !accepted.contains(found);
        is_wrong.then_some(element)
    }

    /// Returns the type of the first argument that is not null.
    fn not_null(&self, arguments: &[Expression<'m>]) -> Type<'m> {
        let mut joined: Option<Type<'m>> = None;
        for argument in arguments {
            let value = argument.gives.clone();
            // The arguments after it are never evaluated.
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

    /// Returns the values of an object. Unlike in a projection, they can include null.
    fn values_of(&self, object: Option<&Type<'m>>) -> Type<'m> {
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
}

impl<'m> Expression<'m> {
    /// Returns `true` if the evaluation can fail for some value of the inferred types. In that case nothing matches,
    /// whatever the types are.
    pub(crate) fn may_fail(&self, model: &'m Model<'m>) -> bool {
        let fails = match &self.op {
            Op::Call(function, arguments) => call_may_fail(model, *function, arguments),
            _ => false,
        };
        fails
            || self
                .children()
                .into_iter()
                .any(|child| child.may_fail(model))
    }
}

fn call_may_fail<'m>(
    model: &'m Model<'m>,
    function: Function,
    arguments: &[Expression<'m>],
) -> bool {
    let is = |value: &Type<'_>, accepted: Kinds| {
        let found = Kinds::of(&value.form);
        !value.nullable && found.is_some_and(|found| accepted.contains(found))
    };
    let fits = arguments.iter().enumerate().all(|(place, argument)| {
        let value = &argument.gives;
        accepted_types(function, place).is_none_or(|accepted| is(value, accepted))
            && accepted_elements(function, place)
                .is_none_or(|accepted| is(&value.element(model), accepted))
    });
    let compared = match (function, arguments) {
        (Function::Max | Function::Min | Function::Sort, [array]) => array.gives.element(model),
        (Function::MaxBy | Function::MinBy | Function::SortBy, [_, key]) => match &key.op {
            Op::Reference(key) => key.gives.clone(),
            _ => return true,
        },
        _ => return !fits,
    };
    !fits || !is_orderable(&compared)
}

/// Returns `true` if all values have the same orderable type.
fn is_orderable(value: &Type<'_>) -> bool {
    matches!(value.form, Form::Number(_) | Form::String(_)) && !value.nullable
}

/// Returns the type of `keys`: the names of members for a structure or union, or the type of the keys for a map.
fn keys<'m>(model: &'m Model<'m>, of: Option<&Type<'m>>) -> Type<'m> {
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

fn length<'m>(of: Option<&Type<'m>>) -> Type<'m> {
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

fn map<'m>(arguments: &[Expression<'m>]) -> Type<'m> {
    let [reference, array] = arguments else {
        return Form::Any.into();
    };
    match (&reference.op, &array.gives.form) {
        // Unlike a projection, `map` keeps nulls.
        (Op::Reference(mapped), Form::Array { length, .. }) => Type::from(Form::Array {
            element: mapped.gives.clone().into(),
            length: length.clone(),
        }),
        _ => Form::Any.into(),
    }
}

/// Returns the type of an array without null. For other types it is `Any`.
fn array<'m>(value: Option<&Type<'m>>) -> Type<'m> {
    match value {
        Some(value) if matches!(value.form, Form::Array { .. }) => value.clone().not_null(),
        _ => Form::Any.into(),
    }
}

fn reverse<'m>(value: Option<&Type<'m>>) -> Type<'m> {
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
fn string<'m>(value: Option<&Type<'m>>) -> Type<'m> {
    match value {
        Some(value) if matches!(value.form, Form::String(_)) && !value.nullable => value.clone(),
        _ => Form::String(None).into(),
    }
}

fn kind<'m>(value: Option<&Type<'m>>) -> Type<'m> {
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

/// Returns the type of `to_array`, which returns an array unchanged and wraps any other value.
fn to_array<'m>(model: &'m Model<'m>, value: Option<&Type<'m>>) -> Type<'m> {
    let alone = |element: Type<'m>| {
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

/// Returns the types that an argument of a function can have, or `None` for any type.
fn accepted_types(function: Function, place: usize) -> Option<Kinds> {
    use Function as F;
    Some(match (function, place) {
        (F::Abs | F::Ceil | F::Floor, 0) => Kinds::NUMBER,
        (F::Avg | F::Max | F::Min | F::MaxBy | F::MinBy | F::Sort | F::SortBy | F::Sum, 0)
        | (F::Join | F::Map, 1) => Kinds::ARRAY,
        (F::Contains | F::Reverse, 0) => Kinds::ARRAY.or(Kinds::STRING),
        (F::EndsWith | F::StartsWith, 0 | 1) | (F::Join, 0) => Kinds::STRING,
        (F::Keys | F::Values, 0) | (F::Merge, _) => Kinds::OBJECT,
        (F::Length, 0) => Kinds::ARRAY.or(Kinds::OBJECT).or(Kinds::STRING),
        _ => return None,
    })
}

/// Returns the types that the elements of an argument can have, or `None` for any type.
const fn accepted_elements(function: Function, place: usize) -> Option<Kinds> {
    match (function, place) {
        (Function::Avg | Function::Sum, 0) => Some(Kinds::NUMBER),
        (Function::Join, 1) => Some(Kinds::STRING),
        _ => None,
    }
}
