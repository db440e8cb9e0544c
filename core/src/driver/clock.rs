//! The time of one wait or request, in milliseconds since it started.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::cancel::{is_cancelled, unless_cancelled};
use super::deadline::give_way;
use super::{Attempt, BlockingRuntime, CancelToken, Runtime};
use crate::millis::whole_millis;

/// A sleep that returns before a tenth of its time, and this at most, has passed did not sleep: the rule of all languages.
const SHORTEST_SLEEP: Duration = Duration::from_millis(5);

/// A monotonic clock.
pub(super) trait Now {
    fn now(&self) -> Duration;
}

/// The clock of a runtime that is awaited.
#[derive(Debug)]
pub(super) struct Awaited<R>(pub(super) R);

/// The clock of a runtime that blocks.
#[derive(Debug)]
pub(super) struct Blocking<R>(pub(super) R);

impl<R: Runtime> Now for Awaited<R> {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

impl<R: BlockingRuntime> Now for Blocking<R> {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

/// A runtime's clock, from the start of a machine.
#[derive(Debug)]
pub(super) struct Clock<N> {
    pub(super) runtime: N,
    started: Duration,
    /// Nanoseconds that were slept without the runtime's clock advancing.
    skipped: AtomicU64,
}

impl<N: Now> Clock<N> {
    pub(super) fn start(runtime: N) -> Self {
        Self {
            started: runtime.now(),
            runtime,
            skipped: AtomicU64::new(0),
        }
    }

    pub(super) fn now_ms(&self) -> u64 {
        whole_millis(self.elapsed())
    }

    /// What a call is told of its attempt.
    pub(super) fn attempt(&self, number: u64, deadline_ms: Option<u64>) -> Attempt {
        Attempt::new(number, remaining(deadline_ms, self.now_ms()))
    }

    /// The time until a moment, which a timer may count down.
    pub(super) fn until(&self, moment_ms: u64) -> Duration {
        Duration::from_millis(moment_ms).saturating_sub(self.elapsed())
    }

    fn elapsed(&self) -> Duration {
        let skipped = Duration::from_nanos(self.skipped.load(Ordering::Relaxed));
        let passed = self.runtime.now().saturating_sub(self.started);
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

    /// Lets time pass that the runtime's clock does not show.
    pub(super) fn pass(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.skipped.fetch_add(nanos, Ordering::Relaxed);
    }
}

/// The time until a deadline; [`Duration::MAX`] if there is none.
pub(super) const fn remaining(deadline_ms: Option<u64>, now_ms: u64) -> Duration {
    match deadline_ms {
        Some(deadline) => Duration::from_millis(deadline.saturating_sub(now_ms)),
        None => Duration::MAX,
    }
}

impl<R: Runtime> Clock<Awaited<R>> {
    /// Sleeps until a moment, or until the caller cancels.
    pub(super) async fn sleep_until(&self, until_ms: u64, cancel: Option<&CancelToken>) {
        let sleep = async {
            loop {
                let (rest, before) = (self.until(until_ms), self.elapsed());
                if rest.is_zero() {
                    return;
                }
                self.runtime.0.sleep(rest).await;
                if self.skip(before, rest) {
                    give_way().await;
                }
            }
        };
        unless_cancelled(cancel, sleep).await;
    }
}

impl<R: BlockingRuntime> Clock<Blocking<R>> {
    /// Sleeps until a moment, or until the caller cancels.
    pub(super) fn sleep_until(&self, until_ms: u64, cancel: Option<&CancelToken>) {
        loop {
            let (rest, before) = (self.until(until_ms), self.elapsed());
            if rest.is_zero() || is_cancelled(cancel) {
                return;
            }
            match cancel {
                Some(token) => self.runtime.0.sleep_unless(rest, token),
                None => self.runtime.0.sleep(rest),
            }
            if !is_cancelled(cancel) {
                self.skip(before, rest);
            }
        }
    }
}
