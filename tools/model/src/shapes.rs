//! The parts of a model: shapes, their members and traits, and node values.

mod closure;
mod exclude;
pub mod id;
mod json_ast;
mod model;
mod node;
mod shape;

pub use model::Model;
pub(crate) use model::UNIT;
pub use node::{Entry, Node, Value};
pub use shape::{Kind, Member, Reference, Shape, Trait};
