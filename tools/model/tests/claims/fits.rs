//! Checks that a value conforms to a type.

use serde_json::Value as Json;
use smithy_waiters_model::typed::{Form, Numbers, Type};
use smithy_waiters_model::{Kind, Model};

pub(crate) fn fits(model: &Model<'_>, of: &Type<'_, '_>, value: &Json) -> bool {
    if value.is_null() {
        return of.nullable || matches!(of.form, Form::Any | Form::Null);
    }
    match &of.form {
        Form::Any => true,
        Form::Array { length, .. } => value.as_array().is_some_and(|elements| {
            let element = of.element(model);
            has(length, elements.len() as f64)
                && elements.iter().all(|value| fits(model, &element, value))
        }),
        Form::Boolean(known) => value
            .as_bool()
            .is_some_and(|value| known.is_none_or(|known| known == value)),
        Form::Expression | Form::Null => false,
        Form::Map(_) => value.as_object().is_some_and(|members| {
            let element = of.element(model);
            members.values().all(|value| fits(model, &element, value))
        }),
        Form::Number(numbers) => value.as_f64().is_some_and(|number| has(numbers, number)),
        Form::Record(types) => value.as_object().is_some_and(|members| {
            let fits = |(name, value)| types.get(name).is_some_and(|of| fits(model, of, value));
            members.iter().all(fits)
        }),
        Form::String(known) => value.as_str().is_some_and(|text| {
            let is = |one: &std::rc::Rc<str>| **one == *text;
            known.as_ref().is_none_or(|known| known.iter().any(is))
        }),
        Form::Structure(shape) => value.as_object().is_some_and(|members| {
            let is_member = |name: &String| shape.member(name).is_some();
            let is_one = shape.kind != Kind::Union || members.len() == 1;
            is_one && members.keys().all(is_member)
        }),
    }
}

fn has(numbers: &Numbers, number: f64) -> bool {
    match numbers {
        Numbers::Among(values) => values.contains(&number),
        Numbers::Between(min, max) => (*min..=*max).contains(&number),
        Numbers::Integers(min, max) => number.fract() == 0.0 && (*min..=*max).contains(&number),
        _ => false,
    }
}
