//! The state machine of one wait. The results of calls and the current time determine the next step.

mod attempt;
mod condition;
mod event;
mod json;
mod report;
mod snapshot;
mod step;
mod stored;

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value as Json;

pub(crate) use attempt::EndedAttempt;
pub use attempt::Level;
use attempt::{Explanation, Facts};
use condition::Judgement;
pub(crate) use condition::Seen;
pub use event::Event;
pub use json::EndValues;
pub use report::{AttemptRecord, AttemptResult, FailureKind, WaitReport};
use report::{End, TimeoutCause};
pub use snapshot::Snapshot;
pub(crate) use snapshot::{
    Pending, SavedEnd, SavedWait, VERSION, check_fingerprint, elapsed_ms, hash_of, seal, unseal,
};
pub use step::Step;
use stored::Stored;
pub(crate) use stored::identity_of;
pub use stored::{PollAction, PollRecord, ReportLimit, StoredOptions, WaitRecord};

use crate::definition::{Acceptor, State};
use crate::delay::{LastPoll, NextDelay, draw};
use crate::error::{OptionsError, Spelling, StateError};
use crate::evaluation::{
    ConditionValue, ErrorMetadata, Excerpt, Hint, HintCode, Observation, ReasonCode, Verdict,
};
use crate::options::{FinalPoll, ResolvedOptions, Seeded, TransientErrors, WaitOptions};
use crate::rate_limit::RateLimit;
use crate::retry::{Problem, RequestFailure, Transient};
use crate::value::Value;
use crate::waiter::Waiter;

/// The time after which an attempt is logged at the level `Info` even if nothing has changed.
const INFO_INTERVAL_MS: u64 = 30_000;

/// A wait in progress: a state machine that performs no calls, sleeps, clock reads or randomness.
///
/// `now_ms` is the time since the wait started, in milliseconds. A time earlier than a previous one counts as the
/// latest time. After [`Step::Done`], every call returns the same report.
///
/// ```text
///            poll                      handle: retry
///  ┌───────┐ at or after the end ┌───────────┐ ───────────────► Sleep
///  │ pause │ ──────────────────► │ in flight │
///  └───────┘      Call           └───────────┘ handle: success, failure, no further attempt fits
///    ▲  │ poll: at the deadline        │ handle: DeadlineReached
///    │  └──────────► Done ◄────────────┘ handle: Cancelled, at any time
///    └─ start
/// ```
/// Specification: [Waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow).
///
/// # Example: a wait with one attempt
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Step, WaitOptions, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "status", "comparator": "stringEquals", "expected": "ready"}}}]}"#)?;
/// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)).seed(7), 0)?;
///
/// assert_eq!(wait.poll(0), Step::Call { attempt: 1, deadline_ms: Some(60_000) });
/// let response = json!({"status": "pending"});
/// let step = wait.handle(Event::response(&response), 30)?;
/// assert_eq!(step, Step::Sleep { until_ms: 2_030, last: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Wait {
    plan: Arc<Plan>,
    attempts: u64,
    now: u64,
    /// The start of the first call since the latest response of the service, if a call since then got none.
    outage_start: Option<u64>,
    /// The longest duration of a call to which the service responded.
    max_latency: u64,
    /// The start of the latest attempt whose result was evaluated.
    observation_start: Option<u64>,
    /// `true` if the latest attempt ended with an error that is transient only once in a row.
    is_repetition: bool,
    /// `true` if the service has returned a response.
    is_found: bool,
    /// The start of the first call since the latest response that did not find the resource.
    missing_since: Option<u64>,
    /// What the responses showed of the options' conditions, if there are any.
    seen: Option<Box<Seen>>,
    phase: Phase,
    /// The start by the wall clock, in milliseconds since 1970. Only saved waits need it.
    started_at: Option<u64>,
    stored: Option<Arc<Stored>>,
    /// The attempts that other processes made of a stored wait; they are earlier than those of `history`.
    restored: VecDeque<AttemptRecord>,
    history: VecDeque<EndedAttempt>,
    /// The codes of the hints that were reported; `None` if none are.
    hinted: Option<Vec<HintCode>>,
    /// `true` if a rate limit gave the time of the next call.
    has_slot: bool,
    /// `true` if the service throttled the latest call, and the rate limit does not know it.
    is_throttled: bool,
    /// The end of the latest attempt with the level `Info`.
    logged_at: Option<u64>,
    spelling: Spelling,
}

/// What waits with the same options share. It never changes.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The waiter with the paths of the options.
    waiter: Waiter,
    settings: ResolvedOptions,
}

#[derive(Clone, Debug)]
enum Phase {
    Pause(Pause),
    InFlight(Call),
    Done(Arc<WaitReport>),
}

#[derive(Clone, Copy, Debug)]
struct Pause {
    until: u64,
    last: bool,
    /// `true` if the attempt after the pause was started by another process and its result was lost.
    started: bool,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    started: u64,
    last: bool,
}

/// The evaluated result of a call that ended in time.
struct Evaluated {
    result: AttemptResult,
    verdict: Verdict,
    facts: Facts,
    /// The value of the acceptor's `message`.
    message: Option<String>,
    not_before: u64,
    /// `true` if the service responded.
    answered: bool,
    /// The kind of a permanent error.
    problem: Problem,
    /// `true` if the error is transient only once in a row.
    once: bool,
    /// `true` if the resource was not found and the options wait for it.
    missing: bool,
    /// The failure of a condition of the options, whose reason is the latest one.
    missed: Option<FailureKind>,
}

impl Waiter {
    /// Starts a wait. `seed` is the seed of the delays' jitter, unless the options contain one.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if an option is out of range, and `conflicting_options` if the delays of the options
    /// and the definition contradict each other.
    pub fn start(&self, options: &WaitOptions, seed: u64) -> Result<Wait, OptionsError> {
        Ok(Wait::new(self.plan(options, seed)?))
    }

    /// Validates the options for any number of waits. See [`start`](Self::start).
    pub(crate) fn plan(&self, options: &WaitOptions, seed: u64) -> Result<Arc<Plan>, OptionsError> {
        // `seed` is the driver's draw. The caller's seed replaces it, so that the delays can be reproduced.
        let mut settings = options.resolve(
            self.delays(),
            self.defaults(),
            options.seed_option().unwrap_or(seed),
        )?;
        settings.conditions =
            options.conditions(&self.successes(), self.defaults(), settings.max_wait)?;
        let waiter = self.for_wait(&settings)?;
        Ok(Arc::new(Plan { waiter, settings }))
    }
}

impl Wait {
    /// Creates a wait that has not made a call.
    pub(crate) fn new(plan: Arc<Plan>) -> Self {
        let settings = &plan.settings;
        // A shared deadline may be earlier than the first attempt.
        let until = settings.initial_delay.min(settings.max_wait);
        let hinted = (!settings.hides_hints).then(Vec::new);
        Self {
            plan,
            attempts: 0,
            now: 0,
            outage_start: None,
            max_latency: 0,
            observation_start: None,
            is_repetition: false,
            is_found: false,
            missing_since: None,
            seen: None,
            phase: Phase::Pause(Pause {
                until,
                last: false,
                started: false,
            }),
            started_at: None,
            stored: None,
            restored: VecDeque::new(),
            history: VecDeque::new(),
            hinted,
            has_slot: false,
            is_throttled: false,
            logged_at: None,
            spelling: Spelling::default(),
        }
    }

    /// Sets the spelling of options in the message of the report.
    #[doc(hidden)]
    #[must_use]
    pub const fn spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Returns the next step.
    ///
    /// - [`Step::Sleep`] before the end of a pause, with the same end each time
    /// - [`Step::Call`] after the pause, and again while that call is in flight
    /// - [`Step::Done`] at or after the deadline, when no attempt may start
    pub fn poll(&mut self, now_ms: u64) -> Step {
        let Pause {
            until,
            last,
            started,
        } = match &self.phase {
            // After the end, `poll` and every event return the same report. Rule: docs/rules.md#order-of-endings
            Phase::Done(report) => return Step::Done(Arc::clone(report)),
            Phase::InFlight(call) => {
                // The same step again, so that polling twice cannot start a second call.
                let call = *call;
                self.advance(now_ms);
                return self.call_step(call);
            }
            Phase::Pause(pause) => *pause,
        };
        let now = self.advance(now_ms);
        // Checked before the pause, because no call starts at or after the deadline. Rule: docs/rules.md#deadline
        if now >= self.deadline() {
            return self.end(End::TimedOut(TimeoutCause::Over));
        }
        if now < until {
            return Step::Sleep {
                until_ms: until,
                last,
            };
        }
        // A call whose result was lost is repeated under the same number. Rule: docs/rules.md#saved-waits
        self.attempts = self.attempts.saturating_add(u64::from(!started));
        let call = Call { started: now, last };
        self.phase = Phase::InFlight(call);
        self.call_step(call)
    }

    /// Returns the next step of a wait that shares a rate limit: a call that is due takes the next free time of the
    /// limit, and the pause lasts until then, at most until the deadline. `limit_ms` is the current time on the limit's
    /// clock. A throttled call lowers the rate.
    ///
    /// See [docs/rules.md#rate-limit](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#rate-limit).
    pub fn poll_within(&mut self, now_ms: u64, limit: &mut RateLimit, limit_ms: u64) -> Step {
        self.poll_at(now_ms, limit, limit_ms as f64)
    }

    /// Returns the next step of a wait that shares a rate limit with others on a host's clock, like
    /// [`poll_within`](Self::poll_within). The wait started at `started_ms` on that clock, which may be negative: only
    /// differences between its times count.
    #[doc(hidden)]
    pub fn poll_on_clock(&mut self, now_ms: u64, limit: &mut RateLimit, started_ms: f64) -> Step {
        self.poll_at(now_ms, limit, started_ms.floor() + now_ms as f64)
    }

    fn poll_at(&mut self, now_ms: u64, limit: &mut RateLimit, limit_now: f64) -> Step {
        if std::mem::take(&mut self.is_throttled) {
            limit.throttle_at(limit_now);
        }
        // As in `advance`, which `poll` calls.
        let (now, deadline) = (self.now.max(now_ms), self.deadline());
        // A slot is taken only for a call that follows: not before the pause ends, and not at the deadline.
        if let Phase::Pause(pause) = &mut self.phase
            && !self.has_slot
            && (pause.until..deadline).contains(&now)
        {
            self.has_slot = true;
            // The cast saturates.
            let pause_ms = (limit.reserve_at(limit_now) - limit_now) as u64;
            pause.until = now.saturating_add(pause_ms).min(deadline);
        }
        let step = self.poll(now_ms);
        if matches!(step, Step::Call { .. }) {
            self.has_slot = false;
        }
        step
    }

    /// Handles an event and returns the next step.
    ///
    /// The wait ends for the first of these reasons that applies; otherwise the step is [`Step::Sleep`].
    /// See [docs/rules.md#order-of-endings](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#order-of-endings).
    ///
    /// 1. The caller cancelled.
    /// 2. The deadline passed.
    /// 3. A condition of the options is missed for good, or an acceptor with success or failure matches.
    /// 4. No acceptor matches an error, unless the error is transient or means "not found" and is retried.
    /// 5. The resource is gone.
    /// 6. The service was unreachable for the transient window.
    /// 7. The resource was never found in the time of `not_found_for`.
    /// 8. No attempts are left.
    /// 9. No further attempt fits before the deadline.
    ///
    /// # Errors
    ///
    /// Errors leave the wait unchanged. Returns [`StateError::NotInFlight`] if no call is in flight, except for
    /// [`Event::Cancelled`]. Returns [`StateError::BeforeDeadline`] for an [`Event::DeadlineReached`] before the
    /// deadline, and [`StateError::InvalidVerdict`] for an acceptor that the waiter doesn't have or that cannot match
    /// the result.
    pub fn handle<V: Value>(
        &mut self,
        event: Event<'_, V>,
        now_ms: u64,
    ) -> Result<Step, StateError> {
        // Cancellation comes first, even after the deadline. Rule: docs/rules.md#order-of-endings
        if matches!(event, Event::Cancelled) {
            return Ok(self.cancel(now_ms));
        }
        let call = match &self.phase {
            Phase::Done(report) => return Ok(Step::Done(Arc::clone(report))),
            Phase::InFlight(call) => *call,
            Phase::Pause(_) => return Err(StateError::NotInFlight),
        };
        // Before the time advances, because a rejected event must not change the wait.
        self.check(&event, call, now_ms)?;
        let now = self.advance(now_ms);
        let (evaluated, transient) = match event {
            // Handled above, because it is legal at any time.
            Event::Cancelled => return Ok(self.cancel(now_ms)),
            Event::DeadlineReached => return Ok(self.expire(call)),
            // The specification's workflow, step 2, fails the wait once the maximum time is exceeded, so a late result
            // is discarded. Rule: docs/rules.md#deadline
            _ if now > self.deadline() => {
                self.record_unevaluated(call, AttemptResult::Late);
                return Ok(self.end(End::TimedOut(TimeoutCause::Late)));
            }
            Event::Response {
                value,
                input,
                not_before_ms,
            } => {
                let values = self.condition_values(&value);
                let evaluated = Evaluated {
                    not_before: not_before_ms.unwrap_or_default(),
                    ..self.interpret(input, Observation::Response(value))
                };
                return Ok(self.settle(call, evaluated, values.as_deref()));
            }
            Event::Error { error, transient } => {
                self.is_throttled = RequestFailure::from(error.clone()).is_throttled();
                // Paths apply to responses only, so that the input is not needed.
                (
                    self.interpret::<V>(None, Observation::Error(error)),
                    transient,
                )
            }
            Event::Verdict {
                acceptor,
                message,
                error,
                transient,
            } => {
                let evaluated = Evaluated {
                    // External code does not apply redaction, and the message goes to logs.
                    // Rule: docs/rules.md#redaction
                    message: message.filter(|_| !self.redacts_message(acceptor)),
                    ..self.external_verdict(acceptor, error)
                };
                (evaluated, transient)
            }
        };
        let attempt = self.apply_transient_rule(evaluated, transient);
        let attempt = self.apply_not_found_rule(attempt, transient.is_some());
        Ok(self.settle(call, attempt, None))
    }

    /// Reads what the conditions of the options compare, so that only this depends on the host's values.
    fn condition_values<V: Value>(&self, response: &V) -> Option<Vec<ConditionValue>> {
        self.plan.settings.conditions.as_ref()?;
        Some(
            self.plan
                .waiter
                .show()
                .map_or_else(Vec::new, |show| show.conditions(response)),
        )
    }

    /// Applies the conditions of the options to the result of a call, then continues or ends the wait.
    fn settle(
        &mut self,
        call: Call,
        evaluated: Evaluated,
        values: Option<&[ConditionValue]>,
    ) -> Step {
        let evaluated = self.apply_conditions(call, evaluated, values);
        self.follow(call, evaluated)
    }

    /// Ends the wait as cancelled. The result of a call in flight is not awaited.
    fn cancel(&mut self, now_ms: u64) -> Step {
        let call = match &self.phase {
            Phase::Done(report) => return Step::Done(Arc::clone(report)),
            Phase::InFlight(call) => Some(*call),
            Phase::Pause(_) => None,
        };
        self.advance(now_ms);
        if let Some(call) = call {
            self.record_unevaluated(call, AttemptResult::Cancelled);
        }
        self.end(End::Cancelled)
    }

    /// Returns the waiter.
    #[must_use]
    pub fn waiter(&self) -> &Waiter {
        &self.plan.waiter
    }

    pub(crate) fn settings(&self) -> &ResolvedOptions {
        &self.plan.settings
    }

    /// Returns the label from the options.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.plan.settings.label.as_deref()
    }

    /// Returns the number of attempts that were started.
    #[must_use]
    pub const fn attempts(&self) -> u64 {
        self.attempts
    }

    /// Returns the report of a wait that ended.
    #[must_use]
    pub fn report(&self) -> Option<&WaitReport> {
        match &self.phase {
            Phase::Done(report) => Some(report),
            _ => None,
        }
    }

    /// Returns the latest attempt that ended, with its reasons as text.
    #[must_use]
    pub fn latest(&self) -> Option<AttemptRecord> {
        // Before its first call, a resumed wait has only the attempts of other processes.
        match self.history.back() {
            Some(latest) => Some(latest.record(&self.plan.waiter)),
            None => self.restored.back().cloned(),
        }
    }

    /// Returns a one-line description of the latest attempt that ended: the waiter, the label, the time, the state and
    /// its reason, the values to show, and the next delay.
    ///
    /// `TableExists orders: attempt 3 after 12.1 s: retry: Table.TableStatus gave "CREATING", expected "ACTIVE"; next in 4 s`
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let latest = self.latest()?;
        Some(report::summary(&self.plan.waiter, self.label(), &latest))
    }

    /// Returns the hints of the latest attempt that ended, each code at most once in a wait. Empty if the option
    /// [`hints`](WaitOptions::hints) is `false`, and after a wait with attempts was resumed.
    #[must_use]
    pub fn hints(&self) -> &[Hint] {
        let latest = self.history.back();
        latest.map_or(&[], |latest| &latest.facts.hints)
    }

    /// Returns `true` if the latest attempt that ended had another result than the one before it, or was the first one.
    #[must_use]
    pub fn has_changed(&self) -> bool {
        self.history.back().is_some_and(|latest| latest.is_new)
    }

    /// Returns the level at which the latest attempt that ended is logged. Hints are always logged as warnings.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.history.back().map(|latest| latest.level)
    }

    /// Returns the reason in [`summary`](Self::summary).
    #[cfg(feature = "tracing")]
    pub(crate) fn latest_reason(&self) -> Option<String> {
        report::reason(&self.plan.waiter, &self.latest()?)
    }

    /// Returns the values to show, on one line.
    #[cfg(feature = "tracing")]
    pub(crate) fn latest_values(&self) -> Option<String> {
        let values = report::values(&self.latest()?);
        Some(values).filter(|values| !values.is_empty())
    }

    /// Returns the latest attempt that ended.
    #[cfg(feature = "driver")]
    pub(crate) fn newest(&self) -> Option<&EndedAttempt> {
        self.history.back()
    }

    /// Returns the deadline in milliseconds since the start, or `None` if only the number of attempts is limited.
    #[must_use]
    pub fn deadline_ms(&self) -> Option<u64> {
        finite_deadline(self.deadline())
    }

    /// Returns the latest time that was passed to the wait, in milliseconds since its start.
    #[must_use]
    pub const fn now_ms(&self) -> u64 {
        self.now
    }

    /// Returns `true` if a call is in flight.
    pub(crate) const fn is_in_flight(&self) -> bool {
        matches!(self.phase, Phase::InFlight(_))
    }

    /// Returns the end of the pause and whether the attempt after it is the last one, or `None` without a pause.
    pub(crate) const fn pause_end(&self) -> Option<(u64, bool)> {
        match &self.phase {
            Phase::Pause(pause) => Some((pause.until, pause.last)),
            Phase::InFlight(_) | Phase::Done(_) => None,
        }
    }

    /// Returns the end of the attempt in flight, or of the wait; `None` if neither has one.
    pub(crate) fn attempt_end(&self) -> Option<u64> {
        match &self.phase {
            Phase::InFlight(call) => finite_deadline(self.call_deadline(*call)),
            Phase::Pause(_) | Phase::Done(_) => self.deadline_ms(),
        }
    }

    /// Returns the time for which a missing resource is waited for.
    pub(crate) fn not_found_window(&self) -> Option<u64> {
        self.plan.settings.not_found_for
    }

    /// Sets the start of the time for which a missing resource is waited for, unless it has begun.
    pub(crate) fn missing_since(&mut self, started: u64) {
        self.missing_since.get_or_insert(started);
    }

    /// Ends the pause, and returns the next step.
    pub(crate) fn call_now(&mut self, now_ms: u64) -> Step {
        if let Phase::Pause(pause) = &mut self.phase {
            // A pause that has ended keeps its end: its call is not later because another caller asked for it.
            let now = now_ms.max(self.now);
            if now < pause.until {
                // A call before the time of the last one is not the last, or the wait would give up early.
                (pause.until, pause.last) = (now, false);
            }
        }
        self.poll(now_ms)
    }

    /// Ends a call that says nothing about the resource, for the reason of this code and text.
    pub(crate) fn postpone(
        &mut self,
        code: ReasonCode,
        text: &str,
        hint: Option<Hint>,
        now_ms: u64,
    ) -> Step {
        let Phase::InFlight(call) = self.phase else {
            return self.poll(now_ms);
        };
        let now = self.advance(now_ms);
        if now > self.deadline() {
            self.record_unevaluated(call, AttemptResult::Late);
            return self.end(End::TimedOut(TimeoutCause::Late));
        }
        let explanation = Explanation::default().into_held(code, text.to_owned());
        let facts = Facts {
            explanation,
            hints: hint.into_iter().collect(),
            ..Facts::default()
        };
        let verdict = Some(Verdict::implicit(false));
        self.record(call, AttemptResult::Response, verdict, facts);
        self.outage_start = None;
        self.schedule(0, call.last)
    }

    fn call_step(&self, call: Call) -> Step {
        Step::Call {
            attempt: self.attempts,
            deadline_ms: finite_deadline(self.call_deadline(call)),
        }
    }

    /// Returns the deadline of a call. An attempt timeout may be earlier than the deadline of the wait.
    fn call_deadline(&self, call: Call) -> u64 {
        let deadline = self.deadline();
        match self.plan.settings.attempt_timeout {
            Some(timeout) => deadline.min(call.started.saturating_add(timeout)),
            None => deadline,
        }
    }

    fn deadline(&self) -> u64 {
        self.plan.settings.max_wait
    }

    fn advance(&mut self, now: u64) -> u64 {
        // A clock that goes backwards must not lengthen the wait. Rule: docs/rules.md#deadline
        self.now = self.now.max(now);
        self.now
    }

    /// Rejects an event that cannot occur: a deadline in the future, or a verdict that this waiter cannot produce.
    fn check<V>(&self, event: &Event<'_, V>, call: Call, now_ms: u64) -> Result<(), StateError> {
        match event {
            Event::DeadlineReached => {
                // A timer that fires early must not end the wait: elapsed time decides. Rule: docs/rules.md#deadline
                let deadline = self.call_deadline(call);
                if deadline <= now_ms.max(self.now) {
                    return Ok(());
                }
                let deadline_ms = finite_deadline(deadline);
                Err(StateError::BeforeDeadline { deadline_ms })
            }
            Event::Verdict {
                acceptor: Some(index),
                error,
                ..
            } => {
                let failed = error.is_some();
                // External code can return any index, even that of an acceptor that cannot match an error.
                match self.plan.waiter.acceptor(*index) {
                    Some(acceptor) if acceptor.matcher().applies_to(failed) => Ok(()),
                    _ => Err(StateError::InvalidVerdict {
                        acceptor: *index,
                        acceptors: self.plan.waiter.acceptors().len(),
                        failed,
                    }),
                }
            }
            _ => Ok(()),
        }
    }

    /// Handles a call that was interrupted at a deadline, either the deadline of the wait or the attempt timeout.
    fn expire(&mut self, call: Call) -> Step {
        let is_over = self.now >= self.deadline();
        let (verdict, explanation) = match self.plan.settings.attempt_timeout {
            // A retry even if `transientErrors` is `fail`: there is no error that could end the wait.
            Some(timeout) if !is_over => (
                Some(Verdict::implicit(false)),
                Explanation::AttemptTimeout(timeout),
            ),
            _ => (None, Explanation::Unevaluated),
        };
        let facts = Facts {
            explanation,
            ..Facts::default()
        };
        self.record(call, AttemptResult::Cut, verdict, facts);
        // A call that exceeds its timeout counts as unanswered. Rule: docs/rules.md#transient-errors
        self.outage_start.get_or_insert(call.started);
        // The host reports both deadlines by the same event. Only the wait's own one ends the wait.
        if is_over {
            return self.end(End::TimedOut(TimeoutCause::Interrupted));
        }
        self.schedule(0, call.last)
    }

    fn interpret<V: Value>(&self, input: Option<V>, seen: Observation<'_, V>) -> Evaluated {
        let (verdict, reason_data) = self.plan.waiter.find(input.as_ref(), &seen);
        // A result like the previous one has no other hints.
        let is_new = self
            .history
            .back()
            .is_none_or(|latest| match &latest.facts.explanation {
                Explanation::Evaluation(previous) => *previous != reason_data,
                _ => true,
            });
        let hints = if is_new {
            self.hints_of(input.as_ref(), &seen, verdict)
        } else {
            Vec::new()
        };
        let error = match &seen {
            Observation::Error(error) => Some(*error),
            Observation::Response(_) => None,
        };
        Evaluated {
            result: AttemptResult::of_call(error.is_some()),
            problem: Problem::of(error),
            once: false,
            missing: false,
            missed: None,
            verdict,
            message: self.plan.waiter.modeled_message(verdict, &seen),
            facts: Facts {
                explanation: Explanation::Evaluation(reason_data),
                values: self.values_of(&seen),
                hints,
            },
            not_before: 0,
            answered: true,
        }
    }

    fn hints_of<V: Value>(
        &self,
        input: Option<&V>,
        seen: &Observation<'_, V>,
        verdict: Verdict,
    ) -> Vec<Hint> {
        match self.hinted {
            Some(_) => self.plan.waiter.hints(input, seen, verdict),
            None => Vec::new(),
        }
    }

    /// Reads the values to show from a response.
    fn values_of<V: Value>(&self, seen: &Observation<'_, V>) -> Box<[Excerpt]> {
        match (self.plan.waiter.show(), seen) {
            (Some(show), Observation::Response(response)) => show.read(response),
            _ => Box::default(),
        }
    }

    /// Creates the result for the verdict of external code. The engine evaluates an error again for the reasons.
    fn external_verdict(
        &self,
        acceptor: Option<usize>,
        error: Option<&ErrorMetadata<'_>>,
    ) -> Evaluated {
        let found = acceptor.zip(acceptor.and_then(|index| self.plan.waiter.acceptor(index)));
        let implicit = Verdict::implicit(error.is_some());
        let of_acceptor =
            |(index, acceptor): (usize, &Acceptor)| Verdict::of_acceptor(index, acceptor.state());
        let verdict = found.map_or(implicit, of_acceptor);
        Evaluated {
            result: AttemptResult::of_call(error.is_some()),
            problem: Problem::of(error),
            once: false,
            missing: false,
            missed: None,
            verdict,
            facts: Facts {
                explanation: self.explanation_of_external(verdict, error),
                hints: error.map_or_else(Vec::new, |error| {
                    self.hints_of::<&Json>(None, &Observation::Error(error), verdict)
                }),
                ..Facts::default()
            },
            message: None,
            not_before: 0,
            answered: true,
        }
    }

    /// Applies the rule for transient errors: a transient error that no acceptor matches is retried.
    /// Rule: docs/rules.md#transient-errors
    fn apply_transient_rule(
        &self,
        evaluated: Evaluated,
        transient: Option<Transient>,
    ) -> Evaluated {
        // The event for external verdicts can carry a classification although the call succeeded.
        let Some(transient) = transient.filter(|_| evaluated.result == AttemptResult::Error) else {
            return evaluated;
        };
        let is_unmatched = evaluated.verdict.acceptor().is_none();
        let retries = self.plan.settings.transient_errors == TransientErrors::Retry;
        let evaluated = Evaluated {
            // Set before the early return: `Retry-After` also applies if an acceptor retries the error.
            not_before: transient.not_before_ms,
            answered: transient.answered,
            once: transient.once,
            // The definition could match the error, but the option is why the wait ends.
            problem: if retries || transient.once {
                evaluated.problem
            } else {
                Problem::Transient
            },
            ..evaluated
        };
        // A dead token must not be used for an hour. Rule: docs/rules.md#expired-credentials
        if !is_unmatched || !retries || (transient.once && self.is_repetition) {
            return evaluated;
        }
        Evaluated {
            verdict: Verdict::implicit(false),
            facts: Facts {
                explanation: evaluated
                    .facts
                    .explanation
                    .into_retried(ReasonCode::Transient),
                // The names of a transient error do not matter.
                ..Facts::default()
            },
            ..evaluated
        }
    }

    /// Applies the option `not_found_for`: an error for a missing resource that no acceptor matches is retried.
    /// Rule: docs/rules.md#not-found
    fn apply_not_found_rule(&self, evaluated: Evaluated, is_transient: bool) -> Evaluated {
        if self.plan.settings.not_found_for.is_none() || evaluated.result != AttemptResult::Error {
            return evaluated;
        }
        let matched = evaluated.verdict.acceptor();
        let matched = matched.and_then(|index| self.plan.waiter.acceptor(index));
        match (evaluated.verdict.state(), matched) {
            (State::Failure, None) if evaluated.problem.is_missing() => Evaluated {
                verdict: Verdict::implicit(false),
                facts: Facts {
                    explanation: evaluated
                        .facts
                        .explanation
                        .into_retried(ReasonCode::NotFound),
                    ..evaluated.facts
                },
                missing: true,
                ..evaluated
            },
            // The definition names the error that means "not there yet", or retries every error. A lost connection says nothing.
            (State::Retry, Some(acceptor)) if !is_transient => Evaluated {
                missing: acceptor.matcher().is_error_type() || evaluated.problem.is_missing(),
                ..evaluated
            },
            _ => evaluated,
        }
    }

    /// Applies the conditions on a success. Rule: docs/rules.md#conditions-on-a-success
    fn apply_conditions(
        &mut self,
        call: Call,
        evaluated: Evaluated,
        values: Option<&[ConditionValue]>,
    ) -> Evaluated {
        let Some(conditions) = &self.plan.settings.conditions else {
            return evaluated;
        };
        let seen = self.seen.get_or_insert_default();
        let times = (call.started, self.now);
        let judgement = conditions.judge(seen, values, evaluated.verdict, times);
        let (verdict, missed, code, text) = match judgement {
            Judgement::Counts => return evaluated,
            Judgement::Success(text) => {
                let verdict = self
                    .plan
                    .waiter
                    .first_success()
                    .unwrap_or(evaluated.verdict);
                (verdict, None, ReasonCode::Other, text)
            }
            Judgement::Held(code, text) => (Verdict::implicit(false), None, code, text),
            Judgement::Ended(missed, code, text) => {
                (Verdict::implicit(false), Some(missed), code, text)
            }
        };
        Evaluated {
            verdict,
            facts: Facts {
                explanation: evaluated.facts.explanation.into_held(code, text),
                ..evaluated.facts
            },
            missed,
            ..evaluated
        }
    }

    fn redacts_message(&self, acceptor: Option<usize>) -> bool {
        acceptor.is_some_and(|index| {
            let [_, is_redacted] = self.plan.waiter.redacted().acceptor(index);
            is_redacted
        })
    }

    /// Returns the explanation of an external verdict: the engine's evaluation of the error if it leads to the same
    /// verdict.
    fn explanation_of_external(
        &self,
        verdict: Verdict,
        error: Option<&ErrorMetadata<'_>>,
    ) -> Explanation {
        let Some(metadata) = error else {
            return Explanation::External { error: None };
        };
        let (engine_verdict, reason_data) = self.plan.waiter.evaluate_error(metadata);
        // Otherwise the engine's reasons would explain a verdict that does not count.
        if engine_verdict == verdict {
            return Explanation::Evaluation(reason_data);
        }
        let error = Some(self.plan.waiter.redacted().describe(metadata).into());
        Explanation::External { error }
    }

    /// Records an attempt, then ends the wait or schedules the next attempt.
    fn follow(&mut self, call: Call, evaluated: Evaluated) -> Step {
        let Evaluated {
            result,
            verdict,
            facts,
            message,
            not_before,
            answered,
            problem,
            once,
            missing,
            missed,
        } = evaluated;
        self.is_repetition = once;
        // The state of the resource is unknown after a transient error.
        let is_transient = matches!(
            facts.explanation,
            Explanation::Retried(ReasonCode::Transient, _)
        );
        // One answer may be stale, so that it does not mean that the resource is gone.
        let is_gone = missing && self.is_found && self.missing_since.is_some();
        if result == AttemptResult::Response {
            (self.is_found, self.missing_since) = (true, None);
        } else if missing {
            self.missing_since.get_or_insert(call.started);
        }
        self.record(call, result, Some(verdict), facts);
        let previous = self.observation_start;
        // A definition that matches a failed connection expects it, so that it is not an outage.
        if answered || verdict.acceptor().is_some() {
            self.outage_start = None;
        } else {
            self.outage_start.get_or_insert(call.started);
        }
        if answered {
            // Unanswered calls last until a client's timeout, which says nothing about the next response.
            self.max_latency = self.max_latency.max(self.now.saturating_sub(call.started));
        }
        if !is_transient {
            self.observation_start = Some(call.started);
        }
        // Before the verdict: it is that of a resource which is not the one of this wait.
        if let Some(missed) = missed {
            return self.end(End::Missed(missed));
        }
        match (verdict.state(), verdict.acceptor()) {
            (State::Success, _) => self.end(End::Success {
                noticed_within: previous.map(|started| self.now.saturating_sub(started)),
            }),
            (State::Failure, Some(index)) => {
                let acceptor = self.plan.waiter.acceptor(index);
                let is_unexpected = acceptor.is_some_and(Acceptor::unexpected);
                self.end(End::FailureState {
                    message,
                    is_unexpected,
                })
            }
            (State::Failure, None) => self.end(End::UnmatchedError(problem)),
            (State::Retry, _) if is_gone => self.end(End::Gone),
            (State::Retry, _) => self.schedule(not_before, call.last),
        }
    }

    /// Schedules the next attempt, no earlier than `not_before`, if attempts and time are left. Otherwise ends the
    /// wait.
    fn schedule(&mut self, not_before: u64, last: bool) -> Step {
        // The order of the checks is that of docs/rules.md#order-of-endings.
        let settings = &self.plan.settings;
        let window = settings.transient_window;
        let outage_end = self.outage_start.map(|since| since.saturating_add(window));
        if outage_end.is_some_and(|end| self.now >= end) {
            return self.end(End::Unreachable);
        }
        let missing = self.missing_since.filter(|_| !self.is_found);
        let missing_end = missing.zip(settings.not_found_for);
        let missing_end = missing_end.map(|(since, window)| since.saturating_add(window));
        if missing_end.is_some_and(|end| self.now >= end) {
            return self.end(End::NeverFound);
        }
        let conditions = settings.conditions.as_deref().zip(self.seen.as_deref());
        let condition_end = conditions.and_then(|(conditions, seen)| conditions.window_end(seen));
        // A condition ends the wait with a response after its window, not here without one.
        let condition_end = condition_end.filter(|end| *end > self.now);
        let window_end = outage_end
            .into_iter()
            .chain(missing_end)
            .chain(condition_end)
            .min();
        if settings.max_attempts == Some(self.attempts) {
            return self.end(End::TooManyAttempts);
        }
        let remaining = settings.max_wait.saturating_sub(self.now);
        // A resumed wait needs the same delays, so that there is no generator with a state.
        // Rule: docs/rules.md#delay-arithmetic
        let random = draw(settings.seed, self.attempts);
        let bounds = settings.bounds;
        let backoff = match settings.proportional {
            Some(millionths) => bounds.proportional(millionths, self.now, random),
            None if settings.doubling => bounds.doubling(self.attempts, random),
            None => bounds.backoff(self.attempts, random),
        };
        // Between successes that are counted the resource is as it should be, so that the shortest delay is enough.
        let counted = conditions
            .and_then(|(conditions, seen)| conditions.delay(seen, self.now, bounds.min()));
        let backoff = counted.unwrap_or(backoff);
        let last_poll = match settings.final_poll {
            FinalPoll::Specification => LastPoll::Specification,
            FinalPoll::Late => LastPoll::Late {
                reserve: bounds.reserve(self.max_latency),
            },
        };
        let least = not_before.saturating_sub(self.now);
        // Before `least` applies: a service can extend a delay, not shorten it.
        let next = bounds.delay(backoff, remaining, last_poll);
        // After the last attempt, sleeping until the deadline could not change the result. Rule: docs/rules.md#delays
        let Some(next) = next.filter(|_| !last) else {
            return self.end(End::TimedOut(TimeoutCause::NoFurtherAttempt));
        };
        let Some(mut next) = bounds.no_sooner(next, least, remaining) else {
            return self.end(End::TimedOut(TimeoutCause::NotBefore(not_before)));
        };
        // An unreachable service, a missing resource or a condition is polled once more at the end of its window, and not
        // after the full delay.
        if let Some(end) = window_end.filter(|_| not_before == 0) {
            let rest = end.saturating_sub(self.now);
            if rest < next.delay {
                next = NextDelay {
                    delay: rest,
                    last: false,
                };
            }
        }
        if let Some(attempt) = self.history.back_mut() {
            attempt.delay = Some(next.delay);
            attempt.next_is_last = next.last;
        }
        let until = self.now.saturating_add(next.delay);
        self.phase = Phase::Pause(Pause {
            until,
            last: next.last,
            started: false,
        });
        Step::Sleep {
            until_ms: until,
            last: next.last,
        }
    }

    fn record_unevaluated(&mut self, call: Call, result: AttemptResult) {
        self.record(call, result, None, Facts::default());
    }

    /// Adds an attempt to the history and removes the oldest ones. The latest attempt is always stored, because the
    /// message quotes it.
    fn record(
        &mut self,
        call: Call,
        result: AttemptResult,
        verdict: Option<Verdict>,
        mut facts: Facts,
    ) {
        self.add_hints(&mut facts.hints);
        let mut attempt = EndedAttempt {
            number: self.attempts,
            started: call.started,
            ended: self.now,
            result,
            verdict,
            facts,
            level: Level::Debug,
            is_new: true,
            delay: None,
            next_is_last: false,
        };
        let since = self.logged_at.map(|logged| self.now.saturating_sub(logged));
        let previous = self.history.back();
        attempt.is_new = previous.is_none_or(|previous| !previous.is_like(&attempt));
        if attempt.is_new || since.is_none_or(|since| since >= INFO_INTERVAL_MS) {
            attempt.level = Level::Info;
            self.logged_at = Some(self.now);
        }
        // At least 1: the message of the report quotes the latest attempt.
        while self.restored.len().saturating_add(self.history.len())
            >= self.plan.settings.history_limit.max(1)
        {
            // The restored attempts are older than the others.
            if self.restored.pop_front().is_none() {
                self.history.pop_front();
            }
        }
        if self.history.is_empty() {
            // A list grows to four items at once, and most waits of a fleet keep one.
            self.history
                .reserve_exact(self.plan.settings.history_limit.clamp(1, 4));
        }
        self.history.push_back(attempt);
    }

    /// Adds the hint about the options, and removes the hints that were reported before.
    fn add_hints(&mut self, hints: &mut Vec<Hint>) {
        let Some(hinted) = &mut self.hinted else {
            return;
        };
        if self.attempts == 1
            && !self.plan.settings.has_deadline
            && self.plan.settings.max_wait < u64::MAX
        {
            hints.extend(Hint::of_max_wait(self.plan.settings.max_wait));
        }
        hints.retain(|hint| !hinted.contains(&hint.code()));
        // Most attempts have none, and the subject is a new text.
        if hints.is_empty() {
            return;
        }
        hinted.extend(hints.iter().map(Hint::code));
        // A line of a log has no other context.
        if let Some(subject) =
            report::subject(&self.plan.waiter, self.plan.settings.label.as_deref())
        {
            let about = |hint: Hint| hint.about(subject.clone());
            *hints = hints.drain(..).map(about).collect();
        }
    }

    /// Returns the latest attempts in chronological order.
    fn records(&self) -> Vec<AttemptRecord> {
        // The only place that makes text of reasons, because most are never read. Rule: docs/rules.md#history
        let attempts = self.history.iter();
        let attempts = attempts.map(|attempt| attempt.record(&self.plan.waiter));
        self.restored.iter().cloned().chain(attempts).collect()
    }

    fn end(&mut self, end: End) -> Step {
        let report = Arc::new(WaitReport::new(
            &end,
            &self.plan.waiter,
            &self.plan.settings,
            self.attempts,
            self.now,
            (self.records(), self.spelling),
        ));
        self.phase = Phase::Done(Arc::clone(&report));
        Step::Done(report)
    }
}

/// Returns the deadline, or `None` for the value that stands for no deadline.
const fn finite_deadline(deadline: u64) -> Option<u64> {
    match deadline {
        u64::MAX => None,
        deadline => Some(deadline),
    }
}
