//! Helpers for shapes, shared by the backends.

use smithy_waiters_model::{Kind, Member, Shape};

/// Returns the member for the elements of a list or the values of a map.
pub(crate) fn element<'s, 'm>(shape: &'s Shape<'m>) -> Option<&'s Member<'m>> {
    match shape.kind {
        Kind::List | Kind::Set => shape.member("member"),
        Kind::Map => shape.member("value"),
        _ => None,
    }
}

/// Returns the values of an enum, from its members or its `@enum` trait. Returns `None` for other shapes.
#[must_use]
pub fn enum_values<'m>(shape: &Shape<'m>) -> Option<Vec<&'m str>> {
    if shape.kind == Kind::Enum {
        let members = shape.members.iter();
        return members.map(enum_value).collect();
    }
    let definitions = shape.find_trait("smithy.api#enum")?.value.elements();
    let values = definitions.iter();
    values
        .map(|definition| definition.member("value")?.as_str())
        .collect()
}

fn enum_value<'m>(member: &Member<'m>) -> Option<&'m str> {
    match member.find_trait("smithy.api#enumValue") {
        Some(value) => value.value.as_str(),
        None => Some(member.name),
    }
}
