//! Drives a wait with any events at any times. Each step follows from the one before, and the end stays the end.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use smithy_waiters::{ErrorMetadata, Event, FinalPoll, Step, WaitOptions, Waiter};

const WAITER: &str = r#"{"minDelay": 2, "maxDelay": 20, "acceptors": [
    {"state": "success", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "x"}}},
    {"state": "failure", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "y"}}},
    {"state": "retry", "matcher": {"errorType": "Missing"}}]}"#;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    max_wait: u16,
    seed: u64,
    max_attempts: Option<u8>,
    is_late: bool,
    commands: Vec<(Command<'a>, i16)>,
}

#[derive(Arbitrary, Debug)]
enum Command<'a> {
    Poll,
    Response(&'a str),
    Error(&'a str),
    Deadline,
    Cancel,
    Save,
}

fuzz_target!(|input: Input<'_>| {
    let Ok(waiter) = Waiter::from_json(WAITER) else {
        return;
    };
    let mut options = WaitOptions::new(Duration::from_secs(input.max_wait.into()));
    if let Some(attempts) = input.max_attempts {
        options = options.max_attempts(attempts.into());
    }
    if input.is_late {
        options = options.final_poll(FinalPoll::Late);
    }
    let Ok(mut wait) = waiter.start(&options, input.seed) else {
        return;
    };
    let (mut now, mut end) = (0_i64, None);
    for (command, after) in input.commands {
        now += i64::from(after);
        let at = u64::try_from(now).unwrap_or(0);
        let step = match command {
            Command::Poll => Ok(wait.poll(at)),
            Command::Response(text) => wait.handle(Event::response(&json!({"s": text})), at),
            Command::Error(code) => {
                wait.handle(Event::<&Value>::error(&ErrorMetadata::of_code(code)), at)
            }
            Command::Deadline => wait.handle(Event::<&Value>::DeadlineReached, at),
            Command::Cancel => wait.handle(Event::<&Value>::Cancelled, at),
            Command::Save => {
                if let Ok(saved) = wait.snapshot() {
                    let elapsed = saved.elapsed_ms(None);
                    let Ok(resumed) = waiter.resume(saved, elapsed) else {
                        panic!("a saved wait cannot be resumed");
                    };
                    wait = resumed;
                }
                continue;
            }
        };
        match (&end, step) {
            (Some(code), Ok(Step::Done(report))) => assert_eq!(*code, report.kind),
            (Some(_), step) => panic!("{step:?} after the end"),
            (None, Ok(Step::Done(report))) => end = Some(report.kind.clone()),
            (None, Ok(Step::Sleep { until_ms, .. })) => {
                assert!(until_ms <= u64::from(input.max_wait) * 1_000);
            }
            _ => {}
        }
    }
});
