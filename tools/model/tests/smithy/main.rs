//! Comparisons with Smithy's validator, and real services. See `README.md` beside this file.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod cases;
mod common;
mod differences;
mod events;
mod findings;
mod round_trip;
mod services;
mod shared;
