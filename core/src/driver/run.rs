//! A wait under way: what both drivers do with what comes of the calls.

use std::sync::Arc;
use std::time::Duration;

use super::cancel::is_cancelled;
use super::judge::Judge;
use super::outcome::LastSeen;
use super::trace::{Inside, Trace};
use super::transient::Transients;
use super::{Caller, CancelToken, OperationError, Outcome, Progress, WaiterError};
use crate::ending::{AttemptRecord, Ending};
use crate::error::{OptionsError, StateError};
use crate::options::WaitOptions;
use crate::retry::RetryStrategy;
use crate::wait::{Step, Wait};
use crate::waiter::Waiter;

pub(super) struct Run<J, H, S: RetryStrategy, T, E> {
    wait: Wait,
    transients: Option<Transients<S>>,
    judge: J,
    on_attempt: Option<H>,
    cancel: Option<CancelToken>,
    seen: LastSeen<T, E>,
    trace: Trace,
}

impl<J, H, S, T, E> Run<J, H, S, T, E>
where
    J: Judge<T, E>,
    H: FnMut(Progress<'_>),
    S: RetryStrategy,
    E: OperationError,
{
    pub(super) fn start(
        waiter: &Waiter,
        options: &WaitOptions,
        judge: J,
        caller: Caller<H, S>,
    ) -> Result<Self, OptionsError> {
        let wait = waiter.start(options, drawn(options.given_seed())?)?;
        Ok(Self {
            trace: Trace::new(waiter, wait.remaining_ms()),
            wait,
            transients: caller.strategy.map(Transients::new),
            judge,
            on_attempt: caller.on_attempt,
            cancel: caller.cancel,
            seen: LastSeen::default(),
        })
    }

    pub(super) fn span(&self) -> Inside {
        self.trace.span()
    }

    pub(super) fn cancel_token(&self) -> Option<CancelToken> {
        self.cancel.clone()
    }

    pub(super) fn next(&mut self, elapsed: u64) -> Result<Step, StateError> {
        if self.is_cancelled() {
            return Ok(self.wait.cancel(elapsed));
        }
        let step = self.wait.next(elapsed)?;
        if let (Step::Call { .. }, Some(transients)) = (&step, &mut self.transients) {
            transients.begin();
        }
        Ok(step)
    }

    /// What follows from what a call gave.
    pub(super) fn observe(
        &mut self,
        result: Result<T, E>,
        clock: impl Fn() -> u64,
    ) -> Result<Step, StateError> {
        let is_cancelled = self.is_cancelled();
        let seen = self.seen.keep(result);
        if is_cancelled {
            return Ok(self.wait.cancel(clock()));
        }
        let transients = &mut self.transients;
        let pause = || {
            let (error, transients) = (seen.err()?, transients.as_mut()?);
            Some(transients.pause(error))
        };
        let step = self.judge.observe(&mut self.wait, seen, clock(), pause)?;
        let is_matched = |attempt: &AttemptRecord| attempt.acceptor.is_some();
        let decided = seen.is_ok() || self.wait.latest().is_some_and(is_matched);
        if let (true, Some(transients)) = (decided, transients) {
            transients.succeed();
        }
        self.report(step, clock)
    }

    /// What follows from a call that was cut: by the caller, else at the deadline.
    pub(super) fn cut(&mut self, clock: impl Fn() -> u64) -> Result<Step, StateError> {
        if self.is_cancelled() {
            return Ok(self.wait.cancel(clock()));
        }
        let step = self.wait.expire(clock())?;
        self.report(step, clock)
    }

    pub(super) fn end(mut self, ending: Arc<Ending>) -> Result<Outcome<T, E>, WaiterError<T, E>> {
        self.trace.end(&ending);
        self.seen.end(ending)
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled(self.cancel.as_ref())
    }

    /// Tells of the attempt that has ended, and gives the step that is due then: being told takes time, too.
    fn report(&mut self, step: Step, clock: impl Fn() -> u64) -> Result<Step, StateError> {
        let Some(attempt) = self.wait.latest() else {
            return Ok(step);
        };
        let remaining = self.wait.remaining_ms();
        self.trace.attempt(attempt, remaining);
        let Some(on_attempt) = &mut self.on_attempt else {
            return Ok(step);
        };
        on_attempt(Progress {
            attempt,
            remaining: Duration::from_millis(remaining),
        });
        self.next(clock())
    }
}

/// The seed that was given, else one from the system.
#[expect(
    clippy::disallowed_methods,
    reason = "the driver is the edge at which a seed is drawn"
)]
pub(super) fn drawn(given: Option<u64>) -> Result<u64, OptionsError> {
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
