//! A clock that stands still until everything waits for it.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use smithy_waiters::driver::Runtime;

use crate::kinds::millis;

/// Virtual milliseconds, and the earliest moment that a sleep waits for.
#[derive(Debug, Default)]
pub(crate) struct VirtualTime {
    state: Mutex<(u64, Option<u64>)>,
}

impl VirtualTime {
    pub(crate) fn millis(&self) -> u64 {
        self.state.lock().unwrap().0
    }

    pub(crate) fn sleep_until(&self, moment: u64) -> impl Future<Output = ()> + Send {
        poll_fn(move |_| {
            let mut state = self.state.lock().unwrap();
            if state.0 >= moment {
                return Poll::Ready(());
            }
            state.1 = Some(state.1.map_or(moment, |earliest| earliest.min(moment)));
            Poll::Pending
        })
    }

    /// What the future gives; nothing where it still waits at `end`: it is dropped then.
    pub(crate) fn run<F: Future>(&self, future: F, end: u64) -> Option<F::Output> {
        let mut future = pin!(future);
        while self.millis() < end {
            self.state.lock().unwrap().1 = None;
            if let Poll::Ready(output) = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                return Some(output);
            }
            let mut state = self.state.lock().unwrap();
            state.0 = state.1.unwrap_or(u64::MAX).min(end);
        }
        None
    }
}

impl Runtime for &VirtualTime {
    fn now(&self) -> Duration {
        Duration::from_millis(self.millis())
    }

    fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        self.sleep_until(self.millis() + millis(duration))
    }
}
