//! Runs the vectors for several waits, and for callers of a fleet, with the drivers on a virtual clock.

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::driver::{
    CancelToken, EachOptions, FleetWaitError, Reports, SharedRateLimit, WaitersError, Waits,
};
use smithy_waiters::internal::FromHost;
use smithy_waiters::{Attempt, Driver, ErrorMetadata, FleetOptions, WaitReport};

use crate::file::Vector;
use crate::values::HostValue;
use crate::virtual_time::VirtualTime;
use crate::{kinds, service};

/// The calls of all waits, sorted by time.
#[derive(Default)]
struct Calls(Mutex<Vec<(u64, Json)>>);

impl Calls {
    fn push(&self, at: u64, call: Json) {
        self.0.lock().unwrap().push((at, call));
    }

    fn into_json(self) -> Json {
        let mut calls = self.0.into_inner().unwrap();
        calls.sort_by_key(|(at, call)| (*at, call.to_string()));
        calls.into_iter().map(|(_, call)| call).collect()
    }
}

/// Runs `wait_all` or `wait_any`.
pub(crate) fn several(vector: &Vector) -> Json {
    let (time, token, calls) = (VirtualTime::default(), CancelToken::new(), Calls::default());
    let max_wait = Duration::from_secs_f64(vector.find("maxWait").unwrap().as_f64().unwrap());
    let limit = vector.find("rate").map(limit_of);
    let parts: Vec<_> = vector
        .list("waits")
        .iter()
        .map(|wait| vector.part(wait))
        .collect();
    let waiters: Vec<_> = parts.iter().map(kinds::waiter).collect();
    let mut waits = Waits::new(&time, max_wait).cancelled_by(&token);
    for (part, waiter) in parts.iter().zip(&waiters) {
        let (calls, time, name) = (&calls, &time, part.text("name"));
        let call = move |attempt: Attempt| async move {
            let begun = time.millis();
            calls.push(begun, json!({"atMs": begun, "wait": name}));
            let entry = service::entry(part, attempt.number);
            match service::takes(entry) {
                Some(takes) => time.sleep_until(begun + takes).await,
                None => pending().await,
            }
            service::result(part, entry)
        };
        let limit = limit.as_ref();
        waits = waits.add(name, |driver, options| {
            let driver = match limit {
                Some(limit) => driver.rate_limit(limit),
                None => driver,
            };
            driver.wait(waiter, call, options.seed(1))
        });
    }
    let cancel_at = vector.find("cancelAt").and_then(Json::as_u64);
    let mut result = match vector.text("goal") {
        "all" => ends(time.run(waits.all(), cancel_at, &token)),
        _ => ends(time.run(waits.any(), cancel_at, &token)),
    };
    result["calls"] = calls.into_json();
    result
}

/// Runs a fleet and its callers.
pub(crate) fn fleet_waits(vector: &Vector) -> Json {
    let (time, calls) = (VirtualTime::default(), Calls::default());
    let takes = vector.find("takes").unwrap().as_u64().unwrap();
    let call = |ids: Vec<String>| {
        let (begun, time) = (time.millis(), &time);
        calls.push(begun, json!({"atMs": begun, "ids": ids}));
        async move {
            time.sleep_until(begun + takes).await;
            Ok::<_, ErrorMetadata<'_>>(answer(vector, &ids, begun + takes))
        }
    };
    let waiter = kinds::waiter(vector);
    let options = FleetOptions::from_host(HostValue::new(vector.find("fleet").unwrap())).unwrap();
    let limit = limit_of(vector.find("rate").unwrap_or(&json!(5)));
    let driver = Driver::new(&time).rate_limit(&limit);
    let fleet = driver.fleet(&waiter, &options, call).unwrap();
    let caller = |caller: &Json| {
        let (part, fleet, time) = (vector.part(caller), &fleet, &time);
        async move {
            let (token, at) = (CancelToken::new(), |name| {
                part.find(name).and_then(Json::as_u64)
            });
            time.sleep_until(at("at").unwrap()).await;
            let (fleet, options) = (fleet.cancelled_by(&token), kinds::options(&part).unwrap());
            let end = async {
                match part.find("wait").and_then(Json::as_str) {
                    Some(id) => only(id, fleet.wait(id, &options).await),
                    None => ends(fleet.wait_each(ids(&part), &options, each(&part)).await),
                }
            };
            let cancel_at = time.sleep_until(at("cancelAt").unwrap_or(u64::MAX));
            let (mut end, mut cancel_at) = (pin!(end), pin!(cancel_at));
            let mut end = poll_fn(|context| {
                if !token.is_cancelled() && cancel_at.as_mut().poll(context).is_ready() {
                    token.cancel();
                }
                end.as_mut().poll(context)
            })
            .await;
            end["atMs"] = time.millis().into();
            end
        }
    };
    let callers: Vec<_> = vector.list("callers").iter().map(caller).collect();
    let ends = time.run(all_of(callers), None, &CancelToken::new());
    drop(fleet);
    json!({"calls": calls.into_json(), "ends": ends})
}

fn limit_of(rate: &Json) -> SharedRateLimit {
    SharedRateLimit::new(rate.as_f64().unwrap()).unwrap()
}

fn ids(part: &Vector) -> Vec<String> {
    serde_json::from_value(part.find("waitEach").unwrap().clone()).unwrap()
}

fn each(part: &Vector) -> EachOptions {
    let fail_fast = part.find("failFast").is_some();
    let options = EachOptions::new().fail_fast(fail_fast);
    match part.find("quorum").and_then(Json::as_u64) {
        Some(quorum) => options.quorum(usize::try_from(quorum).unwrap()),
        None => options,
    }
}

/// Returns an answer with the states at a time. Unknown volumes are omitted.
fn answer(vector: &Vector, ids: &[String], at: u64) -> Json {
    let state = |id: &String| {
        let states = vector.find("states").unwrap().get(id)?.as_array()?;
        let began = |state: &&Json| state[0].as_u64().unwrap() <= at;
        Some(json!({"VolumeId": id, "State": states.iter().rfind(began)?[1]}))
    };
    json!({"Volumes": ids.iter().filter_map(state).collect::<Vec<_>>()})
}

fn only(id: &str, ended: Result<Arc<WaitReport>, FleetWaitError>) -> Json {
    let one = |report| [(id.to_owned(), report)];
    match ended {
        Ok(report) => json!({"outcomes": shown(&one(report))}),
        Err(FleetWaitError::Failed(report)) => json!({"failures": shown(&one(report))}),
        Err(error) => panic!("{error}"),
    }
}

fn ends(ended: Result<Reports, WaitersError>) -> Json {
    let message = ended.as_ref().err().map(ToString::to_string);
    match ended {
        Ok(outcomes) => json!({"outcomes": shown(&outcomes)}),
        Err(WaitersError::Failed { failures, outcomes }) => json!({
            "failures": shown(&failures), "outcomes": shown(&outcomes), "message": message,
        }),
        Err(error) => panic!("{error}"),
    }
}

fn shown<'r>(reports: impl IntoIterator<Item = &'r (String, Arc<WaitReport>)>) -> Json {
    let shown = |(name, report): &(String, Arc<WaitReport>)| {
        let mut shown = json!({"attempts": report.attempts, "elapsedMs": report.elapsed_ms});
        if let Some(kind) = report.kind {
            shown["code"] = kind.code().into();
        }
        (name.clone(), shown)
    };
    reports
        .into_iter()
        .map(shown)
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Returns the outputs of all futures.
async fn all_of<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    let mut outputs: Vec<Option<F::Output>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, output) in futures.iter_mut().zip(&mut outputs) {
            if output.is_none()
                && let Poll::Ready(ended) = future.as_mut().poll(context)
            {
                *output = Some(ended);
            }
        }
        if outputs.iter().all(Option::is_some) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
