//! A scripted service with a virtual clock, which records its calls.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::future::{Future, pending};
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::Attempt;
use smithy_waiters::ErrorMetadata;
use smithy_waiters::driver::{CancelToken, OperationError};
use smithy_waiters::retry::RequestFailure;

use crate::file::Vector;
use crate::kinds::{self, millis};
use crate::retry;
use crate::values::HostValue;
use crate::virtual_time::VirtualTime;

/// The result of a call.
pub(crate) type CallResult = Result<&'static HostValue, Failed>;

pub(crate) struct Service<'a> {
    vector: &'a Vector,
    pub(crate) time: VirtualTime,
    pub(crate) token: CancelToken,
    calls: RefCell<Vec<Json>>,
    sleeps: RefCell<Vec<u64>>,
    idle_since: RefCell<u64>,
}

/// Records the end of a call, including one that is dropped.
struct InFlight<'s, 'a>(&'s Service<'a>);

impl Drop for InFlight<'_, '_> {
    fn drop(&mut self) {
        *self.0.idle_since.borrow_mut() = self.0.time.millis();
    }
}

impl<'a> Service<'a> {
    pub(crate) fn new(vector: &'a Vector) -> Self {
        Self {
            vector,
            time: VirtualTime::default(),
            token: CancelToken::new(),
            calls: RefCell::default(),
            sleeps: RefCell::default(),
            idle_since: RefCell::default(),
        }
    }

    /// Runs a future to its end. The vector may cancel it.
    pub(crate) fn run<F: Future>(&self, future: F) -> F::Output {
        let cancel_at = self.vector.find("cancelAt").and_then(Json::as_u64);
        self.time.run(future, cancel_at, &self.token)
    }

    pub(crate) async fn call(&self, attempt: Attempt) -> CallResult {
        self.end_pause();
        let begun = self.time.millis();
        // The maximum remaining time means that the call does not have a deadline.
        let limited = attempt.remaining < Duration::MAX;
        let remaining = limited.then(|| millis(attempt.remaining));
        let call = json!({"attempt": attempt.number, "atMs": begun, "remainingMs": remaining});
        self.calls.borrow_mut().push(call);
        let _in_flight = InFlight(self);
        let entry = entry(self.vector, attempt.number);
        match takes(entry) {
            Some(takes) => self.time.sleep_until(begun + takes).await,
            None => pending().await,
        }
        if entry.get("cancels").is_some() {
            self.token.cancel();
        }
        result(self.vector, entry)
    }

    /// Adds the calls, and the delays between them, to the result of a vector.
    pub(crate) fn add_to(&self, result: &mut Json) {
        self.end_pause();
        result["calls"] = self.calls.take().into();
        result["sleeps"] = self.sleeps.take().into();
    }

    fn end_pause(&self) {
        let pause = self.time.millis() - *self.idle_since.borrow();
        if pause > 0 {
            self.sleeps.borrow_mut().push(pause);
        }
    }
}

/// Returns the script's entry for an attempt. The last entry is repeated.
pub(crate) fn entry(vector: &Vector, attempt: u64) -> &Json {
    let script = vector.list("script");
    let index = usize::try_from(attempt).unwrap() - 1;
    &script[index.min(script.len() - 1)]
}

/// Returns the duration of a call, or `None` for a call that never ends.
pub(crate) fn takes(entry: &Json) -> Option<u64> {
    entry.get("takes").and_then(Json::as_u64)
}

/// Returns the result of an entry's call: its `response`, its `error` or its `failure`.
pub(crate) fn result(vector: &Vector, entry: &Json) -> CallResult {
    if let Some(failure) = entry.get("failure") {
        return Err(Failed::new(failure));
    }
    match entry.get("error") {
        Some(error) => Err(Failed {
            failure: None,
            facts: kinds::facts(vector, error),
            message: kinds::message(error),
        }),
        None => Ok(HostValue::new(&entry["response"])),
    }
}

/// A failure of the scripted service.
#[derive(Debug)]
pub(crate) struct Failed {
    /// A description of the failed request.
    failure: Option<Box<RequestFailure<'static>>>,
    facts: ErrorMetadata<'static>,
    pub(crate) message: String,
}

impl Failed {
    fn new(given: &Json) -> Self {
        let message = given["message"].as_str().unwrap_or_default().to_owned();
        let facts = match given["code"].as_str() {
            Some(code) => ErrorMetadata::of_code(code.to_owned()),
            None => ErrorMetadata::unnamed(),
        };
        Self {
            failure: Some(Box::new(retry::failure(given))),
            facts: facts.message(message.clone()),
            message,
        }
    }
}

impl OperationError for Failed {
    fn metadata(&self) -> ErrorMetadata<'_> {
        self.facts.clone()
    }

    fn failure(&self) -> RequestFailure<'_> {
        match &self.failure {
            Some(failure) => RequestFailure::clone(failure),
            None => self.metadata().into(),
        }
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl Error for Failed {}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
