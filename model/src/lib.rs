//! Reads Smithy models, JSON AST and IDL of 1.0 and 2.0, and checks their waiters and behaviour traits.
//!
//! A model is read from [`Sources`], any number of texts, by [`read()`]. Everything in it borrows from there and keeps its
//! place. What cannot be read is an [`Event`] with its place, and reading goes on.
//!
//! It does not generate code, and it does not replace Smithy's own validator: it checks only waiters, the behaviour traits and
//! what they rest on, and traits by their definitions.
//!
//! Each module imports only from lines above it:
//!
//! ```text
//! severity, source, event  severities, texts and places in them, validation events
//! shapes                   shapes, node values, the model
//! read                     json, ast, idl, botocore ── scope, merge, mixins
//! path, selector, types    the syntax of paths, selectors, the types of paths
//! validate                 Smithy's checks
//! lint, typed              our checks; typed paths for generators of code
//! fix                      edits of texts that fix events
//! ```

mod duplicates;
mod event;
mod fix;
mod lint;
mod messages;
mod path;
mod read;
mod selector;
mod severity;
mod shapes;
mod source;
mod span;
pub mod typed;
mod types;
mod validate;

pub use event::{Culprit, Event, Fix, Severity};
pub use fix::autofix::{Autofix, autofix};
pub use fix::edit::Edit;
pub use lint::lint;
pub use read::partition::{Outline, partition};
pub use read::read;
pub use shapes::id;
pub use shapes::{Entry, Kind, Member, Model, Node, Reference, Shape, Trait, Value};
pub use source::{At, Position, Sources};
pub use span::Span;
pub use validate::validate;
