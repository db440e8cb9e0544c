//! What is held against the shared data: models of real services, and Smithy's own validation cases.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod common;
mod findings;
mod round_trip;
mod validation;
