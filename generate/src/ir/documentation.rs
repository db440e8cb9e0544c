//! The documentation of shapes and members, and their deprecation.

use smithy_waiters_model::{Member, Shape, Trait};

/// The deprecation of a shape or a member.
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

/// The documentation of a shape: CommonMark, often HTML.
pub(crate) fn documentation<'m>(shape: &'m Shape<'m>) -> Option<&'m str> {
    shape.find_trait("smithy.api#documentation")?.value.as_str()
}

/// The documentation of a member itself, not of its target.
#[must_use]
pub fn member_documentation<'m>(member: &'m Member<'m>) -> Option<&'m str> {
    member
        .find_trait("smithy.api#documentation")?
        .value
        .as_str()
}
