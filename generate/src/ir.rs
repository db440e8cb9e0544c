//! The intermediate form: what a model says of a service's clients, with nothing left to decide.
//!
//! Everything is in a stable order, that of ids and of the model. Names are the model's; [`names`](crate::names) makes a
//! language's of them.

mod definition;
mod operation;
mod said;
mod service;
mod waiter;

use smithy_waiters_model::{Kind, Member, Shape};

pub use definition::Definition;
pub(crate) use definition::in_order;
pub(crate) use operation::CLAIMS;
pub use operation::{Compression, Fault, ModeledError, Operation, Pagination};
pub use said::{Deprecation, enum_values};
pub use service::{Service, read, services};
pub use smithy_waiters::State;
pub use smithy_waiters_model::typed::{Comparison, Expression, Form, Function, Op, Type};
pub use waiter::{Acceptor, Comparator, Matcher, Message, PathMatcher, Sides, Success, Waiter};

/// What `smithy.api#documentation` says of a shape: CommonMark, often HTML.
pub(crate) fn documentation<'m>(shape: &'m Shape<'m>) -> Option<&'m str> {
    shape.find_trait("smithy.api#documentation")?.value.as_str()
}

/// The member that a list's elements or a map's values are.
pub(crate) fn element<'s, 'm>(shape: &'s Shape<'m>) -> Option<&'s Member<'m>> {
    match shape.kind {
        Kind::List | Kind::Set => shape.member("member"),
        Kind::Map => shape.member("value"),
        _ => None,
    }
}

/// What it says of a member, not of what the member targets.
#[must_use]
pub fn member_documentation<'m>(member: &'m Member<'m>) -> Option<&'m str> {
    member
        .find_trait("smithy.api#documentation")?
        .value
        .as_str()
}
