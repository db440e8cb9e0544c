//! Runs the vectors for whole waits, with a scripted service, the driver and a virtual clock.

use std::error::Error;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::OperationError;
use smithy_waiters::{AttemptResult, Event, FailureKind, Step, WaitReport};
use smithy_waiters::{Driver, Outcome, WaiterError};

use crate::file::Vector;
use crate::service::{self, Failed, Service};
use crate::values::HostValue;
use crate::{kinds, results};

/// Runs the vector with the driver and with the step API, and checks that the results are equal.
pub(crate) fn run(vector: &Vector) -> Json {
    let service = Service::new(vector);
    let mut result = ended(vector, driven(vector, &service));
    assert_eq!(
        result,
        by_hand(vector),
        "`{}`: the driver and the step API differ",
        vector.id()
    );
    service.add_to(&mut result);
    result
}

/// Returns the JSON text of the end of a wait.
pub(crate) fn json(vector: &Vector) -> Json {
    let text = match driven(vector, &Service::new(vector)) {
        Ok(outcome) => serde_json::to_string(&outcome),
        Err(failure) => serde_json::to_string(&failure),
    };
    json!({"text": text.unwrap()})
}

type Data = &'static HostValue;
type End = Result<Outcome<Data, Failed>, WaiterError<Data, Failed>>;

/// Runs the wait with the driver.
fn driven(vector: &Vector, service: &Service<'_>) -> End {
    let (waiter, options) = (kinds::waiter(vector), kinds::options(vector).unwrap());
    let driver = Driver::new(&service.time)
        .input(kinds::input(vector))
        .cancelled_by(&service.token);
    service.run(driver.wait(&waiter, |attempt| service.call(attempt), options))
}

fn ended(vector: &Vector, end: End) -> Json {
    let (report, response, error, source) = match end {
        Ok(Outcome { result, report, .. }) => match result {
            Ok(response) => (report, Some(response), None, Json::Null),
            Err(error) => (report, None, Some(error), Json::Null),
        },
        Err(WaiterError::Failure(failure)) => {
            let source = failure.source().map(ToString::to_string);
            (
                failure.report,
                failure.response,
                failure.error,
                source.into(),
            )
        }
        Err(other) => panic!("{other:?}"),
    };
    let response = response.map_or(Json::Null, HostValue::to_json);
    let error = error.map_or(Json::Null, |error| error.message.into());
    result(vector, &report, response, error, source)
}

/// Returns the outcome, or the failure with its cause. The cause of a cancelled wait depends on the host.
fn result(vector: &Vector, report: &WaitReport, response: Json, error: Json, cause: Json) -> Json {
    let mut end = results::report(report);
    // Drivers report it in seconds, which other tests check.
    end.as_object_mut().unwrap().remove("noticedWithinMs");
    end["response"] = response;
    end["error"] = error;
    let members = end.as_object_mut().unwrap();
    members.remove("lastResult");
    let Some(kind) = report.kind else {
        // Members that outcomes do not have in all languages.
        members.remove("code");
        members.remove("message");
        return json!({ "outcome": end });
    };
    end["waiter"] = report.waiter.as_deref().into();
    end["cause"] = match kind {
        FailureKind::Cancelled => Json::Null,
        _ => cause,
    };
    if vector.find("explain").is_some() {
        end["explanation"] = report.explain().into();
    }
    json!({ "failure": end })
}

/// Runs the wait with the step API.
fn by_hand(vector: &Vector) -> Json {
    let mut wait = kinds::start(vector).unwrap();
    let cancel_at = vector.find("cancelAt").and_then(Json::as_u64);
    let cancel_at = cancel_at.unwrap_or(u64::MAX);
    let (mut now, mut response, mut error) = (0, Json::Null, Json::Null);
    let mut step = match cancel_at {
        0 => wait.handle(Event::cancelled(), 0).unwrap(),
        _ => wait.poll(0),
    };
    loop {
        let (until, call) = match step {
            Step::Done(report) => {
                let by_error = report.last_result == Some(AttemptResult::Error);
                let cause = if by_error { error.clone() } else { Json::Null };
                // A success contains the matched result, and a failure the latest response and error.
                let (response, error) = match (report.kind, by_error) {
                    (None, true) => (Json::Null, error),
                    (None, false) => (response, Json::Null),
                    (Some(_), _) => (response, error),
                };
                return result(vector, &report, response, error, cause);
            }
            Step::Sleep { until_ms, .. } => (until_ms, None),
            Step::Call {
                attempt,
                deadline_ms,
            } => {
                let entry = service::entry(vector, attempt);
                let ends = service::takes(entry).map_or(u64::MAX, |takes| now + takes);
                let deadline = deadline_ms.unwrap_or(u64::MAX);
                (ends.min(deadline), Some((entry, ends > deadline)))
            }
        };
        if cancel_at <= until {
            step = wait.handle(Event::cancelled(), cancel_at).unwrap();
            continue;
        }
        now = until;
        step = match call {
            None => wait.poll(now),
            Some((_, true)) => wait.handle(Event::deadline_reached(), now).unwrap(),
            Some((entry, false)) => {
                let result = service::result(vector, entry);
                match &result {
                    Err(failed) => error = failed.message.clone().into(),
                    Ok(given) => response = given.to_json(),
                }
                if entry.get("cancels").is_some() {
                    step = wait.handle(Event::cancelled(), now).unwrap();
                    continue;
                }
                match result {
                    Err(failed) => {
                        let event: Event<'_, Data> = Event::Error {
                            error: &failed.metadata(),
                            transient: failed.failure().transient(now),
                        };
                        wait.handle(event, now).unwrap()
                    }
                    Ok(_) => kinds::handle(&mut wait, vector, entry, now).unwrap(),
                }
            }
        };
    }
}
