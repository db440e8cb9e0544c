//! The clock of one wait or request, in milliseconds since its start.

use std::future::Future;
use std::time::Duration;

use super::cancel::CancelToken;
use crate::millis::{has_slept, whole_millis};
use crate::sync::atomic::{AtomicU64, Ordering};

/// A clock and a sleep, and the deadline of calls.
pub(super) trait Host: Sized {
    /// `true` if a caller of a fleet that polls for all may stop without an end, because nobody polls its future.
    const LEADER_CAN_STALL: bool;

    fn now(&self) -> Duration;

    /// Sleeps for `time` or until `cancel` is cancelled.
    async fn sleep(&self, time: Duration, cancel: Option<&CancelToken>);

    /// Yields to other tasks.
    async fn yield_now(&self);

    /// Waits until `changed` resolves or until a time, for the caller of a fleet that polls for all. `calls` are in flight.
    async fn pause<F: Future<Output = ()>>(
        clock: &Clock<Self>,
        until_ms: Option<u64>,
        calls: usize,
        changed: F,
    );

    /// Waits until `changed` resolves or until a time, for a caller of a fleet for which another one polls.
    async fn follow<F: Future<Output = ()>>(clock: &Clock<Self>, until_ms: Option<u64>, changed: F);

    /// Returns the output of a call, or `None` if the call was interrupted at its deadline or cancelled.
    async fn call<F: Future>(
        clock: &Clock<Self>,
        deadline_ms: Option<u64>,
        call: F,
    ) -> Option<F::Output>;
}

/// A host's clock that starts with a wait or a request, and the caller's token.
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
            // Times are relative to the start, so that a runtime may count from any moment.
            started: host.now(),
            ..Self::of_host(host, cancel)
        }
    }

    /// Returns a clock whose times are those of the host, which the users of a rate limit share.
    pub(super) const fn of_host(host: H, cancel: Option<CancelToken>) -> Self {
        Self {
            host,
            cancel,
            started: Duration::ZERO,
            skipped: AtomicU64::new(0),
        }
    }

    /// Returns the time of the host's clock at a time of this clock, in milliseconds.
    pub(super) fn host_ms(&self, moment_ms: u64) -> u64 {
        whole_millis(self.started).saturating_add(moment_ms)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    pub(super) fn now_ms(&self) -> u64 {
        whole_millis(self.elapsed())
    }

    /// Returns the time from now until `moment_ms`, or zero if it has passed.
    pub(super) fn until(&self, moment_ms: u64) -> Duration {
        Duration::from_millis(moment_ms).saturating_sub(self.elapsed())
    }

    /// Sleeps until `moment_ms` or until the caller cancels.
    pub(super) async fn sleep_until(&self, moment_ms: u64) {
        self.sleep_unless(moment_ms, self.cancel.as_ref()).await;
    }

    /// Sleeps until `moment_ms` or until `cancel` is cancelled.
    pub(super) async fn sleep_unless(&self, moment_ms: u64, cancel: Option<&CancelToken>) {
        let is_cancelled = || cancel.is_some_and(CancelToken::is_cancelled);
        loop {
            let (rest, before) = (self.until(moment_ms), self.elapsed());
            if rest.is_zero() || is_cancelled() {
                return;
            }
            self.host.sleep(rest, cancel).await;
            if !is_cancelled() && self.skip(before, rest) {
                self.host.yield_now().await;
            }
        }
    }

    /// Advances this clock without the host's clock.
    pub(super) fn pass(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.skipped.fetch_add(nanos, Ordering::Relaxed);
    }

    fn elapsed(&self) -> Duration {
        let skipped = Duration::from_nanos(self.skipped.load(Ordering::Relaxed));
        // A third-party clock can go backwards.
        let passed = self.host.now().saturating_sub(self.started);
        passed.saturating_add(skipped)
    }

    /// Advances the clock over a sleep that returned immediately, as the stubbed sleep of a test may do.
    ///
    /// Returns `true` if it did. Returns `false` after an early wake-up, and the caller sleeps again for the rest.
    fn skip(&self, before: Duration, rest: Duration) -> bool {
        let passed = self.elapsed().saturating_sub(before);
        let in_ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        if has_slept(in_ms(passed), in_ms(rest)) {
            return false;
        }
        self.pass(rest.saturating_sub(passed));
        true
    }
}

/// Returns the time until a deadline, or [`Duration::MAX`] without a deadline.
pub(super) const fn remaining(deadline_ms: Option<u64>, now_ms: u64) -> Duration {
    match deadline_ms {
        Some(deadline) => Duration::from_millis(deadline.saturating_sub(now_ms)),
        None => Duration::MAX,
    }
}
