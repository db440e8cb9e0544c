//! Selectors, which define the shapes that a trait can be applied to.
//!
//! This is the subset that the traits of the prelude and most other traits use: types, attributes, neighbours and the
//! functions `:is`, `:test` and `:not`. A trait whose selector contains anything else is not checked.
//!
//! Clause: [selectors](https://smithy.io/2.0/spec/selectors.html).

mod graph;
mod parse;
mod select;
mod syntax;

pub(crate) use graph::{Graph, Place};
pub(crate) use parse::parse;
pub(crate) use select::Selection;
pub(crate) use syntax::Selector;

#[cfg(test)]
mod tests;
