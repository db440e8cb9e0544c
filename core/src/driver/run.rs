//! A wait in progress, with what only the host has: the newest results, the caller's hook, the trace.

use std::sync::Arc;

use super::cancel::is_cancelled;
use super::clock::{Clock, Now, remaining};
use super::matcher::Matcher;
use super::outcome::LatestResults;
use super::trace::{Inside, Trace};
use super::{Caller, CancelToken, OperationError, Outcome, Progress, WaiterError};
use crate::error::{OptionsError, StateError};
use crate::options::WaitOptions;
use crate::report::WaitReport;
use crate::wait::{Event, Step, Wait};
use crate::waiter::Waiter;

pub(super) struct Run<M, H, T, E> {
    wait: Wait,
    matcher: M,
    on_attempt: Option<H>,
    cancel: Option<CancelToken>,
    results: LatestResults<T, E>,
    trace: Trace,
}

impl<M, H, T, E> Run<M, H, T, E>
where
    M: Matcher<T, E>,
    H: FnMut(Progress<'_>),
    E: OperationError,
{
    pub(super) fn start(
        waiter: &Waiter,
        options: &WaitOptions,
        matcher: M,
        caller: Caller<H>,
    ) -> Result<Self, OptionsError> {
        let wait = waiter.start(options, seed(options.given_seed())?)?;
        Ok(Self {
            trace: Trace::new(waiter, wait.deadline_ms()),
            wait,
            matcher,
            on_attempt: caller.on_attempt,
            cancel: caller.cancel,
            results: LatestResults::default(),
        })
    }

    pub(super) fn span(&self) -> Inside {
        self.trace.span()
    }

    pub(super) fn cancel_token(&self) -> Option<CancelToken> {
        self.cancel.clone()
    }

    /// Returns the step that is due.
    pub(super) fn poll(&mut self, clock: &Clock<impl Now>) -> Result<Step, StateError> {
        if is_cancelled(self.cancel.as_ref()) {
            return self.wait.handle(Event::cancelled(), clock.now_ms());
        }
        Ok(self.wait.poll(clock.now_ms()))
    }

    /// Takes the result of a call, or `None` for one that was cancelled: by the caller, or at its deadline.
    pub(super) fn call_ended(
        &mut self,
        result: Option<Result<T, E>>,
        clock: &Clock<impl Now>,
    ) -> Result<Step, StateError> {
        let cancelled = is_cancelled(self.cancel.as_ref());
        let result = result.map(|result| self.results.keep(result));
        let now_ms = clock.now_ms();
        let step = match result {
            _ if cancelled => return self.wait.handle(Event::cancelled(), now_ms),
            Some(result) => self.matcher.handle(&mut self.wait, result, now_ms)?,
            None => self.wait.handle(Event::deadline_reached(), now_ms)?,
        };
        self.report(step, clock)
    }

    pub(super) fn end(
        mut self,
        report: Arc<WaitReport>,
    ) -> Result<Outcome<T, E>, WaiterError<T, E>> {
        self.trace.end(&report);
        self.results.end(report)
    }

    /// Calls the caller's hook, and returns the step that is due then: the hook takes time, too.
    fn report(&mut self, step: Step, clock: &Clock<impl Now>) -> Result<Step, StateError> {
        let Some(attempt) = self.wait.newest() else {
            return Ok(step);
        };
        let remaining = remaining(self.wait.deadline_ms(), self.wait.now_ms());
        self.trace.attempt(attempt, remaining);
        let Some(on_attempt) = &mut self.on_attempt else {
            return Ok(step);
        };
        on_attempt(Progress {
            attempt: &attempt.record(self.wait.waiter()),
            remaining,
        });
        self.poll(clock)
    }
}

/// Returns the caller's seed, or a random one.
#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which a seed is drawn"
)]
pub(super) fn seed(given: Option<u64>) -> Result<u64, OptionsError> {
    match given {
        Some(seed) => Ok(seed),
        None => getrandom::u64().map(|drawn| drawn >> 11).map_err(|error| {
            OptionsError::new(
                "missing_option",
                "seed",
                format!("seed is missing and none can be drawn: {error}"),
            )
        }),
    }
}
