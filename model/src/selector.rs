//! Selectors: which shapes a trait can be applied to.
//!
//! What the traits of the prelude and most others are made of: types, attributes, neighbours and the functions `:is`, `:test`
//! and `:not`. A selector with anything else is not judged by.
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
