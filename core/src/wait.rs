//! One wait: what to do next, decided from what came of each call and the time that has passed.

pub(crate) mod kept;
pub(crate) mod message;
mod restored;
mod saved;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::definition::Acceptor;
use crate::delay::{LastPoll, draw};
use crate::ending::{AttemptRecord, AttemptResult, Ending, FailureKind};
use crate::error::StateError;
use crate::failure::{ErrorFacts, one_line};
use crate::matcher::Seen;
use crate::options::Settings;
use crate::value::Value;
use crate::verdict::{Reason, State};
use crate::waiter::Waiter;

/// What to do next. All times are integer milliseconds.
///
/// # Example: a host that does what it is told
///
/// ```
/// use std::time::Duration;
/// use serde_json::{Value, json};
/// use smithy_waiters::{Seen, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// let (mut elapsed, mut step) = (0, wait.next(0)?);
/// let ending = loop {
///     step = match step {
///         Step::Call { attempt, .. } => {
///             let response = json!({"Status": if attempt < 3 { "PENDING" } else { "READY" }});
///             wait.observe(&Value::Null, Seen::Response(&response), elapsed)?
///         }
///         Step::Sleep { delay_ms, .. } => {
///             elapsed += delay_ms;
///             wait.next(elapsed)?
///         }
///         Step::Done(ending) => break ending,
///     };
/// };
/// assert_eq!((ending.attempts, ending.kind), (3, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a host that drives a wait must know every step"
)]
pub enum Step {
    /// Call the operation, then [`observe`](Wait::observe) what came of it.
    Call {
        /// The number of the attempt, from 1.
        attempt: u64,
        /// How long the call may take: the driver cuts it then and says [`expire`](Wait::expire).
        remaining_ms: u64,
    },
    /// Sleep, then ask for the [`next`](Wait::next) step.
    Sleep {
        /// How long.
        delay_ms: u64,
        /// Whether the attempt after it is the last that fits.
        last: bool,
    },
    /// The wait is over.
    Done(Arc<Ending>),
}

/// A wait that is under way: a state machine without a clock, a sleep or a draw of its own.
///
/// Every method takes the milliseconds `elapsed` since the wait began and gives exactly one [`Step`]. An elapsed smaller
/// than an earlier one counts as the earlier one. After [`Step::Done`] every method gives the same step.
///
/// ```text
///            next                      observe: retry
///  ┌───────┐ elapsed ≥ pause ┌───────────┐ ───────────────► Sleep
///  │ pause │ ──────────────► │ in flight │
///  └───────┘      Call       └───────────┘ observe: success, failure, nothing further fits
///    ▲  │ next: at the deadline    │ expire: at the deadline
///    │  └──────────► Done ◄────────┘ cancel: any time
///    └─ start
/// ```
///
/// # Example: driven by hand
///
/// ```
/// use std::time::Duration;
/// use serde_json::{Value, json};
/// use smithy_waiters::{Seen, Step, WaitOptions, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "status", "comparator": "stringEquals", "expected": "ready"}}}]}"#)?;
/// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)).seed(7), 0)?;
///
/// assert_eq!(wait.next(0)?, Step::Call { attempt: 1, remaining_ms: 60_000 });
/// let response = json!({"status": "pending"});
/// let step = wait.observe(&Value::Null, Seen::Response(&response), 30)?;
/// assert_eq!(step, Step::Sleep { delay_ms: 2_000, last: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Wait {
    waiter: Waiter,
    settings: Settings,
    attempts: u64,
    elapsed: u64,
    phase: Phase,
    history: VecDeque<AttemptRecord>,
}

/// What came of a call in time: when the call was started, when it ended, whether it was the last that fits.
struct Arrival {
    started: u64,
    elapsed: u64,
    last: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    Done(Arc<Ending>),
    InFlight { started: u64, last: bool },
    Pause { until: u64, last: bool },
}

impl Wait {
    pub(crate) fn new(waiter: Waiter, settings: Settings) -> Self {
        let phase = Phase::Pause {
            until: settings.initial_delay,
            last: false,
        };
        Self {
            waiter,
            settings,
            attempts: 0,
            elapsed: 0,
            phase,
            history: VecDeque::new(),
        }
    }

    /// The step that is due.
    ///
    /// - at or past the deadline: [`Step::Done`], timed out; nothing more is sent
    /// - before the pause is over: [`Step::Sleep`] with the rest of it
    /// - else: [`Step::Call`]
    ///
    /// # Errors
    ///
    /// [`StateError::InFlight`] while a call is.
    pub fn next(&mut self, elapsed: u64) -> Result<Step, StateError> {
        let (until, last) = match &self.phase {
            Phase::Done(ending) => return Ok(Step::Done(Arc::clone(ending))),
            Phase::InFlight { .. } => {
                return Err(StateError::InFlight {
                    attempt: self.attempts,
                });
            }
            Phase::Pause { until, last } => (*until, *last),
        };
        let elapsed = self.advance(elapsed);
        if elapsed >= self.deadline(last) {
            return Ok(self.end(FailureKind::TimedOut, None));
        }
        if elapsed < until {
            return Ok(Step::Sleep {
                delay_ms: until.saturating_sub(elapsed),
                last,
            });
        }
        Ok(self.call(elapsed, last))
    }

    /// Takes what came of the call that is in flight.
    ///
    /// The endings are tried in this order (D5): past the deadline; the first acceptor that matches; an error that none
    /// matches; no attempt left; no time left for another. Otherwise [`Step::Sleep`].
    ///
    /// # Errors
    ///
    /// [`StateError::NotInFlight`] where no call is.
    pub fn observe<V: Value>(
        &mut self,
        input: V,
        seen: Seen<'_, V>,
        elapsed: u64,
    ) -> Result<Step, StateError> {
        self.observe_or_retry(input, seen, elapsed, || None)
    }

    /// As [`observe`](Self::observe), with a retry strategy's word on an error that no acceptor matches (D15).
    ///
    /// `retry` is asked about such an error only. It gives the least pause before the next attempt, in milliseconds: the
    /// attempt is then a retry, with the reason `transient`. Or why there is none: the wait ends, and says so. Or nothing: as
    /// without a strategy.
    ///
    // SPEC: step 4 of the workflow ends the wait. Off by default: it is the caller who names a strategy.
    ///
    /// # Errors
    ///
    /// As [`observe`](Self::observe).
    ///
    /// # Example: a throttled poll is no reason to give up
    ///
    /// ```
    /// use std::time::Duration;
    /// use serde_json::Value;
    /// use smithy_waiters::{ErrorFacts, Seen, Step, WaitOptions, Waiter};
    ///
    /// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
    /// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
    /// wait.next(0)?;
    /// let throttled = ErrorFacts::of_code("ThrottlingException");
    /// let step = wait.observe_or_retry(&Value::Null, Seen::Failure(&throttled), 20, || Some(Ok(7_000)))?;
    /// assert_eq!(step, Step::Sleep { delay_ms: 7_000, last: false });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe_or_retry<V: Value>(
        &mut self,
        input: V,
        seen: Seen<'_, V>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        self.observe_by(None, input, seen, elapsed, retry)
    }

    /// As [`observe_or_retry`](Self::observe_or_retry), with the acceptor that a compiled matcher found: none, or the first
    /// that matches. The values are looked at for the reasons and the failure's own message only.
    ///
    /// # Errors
    ///
    /// As [`observe_verdict`](Self::observe_verdict).
    ///
    /// # Example: a matcher in plain code
    ///
    /// ```
    /// use std::time::Duration;
    /// use serde_json::{Value, json};
    /// use smithy_waiters::{Seen, Step, WaitOptions, Waiter};
    ///
    /// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
    ///     "path": "status", "comparator": "stringEquals", "expected": "ready"}}}]}"#)?;
    /// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
    /// wait.next(0)?;
    /// let response = json!({"status": "ready"});
    /// let acceptor = (response["status"] == "ready").then_some(0);
    /// let step = wait.observe_matched(acceptor, &Value::Null, Seen::Response(&response), 30, || None)?;
    /// assert!(matches!(step, Step::Done(ending) if ending.kind.is_none()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe_matched<V: Value>(
        &mut self,
        acceptor: Option<usize>,
        input: V,
        seen: Seen<'_, V>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        self.observe_by(Some(acceptor), input, seen, elapsed, retry)
    }

    /// Takes what came of a call; `matched` is what a compiled matcher says of it, where one was asked.
    fn observe_by<V: Value>(
        &mut self,
        matched: Option<Option<usize>>,
        input: V,
        seen: Seen<'_, V>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        if let Some(acceptor) = matched.flatten() {
            self.waiter.check_acceptor(acceptor, &seen)?;
        }
        let Arrival {
            started,
            elapsed,
            last,
        } = match self.arrive(elapsed)? {
            Ok(arrival) => arrival,
            Err(done) => return Ok(done),
        };
        let verdict = self.waiter.judge(matched, input.clone(), seen.clone());
        let answer = match (verdict.state(), verdict.acceptor()) {
            (State::Failure, None) => retry(),
            _ => None,
        };
        let reasons = self.waiter.explain(&verdict, input, seen.clone());
        self.remember(AttemptRecord::seen(
            self.attempts,
            started,
            elapsed,
            &seen,
            &verdict,
            reasons,
        ));
        if let Some(answer) = answer {
            return Ok(self.answered(answer, last));
        }
        let message = self.waiter.modeled_message(&verdict, &seen);
        Ok(self.conclude((verdict.state(), verdict.acceptor()), message, last))
    }

    /// Takes a verdict that was made elsewhere, by a generated or hand-written matcher: as [`observe`](Self::observe)
    /// otherwise.
    ///
    /// `error` is the error's facts where the call failed.
    ///
    /// # Errors
    ///
    /// As [`observe`](Self::observe), and [`StateError::InvalidVerdict`] for a verdict that this waiter cannot give.
    pub fn observe_verdict(
        &mut self,
        state: State,
        acceptor: Option<usize>,
        error: Option<&ErrorFacts<'_>>,
        elapsed: u64,
    ) -> Result<Step, StateError> {
        self.observe_verdict_or_retry(state, acceptor, error, elapsed, || None)
    }

    /// As [`observe_verdict`](Self::observe_verdict), with a retry strategy's word as in
    /// [`observe_or_retry`](Self::observe_or_retry).
    ///
    /// # Errors
    ///
    /// As [`observe_verdict`](Self::observe_verdict).
    pub fn observe_verdict_or_retry(
        &mut self,
        state: State,
        acceptor: Option<usize>,
        error: Option<&ErrorFacts<'_>>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        let verdict = (state, acceptor, None);
        self.take_verdict(verdict, error, Vec::new(), elapsed, retry)
    }

    fn take_verdict(
        &mut self,
        (state, acceptor, message): (State, Option<usize>, Option<String>),
        error: Option<&ErrorFacts<'_>>,
        reasons: Vec<Reason>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        if let Phase::Done(ending) = &self.phase {
            return Ok(Step::Done(Arc::clone(ending)));
        }
        let failed = error.is_some();
        let given = match acceptor {
            Some(index) => self
                .waiter
                .acceptor(index)
                .filter(|acceptor| acceptor.matcher().looks_at(failed))
                .map(Acceptor::state),
            None if failed => Some(State::Failure),
            None => Some(State::Retry),
        };
        if given != Some(state) {
            return Err(StateError::InvalidVerdict {
                state,
                acceptor,
                failed,
            });
        }
        let Arrival {
            started,
            elapsed,
            last,
        } = match self.arrive(elapsed)? {
            Ok(arrival) => arrival,
            Err(done) => return Ok(done),
        };
        let result = if failed {
            AttemptResult::Error
        } else {
            AttemptResult::Response
        };
        self.remember(AttemptRecord {
            error: error.map(ErrorFacts::describe),
            state: Some(state),
            acceptor,
            reasons,
            ..AttemptRecord::unseen(self.attempts, started, elapsed, result)
        });
        if (state, acceptor) == (State::Failure, None)
            && let Some(answer) = retry()
        {
            return Ok(self.answered(answer, last));
        }
        Ok(self.conclude((state, acceptor), message, last))
    }

    /// As [`observe_verdict_or_retry`](Self::observe_verdict_or_retry), from the acceptor alone: it says the state, and the
    /// history says of it what can be said without the response.
    #[cfg(feature = "driver")]
    pub(crate) fn observe_match(
        &mut self,
        (acceptor, message): (Option<usize>, Option<String>),
        error: Option<&ErrorFacts<'_>>,
        elapsed: u64,
        retry: impl FnOnce() -> Option<Result<u64, String>>,
    ) -> Result<Step, StateError> {
        let implicit = if error.is_some() {
            State::Failure
        } else {
            State::Retry
        };
        let found = acceptor.and_then(|index| self.waiter.acceptor(index));
        let state = found.map_or(implicit, Acceptor::state);
        let reasons = self.waiter.reasons_without(acceptor, error);
        let verdict = (state, acceptor, message);
        self.take_verdict(verdict, error, reasons, elapsed, retry)
    }

    /// Says that the driver cut the call at the deadline: timed out.
    ///
    /// # Errors
    ///
    /// [`StateError::NotInFlight`] where no call is, [`StateError::BeforeDeadline`] before it.
    pub fn expire(&mut self, elapsed: u64) -> Result<Step, StateError> {
        let (started, last) = match &self.phase {
            Phase::Done(ending) => return Ok(Step::Done(Arc::clone(ending))),
            Phase::InFlight { started, last } => (*started, *last),
            Phase::Pause { .. } => return Err(StateError::NotInFlight),
        };
        // What is refused leaves the wait as it was, and so its elapsed too.
        let remaining = self
            .deadline(last)
            .saturating_sub(self.elapsed.max(elapsed));
        if remaining > 0 {
            return Err(StateError::BeforeDeadline { remaining });
        }
        let elapsed = self.advance(elapsed);
        self.remember(AttemptRecord::unseen(
            self.attempts,
            started,
            elapsed,
            AttemptResult::Cut,
        ));
        Ok(self.end(FailureKind::TimedOut, None))
    }

    /// Ends the wait as cancelled, whatever it is doing.
    pub fn cancel(&mut self, elapsed: u64) -> Step {
        let elapsed = self.advance(elapsed);
        match self.phase {
            Phase::Done(ref ending) => return Step::Done(Arc::clone(ending)),
            Phase::InFlight { started, .. } => {
                self.remember(AttemptRecord::unseen(
                    self.attempts,
                    started,
                    elapsed,
                    AttemptResult::Cancelled,
                ));
            }
            Phase::Pause { .. } => {}
        }
        self.end(FailureKind::Cancelled, None)
    }

    /// Whole milliseconds of a host's number, rounded down: time that is not over has not passed.
    ///
    /// # Errors
    ///
    /// [`StateError::InvalidElapsed`] for what is no time.
    pub fn elapsed_from_host(elapsed: f64) -> Result<u64, StateError> {
        if elapsed.is_finite() && elapsed >= 0.0 {
            return Ok(elapsed as u64);
        }
        Err(StateError::InvalidElapsed)
    }

    /// The waiter it belongs to.
    #[must_use]
    pub const fn waiter(&self) -> &Waiter {
        &self.waiter
    }

    /// The number of calls that were started.
    #[must_use]
    pub const fn attempts(&self) -> u64 {
        self.attempts
    }

    /// The newest attempt that has ended.
    #[must_use]
    pub fn latest(&self) -> Option<&AttemptRecord> {
        self.history.back()
    }

    /// The milliseconds until the deadline, at the greatest elapsed that it was told.
    #[must_use]
    pub fn remaining_ms(&self) -> u64 {
        let last = matches!(
            self.phase,
            Phase::InFlight { last: true, .. } | Phase::Pause { last: true, .. }
        );
        self.deadline(last).saturating_sub(self.elapsed)
    }

    /// What every observation begins with: the call that it is of, or the step where the wait is over.
    fn arrive(&mut self, elapsed: u64) -> Result<Result<Arrival, Step>, StateError> {
        let (started, last) = match &self.phase {
            Phase::Done(ending) => return Ok(Err(Step::Done(Arc::clone(ending)))),
            Phase::InFlight { started, last } => (*started, *last),
            Phase::Pause { .. } => return Err(StateError::NotInFlight),
        };
        let elapsed = self.advance(elapsed);
        if elapsed <= self.deadline(last) {
            return Ok(Ok(Arrival {
                started,
                elapsed,
                last,
            }));
        }
        // SPEC: step 2 of the workflow: past the allowed time the waiter fails, whatever arrived.
        let late = AttemptRecord::unseen(self.attempts, started, elapsed, AttemptResult::Late);
        self.remember(late);
        Ok(Err(self.end(FailureKind::TimedOut, None)))
    }

    fn advance(&mut self, elapsed: u64) -> u64 {
        self.elapsed = self.elapsed.max(elapsed);
        self.elapsed
    }

    /// The last request of a wait that polls at the deadline has the grace to answer in (D2).
    const fn deadline(&self, last: bool) -> u64 {
        let grace = if last { self.settings.grace } else { 0 };
        self.settings.max_wait.saturating_add(grace)
    }

    fn call(&mut self, elapsed: u64, last: bool) -> Step {
        self.attempts = self.attempts.saturating_add(1);
        self.phase = Phase::InFlight {
            started: elapsed,
            last,
        };
        Step::Call {
            attempt: self.attempts,
            remaining_ms: self.deadline(last).saturating_sub(elapsed),
        }
    }

    /// The endings after a verdict, in order, and the delay where there is none.
    fn conclude(
        &mut self,
        verdict: (State, Option<usize>),
        message: Option<String>,
        last: bool,
    ) -> Step {
        match verdict {
            (State::Success, _) => self.succeed(),
            (State::Failure, Some(_)) => self.end(FailureKind::FailureState, message),
            (State::Failure, None) => self.end(FailureKind::UnmatchedError, None),
            (State::Retry, _) => self.again(0, last),
        }
    }

    /// D15: a retry, by a strategy's leave; or none.
    fn answered(&mut self, answer: Result<u64, String>, last: bool) -> Step {
        if let Some(attempt) = self.history.back_mut() {
            attempt.answered(&answer);
        }
        match answer {
            Ok(pause) => self.again(pause, last),
            Err(_) => self.end(FailureKind::UnmatchedError, None),
        }
    }

    /// Another attempt, after `least` milliseconds at least, where one is left and the time is.
    fn again(&mut self, least: u64, last: bool) -> Step {
        let settings = &self.settings;
        if settings.max_attempts == Some(self.attempts) {
            return self.end(FailureKind::TooManyAttempts, None);
        }
        let remaining = settings.max_wait.saturating_sub(self.elapsed);
        let random = draw(settings.seed, self.attempts);
        let (bounds, last_poll) = (settings.bounds, settings.last_poll);
        let next = bounds.delay(self.attempts, remaining, random, last_poll);
        match next.and_then(|next| bounds.no_sooner(next, least, remaining, last_poll)) {
            Some(next) if !last => self.pause(next.delay, next.last),
            _ => self.end(FailureKind::TimedOut, None),
        }
    }

    fn pause(&mut self, delay: u64, last: bool) -> Step {
        if let Some(attempt) = self.history.back_mut() {
            attempt.delay_ms = Some(delay);
            attempt.next_is_last = last;
        }
        self.phase = Phase::Pause {
            until: self.elapsed.saturating_add(delay),
            last,
        };
        Step::Sleep {
            delay_ms: delay,
            last,
        }
    }

    /// Keeps the newest attempts; always the very last, which messages quote.
    fn remember(&mut self, attempt: AttemptRecord) {
        while self.history.len() >= self.settings.history_limit.max(1) {
            self.history.pop_front();
        }
        self.history.push_back(attempt);
    }

    fn succeed(&mut self) -> Step {
        self.finish(None, message::success(self))
    }

    fn end(&mut self, kind: FailureKind, modeled: Option<String>) -> Step {
        let message = match modeled {
            Some(text) => one_line(&text, usize::MAX),
            None => message::failure(self, kind),
        };
        self.finish(Some(kind), message)
    }

    fn finish(&mut self, kind: Option<FailureKind>, message: String) -> Step {
        let decided = matches!(kind, None | Some(FailureKind::FailureState));
        let acceptor = self
            .latest()
            .filter(|_| decided)
            .and_then(|attempt| attempt.acceptor);
        let text = acceptor
            .and_then(|index| self.waiter.acceptor(index))
            .map(|acceptor| acceptor.text().to_owned());
        let skipped = self
            .history
            .len()
            .saturating_sub(self.settings.history_limit);
        let ending = Arc::new(Ending {
            waiter: self.waiter.name().map(ToOwned::to_owned),
            kind,
            message,
            acceptor,
            acceptor_text: text,
            attempts: self.attempts,
            elapsed_ms: self.elapsed,
            history: self.history.iter().skip(skipped).cloned().collect(),
        });
        self.phase = Phase::Done(Arc::clone(&ending));
        Step::Done(ending)
    }

    const fn polls_at_deadline(&self) -> bool {
        matches!(self.settings.last_poll, LastPoll::AtDeadline)
    }
}
