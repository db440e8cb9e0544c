//! The shapes that models can name without defining them: those of `smithy.api`, and the traits of waiters.
//!
//! Clause: [the prelude](https://smithy.io/2.0/spec/model.html#prelude).

/// The texts that define them. The values of traits are checked by these definitions.
pub(super) const TEXTS: [&str; 2] = [
    include_str!("prelude/prelude.smithy"),
    include_str!("prelude/waiters.smithy"),
];
