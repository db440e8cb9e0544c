//! Whole requests that are made again: a scripted service, the real driver, a virtual clock.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::future::pending;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::ErrorFacts;
use smithy_waiters::driver::{
    Attempt, CancelToken, OperationError, Retry, RetryEnd, RetryError, RetryProgress,
};
use smithy_waiters::operation::Operation;
use smithy_waiters::retry::{AcceptorRetryPolicy, RequestFailure, RetryQuota};

use crate::file::Vector;
use crate::given::Given;
use crate::kinds::{self, millis};
use crate::retry;
use crate::virtual_time::VirtualTime;

/// The date of every vector, by which a date in `Retry-After` is read: 1994-11-06T08:49:07Z.
const DATE: f64 = 784_111_747.0;

pub(crate) fn run(vector: &Vector) -> Json {
    let (strategy, time) = (retry::strategy_of(vector), VirtualTime::default());
    let (calls, sleeps, told) = (Notes::default(), Notes::default(), Notes::default());
    let idle_since = RefCell::new(0);
    let service = Service {
        vector,
        time: &time,
        calls: &calls,
        sleeps: &sleeps,
        idle_since: &idle_since,
    };
    let (token, cancel_at) = (CancelToken::new(), vector.find("cancelAt"));
    let cancel_at = cancel_at.and_then(Json::as_u64);
    let mut driver = Retry::new(&strategy, &time)
        .cancelled_by(&token)
        .date(|| Some(retry::date(DATE)))
        .on_failure(|progress| told.borrow_mut().push(shown(&progress)));
    if let Some(idempotent) = vector.find("idempotent").and_then(Json::as_bool) {
        driver = driver.idempotent(idempotent);
    }
    if let Some(operation) = vector.find("operation").and_then(Json::as_str) {
        let operation = Operation::from_model_value(&vector.model(), operation, None).unwrap();
        driver = driver.operation(&operation, kinds::input(vector));
    }
    if let Some(max_time) = vector.find("maxTime") {
        driver = driver.max_time(Duration::from_secs_f64(max_time.as_f64().unwrap()));
    }
    let result = if vector.find("definition").is_some() {
        let waiter = kinds::waiter(vector);
        let policy = AcceptorRetryPolicy::new(&waiter).input(kinds::input(vector));
        let call = driver.call_by(&policy, |attempt| service.call(attempt));
        time.run(call, cancel_at, &token).map_err(Ended::of)
    } else {
        let call = driver.call(|attempt| service.call(attempt));
        let result = time.run(call, cancel_at, &token);
        result.map(Ok).map_err(Ended::without_response)
    };
    let mut shown = ended(result);
    service.end_pause();
    shown["calls"] = calls.into_inner().into();
    shown["sleeps"] = sleeps.into_inner().into();
    shown["failures"] = told.into_inner().into();
    shown["available"] = strategy.quota().map(RetryQuota::available).into();
    shown
}

type Notes = RefCell<Vec<Json>>;

/// A failure of the scripted service.
#[derive(Debug)]
pub(crate) struct Failed {
    /// Where more is known than a name.
    failure: Option<RequestFailure<'static>>,
    facts: ErrorFacts<'static>,
    message: String,
}

impl Failed {
    pub(crate) fn new(given: &Json) -> Self {
        let message = given["message"].as_str().unwrap_or_default().to_owned();
        let facts = match given["code"].as_str() {
            Some(code) => ErrorFacts::of_code(code.to_owned()),
            None => ErrorFacts::unnamed(),
        };
        Self {
            failure: Some(retry::failure(given)),
            facts: facts.message(message.clone()),
            message,
        }
    }

    /// An error of which the name is known.
    pub(crate) fn named(facts: ErrorFacts<'static>, message: String) -> Self {
        Self {
            failure: None,
            facts,
            message,
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl OperationError for Failed {
    fn facts(&self) -> ErrorFacts<'_> {
        self.facts.clone()
    }

    fn failure(&self) -> RequestFailure<'_> {
        let known = self.failure.clone();
        known.unwrap_or_else(|| self.facts().into())
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

struct Service<'a> {
    vector: &'a Vector,
    time: &'a VirtualTime,
    calls: &'a Notes,
    sleeps: &'a Notes,
    idle_since: &'a RefCell<u64>,
}

/// Notes when a call ends, also one that is cut.
struct InFlight<'s, 'a>(&'s Service<'a>);

impl Drop for InFlight<'_, '_> {
    fn drop(&mut self) {
        *self.0.idle_since.borrow_mut() = self.0.time.millis();
    }
}

impl Service<'_> {
    async fn call(&self, attempt: Attempt) -> Result<&'static Given, Failed> {
        self.end_pause();
        let begun = self.time.millis();
        let limited = self.vector.find("maxTime").is_some();
        let remaining = limited.then(|| millis(attempt.remaining));
        let call = json!({"attempt": attempt.number, "atMs": begun, "remainingMs": remaining});
        self.calls.borrow_mut().push(call);
        let _in_flight = InFlight(self);
        let script = self.vector.list("script");
        let index = usize::try_from(attempt.number).unwrap() - 1;
        let entry = &script[index.min(script.len() - 1)];
        match entry.get("takes").and_then(Json::as_u64) {
            Some(takes) => self.time.sleep_until(begun + takes).await,
            None => pending().await,
        }
        match entry.get("failure") {
            Some(failure) => Err(Failed::new(failure)),
            None => Ok(Given::new(&entry["response"])),
        }
    }

    fn end_pause(&self) {
        let pause = self.time.millis() - *self.idle_since.borrow();
        if pause > 0 {
            self.sleeps.borrow_mut().push(pause.into());
        }
    }
}

fn shown(progress: &RetryProgress<'_>) -> Json {
    let (delay, end) = (progress.next.ok(), progress.next.err());
    let error = progress.error.and_then(OperationError::as_error);
    json!({
        "attempt": progress.attempt,
        "error": error.map(ToString::to_string),
        "delayMs": delay.map(millis),
        "end": end.map(|end| end.code()),
        "reason": end.map(|end| end.to_string()),
        "note": progress.note.map(|note| note.code()),
        "elapsedMs": millis(progress.elapsed),
    })
}

/// Why there is no other attempt.
struct Ended {
    error: Option<Failed>,
    response: Option<&'static Given>,
    attempts: u64,
    end: RetryEnd,
}

impl Ended {
    fn of(error: RetryError<Failed, &'static Given>) -> Self {
        Self {
            error: error.error,
            response: error.response,
            attempts: error.attempts,
            end: error.end,
        }
    }

    fn without_response(error: RetryError<Failed>) -> Self {
        Self {
            error: error.error,
            response: None,
            attempts: error.attempts,
            end: error.end,
        }
    }
}

fn ended(result: Result<Result<&'static Given, Failed>, Ended>) -> Json {
    match result {
        Ok(Ok(response)) => json!({"response": response.to_json()}),
        Ok(Err(error)) => json!({"error": error.message}),
        Err(ended) => json!({"failed": {
            "code": ended.end.code(), "message": ended.end.to_string(), "attempts": ended.attempts,
            "error": ended.error.map(|error| error.message), "response": ended.response.map_or(Json::Null, Given::to_json),
        }}),
    }
}
