//! Documentation and deprecation of shapes and members.

use smithy_waiters_model::{Member, Shape, Trait};

/// The deprecation of a shape or a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation<'m> {
    /// The message of the trait, usually the replacement to use.
    pub message: Option<&'m str>,
}

impl<'m> Deprecation<'m> {
    /// Returns the deprecation of a shape, or `None` if it isn't deprecated.
    #[must_use]
    pub fn of(shape: &Shape<'m>) -> Option<Self> {
        shape.find_trait(DEPRECATED).map(Self::read)
    }

    /// Returns the deprecation of a member, or `None` if it isn't deprecated.
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

/// Returns the documentation of a shape, as CommonMark that often contains HTML.
pub(crate) fn documentation<'m>(shape: &'m Shape<'m>) -> Option<&'m str> {
    shape.find_trait("smithy.api#documentation")?.value.as_str()
}

/// Returns the documentation of a member. The documentation of its target is not considered.
#[must_use]
pub fn member_documentation<'m>(member: &'m Member<'m>) -> Option<&'m str> {
    member
        .find_trait("smithy.api#documentation")?
        .value
        .as_str()
}
