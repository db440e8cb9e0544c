//! Events of a wait.

use crate::evaluation::ErrorMetadata;
use crate::retry::{RequestFailure, Transient};

/// The end of a call, or a cancellation by the caller.
///
/// # Example: a response with a minimum delay of 5 s
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
    reason = "the events of the state machine are its contract"
)]
pub enum Event<'a, V = &'static serde_json::Value> {
    /// The call returned a response.
    Response {
        /// The response.
        value: V,
        /// The operation's input, which `inputOutput` matchers read. `None` stands for null.
        input: Option<V>,
        /// The earliest time of the next attempt in milliseconds since the start, if the service requested one.
        not_before_ms: Option<u64>,
    },
    /// The call returned an error.
    Error {
        /// The names and the message of the error.
        error: &'a ErrorMetadata<'a>,
        /// The host's classification of a transient error. `None` if the error is not transient.
        transient: Option<Transient>,
    },
    /// The call ended, and compiled or hand-written code evaluated the result, which the state machine does not
    /// receive.
    Verdict {
        /// The index of the first acceptor that matched.
        acceptor: Option<usize>,
        /// The value of that acceptor's `message`, if it has one.
        message: Option<String>,
        /// The error, if the call returned one.
        error: Option<&'a ErrorMetadata<'a>>,
        /// The host's classification of a transient error. `None` if the error is not transient.
        transient: Option<Transient>,
    },
    /// The host cancelled the call because its deadline passed.
    DeadlineReached,
    /// The caller cancelled the wait. This event is valid at any time.
    Cancelled,
}

impl<V> Event<'_, V> {
    /// Creates the event of a response without an input and without a minimum delay.
    pub const fn response(value: V) -> Self {
        Self::Response {
            value,
            input: None,
            not_before_ms: None,
        }
    }
}

impl<'a> Event<'a> {
    /// Creates the event of an error that is classified only by its name.
    #[must_use]
    pub fn error(error: &'a ErrorMetadata<'a>) -> Self {
        Self::Error {
            error,
            transient: RequestFailure::from(error.clone()).transient(0),
        }
    }

    /// Returns [`Event::DeadlineReached`] with the default type parameter.
    #[must_use]
    pub const fn deadline_reached() -> Self {
        Self::DeadlineReached
    }

    /// Returns [`Event::Cancelled`] with the default type parameter.
    #[must_use]
    pub const fn cancelled() -> Self {
        Self::Cancelled
    }
}
