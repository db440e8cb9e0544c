//! Uses the crate on wasm: the engine step by step, and an asynchronous wait for a derived response. A failed assertion
//! traps.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::time::Duration;

use serde_json::json;
use smithy_waiters::{Event, Step, WaitOptions, Waiter};

fn main() {
    by_steps();
    driver::on_an_executor_of_the_host();
}

fn table_exists() -> Waiter {
    Waiter::from_json(
        r#"{"acceptors": [{"state": "success", "matcher": {"output": {
            "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}}]}"#,
    )
    .unwrap()
}

fn options() -> WaitOptions {
    WaitOptions::new(Duration::from_secs(60)).seed(1)
}

fn by_steps() {
    let mut wait = table_exists().start(&options(), 1).unwrap();
    assert!(matches!(wait.poll(0), Step::Call { attempt: 1, .. }));
    let response = json!({"Table": {"TableStatus": "ACTIVE"}});
    let step = wait.handle(Event::response(&response), 3);
    let Step::Done(report) = step.unwrap() else {
        panic!("a success ends the wait")
    };
    assert_eq!((report.kind, report.elapsed_ms), (None, 3));
}

mod driver {
    use std::future::{Future, ready};
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use smithy_waiters::testing::FakeClock;
    use smithy_waiters::{Attempt, Driver, ErrorMetadata, Response};

    use super::{options, table_exists};

    #[derive(Response)]
    #[waiter(rename_all = "PascalCase")]
    struct Output {
        table: Table,
    }

    #[derive(Response)]
    #[waiter(rename_all = "PascalCase")]
    struct Table {
        table_status: &'static str,
    }

    pub(super) fn on_an_executor_of_the_host() {
        let (clock, waiter) = (FakeClock::new(), table_exists());
        let call = |attempt: Attempt| {
            let table_status = if attempt.number < 3 {
                "CREATING"
            } else {
                "ACTIVE"
            };
            let table = Table { table_status };
            ready(Ok::<_, ErrorMetadata<'static>>(Output { table }))
        };
        let mut wait = pin!(Driver::new(clock.clone()).wait(&waiter, call, options()));
        let outcome = loop {
            if let Poll::Ready(ended) = wait.as_mut().poll(&mut Context::from_waker(Waker::noop()))
            {
                break ended;
            }
        };
        let attempts = outcome.map(|outcome| outcome.report.attempts);
        assert!(matches!(attempts, Ok(3)));
        assert_eq!(clock.sleeps().len(), 2);
    }
}
