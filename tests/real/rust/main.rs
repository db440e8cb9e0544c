//! Tests with the AWS SDK for Rust and a service behind a proxy with configurable faults (`tests/real`).

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

mod lost_waits;
mod pages;
mod services;
