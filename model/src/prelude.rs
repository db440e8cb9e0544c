//! What every model can name without defining it: the shapes of `smithy.api`, and the traits of waiters.
//!
//! Clause: [the prelude](https://smithy.io/2.0/spec/model.html#prelude).

use crate::shape::Shape;

/// The shapes and traits that are defined here: models name them, and what traits say is checked by them.
pub(crate) const TEXTS: [&str; 2] = [
    include_str!("prelude/prelude.smithy"),
    include_str!("prelude/waiters.smithy"),
];

/// Whether models can name a shape of these texts, as it is read there.
pub(crate) fn is_public(shape: &Shape<'_>) -> bool {
    !shape.has_trait("private")
}
