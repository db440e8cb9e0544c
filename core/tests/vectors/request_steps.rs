//! Runs the state machine of a request and its retries step by step.

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    FailedAttempt, Request, RequestEvent, RequestOptions, RequestReport, RequestStep, RetryEnd,
    RetryQuota, RetryRefusal, StandardRetryStrategy,
};
use smithy_waiters::{OptionsError, StateError};

use crate::file::Vector;
use crate::values::HostValue;
use crate::{kinds, results, retry};

pub(crate) fn run(vector: &Vector) -> Json {
    let strategy = vector.find("retry").map(|_| retry::strategy_of(vector));
    let mut request = match request(vector, strategy.clone()) {
        Ok(request) => request,
        Err(error) => return results::options_error(&error),
    };
    let commands = vector.list("commands").iter();
    let steps: Json = commands
        .map(|command| step(take(&mut request, command)))
        .collect();
    // Dropping the request returns the token of a pending attempt, so read the quota first.
    let available = strategy.as_ref().and_then(|strategy| strategy.quota());
    json!({"steps": steps, "available": available.map(RetryQuota::available)})
}

fn request(
    vector: &Vector,
    strategy: Option<StandardRetryStrategy>,
) -> Result<Request, OptionsError> {
    let given =
        ["idempotent", "maxTime"].map(|name| Some((name.to_owned(), vector.find(name)?.clone())));
    let given = Json::Object(given.into_iter().flatten().collect());
    let mut options = RequestOptions::from_host(HostValue::new(&given))?;
    if vector.find("policy").is_some() {
        options = options.with_policy();
    }
    Ok(match strategy {
        Some(strategy) => Request::new(strategy, options),
        None => Request::with_outside_strategy(seconds(&vector.json()["firstDelay"]), options),
    })
}

fn take(request: &mut Request, command: &Json) -> Result<RequestStep, StateError> {
    let now = kinds::now_of(command)?;
    if command.get("poll").is_some() {
        return Ok(request.poll(now));
    }
    let failure = request.classify(match command.get("failure") {
        Some(failure) => FailedAttempt::Error(retry::failure(failure)),
        None => FailedAttempt::Response,
    });
    let has = |member| command.get(member).is_some();
    let event = if has("success") {
        RequestEvent::Success
    } else if has("failed") {
        RequestEvent::Failure
    } else if has("deadlineReached") {
        RequestEvent::DeadlineReached
    } else if has("cancelled") {
        RequestEvent::Cancelled
    } else if let Some(granted) = command.get("granted") {
        RequestEvent::Decided(&failure, Ok(seconds(granted)))
    } else if let Some(refused) = command.get("refused") {
        RequestEvent::Decided(&failure, Err(refusal(refused)))
    } else {
        RequestEvent::Retry(&failure)
    };
    request.handle(event, now)
}

fn seconds(given: &Json) -> Duration {
    Duration::from_secs_f64(given.as_f64().unwrap())
}

fn refusal(given: &Json) -> RetryRefusal {
    let text = |member: &str| given[member].as_str().unwrap().to_owned();
    RetryRefusal::Other {
        code: text("code"),
        message: text("message"),
    }
}

fn step(step: Result<RequestStep, StateError>) -> Json {
    match step {
        Ok(RequestStep::Call {
            attempt,
            deadline_ms,
        }) => json!({"type": "call", "attempt": attempt, "deadlineMs": deadline_ms}),
        Ok(RequestStep::Sleep { until_ms }) => json!({"type": "sleep", "untilMs": until_ms}),
        Ok(RequestStep::Done(RequestReport { attempts, end, .. })) => json!({
            "type": "done", "attempts": attempts, "end": end.as_ref().map(RetryEnd::code),
            "message": end.as_ref().map(ToString::to_string),
        }),
        Err(error) => results::state_error(&error),
    }
}
