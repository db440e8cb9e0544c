//! What traits say of shapes and members: the values of enums, and what is deprecated.

use smithy_waiters_model::{Kind, Member, Shape, Trait};

/// What a model calls deprecated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation<'m> {
    /// What to do instead, in the model's words.
    pub message: Option<&'m str>,
}

impl<'m> Deprecation<'m> {
    /// Of a shape.
    #[must_use]
    pub fn of(shape: &Shape<'m>) -> Option<Self> {
        shape.find_trait(DEPRECATED).map(Self::read)
    }

    /// Of a member.
    #[must_use]
    pub fn of_member(member: &Member<'m>) -> Option<Self> {
        member.find_trait(DEPRECATED).map(Self::read)
    }

    fn read(applied: &Trait<'m>) -> Self {
        let message = applied
            .value
            .member("message")
            .and_then(|text| text.as_str());
        Self { message }
    }
}

const DEPRECATED: &str = "smithy.api#deprecated";

/// The values of an enum, by its members or its trait; nothing where it is none.
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
        Some(said) => said.value.as_str(),
        None => Some(member.name),
    }
}
