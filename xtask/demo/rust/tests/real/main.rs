//! The AWS SDK for Rust against a real service behind a proxy that fails as it is told (`tests/real/`).

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "what is not as expected fails the test"
)]

mod lost_waits;
mod pages;
mod services;
