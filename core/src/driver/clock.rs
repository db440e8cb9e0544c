//! The time of one wait or request, in milliseconds since it started.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::cancel::CancelToken;
use crate::millis::whole_millis;

/// A sleep that returns before a tenth of its time, and this at most, has passed did not sleep: the rule of all languages.
const SHORTEST_SLEEP: Duration = Duration::from_millis(5);

/// A clock and a sleep, and a rule for calls that take too long.
pub(super) trait Host: Sized {
    fn now(&self) -> Duration;

    /// Sleeps for so long, or until the caller cancels.
    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>);

    /// Lets other tasks run.
    async fn give_way(&self);

    /// Returns the output of a call, or `None` if it was cut at its deadline or by the caller.
    async fn call<F: Future>(
        clock: &Clock<Self>,
        deadline_ms: Option<u64>,
        call: F,
    ) -> Option<F::Output>;
}

/// A host's clock, from the start of a machine, and the caller's means to cancel.
#[derive(Debug)]
pub(super) struct Clock<H> {
    pub(super) host: H,
    pub(super) cancel: Option<CancelToken>,
    started: Duration,
    /// Nanoseconds that were slept without the host's clock advancing.
    skipped: AtomicU64,
}

impl<H: Host> Clock<H> {
    pub(super) fn start(host: H, cancel: Option<CancelToken>) -> Self {
        Self {
            started: host.now(),
            host,
            cancel,
            skipped: AtomicU64::new(0),
        }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    pub(super) fn now_ms(&self) -> u64 {
        whole_millis(self.elapsed())
    }

    /// The time until a moment, which a timer may count down.
    pub(super) fn until(&self, moment_ms: u64) -> Duration {
        Duration::from_millis(moment_ms).saturating_sub(self.elapsed())
    }

    /// Sleeps until a moment, or until the caller cancels.
    pub(super) async fn sleep_until(&self, moment_ms: u64) {
        loop {
            let (rest, before) = (self.until(moment_ms), self.elapsed());
            if rest.is_zero() || self.is_cancelled() {
                return;
            }
            self.host.sleep(rest, self.cancel.as_ref()).await;
            if !self.is_cancelled() && self.skip(before, rest) {
                self.host.give_way().await;
            }
        }
    }

    /// Lets time pass that the host's clock does not show.
    pub(super) fn pass(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.skipped.fetch_add(nanos, Ordering::Relaxed);
    }

    fn elapsed(&self) -> Duration {
        let skipped = Duration::from_nanos(self.skipped.load(Ordering::Relaxed));
        let passed = self.host.now().saturating_sub(self.started);
        passed.saturating_add(skipped)
    }

    /// Counts a sleep that returned at once as slept, as a test's own sleep may do: the time it was for passes. Returns whether
    /// it did. An early wake-up after a part of the time is slept again.
    fn skip(&self, before: Duration, rest: Duration) -> bool {
        let passed = self.elapsed().saturating_sub(before);
        if passed >= SHORTEST_SLEEP.min(rest.mul_f32(0.1)) {
            return false;
        }
        self.pass(rest.saturating_sub(passed));
        true
    }
}

/// The time until a deadline; [`Duration::MAX`] if there is none.
pub(super) const fn remaining(deadline_ms: Option<u64>, now_ms: u64) -> Duration {
    match deadline_ms {
        Some(deadline) => Duration::from_millis(deadline.saturating_sub(now_ms)),
        None => Duration::MAX,
    }
}
