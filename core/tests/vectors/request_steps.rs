//! Runs the state machine of a request and its retries step by step.

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::{
    FailedAttempt, Request, RequestEvent, RequestOptions, RequestReport, RequestStep, RetryEnd,
    RetryQuota, StandardRetryStrategy, StandardRetryToken,
};
use smithy_waiters::{OptionsError, StateError};

use crate::file::Vector;
use crate::values::HostValue;
use crate::{kinds, results, retry};

pub(crate) fn run(vector: &Vector) -> Json {
    let strategy = vector.find("retry").map(|_| retry::strategy_of(vector));
    let mut request = match request(vector) {
        Ok(request) => request,
        Err(error) => return results::options_error(&error),
    };
    let mut token = None;
    let commands = vector.list("commands").iter();
    let steps: Json = commands
        .map(|command| step(take(&mut request, strategy.as_ref(), &mut token, command)))
        .collect();
    let available = strategy.as_ref().and_then(|strategy| strategy.quota());
    json!({"steps": steps, "available": available.map(RetryQuota::available)})
}

pub(crate) fn request(vector: &Vector) -> Result<Request, OptionsError> {
    let given =
        ["idempotent", "maxTime"].map(|name| Some((name.to_owned(), vector.find(name)?.clone())));
    let given = Json::Object(given.into_iter().flatten().collect());
    let mut options = RequestOptions::from_host(HostValue::new(&given))?;
    if vector.find("policy").is_some() {
        options = options.with_policy();
    }
    Ok(Request::new(options))
}

/// Executes a command, and the steps of the standard strategy after it.
pub(crate) fn take(
    request: &mut Request,
    strategy: Option<&StandardRetryStrategy>,
    token: &mut Option<StandardRetryToken>,
    command: &Json,
) -> Result<RequestStep, StateError> {
    let now = kinds::now_of(command)?;
    let mut step = execute(request, command, now)?;
    if let Some(strategy) = strategy {
        while let Some(event) = step.strategy_event(strategy, token) {
            step = request.handle(event, now)?;
        }
    }
    Ok(step)
}

fn execute(request: &mut Request, command: &Json, now: u64) -> Result<RequestStep, StateError> {
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
    } else if let Some(delay) = command.get("token") {
        RequestEvent::Token(Duration::from_secs_f64(delay.as_f64().unwrap()))
    } else if let Some(refused) = command.get("refused") {
        RequestEvent::Refused(retry::refusal(refused).into())
    } else if has("returned") {
        RequestEvent::Returned
    } else {
        RequestEvent::Retry(&failure)
    };
    request.handle(event, now)
}

fn step(step: Result<RequestStep, StateError>) -> Json {
    match step {
        Ok(RequestStep::Acquire) => json!({"type": "acquire"}),
        Ok(RequestStep::Refresh(_)) => json!({"type": "refresh"}),
        Ok(RequestStep::Record) => json!({"type": "record"}),
        Ok(RequestStep::Release) => json!({"type": "release"}),
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
