// The examples of the page use most features; `docs.rs` has all.
#![cfg_attr(
    all(feature = "derive", feature = "testing", feature = "tokio"),
    doc = include_str!("../README.md")
)]
//! # How it is made
//!
//! The engine decides everything and does nothing:
//!
//! ```text
//!  definition ──► Waiter ── evaluate(input, observation) ───────► Verdict          no time, no state
//!                   │
//!                   └─ start(options, seed) ──► Wait ── poll(now) ────────────► Call │ Sleep │ Done
//!                                                    ├─ handle(event, now) ───► Sleep │ Done
//!                                                    └─ snapshot(…) ──────────► JSON, for Waiter::resume
//! ```
//!
//! ## What it does
//!
//! - [`Waiter`]: a Waiter structure of the specification, parsed once; an invalid one cannot exist.
//! - [`Waiter::evaluate`]: the first acceptor that matches a response or an error, over values borrowed through
//!   [`Value`]: nothing is converted, a verdict costs what its paths touch.
//! - [`Wait`]: the state machine of one wait. Time comes in as milliseconds, chance from a seed.
//! - [`delay`]: exponential backoff with jitter, in integers.
//! - [`WaitReport`]: why a wait ended, for programs and for people.
//! - [`retry`], [`paginator`], [`compression`], [`operation`]: the other decisions of a client. Whether a failed request is
//!   made again, and when; which page comes next; whether a body is compressed; which requests may be repeated.
//!
//! ## What it does not do
//!
//! It reads no clock, sleeps never, draws nothing, opens nothing, starts no thread and does not panic. A host brings
//! these: with the feature `driver` the async loop over a [`Runtime`](driver::Runtime) of your own, with `tokio` the
//! same on tokio, [`Waiter::wait`](Waiter::wait).
//!
//! ## Example: a wait without a host
//!
//! ```
//! use std::time::Duration;
//! use serde_json::json;
//! use smithy_waiters::{Event, Step, WaitOptions, Waiter};
//!
//! let waiter = Waiter::named("BucketExists", r#"{"acceptors": [
//!     {"state": "success", "matcher": {"success": true}},
//!     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
//! let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 42)?;
//!
//! assert!(matches!(wait.poll(0), Step::Call { attempt: 1, .. }));
//! let step = wait.handle(Event::response(&json!({})), 12)?;
//! let Step::Done(report) = step else { unreachable!() };
//! assert_eq!(report.message, "BucketExists reached its state after 0.012 s and 1 attempt");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// On docs.rs every item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod compression;
mod definition;
mod delay;
#[cfg(feature = "driver")]
pub mod driver;
mod error;
mod evaluation;
#[doc(hidden)]
pub mod internal;
mod jmespath;
mod millis;
mod model;
pub mod operation;
mod options;
pub mod paginator;
#[cfg(feature = "response")]
pub mod response;
pub mod retry;
mod search;
#[cfg(feature = "seed")]
mod seed;
#[cfg(feature = "testing")]
pub mod testing {
    //! For the tests of programs that wait: a clock on which a wait of a day takes no time.

    pub use crate::driver::testing::FakeClock;
}
pub mod value;
mod wait;
mod waiter;

pub use definition::{Extension, State, Until};
pub use delay::{Delay, DelayInput, delay};
#[cfg(feature = "driver")]
pub use driver::{Attempt, Driver, Outcome, Progress, WaitFailure, WaiterError};
pub use error::{DefinitionError, ExpressionError, OptionsError, StateError};
pub use evaluation::{ErrorMetadata, Observation, PathValue, Reason, ReasonCode, Verdict};
pub use options::{FinalPoll, Pace, TransientErrors, WaitOptions};
#[cfg(feature = "response")]
pub use response::{Response, Serialized, View, Viewed};
pub use search::{CompiledExpression, SearchResult};
#[cfg(feature = "derive")]
pub use smithy_waiters_derive::Response;
pub use value::Value;
pub use wait::{
    AttemptRecord, AttemptResult, Event, FailureKind, Snapshot, Step, Wait, WaitReport,
};
pub use waiter::Waiter;

/// The README's quick start, as it stands.
#[cfg(all(doctest, feature = "tokio"))]
#[doc = include_str!("../../README.md")]
struct Readme;
