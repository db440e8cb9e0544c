use std::{thread, time::Duration, time::Instant};

use exports::smithy::waiters::wait::{Event, Options, ResponseEvent, Step};
use wasmtime::component::{Component, Linker, bindgen};
use wasmtime::{Store, error::Context};

bindgen!({ path: "../wit", world: "engine" });

fn main() -> wasmtime::Result<()> {
    let runtime = wasmtime::Engine::default();
    let component = Component::from_file(&runtime, "component/dist/smithy-waiters.wasm")?;
    let mut store = Store::new(&runtime, ());
    // The linker is empty because the component imports nothing.
    let engine = Engine::instantiate(&mut store, &component, &Linker::new(&runtime))?;
    let (waiters, waits) = (engine.smithy_waiters_waiter(), engine.smithy_waiters_wait());

    let short_form = r#"{"expression": "Table.TableStatus", "expected": "ACTIVE", "pending": ["CREATING"]}"#;
    let table_active = waiters.waiter().call_until(&mut store, &short_form.to_owned())?.ok().context("the waiter")?;
    let options = Options { max_wait: Some(300.0), min_delay: Some(0.1), max_delay: Some(0.1), ..options(7) };
    let wait = waiters.waiter().call_start(&mut store, table_active, &options, None)?.ok().context("the options")?;

    // Stands for a client.
    let mut statuses = ["CREATING", "ACTIVE"].into_iter();
    let started = Instant::now();
    let now = || u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut step = waits.wait().call_poll(&mut store, wait, 0)?;
    let report = loop {
        step = match step {
            Step::Call(_) => {
                let value = format!(r#"{{"Table": {{"TableStatus": "{}"}}}}"#, statuses.next().unwrap_or_default());
                let event = Event::Response(ResponseEvent { value, not_before: None });
                waits.wait().call_handle(&mut store, wait, &event, now())?.ok().context("the event")?
            }
            Step::Sleep(sleep) => {
                thread::sleep(Duration::from_millis(sleep.until.saturating_sub(now())));
                waits.wait().call_poll(&mut store, wait, now())?
            }
            Step::Done(report) => break report,
        };
    };
    println!("active after {} attempts: {}", report.attempts, report.message);
    Ok(())
}

/// Returns options with a seed only.
fn options(seed: u64) -> Options {
    Options {
        max_wait: None, deadline: None, attempt_timeout: None, min_delay: None, max_delay: None, max_attempts: None,
        initial_delay: None, history_limit: None, pace: None, final_poll: None, transient_errors: None,
        transient_window: None, not_found_for: None, same: None, left: None, left_else: None, left_within: None,
        at_least: Vec::new(), successes: None, stable_for: None, label: None, redact: Vec::new(), show: Vec::new(), seed,
    }
}
