//! What is generated for Rust, held against the interpreter: over published SDKs whose responses are replayed and read by their
//! own deserialisers, and over plain types. One program, since each holds all of the SDKs.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod cases;
#[cfg(models)]
mod data;
#[cfg(models)]
mod matchers;
mod names;
#[cfg(models)]
mod pages;
mod plain;
#[expect(clippy::indexing_slicing, reason = "of a program for tests")]
#[path = "../../../examples/random/values.rs"]
mod random;
#[cfg(models)]
mod replaced;
#[cfg(models)]
mod sdk_value;
#[cfg(models)]
mod services;
mod untyped;
#[cfg(models)]
mod waits;
#[cfg(models)]
mod wire;

#[cfg(not(models))]
#[test]
#[ignore = "skipped: matchers, pages and waits of the published SDKs, without AWS's models, which `cargo xtask data` fetches"]
fn published_sdks() {}
