//! Compares the component in wasmtime with the native engine. Both parse the same JSON text. Prints one figure per line, as the project's other
//! benchmarks do.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use exports::smithy::waiters::wait::{Event, Options, ResponseEvent};
use exports::smithy::waiters::waiter::Observation;
use serde_json::{Value as Json, json};
use smithy_waiters::{WaitOptions, Waiter};
use wasmtime::component::{Component, Linker, ResourceAny, bindgen};
use wasmtime::{Engine as Wasmtime, Store};

bindgen!({ path: "../wit", world: "engine" });

const DEFINITION: &str = r#"{"acceptors": [
    {"state": "failure", "matcher": {"output": {"path": "failures[].reason", "comparator": "anyStringEquals", "expected": "MISSING"}}},
    {"state": "success", "matcher": {"output": {"path": "tasks[].lastStatus", "comparator": "allStringEquals", "expected": "STOPPED"}}}]}"#;

/// The duration of the measurement of each case.
const TURNS: u32 = 15;
const TURN: Duration = Duration::from_millis(60);

fn main() -> Result<()> {
    let path = std::env::args().nth(1).context("missing argument: path of the component")?;
    let bytes = std::fs::read(&path)?;
    let runtime = Wasmtime::default();
    let compiling = Instant::now();
    let component = Component::new(&runtime, &bytes).map_err(|error| anyhow!("{error:?}"))?;
    print("compilation by wasmtime", compiling.elapsed());
    let linker = Linker::new(&runtime);
    let mut store = Store::new(&runtime, ());
    let instantiating = Instant::now();
    let engine = Engine::instantiate(&mut store, &component, &linker).map_err(|error| anyhow!("{error:?}"))?;
    print("instantiation in wasmtime", instantiating.elapsed());
    let waiters = engine.smithy_waiters_waiter();
    let made = waiters.waiter().call_from_definition(&mut store, &DEFINITION.to_owned(), None);
    let waiter = made.map_err(|error| anyhow!("{error:?}"))?.map_err(|error| anyhow!("{error:?}"))?;
    let native = Waiter::from_json(DEFINITION)?;
    for items in [1, 100, 1_000] {
        let text = response(items);
        let evaluations = measure(&mut [
            &mut || {
                let value: Json = serde_json::from_str(&text)?;
                black_box(native.evaluate(&Json::Null, smithy_waiters::Observation::Response(&value)));
                Ok(())
            },
            &mut || evaluate(&engine, &mut store, waiter, &text),
        ])?;
        report("evaluate", items, &evaluations);
        let mut wait = native.start(&WaitOptions::limited_by_attempts(u64::from(u32::MAX)).history_limit(0), 7)?;
        let resource = start(&engine, &mut store, waiter)?;
        let (mut now, mut other) = (0, 0);
        let polls = measure(&mut [
            &mut || {
                now += 200_000;
                wait.poll(now);
                let value: Json = serde_json::from_str(&text)?;
                black_box(wait.handle(smithy_waiters::Event::response(&value), now)?);
                Ok(())
            },
            &mut || {
                other += 200_000;
                poll(&engine, &mut store, resource, &text, other)
            },
        ])?;
        report("poll and handle", items, &polls);
    }
    Ok(())
}

fn evaluate(engine: &Engine, store: &mut Store<()>, waiter: ResourceAny, text: &str) -> Result<()> {
    let observation = Observation::Response(text.to_owned());
    let verdict = engine.smithy_waiters_waiter().waiter().call_evaluate(store, waiter, &observation, None);
    black_box(verdict.map_err(|error| anyhow!("{error:?}"))?.map_err(|error| anyhow!("{error:?}"))?);
    Ok(())
}

fn start(engine: &Engine, store: &mut Store<()>, waiter: ResourceAny) -> Result<ResourceAny> {
    let options = Options {
        max_wait: None, deadline: None, attempt_timeout: None, min_delay: None, max_delay: None,
        max_attempts: Some(u64::from(u32::MAX)), initial_delay: None, history_limit: Some(0), pace: None, final_poll: None,
        transient_errors: None, transient_window: None, not_found_for: None, same: None, left: None, left_else: None, left_within: None,
        at_least: Vec::new(), successes: None, stable_for: None, label: None, redact: Vec::new(), show: Vec::new(), seed: 7,
    };
    let wait = engine.smithy_waiters_waiter().waiter().call_start(store, waiter, &options, None);
    wait.map_err(|error| anyhow!("{error:?}"))?.map_err(|error| anyhow!("{error:?}"))
}

fn poll(engine: &Engine, store: &mut Store<()>, wait: ResourceAny, text: &str, now: u64) -> Result<()> {
    let waits = engine.smithy_waiters_wait().wait();
    waits.call_poll(&mut *store, wait, now).map_err(|error| anyhow!("{error:?}"))?;
    let event = Event::Response(ResponseEvent { value: text.to_owned(), not_before: None });
    let step = waits.call_handle(store, wait, &event, now).map_err(|error| anyhow!("{error:?}"))?;
    black_box(step.map_err(|error| anyhow!("{error:?}"))?);
    Ok(())
}

/// Creates a response with tasks of which the last one is running.
fn response(items: usize) -> String {
    let task = |index| json!({"taskArn": format!("arn:aws:ecs:eu-west-1:1:task/{index}"), "lastStatus": "STOPPED", "cpu": "256", "containers": []});
    let mut tasks: Vec<Json> = (0..items).map(task).collect();
    if let Some(last) = tasks.last_mut() {
        last["lastStatus"] = "RUNNING".into();
    }
    json!({"tasks": tasks, "failures": []}).to_string()
}

type Case<'a> = &'a mut dyn FnMut() -> Result<()>;

/// Returns the median time of a call of the component and of the native engine, measured in turns.
fn measure(contestants: &mut [Case<'_>]) -> Result<Vec<Duration>> {
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..TURNS {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let (started, mut calls) = (Instant::now(), 0);
            while started.elapsed() < TURN {
                contestant()?;
                calls += 1;
            }
            times.push(started.elapsed() / calls);
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    Ok(times.iter_mut().map(median).collect())
}

fn report(case: &str, items: usize, times: &[Duration]) {
    let [native, component] = times else { return };
    let (native, component) = (native.as_nanos(), component.as_nanos());
    let case = format!("{case}, wasmtime");
    println!("{}", json!({"case": case, "size": format!("{items} tasks"), "engine": component, "native": native}));
}

fn print(case: &str, time: Duration) {
    println!("{}", json!({"case": case, "engine": time.as_nanos()}));
}
