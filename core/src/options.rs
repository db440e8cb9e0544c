//! The options of a wait. See docs/rules.md#options.

mod condition;
mod defaults;
mod host;
mod raw;
mod spec;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::delay::Bounds;
use crate::error::{OptionsError, Part, option};
use crate::millis::{TEN_YEARS_MS, seconds, to_ten_years, whole_millis};
use crate::text::one_line;
use crate::value::display_number;
use condition::ConditionOptions;
pub(crate) use condition::{Compared, Conditions, Successes};
pub use condition::{Left, LeftElse, Same};
pub use defaults::Defaults;
pub use host::{MaxWait, count};
pub use raw::{FromHost, Seeded};
pub(crate) use raw::{RawOptions, check_object, describe_member, whole_number, wrong_kind};
pub(crate) use spec::{IntegerSpec, OptionSpec};

/// The largest seed. Numbers of every host language represent integers up to it exactly.
pub(crate) const GREATEST_SEED: u64 = (1 << 53) - 1;

/// The default of the longest time without a response from the service.
const DEFAULT_TRANSIENT_WINDOW: Duration = Duration::from_secs(120);

/// The longest label, in code points.
// Messages, events and traces repeat the label, so that it must be short.
const LONGEST_LABEL: usize = 200;

/// The default number of attempts in a wait's history.
const DEFAULT_HISTORY_LIMIT: usize = 10;

const WAIT_RANGE: &str = to_ten_years!("must be more than 0 and at most");
const PACE_RULE: &str = "must be `specification`, `doubling`, `every` with more than 0 seconds, or `proportional` with more than 0 and at most 1";
const DELAY_RANGE: &str = to_ten_years!("must be at least 1 ms and at most");

const SHOW_RULE: &str = "must be an array of paths, such as [\"Stacks[0].StackStatusReason\"]";
const LABEL_RULE: &str = "must be a string of 1 to 200 characters";
const DEADLINE_RANGE: &str = concat!(
    to_ten_years!("must be at most"),
    " away on the clock of the wait"
);

const DEADLINE: OptionSpec = OptionSpec::new("deadline", DEADLINE_RANGE);
const LABEL: OptionSpec = OptionSpec::new("label", LABEL_RULE);
pub(crate) const MAX_WAIT: OptionSpec = OptionSpec::new("maxWait", WAIT_RANGE);
const MIN_DELAY: OptionSpec = OptionSpec::new("minDelay", DELAY_RANGE);
const MAX_DELAY: OptionSpec = OptionSpec::new("maxDelay", DELAY_RANGE);
const ATTEMPT_TIMEOUT: OptionSpec = OptionSpec::new("attemptTimeout", WAIT_RANGE);
const PACE: OptionSpec = OptionSpec::new("pace", PACE_RULE);
const TRANSIENT_WINDOW: OptionSpec = OptionSpec::new("transientWindow", WAIT_RANGE);
const NOT_FOUND_FOR: OptionSpec = OptionSpec::new("notFoundFor", WAIT_RANGE);
const INITIAL_DELAY: OptionSpec = OptionSpec::new(
    "initialDelay",
    "must be at least 0 and less than the whole wait",
);
// Hosts whose numbers are doubles must be able to pass and to read every value.
pub(crate) const MAX_ATTEMPTS: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("maxAttempts", "must be an integer from 1 to 2^53 - 1"),
    least: 1,
    greatest: GREATEST_SEED,
};
pub(crate) const SEED: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("seed", "must be an integer from 0 to 2^53 - 1"),
    least: 0,
    greatest: GREATEST_SEED,
};
// 32 bits, because a saved wait may be resumed on a platform with 32-bit integers.
const HISTORY_LIMIT: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("historyLimit", "must be an integer from 0 to 4294967295"),
    least: 0,
    greatest: u32::MAX as u64,
};

/// The options of a wait.
///
/// The specification's [waiter workflow] requires a maximum wait time, which [`new`](Self::new) takes. Instead of it, a
/// wait can have a maximum number of attempts ([`limited_by_attempts`](Self::limited_by_attempts)) or a deadline
/// ([`limited_by_deadline`](Self::limited_by_deadline)). Options are validated when the wait starts. See
/// [docs/rules.md#options](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#options).
///
/// # Example: a wait of five minutes with delays of at most ten seconds
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::WaitOptions;
///
/// let options = WaitOptions::new(Duration::from_secs(300)).max_delay(Duration::from_secs(10));
/// # let _ = options;
/// ```
///
/// [waiter workflow]: https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow
#[derive(Clone, Debug, PartialEq)]
pub struct WaitOptions {
    max_wait: Option<Duration>,
    deadline: Option<Duration>,
    label: Option<String>,
    show: Vec<String>,
    attempt_timeout: Option<Duration>,
    min_delay: Option<Duration>,
    max_delay: Option<Duration>,
    max_attempts: Option<u64>,
    initial_delay: Duration,
    seed: Option<u64>,
    /// 10 by default, or 1 in a fleet.
    history_limit: Option<usize>,
    final_poll: Option<FinalPoll>,
    pace: Option<Pace>,
    transient_errors: TransientErrors,
    transient_window: Duration,
    not_found_for: Option<Duration>,
    conditions: ConditionOptions,
    redact: Vec<String>,
    hints: bool,
}

/// The time of the last poll of a wait. See [docs/rules.md#final-poll](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#final-poll).
///
/// # Example: a last poll shortly before the deadline
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{FinalPoll, WaitOptions};
///
/// let options = WaitOptions::new(Duration::from_secs(60)).final_poll(FinalPoll::Late);
/// assert_ne!(options, WaitOptions::new(Duration::from_secs(60)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FinalPoll {
    /// One minimum delay before the deadline, as in the specification.
    #[default]
    Specification,
    /// As late as possible, with a reserve for the response. The reserve is twice the slowest poll so far, at least one
    /// second and at most the minimum delay. No delay exceeds the maximum delay.
    Late,
}

/// The rule for the delays between the attempts of a wait. See [docs/rules.md#pace](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#pace).
///
/// # Example: a resource that takes from seconds to hours
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{Pace, WaitOptions};
///
/// let options = WaitOptions::new(Duration::from_secs(7_200)).pace(Pace::Proportional(0.1));
/// assert_ne!(options, WaitOptions::new(Duration::from_secs(7_200)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Pace {
    /// Exponential backoff with jitter, as in the specification.
    #[default]
    Specification,
    /// Delays that double from the minimum to the maximum delay. Jitter shortens a delay by up to a tenth.
    Doubling,
    /// A fixed delay, which replaces the minimum and maximum delay. It must be positive.
    Every(Duration),
    /// A fraction of the elapsed time, more than 0 and at most 1, within the minimum and maximum delay.
    ///
    /// With 0.1, a change that takes ten minutes is noticed within another minute. Jitter shortens a delay by up to a
    /// tenth.
    Proportional(f64),
}

/// The handling of transient errors that no acceptor matches.
///
/// In the specification, an error that no acceptor matches ends the wait. By default, this crate retries transient
/// errors instead. See [docs/rules.md#transient-errors](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#transient-errors).
///
/// # Example: the specification's rule and the default
///
/// ```
/// use std::time::Duration;
/// use smithy_waiters::{ErrorMetadata, Event, FailureKind, Step, TransientErrors, WaitOptions, Waiter};
///
/// let ready = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
/// let throttled = ErrorMetadata::of_code("ThrottlingException");
/// let strict = WaitOptions::new(Duration::from_secs(60)).transient_errors(TransientErrors::Fail);
/// let mut wait = ready.start(&strict, 1)?;
/// wait.poll(0);
/// let Step::Done(report) = wait.handle(Event::error(&throttled), 5)? else { panic!() };
/// assert_eq!(report.kind, Some(FailureKind::UnmatchedError));
///
/// let mut wait = ready.start(&WaitOptions::new(Duration::from_secs(60)), 1)?;
/// wait.poll(0);
/// assert!(matches!(wait.handle(Event::error(&throttled), 5)?, Step::Sleep { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "an error is retried or not")]
pub enum TransientErrors {
    /// The call is retried after the waiter's delay.
    #[default]
    Retry,
    /// The wait fails, as the specification requires for every unmatched error. A call that exceeds the attempt timeout
    /// is still retried, because it has no error.
    Fail,
}

/// Creates options with this maximum wait time and defaults for the others.
impl From<Duration> for WaitOptions {
    fn from(max_wait: Duration) -> Self {
        Self::new(max_wait)
    }
}

impl WaitOptions {
    /// Creates the options of a wait that takes at most `max_wait`, which must be positive and at most ten years.
    #[must_use]
    pub const fn new(max_wait: Duration) -> Self {
        Self {
            max_wait: Some(max_wait),
            deadline: None,
            label: None,
            show: Vec::new(),
            attempt_timeout: None,
            min_delay: None,
            max_delay: None,
            max_attempts: None,
            initial_delay: Duration::ZERO,
            seed: None,
            history_limit: None,
            final_poll: None,
            pace: None,
            transient_errors: TransientErrors::Retry,
            transient_window: DEFAULT_TRANSIENT_WINDOW,
            not_found_for: None,
            conditions: ConditionOptions::NONE,
            redact: Vec::new(),
            hints: true,
        }
    }

    /// Creates the options of a wait of at most `max_attempts` attempts, which must be at least 1, without a limit on
    /// its time.
    ///
    /// The specification requires a maximum wait time. A limit on the attempts also bounds the wait, as in botocore.
    #[must_use]
    pub const fn limited_by_attempts(max_attempts: u64) -> Self {
        let mut options = Self::new(Duration::ZERO);
        options.max_wait = None;
        options.max_attempts = Some(max_attempts);
        options
    }

    /// Creates the options of a wait that ends at a deadline, `time_left` after its start.
    ///
    /// Several waits can share a deadline. If `time_left` is zero, the wait times out without making a call. See
    /// [docs/rules.md#deadline](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#deadline).
    ///
    /// # Example: two waits that share a minute
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use serde_json::json;
    /// use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter, WaiterError};
    ///
    /// let ready = Waiter::until("status", "DONE").build()?;
    /// let deadline = Instant::now() + Duration::from_secs(60);
    /// for job in ["copy", "verify"] {
    ///     let options = WaitOptions::limited_by_deadline(deadline - Instant::now()).label(job);
    ///     ready.wait_blocking(|_| Ok::<_, ErrorMetadata>(json!({"status": "DONE"})), options)?;
    /// }
    /// let late = WaitOptions::limited_by_deadline(Duration::ZERO).label("clean");
    /// let error = ready.wait_blocking(|_| Ok::<_, ErrorMetadata>(json!({})), late).unwrap_err();
    /// assert_eq!(error.to_string(), "clean: timed out after 0 s and 0 attempts: the deadline has passed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn limited_by_deadline(time_left: Duration) -> Self {
        let mut options = Self::new(Duration::ZERO);
        options.max_wait = None;
        options.deadline = Some(time_left);
        options
    }

    /// Sets a deadline that several waits can share, `time_left` after the start of this wait.
    ///
    /// The wait ends at the deadline or after its maximum wait time, whichever is earlier. If `time_left` is zero, the
    /// wait times out without making a call. See [docs/rules.md#deadline](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#deadline).
    #[must_use]
    pub const fn deadline_in(mut self, time_left: Duration) -> Self {
        self.deadline = Some(time_left);
        self
    }

    /// Sets a label of 1 to 200 characters, such as the name of the resource. It follows the waiter's name in messages,
    /// events and traces.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the paths of a response whose values appear in progress, logs and failures: `Stacks[0].StackStatusReason`.
    #[must_use]
    pub fn show<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.show = paths.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the timeout of a single attempt, which must be positive. A call that takes longer is cancelled and retried.
    #[must_use]
    pub const fn attempt_timeout(mut self, attempt_timeout: Duration) -> Self {
        self.attempt_timeout = Some(attempt_timeout);
        self
    }

    /// Sets the minimum delay between two attempts, which replaces the definition's. It may be 0 only together with
    /// [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn min_delay(mut self, min_delay: Duration) -> Self {
        self.min_delay = Some(min_delay);
        self
    }

    /// Sets the maximum delay between two attempts, which replaces the definition's. It may be 0 only together with
    /// [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn max_delay(mut self, max_delay: Duration) -> Self {
        self.max_delay = Some(max_delay);
        self
    }

    /// Sets the maximum number of attempts, at least 1. Attempts are unlimited by default.
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u64) -> Self {
        self.max_attempts = Some(max_attempts);
        self
    }

    /// Sets a delay before the first attempt. It is part of the maximum wait time and must be shorter.
    #[must_use]
    pub const fn initial_delay(mut self, initial_delay: Duration) -> Self {
        self.initial_delay = initial_delay;
        self
    }

    /// Sets the seed of the jitter, at most 2^53 - 1. Waits with the same seed have the same jitter.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the number of recent attempts in the history of an outcome or failure, 10 by default.
    #[must_use]
    pub const fn history_limit(mut self, history_limit: usize) -> Self {
        self.history_limit = Some(history_limit);
        self
    }

    /// Sets the time of the last poll, by default that of the waiter's [`Defaults`].
    #[must_use]
    pub const fn final_poll(mut self, final_poll: FinalPoll) -> Self {
        self.final_poll = Some(final_poll);
        self
    }

    /// Sets the rule for the delays, by default that of the waiter's [`Defaults`].
    #[must_use]
    pub const fn pace(mut self, pace: Pace) -> Self {
        self.pace = Some(pace);
        self
    }

    /// Sets the handling of transient errors that no acceptor matches, such as throttling, server errors and lost
    /// connections. They are retried by default.
    #[must_use]
    pub const fn transient_errors(mut self, transient_errors: TransientErrors) -> Self {
        self.transient_errors = transient_errors;
        self
    }

    /// Sets the maximum time without a response from the service, which must be positive; 120 s by default.
    ///
    /// The time starts with the first call that receives no response. When it has passed, the wait fails with
    /// [`Unreachable`](crate::FailureKind::Unreachable).
    #[must_use]
    pub const fn transient_window(mut self, transient_window: Duration) -> Self {
        self.transient_window = transient_window;
        self
    }

    /// Sets the time for which the resource may not exist yet, which must be positive. By default an error that says so
    /// ends the wait, unless an acceptor matches it.
    ///
    /// If the resource was never found in this time, the wait fails with
    /// [`NeverFound`](crate::FailureKind::NeverFound). After a response, two such errors in a row fail it with
    /// [`Gone`](crate::FailureKind::Gone). See
    /// [docs/rules.md#not-found](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#not-found).
    #[must_use]
    pub const fn not_found_for(mut self, not_found_for: Duration) -> Self {
        self.not_found_for = Some(not_found_for);
        self
    }

    /// Counts only responses in which a path has this value: the deployment or version of the caller's change. Until the
    /// value is seen, another one is "not yet" for [`left_within`](Self::left_within); then the wait fails with
    /// `never_seen`. Once seen, the wait fails with `replaced` if a new value, or an old one in two responses in a row,
    /// takes its place. Not for predicates and compiled matchers. See docs/rules.md#conditions-on-a-success.
    #[must_use]
    pub fn same(mut self, same: Same) -> Self {
        self.conditions.same = Some(same);
        self
    }

    /// Counts a success, or a failure that was there at first, only after the resource has left this value. If it does
    /// not in the time of [`left_within`](Self::left_within), [`left_else`](Self::left_else) decides. Not for predicates
    /// and compiled matchers. See docs/rules.md#conditions-on-a-success.
    #[must_use]
    pub fn left(mut self, left: Left) -> Self {
        self.conditions.left = Some(left);
        self
    }

    /// Sets what follows if the value of [`left`](Self::left) is not left in time. By default the wait fails with
    /// `never_left`.
    #[must_use]
    pub const fn left_else(mut self, left_else: LeftElse) -> Self {
        self.conditions.left_else = Some(left_else);
        self
    }

    /// Sets the time, from the first response, in which the value of [`same`](Self::same) must be seen or the value of
    /// [`left`](Self::left) be left: 60 s by default.
    #[must_use]
    pub const fn left_within(mut self, left_within: Duration) -> Self {
        self.conditions.left_within = Some(left_within);
        self
    }

    /// Counts a success only if the number of a path is at least this, such as `status.observedGeneration`. Adds to
    /// earlier ones. Not for predicates and compiled matchers.
    #[must_use]
    pub fn at_least(
        mut self,
        path: impl Into<String>,
        number: impl Into<serde_json::Number>,
    ) -> Self {
        let least = serde_json::Value::Number(number.into());
        self.conditions.at_least.push((path.into(), least));
        self
    }

    /// Requires this number of successes in a row, 1 by default, with the minimum delay between them.
    #[must_use]
    pub const fn successes(mut self, successes: u64) -> Self {
        self.conditions.successes = Some(successes);
        self
    }

    /// Requires that each response for this time is a success, with at most the minimum delay between them.
    #[must_use]
    pub const fn stable_for(mut self, stable_for: Duration) -> Self {
        self.conditions.stable_for = Some(stable_for);
        self
    }

    /// Sets the paths of members whose values are hidden in messages, reasons and reports: `Credentials.SecretKey`,
    /// `Users[].Password`, `Secrets.*`.
    ///
    /// A path applies to the input and the response, and to every item of a list. The path `message` also hides the
    /// messages of errors. For a waiter of a model, members with the trait `@sensitive` are always hidden. See
    /// [docs/rules.md#redaction](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#redaction).
    #[must_use]
    pub fn redact<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.redact = paths.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether probable mistakes are reported as [hints](crate::Hint), `true` by default.
    #[must_use]
    pub const fn hints(mut self, hints: bool) -> Self {
        self.hints = hints;
        self
    }

    /// Returns the options with another limit of the history, unless they have one.
    pub(crate) fn or_history_limit(&self, limit: usize) -> Self {
        Self {
            history_limit: self.history_limit.or(Some(limit)),
            ..self.clone()
        }
    }

    /// Removes the deadline. If nothing else limits the wait, `otherwise` does.
    pub(crate) fn without_deadline(&self, otherwise: Duration) -> Self {
        let is_limited = self.max_wait.is_some() || self.max_attempts.is_some();
        Self {
            deadline: None,
            max_wait: if is_limited {
                self.max_wait
            } else {
                Some(otherwise)
            },
            ..self.clone()
        }
    }

    /// Validates the options together with the delays of a definition and the defaults of its waiter.
    pub(crate) fn resolve(
        &self,
        definition: DefinitionDelays,
        defaults: &Defaults,
        seed: u64,
    ) -> Result<ResolvedOptions, OptionsError> {
        defaults
            .complete(self)
            .resolve_complete(definition, defaults, seed)
    }

    fn resolve_complete(
        &self,
        definition: DefinitionDelays,
        defaults: &Defaults,
        seed: u64,
    ) -> Result<ResolvedOptions, OptionsError> {
        let max_wait = self.checked_max_wait()?;
        let deadline = self.checked_deadline()?;
        self.check_final_poll()?;
        let attempt_timeout = self.attempt_timeout;
        let pace = defaults.pace(self, definition);
        Ok(ResolvedOptions {
            // The machine has one limit, the earlier one. Rule: docs/rules.md#deadline
            max_wait: max_wait.min(deadline.unwrap_or(u64::MAX)),
            // Only messages need it: they name the limit that applied.
            has_deadline: deadline.is_some_and(|deadline| deadline < max_wait),
            label: self.checked_label()?,
            show: self.show.clone(),
            attempt_timeout: attempt_timeout
                .map(|timeout| ATTEMPT_TIMEOUT.positive_millis(timeout))
                .transpose()?,
            bounds: self.checked_bounds(definition, defaults.delays(self))?,
            max_attempts: match self.max_attempts {
                Some(attempts) => Some(MAX_ATTEMPTS.checked(attempts)?),
                None => None,
            },
            // Not compared with the deadline: several waits share it, and it may be near or have passed.
            initial_delay: self.checked_initial_delay(max_wait)?,
            seed: SEED.checked(seed)?,
            history_limit: self.checked_history_limit()?,
            final_poll: self.final_poll.unwrap_or_default(),
            doubling: pace == Pace::Doubling,
            proportional: Self::checked_proportional(pace)?,
            transient_errors: self.transient_errors,
            transient_window: TRANSIENT_WINDOW.positive_millis(self.transient_window)?,
            not_found_for: self
                .not_found_for
                .map(|window| NOT_FOUND_FOR.positive_millis(window))
                .transpose()?,
            // They depend on the acceptors, too: `Waiter::start` adds them.
            conditions: None,
            redact: self.redact.clone(),
            hides_hints: !self.hints,
        })
    }

    /// Returns the maximum wait time in milliseconds, `u64::MAX` if there isn't one.
    fn checked_max_wait(&self) -> Result<u64, OptionsError> {
        match self.max_wait {
            Some(max_wait) => MAX_WAIT.positive_millis(max_wait),
            // `u64::MAX` and not `None`, so that comparisons with the deadline need no special case.
            None if self.max_attempts.is_some() || self.deadline.is_some() => Ok(u64::MAX),
            None => {
                let rule = format!(" is missing: it {}, unless ", MAX_WAIT.range);
                let parts = [
                    option("maxWait"),
                    rule.into(),
                    option("deadline"),
                    " or ".into(),
                    option("maxAttempts"),
                    " is set".into(),
                ];
                Err(OptionsError::new("missing_option", "maxWait", parts))
            }
        }
    }

    /// Returns the deadline in milliseconds since the start.
    fn checked_deadline(&self) -> Result<Option<u64>, OptionsError> {
        let Some(time_left) = self.deadline else {
            return Ok(None);
        };
        // Rounded down, and 0 is valid: a wait must not outlive a deadline that others share.
        // Rule: docs/rules.md#options
        match whole_millis(time_left) {
            millis if millis <= TEN_YEARS_MS => Ok(Some(millis)),
            _ => Err(DEADLINE.invalid(&display_number(time_left.as_secs_f64()))),
        }
    }

    fn checked_label(&self) -> Result<Option<String>, OptionsError> {
        let Some(label) = &self.label else {
            return Ok(None);
        };
        // A line break in a label would add a line to a log that looks like another message.
        let label = one_line(label, LONGEST_LABEL);
        match label.chars().count() {
            0 => Err(LABEL.invalid("an empty string")),
            // `one_line` marks a cut with an ellipsis, which exceeds the limit.
            length if length > LONGEST_LABEL => Err(LABEL.invalid("a longer string")),
            _ => Ok(Some(label)),
        }
    }

    fn checked_bounds(
        &self,
        (min, max): DefinitionDelays,
        (least, most): (Duration, Duration),
    ) -> Result<Bounds, OptionsError> {
        if let Some(Pace::Every(delay)) = self.pace {
            return self.checked_fixed_bounds(delay);
        }
        // Merged before the check: an option can conflict with the definition's other bound.
        // Rule: docs/rules.md#options
        let min = DelaySource::new(&MIN_DELAY, self.min_delay, min, least);
        let max = DelaySource::new(&MAX_DELAY, self.max_delay, max, most);
        let (from, to) = (MIN_DELAY.millis(min.value)?, MAX_DELAY.millis(max.value)?);
        // Without a delay and a limit on the attempts, the wait would be a busy loop.
        if self.max_attempts.is_none() && from == 0 {
            let rule = format!(" {}, got 0: a delay of 0 needs ", MIN_DELAY.range);
            let parts = [option("minDelay"), rule.into(), option("maxAttempts")];
            return Err(OptionsError::new("invalid_option", "minDelay", parts));
        }
        if from > to {
            return Err(MIN_DELAY.conflict(min.above(&max)));
        }
        Ok(Bounds::checked(from, to))
    }

    fn checked_fixed_bounds(&self, delay: Duration) -> Result<Bounds, OptionsError> {
        // The definition's bounds are no conflict: the pace replaces them. Rule: docs/rules.md#pace
        for (delay, name) in [(self.min_delay, "minDelay"), (self.max_delay, "maxDelay")] {
            if delay.is_some() {
                let parts = [
                    option("pace"),
                    " with a fixed delay cannot be combined with ".into(),
                    option(name),
                ];
                return Err(OptionsError::conflict("pace", parts));
            }
        }
        let delay = PACE.positive_millis(delay)?;
        Ok(Bounds::checked(delay, delay))
    }

    fn checked_history_limit(&self) -> Result<usize, OptionsError> {
        let limit = self.history_limit.unwrap_or(DEFAULT_HISTORY_LIMIT);
        HISTORY_LIMIT.checked(u64::try_from(limit).unwrap_or(u64::MAX))?;
        Ok(limit)
    }

    fn checked_initial_delay(&self, max_wait: u64) -> Result<u64, OptionsError> {
        let initial = INITIAL_DELAY.millis(self.initial_delay)?;
        if initial >= max_wait {
            return Err(INITIAL_DELAY.conflict([
                option("initialDelay"),
                " must be less than ".into(),
                option("maxWait"),
                format!(" {}, got {}", seconds(max_wait), seconds(initial)).into(),
            ]));
        }
        Ok(initial)
    }

    /// Rejects options with paths if the engine does not read the responses.
    #[cfg(feature = "driver")]
    pub(crate) fn check_reads_nothing(&self) -> Result<(), OptionsError> {
        let shown = (!self.show.is_empty()).then_some("show");
        let Some(name) = shown.or_else(|| self.condition_on_responses()) else {
            return Ok(());
        };
        let rule = " cannot be combined with a predicate or a compiled matcher";
        Err(OptionsError::conflict(name, [option(name), rule.into()]))
    }

    fn check_final_poll(&self) -> Result<(), OptionsError> {
        let has_end = self.max_wait.is_some() || self.deadline.is_some();
        // A late poll is placed relative to the end of the wait. A limit on attempts has none.
        if self.final_poll != Some(FinalPoll::Late) || has_end {
            return Ok(());
        }
        let parts = [
            option("finalPoll"),
            " `late` requires ".into(),
            option("maxWait"),
            " or ".into(),
            option("deadline"),
        ];
        Err(OptionsError::conflict("finalPoll", parts))
    }

    /// Returns the fraction of [`Pace::Proportional`] in millionths.
    fn checked_proportional(pace: Pace) -> Result<Option<u64>, OptionsError> {
        let Pace::Proportional(part) = pace else {
            return Ok(None);
        };
        // An integer, so that delays are equal in every language and after a wait is resumed.
        let millionths = (part * 1_000_000.0).round();
        // The range excludes NaN as well.
        if (1.0..=1_000_000.0).contains(&millionths) {
            return Ok(Some(millionths as u64));
        }
        Err(PACE.invalid(&format!("`proportional` with {}", display_number(part))))
    }
}

/// The minimum and maximum delays of a definition.
pub(crate) type DefinitionDelays = (Option<Duration>, Option<Duration>);

/// Valid options. Times are in milliseconds.
// In a saved wait, options of a later release are ignored: the version rises if they could change a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolvedOptions {
    /// `u64::MAX` if only the number of attempts is limited.
    #[serde(default = "unlimited", skip_serializing_if = "is_unlimited")]
    pub(crate) max_wait: u64,
    /// `true` if `max_wait` is the time until the deadline, because it is before the end of the maximum wait time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) has_deadline: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) label: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) show: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) attempt_timeout: Option<u64>,
    #[serde(rename = "delay")]
    pub(crate) bounds: Bounds,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) max_attempts: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) initial_delay: u64,
    pub(crate) seed: u64,
    pub(crate) history_limit: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) final_poll: FinalPoll,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) doubling: bool,
    /// The fraction of [`Pace::Proportional`], in millionths.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) proportional: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) transient_errors: TransientErrors,
    #[serde(default = "default_window", skip_serializing_if = "is_default_window")]
    pub(crate) transient_window: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) not_found_for: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    // In a box, because most waits have none.
    pub(crate) conditions: Option<Box<Conditions>>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) redact: Vec<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) hides_hints: bool,
}

impl ResolvedOptions {
    /// Returns `true` if a condition compares a value that only the change has made.
    pub(crate) fn knows_the_change(&self) -> bool {
        let conditions = self.conditions.as_deref();
        conditions
            .is_some_and(|conditions| conditions.same.is_some() || !conditions.at_least.is_empty())
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

const fn default_window() -> u64 {
    whole_millis(DEFAULT_TRANSIENT_WINDOW)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_default_window(millis: &u64) -> bool {
    *millis == default_window()
}

const fn unlimited() -> u64 {
    u64::MAX
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_unlimited(millis: &u64) -> bool {
    *millis == u64::MAX
}

/// A delay and its origin, for messages.
pub(crate) struct DelaySource {
    name: &'static str,
    value: Duration,
    source: &'static str,
}

impl DelaySource {
    fn new(
        spec: &OptionSpec,
        option: Option<Duration>,
        definition: Option<Duration>,
        default: Duration,
    ) -> Self {
        let (value, source) = match (option, definition) {
            (Some(value), _) => (value, "option"),
            (None, Some(value)) => (value, "definition"),
            (None, None) => (default, "default"),
        };
        Self {
            name: spec.option,
            value,
            source,
        }
    }

    /// Creates the source of a value whose default is `usual`.
    pub(crate) fn of_preset(spec: &OptionSpec, value: Duration, usual: Duration) -> Self {
        let option = (value != usual).then_some(value);
        Self::new(spec, option, None, usual)
    }

    /// Returns the message that this value is above `max`.
    pub(crate) fn above(&self, max: &Self) -> [Part; 4] {
        let value = |sourced: &Self| {
            let value = seconds(whole_millis(sourced.value));
            format!(" {value} ({})", sourced.source)
        };
        [
            option(self.name),
            (value(self) + " is above ").into(),
            option(max.name),
            value(max).into(),
        ]
    }
}
