//! A clock that advances only when the program is idle.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use smithy_waiters::driver::{CancelToken, Runtime};

use crate::kinds::millis;

/// Virtual milliseconds, and the earliest time for which a sleep waits.
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

    /// Runs a future and returns its output. The caller may cancel it at a given time.
    pub(crate) fn run<F: Future>(
        &self,
        future: F,
        cancel_at: Option<u64>,
        token: &CancelToken,
    ) -> F::Output {
        let (mut future, woken) = (pin!(future), Arc::new(Woken::default()));
        let waker = Waker::from(Arc::clone(&woken));
        loop {
            if cancel_at.is_some_and(|moment| self.millis() >= moment) {
                token.cancel();
            }
            self.state.lock().unwrap().1 = None;
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
            if woken.0.swap(false, Ordering::Relaxed) {
                continue;
            }
            let cancelled_at = cancel_at.filter(|_| !token.is_cancelled());
            let mut state = self.state.lock().unwrap();
            let next = state.1.into_iter().chain(cancelled_at).min();
            state.0 = next.unwrap();
        }
    }
}

/// A waker that records whether the future must be polled again at the same time.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
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
