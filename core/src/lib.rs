// The README's examples need these features. docs.rs builds with all of them.
#![cfg_attr(
    all(feature = "derive", feature = "testing", feature = "tokio"),
    doc = include_str!("../README.md")
)]
//! # Architecture
//!
//! The engine makes all decisions and performs no I/O:
//!
//! ```text
//!  definition ──► Waiter ── evaluate(input, observation) ───────► Verdict          no time, no state
//!                   │
//!                   └─ start(options, seed) ──► Wait ── poll(now) ────────────► Call │ Sleep │ Done
//!                                                    ├─ handle(event, now) ───► Sleep │ Done
//!                                                    └─ snapshot() ───────────► JSON, for Waiter::resume
//! ```
//!
//! ## Components
//!
//! - [`Waiter`]: a Waiter structure of the specification, parsed and validated once.
//! - [`Waiter::evaluate`]: finds the first acceptor that matches a response or an error. Values are borrowed through
//!   [`Value`](value::Value) without conversion, and only the members on an acceptor's path are read.
//! - [`Wait`]: the state machine of one wait. Its inputs are the time in milliseconds and a seed for the jitter.
//! - [`delay`]: exponential backoff with jitter, in integer arithmetic.
//! - [`WaitReport`]: the reason why a wait ended, as data, as a message, and as the JSON of all languages.
//! - [`Snapshot`]: a saved wait. [`FleetSnapshot`]: a saved list of waits that share their calls. [`StoredOptions`] adds what an engine for durable programs needs between two attempts.
//! - [`retry`], [`paginator`], [`compression`], [`operation`]: the other decisions of a client. They cover retries of
//!   failed requests, the token of the next page, request compression, and the traits of an operation.
//!
//! ## Hosts
//!
//! The engine never reads a clock, sleeps, generates random numbers, opens files or sockets, spawns threads or panics.
//! Sums of times saturate, because times come from hosts: an end beyond 64 bits is one that never comes.
//! A host does this for it. With the feature `driver`, the crate has an asynchronous loop over a custom
//! [`Runtime`](driver::Runtime); with the feature `tokio`, [`Waiter::wait`](Waiter::wait) runs that loop on Tokio.
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
//! assert_eq!(report.message, "BucketExists was already in its state after 0.012 s and 1 attempt");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// docs.rs shows the required features next to each item.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod compression;
mod definition;
mod delay;
#[cfg(feature = "driver")]
pub mod driver;
mod error;
mod evaluation;
mod fleet;
#[doc(hidden)]
pub mod internal;
mod jmespath;
mod millis;
mod model;
pub mod operation;
mod options;
pub mod paginator;
mod rate_limit;
#[cfg(feature = "response")]
pub mod response;
pub mod retry;
#[cfg(feature = "seed")]
mod seed;
#[cfg(feature = "testing")]
pub mod testing {
    //! Test utilities: a fake clock that lets waits finish without real delays.

    pub use crate::driver::testing::FakeClock;
}
mod text;
pub mod value;
mod wait;
mod waiter;

// Under shuttle, tests try many orders of the threads (`cargo xtask deep --only threads`).
#[cfg(shuttle)]
use shuttle::sync;
#[cfg(not(shuttle))]
use std::sync;

pub use definition::{Goal, State};
pub use delay::{Delay, DelayInput, delay};
#[cfg(feature = "driver")]
pub use driver::attempt::Attempt;
#[cfg(feature = "driver")]
pub use driver::wait::{Outcome, Progress, WaitFailure, WaiterError};
#[cfg(feature = "driver")]
pub use driver::{Driver, WatchedWaiter};
pub use error::{DefinitionError, ExpressionError, OptionsError, StateError};
pub use evaluation::{
    ErrorMetadata, Hint, HintCode, Observation, PathValue, Reason, ReasonCode, Verdict,
};
pub use fleet::{
    Fleet, FleetEnd, FleetError, FleetOptions, FleetSnapshot, FleetStep, Tally, TallyState,
};
pub use jmespath::{CompiledExpression, SearchResult};
pub use options::{Defaults, FinalPoll, Left, LeftElse, Pace, Same, TransientErrors, WaitOptions};
pub use rate_limit::RateLimit;
#[cfg(feature = "response")]
pub use response::serialized::Serialized;
#[cfg(feature = "response")]
pub use response::view::{Response, View};
#[cfg(feature = "response")]
pub use response::viewed::Viewed;
#[cfg(feature = "derive")]
pub use smithy_waiters_derive::Response;
pub use wait::{
    AttemptRecord, AttemptResult, EndValues, Event, FailureKind, Level, Snapshot, Step,
    StoredOptions, Wait, WaitReport,
};
pub use waiter::{Extension, Until, Waiter};

/// The pages of the book, whose programs are tests. `core/tests/readme.rs` has those of the guide to migration, `core/tests/recipes.rs` those of the recipes.
#[cfg(all(doctest, feature = "derive", feature = "testing", feature = "tokio"))]
mod book {
    #[doc = include_str!("../../docs/defining-a-waiter.md")]
    struct DefiningAWaiter;
    #[doc = include_str!("../../docs/errors.md")]
    struct Errors;
    #[doc = include_str!("../../docs/first-wait.md")]
    struct FirstWait;
    #[doc = include_str!("../../docs/many-resources.md")]
    struct ManyResources;
    #[doc = include_str!("../../docs/pace.md")]
    struct Pace;
    #[doc = include_str!("../../docs/progress.md")]
    struct Progress;
    #[doc = include_str!("../../docs/requests.md")]
    struct Requests;
    #[doc = include_str!("../../docs/state-machine.md")]
    struct StateMachine;
    #[doc = include_str!("../../docs/testing.md")]
    struct Testing;
}
