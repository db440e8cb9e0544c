//! Runs the vectors for sleeps that return too early.

use std::cell::RefCell;
use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::Driver;
use smithy_waiters::driver::BlockingRuntime;

use crate::file::Vector;
use crate::kinds::{self, millis};
use crate::service::Failed;
use crate::values::HostValue;

/// A clock with sleeps that take a set time, at most their whole time.
struct Time<'a> {
    take: &'a [Json],
    now: RefCell<Duration>,
    sleeps: RefCell<Vec<u64>>,
}

impl BlockingRuntime for &Time<'_> {
    fn now(&self) -> Duration {
        *self.now.borrow()
    }

    fn sleep(&self, duration: Duration) {
        let mut sleeps = self.sleeps.borrow_mut();
        let takes = &self.take[sleeps.len().min(self.take.len() - 1)];
        *self.now.borrow_mut() += duration.min(Duration::from_millis(takes.as_u64().unwrap()));
        sleeps.push(millis(duration));
    }
}

pub(crate) fn run(vector: &Vector) -> Json {
    let time = Time {
        take: vector.list("sleepsTake"),
        now: RefCell::default(),
        sleeps: RefCell::default(),
    };
    let (responses, mut attempts) = (vector.list("responses"), 0);
    let call = |_| {
        attempts += 1;
        Ok::<_, Failed>(HostValue::new(
            &responses[attempts.min(responses.len()) - 1],
        ))
    };
    let (waiter, options) = (kinds::waiter(vector), kinds::options(vector).unwrap());
    let outcome = Driver::new(&time).wait_blocking(&waiter, call, options);
    let elapsed_ms = outcome.unwrap().report.elapsed_ms;
    json!({"sleeps": time.sleeps.take(), "attempts": attempts, "elapsedMs": elapsed_ms})
}
