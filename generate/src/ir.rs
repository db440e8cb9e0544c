//! The intermediate form: what a model says of a service's clients, with nothing left to decide.
//!
//! Everything is in a stable order, that of ids and of the model. Names are the model's; [`names`](crate::names) makes a
//! language's of them.

mod definition;
mod documentation;
mod operation;
mod service;
mod shape;
mod waiter;

pub use definition::Definition;
pub(crate) use definition::in_order;
pub(crate) use documentation::documentation;
pub use documentation::{Deprecation, member_documentation};
pub(crate) use operation::CLAIMS;
pub use operation::{Compression, Fault, ModeledError, Operation, Pagination};
pub use service::{Service, read, services};
pub(crate) use shape::element;
pub use shape::enum_values;
pub use smithy_waiters::State;
pub use smithy_waiters_model::typed::{Comparison, Expression, Form, Function, Op, Type};
pub use waiter::{Acceptor, Comparator, Matcher, Message, PathMatcher, Sides, Success, Waiter};
