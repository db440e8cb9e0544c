//! Comparison with Smithy's own validator, and real services: see `README.md` beside this file.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod cases;
mod common;
mod differences;
mod events;
mod findings;
mod round_trip;
mod services;
mod shared;
