//! What is generated for Rust, over published SDKs whose responses are replayed: read by their own deserialisers, and held
//! against the interpreter.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

#[cfg(models)]
mod data;
#[cfg(models)]
mod held;
#[cfg(models)]
mod matchers;
#[cfg(models)]
mod pages;
#[cfg(models)]
mod random;
#[cfg(models)]
mod waits;
#[cfg(models)]
mod wire;

#[cfg(not(models))]
#[test]
fn skipped() {
    eprintln!("skipped: there are no models in ../shared/data/aws-models");
}
