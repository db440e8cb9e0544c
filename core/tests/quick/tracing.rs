//! The tracing events of waits.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fmt::{Debug, Write as _};
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Waker};
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Attempt, Driver, ErrorMetadata, WaitOptions, Waiter};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

/// A subscriber that records everything as lines.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn push(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Notes {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let mut line = Line(format!(
            "{} span {}",
            attributes.metadata().level(),
            attributes.metadata().name()
        ));
        // The test's calls have the target of this file.
        assert_eq!(attributes.metadata().target(), "smithy_waiters");
        attributes.record(&mut line);
        self.push(line.0);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let span = context.event_span(event).unwrap().name();
        let target = event.metadata().target();
        assert!(
            ["smithy_waiters", module_path!()].contains(&target),
            "{target}"
        );
        let mut line = Line(format!("{} in {span}", event.metadata().level()));
        event.record(&mut line);
        self.push(line.0);
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.push("closed".to_owned());
    }
}

struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {field}={value}").unwrap();
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

fn noted(run: impl FnOnce()) -> Vec<String> {
    let notes = Notes::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(notes.clone()), run);
    notes.lines()
}

fn active() -> Waiter {
    Waiter::named(
        "Active",
        r#"{"acceptors": [
            {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "active"}}},
            {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#,
    )
    .unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(60)).seed(1)
}

fn describe(attempt: Attempt) -> Result<Value, ErrorMetadata<'static>> {
    tracing::info!("called");
    match attempt.number {
        1 => Err(ErrorMetadata::of_code("Missing").message("not yet")),
        _ => Ok(json!({"s": "active"})),
    }
}

const SUCCESS: [&str; 7] = [
    "INFO span wait waiter=Active max_wait_ms=60000",
    "INFO in wait message=called",
    "INFO in wait message=attempt attempt=1 result=error state=retry acceptor=1 error=Missing: not yet started_ms=0 \
     elapsed_ms=0 remaining_ms=60000 delay_ms=2000 next_is_last=false reason=got Missing: not yet",
    "INFO in wait message=called",
    "INFO in wait message=attempt attempt=2 result=response state=success acceptor=0 started_ms=2000 elapsed_ms=2000 \
     remaining_ms=58000 next_is_last=false reason=s gave \"active\"",
    "INFO in wait message=Active reached its state after 2 s and 2 attempts attempts=2 elapsed_ms=2000 acceptor=0",
    "closed",
];

#[test]
fn a_blocking_wait_tells_of_its_attempts_and_its_end() {
    let lines = noted(|| {
        let driver = Driver::new(FakeClock::new());
        let outcome = driver.wait_blocking(&active(), describe, options());
        assert_eq!(outcome.unwrap().report.attempts, 2);
    });
    assert_eq!(lines, SUCCESS);
}

#[test]
fn an_attempt_has_the_values_that_the_options_show() {
    let lines = noted(|| {
        let driver = Driver::new(FakeClock::new());
        let outcome = driver.wait_blocking(&active(), describe, options().show(["s"]));
        assert_eq!(outcome.unwrap().report.attempts, 2);
    });
    let [first, second] = [2, 4].map(|line| lines.get(line).unwrap());
    assert!(!first.contains(" values="), "{first}");
    assert!(second.ends_with(r#" values=s: "active""#), "{second}");
}

#[test]
fn an_asynchronous_wait_tells_the_same() {
    let lines = noted(|| {
        let call = async |attempt| describe(attempt);
        let (driver, waiter) = (Driver::new(FakeClock::new()), active());
        let outcome = async_io::block_on(driver.wait(&waiter, call, options()));
        assert_eq!(outcome.unwrap().report.attempts, 2);
    });
    assert_eq!(lines, SUCCESS);
}

#[test]
fn a_failure_is_a_warning_with_its_kind() {
    let lines = noted(|| {
        let call = |_| Err::<Value, _>(ErrorMetadata::of_code("Denied"));
        let driver = Driver::new(FakeClock::new());
        driver
            .wait_blocking(&active(), call, options())
            .unwrap_err();
    });
    assert_eq!(
        lines.get(2).unwrap(),
        "WARN in wait message=Active failed after 0 s and 1 attempt: the call failed: Denied (permanent \
         unless an acceptor or `retry_errors` names it) kind=unmatched_error attempts=1 \
         elapsed_ms=0"
    );
}

#[test]
fn a_wait_that_is_dropped_says_so() {
    let lines = noted(|| {
        let waiter = active();
        let call = |_| pending::<Result<Value, ErrorMetadata<'static>>>();
        let wait = pin!(Driver::new(FakeClock::new()).wait(&waiter, call, options()));
        let pending = wait.poll(&mut Task::from_waker(Waker::noop())).is_pending();
        assert!(pending);
    });
    assert_eq!(
        lines.get(1..).unwrap(),
        ["DEBUG in wait message=dropped attempts=0", "closed"]
    );
}

#[test]
fn a_hint_is_one_warning() {
    let lines = noted(|| {
        let call = |_| Ok::<_, ErrorMetadata<'static>>(json!({"s": "ACTIVE"}));
        let driver = Driver::new(FakeClock::new());
        driver
            .wait_blocking(&active(), call, options())
            .unwrap_err();
    });
    let hints = lines.iter().filter(|line| line.contains("code="));
    let hints: Vec<_> = hints.collect();
    assert_eq!(hints.len(), 1, "{lines:#?}");
    assert!(
        hints
            .iter()
            .all(|hint| hint.starts_with("WARN in wait") && hint.ends_with("code=letter_case")),
        "{hints:?}"
    );
}
