//! What a wait takes: the end of a call, or a cancellation.

use crate::evaluation::ErrorMetadata;
use crate::retry::{RequestFailure, Transient};

/// The end of a call, or of the caller's patience.
///
/// # Example: a throttled response is not polled again before 5 s
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Step, WaitOptions, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "status", "comparator": "stringEquals", "expected": "ready"}}}]}"#)?;
/// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 7)?;
/// wait.poll(0);
/// let response = json!({"status": "pending"});
/// let event = Event::Response { value: &response, input: None, not_before_ms: Some(5_000) };
/// assert_eq!(wait.handle(event, 30)?, Step::Sleep { until_ms: 5_000, last: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the inputs of the machine are its contract"
)]
pub enum Event<'a, V = &'static serde_json::Value> {
    /// The call returned a response.
    Response {
        /// The response.
        value: V,
        /// The operation's input, which `inputOutput` matchers read; null if there is none.
        input: Option<V>,
        /// The earliest time of the next attempt, if the service asked for one.
        not_before_ms: Option<u64>,
    },
    /// The call returned an error.
    Error {
        /// The names and the message of the error.
        error: &'a ErrorMetadata<'a>,
        /// The host's classification; `None` for an error that waiting does not cure.
        transient: Option<Transient>,
    },
    /// The call ended, and compiled or hand-written code evaluated the result. The machine sees no value.
    Verdict {
        /// The index of the first acceptor that matched.
        acceptor: Option<usize>,
        /// The failure's own message, if that acceptor defines one.
        message: Option<String>,
        /// The error, if the call returned one.
        error: Option<&'a ErrorMetadata<'a>>,
        /// As in [`Event::Error`].
        transient: Option<Transient>,
    },
    /// The host cancelled the call because its deadline has passed.
    DeadlineReached,
    /// The caller cancelled the wait. Legal at any time.
    Cancelled,
}

impl<V> Event<'_, V> {
    /// A response without an input, which may be followed by another attempt at any time.
    pub const fn response(value: V) -> Self {
        Self::Response {
            value,
            input: None,
            not_before_ms: None,
        }
    }
}

impl<'a> Event<'a> {
    /// An error that is classified by its name alone.
    #[must_use]
    pub fn error(error: &'a ErrorMetadata<'a>) -> Self {
        Self::Error {
            error,
            transient: RequestFailure::from(error.clone()).transient(0),
        }
    }

    /// [`Event::DeadlineReached`], without the type of a value to name.
    #[must_use]
    pub const fn deadline_reached() -> Self {
        Self::DeadlineReached
    }

    /// [`Event::Cancelled`], without the type of a value to name.
    #[must_use]
    pub const fn cancelled() -> Self {
        Self::Cancelled
    }
}
