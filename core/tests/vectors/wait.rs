//! Whole waits: a scripted service, the real driver, a virtual clock.

use std::cell::RefCell;
use std::future::pending;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::{Attempt, CancelToken, Driver, OperationError, Outcome, WaiterError};
use smithy_waiters::retry::{
    RetryQuota, RetryStrategy, RetryToken, StandardRetryStrategy, StandardRetryToken,
};
use smithy_waiters::{Ending, Seen as Came, Step};

use crate::file::Vector;
use crate::given::Given;
use crate::kinds::{self, facts, message, millis};
use crate::request::Failed;
use crate::virtual_time::VirtualTime;
use crate::{results, retry};

/// Runs the vector through the driver, and over the step API, with the same result.
pub(crate) fn run(vector: &Vector) -> Json {
    let cancel_at = vector.find("cancelAt").and_then(Json::as_u64);
    let time = VirtualTime::default();
    let service = Service::new(vector, &time);
    let (waiter, options, input) = (
        kinds::waiter(vector),
        kinds::options(vector).unwrap(),
        kinds::input(vector),
    );
    let strategy = vector.find("retry").map(|_| retry::strategy_of(vector));
    let token = CancelToken::new();
    let driver = Driver::new(&time).input(input).cancelled_by(&token);
    let call = |attempt| service.call(attempt);
    let driven = match &strategy {
        Some(strategy) => time.run(
            driver.retry_strategy(strategy).wait(&waiter, call, options),
            cancel_at,
            &token,
        ),
        None => time.run(driver.wait(&waiter, call, options), cancel_at, &token),
    };
    let (calls, sleeps) = service.seen();
    let by_hand = by_hand(vector, cancel_at);
    let mut result = ended(vector, driven);
    assert_eq!(
        result,
        by_hand,
        "`{}`: the driver and the step API differ",
        vector.id()
    );
    result["calls"] = calls;
    result["sleeps"] = sleeps;
    if let Some(strategy) = &strategy {
        result["available"] = strategy.quota().map(RetryQuota::available).into();
    }
    result
}

/// The failure of an entry, where it is one.
fn failed(vector: &Vector, entry: &Json) -> Option<Failed> {
    let error = |error| Failed::named(facts(vector, error), message(error));
    let failure = entry.get("failure").map(Failed::new);
    failure.or_else(|| entry.get("error").map(error))
}

struct Service<'a> {
    vector: &'a Vector,
    time: &'a VirtualTime,
    calls: RefCell<Vec<Json>>,
    sleeps: RefCell<Vec<u64>>,
    idle_since: RefCell<u64>,
}

/// Notes when a call ends, also one that is dropped.
struct InFlight<'s, 'a>(&'s Service<'a>);

impl Drop for InFlight<'_, '_> {
    fn drop(&mut self) {
        *self.0.idle_since.borrow_mut() = self.0.time.millis();
    }
}

impl<'a> Service<'a> {
    fn new(vector: &'a Vector, time: &'a VirtualTime) -> Self {
        let (calls, sleeps) = Default::default();
        Self {
            vector,
            time,
            calls,
            sleeps,
            idle_since: RefCell::new(0),
        }
    }

    async fn call(&self, attempt: Attempt) -> Result<&'static Given, Failed> {
        self.end_pause();
        let begun = self.time.millis();
        self.calls.borrow_mut().push(json!({
            "attempt": attempt.number, "atMs": begun, "remainingMs": millis(attempt.remaining),
        }));
        let _in_flight = InFlight(self);
        let entry = entry(self.vector.list("script"), attempt.number);
        match takes(entry) {
            Some(takes) => self.time.sleep_until(begun + takes).await,
            None => pending().await,
        }
        match failed(self.vector, entry) {
            Some(error) => Err(error),
            None => Ok(Given::new(&entry["response"])),
        }
    }

    fn end_pause(&self) {
        let pause = self.time.millis() - *self.idle_since.borrow();
        if pause > 0 {
            self.sleeps.borrow_mut().push(pause);
        }
    }

    /// The calls, and the pauses between them.
    fn seen(self) -> (Json, Json) {
        self.end_pause();
        (
            self.calls.into_inner().into(),
            self.sleeps.into_inner().into(),
        )
    }
}

/// The entry of the script for an attempt; the last one is for all that follow.
fn entry(script: &[Json], attempt: u64) -> &Json {
    let index = usize::try_from(attempt).unwrap() - 1;
    &script[index.min(script.len() - 1)]
}

/// How long the call takes; none for one that hangs.
fn takes(entry: &Json) -> Option<u64> {
    entry.get("takes").and_then(Json::as_u64)
}

type Seen = &'static Given;

fn ended(vector: &Vector, end: Result<Outcome<Seen, Failed>, WaiterError<Seen, Failed>>) -> Json {
    let (ending, response, error) = match end {
        Ok(outcome) => (outcome.ending, outcome.response, outcome.error),
        Err(WaiterError::Failure(failure)) => (failure.ending, failure.response, failure.error),
        Err(other) => panic!("{other:?}"),
    };
    let response = response.map_or(Json::Null, Given::to_json);
    let error = error.map_or(Json::Null, |error| error.message().into());
    result(vector, &ending, response, error)
}

fn result(vector: &Vector, ending: &Ending, response: Json, error: Json) -> Json {
    let mut end = results::ending(ending);
    end["response"] = response;
    end["error"] = error;
    if ending.kind.is_some() {
        end["waiter"] = ending.waiter.as_deref().into();
        if vector.find("explain").is_some() {
            end["explanation"] = ending.explain().into();
        }
        return json!({ "failure": end });
    }
    // What an outcome does not tell in every language.
    for member in ["code", "message"] {
        end.as_object_mut().unwrap().remove(member);
    }
    json!({ "outcome": end })
}

/// The strategy of the same wait over the step API, and its token.
struct Asked(Option<StandardRetryStrategy>, Option<StandardRetryToken>);

impl Asked {
    fn new(vector: &Vector) -> Self {
        Self(
            vector.find("retry").map(|_| retry::strategy_of(vector)),
            None,
        )
    }

    fn pause(&mut self, error: &Failed) -> Option<Result<u64, String>> {
        let strategy = self.0.as_ref()?;
        let token = self.1.take();
        let token = token.unwrap_or_else(|| strategy.acquire_initial_token().unwrap());
        let info = error.failure().idempotent(true).classify().info;
        Some(match strategy.refresh_retry_token(token, &info) {
            Ok(token) => {
                let delay = millis(token.delay());
                self.1 = Some(token);
                Ok(delay)
            }
            Err(refused) => Err(refused.to_string()),
        })
    }

    /// Gives the token back of an attempt that is not made.
    fn release(&mut self) {
        if let (Some(strategy), Some(token)) = (&self.0, self.1.take()) {
            strategy.release_token(token);
        }
    }

    fn succeed(&mut self) {
        if let Some(strategy) = &self.0 {
            let token = self.1.take();
            let token = token.unwrap_or_else(|| strategy.acquire_initial_token().unwrap());
            strategy.record_success(token).unwrap();
        }
    }
}

/// The same wait over the step API.
fn by_hand(vector: &Vector, cancel_at: Option<u64>) -> Json {
    let (mut wait, script) = (kinds::start(vector).unwrap(), vector.list("script"));
    let cancel_at = cancel_at.unwrap_or(u64::MAX);
    let (mut now, mut response, mut error, mut failed) = (0, Json::Null, Json::Null, false);
    let mut asked = Asked::new(vector);
    let mut step = if cancel_at == 0 {
        wait.cancel(0)
    } else {
        wait.next(0).unwrap()
    };
    loop {
        let (until, came) = match step {
            Step::Done(ending) => {
                let (response, error) = match ending.kind {
                    None if failed => (Json::Null, error),
                    None => (response, Json::Null),
                    Some(_) => (response, error),
                };
                return result(vector, &ending, response, error);
            }
            Step::Sleep { delay_ms, .. } => (now + delay_ms, None),
            Step::Call {
                attempt,
                remaining_ms,
            } => {
                let entry = entry(script, attempt);
                let takes = takes(entry).unwrap_or(u64::MAX).min(remaining_ms + 1);
                let cut = takes > remaining_ms;
                (now + takes.min(remaining_ms), Some((entry, cut)))
            }
        };
        if cancel_at <= until {
            step = wait.cancel(cancel_at);
            continue;
        }
        now = until;
        step = match came {
            None => wait.next(now),
            Some((_, true)) => wait.expire(now),
            Some((entry, false)) => {
                let came = self::failed(vector, entry);
                failed = came.is_some();
                match came {
                    Some(came) => {
                        error = came.message().into();
                        let facts = came.facts();
                        let seen = Came::Failure(&facts);
                        let pause = || asked.pause(&came);
                        let step = wait.observe_or_retry(kinds::input(vector), seen, now, pause);
                        if matches!(step, Ok(Step::Done(_))) {
                            asked.release();
                        }
                        if wait
                            .latest()
                            .is_some_and(|latest| latest.acceptor.is_some())
                        {
                            asked.succeed();
                        }
                        step
                    }
                    None => {
                        response = Given::new(&entry["response"]).to_json();
                        asked.succeed();
                        kinds::observe(&mut wait, vector, entry, now)
                    }
                }
            }
        }
        .unwrap();
    }
}
