//! Reads Smithy models (JSON AST and IDL, versions 1.0 and 2.0) and validates their waiters and behaviour traits.
//!
//! [`read()`] builds a model from [`Sources`], which hold any number of texts. The model borrows from the sources, and
//! each of its parts has a position in them. If a part of a text cannot be read, an [`Event`] reports the position, and
//! reading continues.
//!
//! The crate doesn't generate code and doesn't replace Smithy's own validator. It validates waiters and the behaviour
//! traits, and that the shapes and traits that a model refers to exist.
//!
//! Each module imports only from lines above it:
//!
//! ```text
//! severity, source, event  severities, texts and positions in them, validation events
//! shapes                   shapes, node values, the model
//! read                     json, ast, idl, botocore ── scope, merge, mixins
//! path, types, typed       positions in paths, types of values, typed trees of paths
//! waiter                   a waiter and its acceptors
//! validate                 Smithy's checks
//! suggest                  waiters that a model lacks
//! lint                     additional checks
//! fix                      edits of texts that fix events
//! ```

mod duplicates;
mod event;
mod fix;
mod lint;
mod messages;
mod path;
mod read;
mod severity;
mod shapes;
mod source;
mod span;
pub mod suggest;
pub mod typed;
mod types;
mod validate;
mod waiter;

pub use event::{Culprit, Event, Fix, Severity};
pub use fix::autofix::{Autofix, Change, autofix};
pub use fix::edit::Edit;
pub use lint::{lint, lint_with_vocabulary};
pub use messages::similar_names;
pub use read::partition::{Outline, partition};
pub use read::read;
pub use shapes::id;
pub use shapes::{Entry, Kind, Member, Model, Node, Reference, Shape, Trait, Value};
pub use source::{At, Position, Sources};
pub use span::Span;
pub use validate::validate;
