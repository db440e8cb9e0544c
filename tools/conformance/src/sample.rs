//! Values of shapes and types.

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::typed::{Form, Numbers, Type};
use smithy_waiters_model::{Kind, Member, Model, Shape};

/// The most elements of a list that a sample has, and the greatest depth of a sample.
pub(crate) const MOST: usize = 1_000;
const DEPTH: usize = 8;

/// Returns a value of a type that is not null and counts as true, if the type has one.
pub(crate) fn of_type<'m>(model: &'m Model<'m>, gives: &Type<'m, 'm>) -> Option<Json> {
    value(model, gives, 0)
}

fn value<'m>(model: &'m Model<'m>, gives: &Type<'m, 'm>, depth: usize) -> Option<Json> {
    if depth > DEPTH {
        return None;
    }
    let element = || value(model, &gives.element(model), depth.saturating_add(1));
    Some(match &gives.form {
        Form::Any | Form::String(None) => "value".into(),
        Form::String(Some(values)) => values
            .iter()
            .find(|value| !value.is_empty())?
            .as_ref()
            .into(),
        Form::Boolean(value) => value.unwrap_or(true).into(),
        Form::Number(numbers) => number(in_range(numbers)),
        Form::Array { .. } => json!([element()?]),
        Form::Map(_) => json!({"key": element()?}),
        Form::Structure(shape) => structure(shape, model),
        Form::Record(members) => {
            let members = members.iter();
            let members = members
                .map(|(name, of)| Some((name.clone(), value(model, of, depth.saturating_add(1))?)));
            Json::Object(members.collect::<Option<_>>()?)
        }
        Form::Null | Form::Expression => return None,
    })
}

/// Returns a structure with its first string, so that it is not empty.
fn structure(shape: &Shape<'_>, model: &Model<'_>) -> Json {
    let is_text = |member: &&Member<'_>| {
        model
            .shape(member.target)
            .is_some_and(|shape| shape.kind == Kind::String)
    };
    let members = shape.members.iter().find(is_text).into_iter();
    Json::Object(
        members
            .map(|member| (member.name.to_owned(), "value".into()))
            .collect(),
    )
}

/// Returns `true` if a value can have a type. Null fits every type: it is an absent member.
pub(crate) fn fits(gives: &Type<'_, '_>, value: &Json) -> bool {
    let is_of_type = match &gives.form {
        Form::Any => true,
        Form::Array { .. } => value.is_array(),
        Form::Boolean(_) => value.is_boolean(),
        Form::Map(_) | Form::Record(_) | Form::Structure(_) => value.is_object(),
        Form::Number(_) => value.is_number(),
        Form::String(_) => value.is_string(),
        Form::Expression | Form::Null => false,
    };
    is_of_type || value.is_null()
}

/// Returns a value of a type that counts as false. For most types this is null.
pub(crate) fn empty(gives: &Type<'_, '_>) -> Option<Json> {
    Some(match &gives.form {
        Form::Boolean(_) => false.into(),
        Form::Array { .. } => json!([]),
        _ if gives.nullable => Json::Null,
        _ => return None,
    })
}

/// Returns a JSON number, an integer if possible.
pub(crate) fn number(value: f64) -> Json {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "only integers that a double represents exactly"
    )]
    let integer = (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i64);
    integer.map_or_else(|| value.into(), Json::from)
}

fn in_range(numbers: &Numbers) -> f64 {
    match numbers {
        Numbers::Among(values) => values.first().copied().unwrap_or(1.0),
        Numbers::Between(min, max) | Numbers::Integers(min, max) => 1.0_f64.max(*min).min(*max),
        _ => 1.0,
    }
}

/// Returns an input with all required members, which a client accepts.
pub(crate) fn input(model: &Model<'_>, shape: Option<&Shape<'_>>) -> Map<String, Json> {
    let members = shape.map_or(&[][..], |shape| &shape.members);
    members_of(model, members, 0)
}

fn members_of(model: &Model<'_>, members: &[Member<'_>], depth: usize) -> Map<String, Json> {
    let is_required = |member: &&Member<'_>| {
        let is_label = member.has_trait("smithy.api#httpLabel");
        member.has_trait("smithy.api#required") || is_label
    };
    let required = members.iter().filter(is_required);
    let named = required
        .filter_map(|member| Some((member.name.to_owned(), of_member(model, member, depth)?)));
    named.collect()
}

fn of_member(model: &Model<'_>, member: &Member<'_>, depth: usize) -> Option<Json> {
    let shape = model.shape(member.target)?;
    let deeper = depth.checked_add(1).filter(|depth| *depth <= DEPTH)?;
    let min = |id: &str| {
        let applied = member.find_trait(id).or_else(|| shape.find_trait(id));
        applied.and_then(|applied| applied.value.member("min")?.as_f64())
    };
    let sub = |name: &str| of_member(model, shape.member(name)?, deeper);
    let text = |least: f64| {
        let text = if least > 11.0 {
            "conformance-".repeat(4)
        } else {
            "conformance".to_owned()
        };
        let missing = number(least).as_u64().unwrap_or_default();
        let missing = usize::try_from(missing)
            .unwrap_or_default()
            .saturating_sub(text.len());
        let padding = "0".repeat(missing.min(MOST));
        Json::from(text + &padding)
    };
    Some(match shape.kind {
        Kind::Enum | Kind::IntEnum => {
            let first = shape.members.first()?;
            let value = first
                .find_trait("smithy.api#enumValue")
                .map(|applied| applied.value);
            let text = value.and_then(|value| value.as_str()).unwrap_or(first.name);
            value
                .and_then(|value| value.as_f64())
                .map_or_else(|| text.into(), number)
        }
        Kind::String => text(min("smithy.api#length").unwrap_or(0.0)),
        Kind::Boolean => true.into(),
        Kind::Blob => "dmFsdWU=".into(),
        Kind::Document => json!({}),
        Kind::List | Kind::Set => json!([sub("member")?]),
        Kind::Map => {
            let key = sub("key")?;
            json!({key.as_str()?: sub("value")?})
        }
        Kind::Structure => Json::Object(members_of(model, &shape.members, deeper)),
        Kind::Union => {
            let first = shape.members.first()?;
            json!({first.name: of_member(model, first, deeper)?})
        }
        _ => number(min("smithy.api#range").unwrap_or(1.0).max(1.0)),
    })
}
