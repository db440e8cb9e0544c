//! Reads any text as a definition, and starts a wait with what is valid.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use smithy_waiters::{Event, WaitOptions, Waiter};

fuzz_target!(|text: &str| {
    let mut waiters: Vec<Waiter> = Waiter::from_json(text).into_iter().collect();
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        waiters.extend(Waiter::from_value(&value, Some("Name")));
    }
    for waiter in waiters {
        let Ok(mut wait) = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 1) else {
            continue;
        };
        wait.poll(0);
        let _ = wait.handle(Event::response(&serde_json::json!({"a": [{"b": "x"}]})), 1);
    }
});
