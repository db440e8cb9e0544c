//! Reads Smithy models, JSON AST and IDL of 1.0 and 2.0, and says what is wrong with their waiters and behaviour traits.
//!
//! A model is read from [`Sources`], any number of texts, by [`read`]. Everything in it borrows from there and keeps its
//! place. What cannot be read is an [`Event`] with its place, and reading goes on.
//!
//! It does not generate code, and checks only what waiters and the behaviour traits rest on, and traits by their definitions:
//! it is no replacement of Smithy's own validator.
//!
//! ```text
//! texts ── json + ast ──┐
//!       └─ idl + scope ─┴─ definitions ── merge, apply, mixins ── model ── validate ── events
//! ```

mod analyse;
mod ast;
mod botocore;
mod definitions;
mod edition;
mod event;
mod fix;
pub mod id;
mod idl;
mod json;
mod mend;
mod model;
mod node;
mod path;
mod prelude;
mod scope;
mod selector;
mod separate;
mod shape;
mod source;
mod span;
mod suggest;
mod twice;
pub mod typed;
mod validate;
mod written;

pub use event::{Culprit, Event, Fix, Severity};
pub use fix::Edit;
pub use mend::{Mended, mend};
pub use model::{Model, read};
pub use node::{Entry, Node, Value};
pub use separate::{Outline, separate};
pub use shape::{Kind, Member, Reference, Shape, Trait};
pub use source::{At, Position, Sources};
pub use span::Span;
pub use validate::{lint, validate};

/// The id of events about text that cannot be read at all.
pub(crate) const SYNTAX: &str = "SmithyWaiters.Syntax";

/// The id of events about models that cannot be put together.
pub(crate) const MODEL: &str = "SmithyWaiters.Model";

/// The id of notes about shapes that several texts define, and in the same way.
pub(crate) const DUPLICATE: &str = "SmithyWaiters.Model.DuplicateDefinition";

/// The id of warnings about keys that an object of JSON has twice.
pub(crate) const DUPLICATE_KEY: &str = "SmithyWaiters.Model.DuplicateKey";

/// How deep values nest at most, in both notations: it bounds all recursion over them.
pub(crate) const MAX_NESTING: usize = 250;
