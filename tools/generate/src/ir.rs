//! The intermediate representation: the parts of a service's model that backends need, fully resolved.
//!
//! All collections have a stable order. Names are unchanged from the model; [`names`](crate::names) converts them to a
//! language's conventions.

mod definition;
mod documentation;
mod operation;
mod service;
mod shape;
mod waiter;

pub use definition::Definition;
pub(crate) use definition::ordered_members;
pub(crate) use documentation::documentation;
pub use documentation::{Deprecation, member_documentation};
pub(crate) use operation::NAME_SOURCES;
pub use operation::{Compression, Fault, ModeledError, Operation, Pagination};
pub use service::{Selection, Service, read, refused_events, services};
pub(crate) use shape::element;
pub use shape::enum_values;
pub use smithy_waiters::State;
pub use smithy_waiters_model::typed::{Comparison, Expression, Form, Function, Op};
pub use waiter::{Acceptor, Comparator, Matcher, Message, PathMatcher, Sides, Success, Waiter};
