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

mod duplicates;
mod event;
mod fix;
mod lint;
mod messages;
mod path;
mod read;
mod selector;
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
