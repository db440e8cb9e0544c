//! A wait in progress, with the driver's state: the latest results, the caller's hook and the trace.

mod json;
mod matcher;
mod outcome;
mod trace;

use std::future::Future;
use std::sync::Arc;

pub use matcher::Matched;
use matcher::Matcher;
pub(super) use matcher::{CompiledMatcher, DefinitionMatcher, PredicateMatcher};
pub use outcome::{Outcome, Progress, WaitFailure, WaiterError, end};
use trace::Trace;

use super::attempt::Attempt;
use super::cancel::CancelToken;
use super::clock::{Clock, Host, remaining};
use super::error::OperationError;
use super::limit::SharedRateLimit;
use super::machine::{Due, Machine, drive};
use crate::error::{Spelling, StateError};
use crate::options::WaitOptions;
use crate::seed::seed;
use crate::wait::{Event, Step, Wait, WaitReport};
use crate::waiter::Waiter;

/// The report of a wait that ended, or the error of a step out of order.
type WaitResult = Result<Arc<WaitReport>, StateError>;

/// The caller's hook, token and rate limit.
#[derive(Clone, Debug)]
pub(super) struct Caller<H> {
    pub(super) spelling: Spelling,
    pub(super) on_attempt: Option<H>,
    pub(super) cancel: Option<CancelToken>,
    pub(super) limit: Option<SharedRateLimit>,
}

struct Run<M, H, T, E> {
    wait: Wait,
    matcher: M,
    on_attempt: Option<H>,
    limit: Option<SharedRateLimit>,
    /// The latest response of all attempts.
    response: Option<T>,
    /// The latest error of all attempts.
    error: Option<E>,
    trace: Trace,
}

/// Runs a wait on a host.
pub(super) async fn wait<H, G, M, C, F, T, E>(
    host: H,
    caller: Caller<G>,
    (waiter, options): (&Waiter, &WaitOptions),
    matcher: M,
    call: C,
) -> Result<Outcome<T, E>, WaiterError<T, E>>
where
    H: Host,
    G: FnMut(Progress<'_>),
    M: Matcher<T, E>,
    C: FnMut(Attempt) -> F,
    F: Future<Output = Result<T, E>>,
    E: OperationError,
{
    // An error and not an empty list of values, which would look like a response without them.
    if !M::READS_RESPONSE {
        options.check_reads_nothing()?;
    }
    let wait = waiter.start(options, seed(options)?)?;
    let wait = wait.spelling(caller.spelling);
    let mut run = Run {
        trace: Trace::new(&wait),
        wait,
        matcher,
        on_attempt: caller.on_attempt,
        limit: caller.limit,
        response: None,
        error: None,
    };
    let (span, clock) = (run.trace.span(), Clock::start(host, caller.cancel));
    let report = span.wrap(drive(&clock, &mut run, call)).await?;
    run.trace.end(&report);
    end(run.response, run.error, report)
}

impl<M, H, T, E> Machine<T, E, WaitResult> for Run<M, H, T, E>
where
    M: Matcher<T, E>,
    H: FnMut(Progress<'_>),
    E: OperationError,
{
    fn poll(&mut self, clock: &Clock<impl Host>) -> Due<WaitResult> {
        let now_ms = clock.now_ms();
        // Before the step, because no call starts after the cancellation. Rule: docs/rules.md#cancellation
        if clock.is_cancelled() {
            return self.wait.handle(Event::cancelled(), now_ms).into();
        }
        let step = match &self.limit {
            // The times of the limit are those of the host's clock, because others share it.
            Some(limit) => {
                let limit_ms = clock.host_ms(now_ms);
                self.wait.poll_within(now_ms, &mut limit.lock(), limit_ms)
            }
            None => self.wait.poll(now_ms),
        };
        Ok(step).into()
    }

    fn call_ended(
        &mut self,
        result: Option<Result<T, E>>,
        clock: &Clock<impl Host>,
    ) -> Due<WaitResult> {
        let cancelled = clock.is_cancelled();
        // Stored before anything else, because the report of a cancelled wait has the newest response, too.
        let result = result.map(|result| match result {
            Ok(response) => Ok(&*self.response.insert(response)),
            Err(error) => Err(&*self.error.insert(error)),
        });
        let (wait, now_ms) = (&mut self.wait, clock.now_ms());
        let step = match result {
            _ if cancelled => return wait.handle(Event::cancelled(), now_ms).into(),
            Some(Ok(response)) => self.matcher.response(wait, response, now_ms),
            Some(Err(error)) => self.matcher.error(wait, error, now_ms),
            None => wait.handle(Event::deadline_reached(), now_ms),
        };
        match step {
            // The hook may have cancelled the wait, or taken so long that the step is no longer due. With a limit, a poll
            // lowers the rate after a throttled call, which must not wait for the end of the pause.
            Ok(_) if self.report() || self.limit.is_some() => self.poll(clock),
            step => step.into(),
        }
    }
}

impl<M, H: FnMut(Progress<'_>), T, E> Run<M, H, T, E> {
    /// Reports the attempt that just ended. Returns `true` if the caller's hook was called; the hook takes time, so the
    /// caller must read the clock again.
    fn report(&mut self) -> bool {
        let Some(attempt) = self.wait.newest() else {
            return false;
        };
        let remaining = remaining(self.wait.deadline_ms(), self.wait.now_ms());
        self.trace.attempt(&self.wait, attempt, remaining);
        let Some(on_attempt) = &mut self.on_attempt else {
            return false;
        };
        let attempt = attempt.record(self.wait.waiter());
        on_attempt(Progress::of(&self.wait, &attempt));
        true
    }
}

impl From<Result<Step, StateError>> for Due<WaitResult> {
    fn from(step: Result<Step, StateError>) -> Self {
        match step {
            Ok(Step::Call {
                attempt,
                deadline_ms,
            }) => Self::Call(attempt, deadline_ms),
            Ok(Step::Sleep { until_ms, .. }) => Self::Sleep(until_ms),
            Ok(Step::Done(report)) => Self::Done(Ok(report)),
            Err(error) => Self::Done(Err(error)),
        }
    }
}
