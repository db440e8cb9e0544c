//! The shapes that models can refer to without a definition: those of `smithy.api` and the traits of waiters.
//!
//! Clause: [the prelude](https://smithy.io/2.0/spec/model.html#prelude).

/// The definitions of these shapes. The values of traits are validated against them.
pub(super) const TEXTS: [&str; 2] = [
    include_str!("prelude/prelude.smithy"),
    include_str!("prelude/waiters.smithy"),
];
