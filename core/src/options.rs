//! What the caller of a wait decides: how long, how often, how fast (D10).

mod host;
mod raw;
mod spec;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::definition;
use crate::delay::Bounds;
use crate::error::{OptionsError, Part, option};
use crate::evaluation::one_line;
use crate::millis::{TEN_YEARS_MS, seconds, whole_millis};
use crate::value::display_number;
pub(crate) use raw::RawOptions;
pub use raw::{FromHost, Seeded};
pub(crate) use spec::{IntegerSpec, OptionSpec};

/// The largest seed: every integer up to it is exact in every language's numbers.
pub(crate) const GREATEST_SEED: u64 = (1 << 53) - 1;

/// How long a service may be unreachable.
const DEFAULT_TRANSIENT_WINDOW: Duration = Duration::from_secs(120);

/// The longest label, in code points.
const LONGEST_LABEL: usize = 200;

/// How many of the newest attempts a wait remembers, where the caller does not say.
const DEFAULT_HISTORY_LIMIT: usize = 10;

const WAIT_RANGE: &str = "must be more than 0 and at most 315360000 seconds (ten years)";
const PACE_RULE: &str = "must be `specification`, `every` a delay of more than 0 seconds, or `proportional` to more than 0 and at most 1";
const DELAY_RANGE: &str = "must be at least 1 ms and at most 315360000 seconds (ten years)";

const LABEL_RULE: &str = "must be a text of 1 to 200 characters";
const DEADLINE_RANGE: &str = "must be at most 315360000 seconds (ten years) away";

const DEADLINE: OptionSpec = OptionSpec::new("deadline", DEADLINE_RANGE);
const LABEL: OptionSpec = OptionSpec::new("label", LABEL_RULE);
const MAX_WAIT: OptionSpec = OptionSpec::new("maxWait", WAIT_RANGE);
const MIN_DELAY: OptionSpec = OptionSpec::new("minDelay", DELAY_RANGE);
const MAX_DELAY: OptionSpec = OptionSpec::new("maxDelay", DELAY_RANGE);
const ATTEMPT_TIMEOUT: OptionSpec = OptionSpec::new("attemptTimeout", WAIT_RANGE);
const PACE: OptionSpec = OptionSpec::new("pace", PACE_RULE);
const TRANSIENT_WINDOW: OptionSpec = OptionSpec::new("transientWindow", WAIT_RANGE);
const INITIAL_DELAY: OptionSpec = OptionSpec::new(
    "initialDelay",
    "must be at least 0 and less than the whole wait",
);
pub(crate) const MAX_ATTEMPTS: IntegerSpec = IntegerSpec {
    ranged: OptionSpec::new("maxAttempts", "must be an integer from 1 to 2^53 - 1"),
    least: 1,
    greatest: GREATEST_SEED,
};
pub(crate) const SEED: IntegerSpec = IntegerSpec {
    ranged: OptionSpec::new("seed", "must be an integer from 0 to 2^53 - 1"),
    least: 0,
    greatest: GREATEST_SEED,
};
/// A saved wait is read in every language, whatever the size of its integers there.
const HISTORY_LIMIT: IntegerSpec = IntegerSpec {
    ranged: OptionSpec::new("historyLimit", "must be an integer from 0 to 4294967295"),
    least: 0,
    greatest: u32::MAX as u64,
};

/// The options of a wait.
///
/// The max wait is required, as the specification's [waiter workflow] demands; a wait without one must limit its attempts
/// ([`limited_by_attempts`](Self::limited_by_attempts)).
///
/// # Example: five minutes, polling at least every ten seconds
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
    history_limit: usize,
    final_poll: FinalPoll,
    pace: Pace,
    transient_errors: TransientErrors,
    transient_window: Duration,
    redact: Vec<String>,
}

/// The time of the last poll of a wait (D2).
///
/// # Example: a last look shortly before the deadline
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
    /// One min delay before the deadline: the specification's rule.
    #[default]
    Specification,
    /// As late as it can be answered: at the deadline less a reserve of twice the slowest poll so far, from one second to the min
    /// delay. No delay exceeds the max delay.
    Late,
}

/// The pace of a wait: the rule for the delays between its attempts (D1).
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
    /// Exponential backoff with jitter: the specification's rule.
    #[default]
    Specification,
    /// A fixed delay, instead of the min and max delay.
    Every(Duration),
    /// A part of the time waited so far, more than 0 and at most 1, within the min and max delay: 0.1 notices a change no later than
    /// a tenth of the time that it took. Jitter makes a delay shorter by up to a tenth.
    Proportional(f64),
}

/// The effect of a transient error that no acceptor matches (D15).
///
/// # Example: the specification's strict reading
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
#[expect(clippy::exhaustive_enums, reason = "the rule has no third reading")]
pub enum TransientErrors {
    /// The call is made again, at the delays of the waiter.
    #[default]
    Retry,
    /// The wait ends, as the specification says of any error. A call that the attempt timeout cuts is no error: it is made again.
    Fail,
}

/// The whole time that the wait may take; the rest is the waiter's.
impl From<Duration> for WaitOptions {
    fn from(max_wait: Duration) -> Self {
        Self::new(max_wait)
    }
}

impl WaitOptions {
    /// Options of a wait that takes at most `max_wait`: more than 0, at most ten years.
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
            history_limit: DEFAULT_HISTORY_LIMIT,
            final_poll: FinalPoll::Specification,
            pace: Pace::Specification,
            transient_errors: TransientErrors::Retry,
            transient_window: DEFAULT_TRANSIENT_WINDOW,
            redact: Vec::new(),
        }
    }

    /// Options of a wait of at most `max_attempts` attempts, at least 1, and of any length.
    ///
    // SPEC: the workflow requires a maximum wait. A number of attempts bounds the wait too, as botocore's waiters do.
    #[must_use]
    pub const fn limited_by_attempts(max_attempts: u64) -> Self {
        let mut options = Self::new(Duration::ZERO);
        options.max_wait = None;
        options.max_attempts = Some(max_attempts);
        options
    }

    /// Options of a wait that ends at a deadline, in `time_left` from its start: the time that several waits share. If no time is left,
    /// the wait times out without a call.
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

    /// The time from the start to a deadline that several waits share; the wait ends at it or after the max wait, whichever is
    /// earlier. If no time is left, the wait times out without a call.
    #[must_use]
    pub const fn deadline_in(mut self, time_left: Duration) -> Self {
        self.deadline = Some(time_left);
        self
    }

    /// A text of 1 to 200 characters that says what is waited for, such as the name of a resource. It follows the waiter's name in
    /// every message, event and trace.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Paths of a response whose values progress, logs and failures show: `Stacks[0].StackStatusReason`.
    #[must_use]
    pub fn show<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.show = paths.into_iter().map(Into::into).collect();
        self
    }

    /// How long one attempt may take, more than 0. A call that takes longer is cancelled, and the wait goes on.
    #[must_use]
    pub const fn attempt_timeout(mut self, attempt_timeout: Duration) -> Self {
        self.attempt_timeout = Some(attempt_timeout);
        self
    }

    /// The least delay between two attempts, instead of the definition's; 0 only together with
    /// [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn min_delay(mut self, min_delay: Duration) -> Self {
        self.min_delay = Some(min_delay);
        self
    }

    /// The greatest delay between two attempts, instead of the definition's; 0 only together with
    /// [`max_attempts`](Self::max_attempts).
    #[must_use]
    pub const fn max_delay(mut self, max_delay: Duration) -> Self {
        self.max_delay = Some(max_delay);
        self
    }

    /// The number of attempts after which the wait gives up, at least 1; unlimited without it.
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u64) -> Self {
        self.max_attempts = Some(max_attempts);
        self
    }

    /// A pause before the first attempt; it counts towards the max wait and must be shorter.
    #[must_use]
    pub const fn initial_delay(mut self, initial_delay: Duration) -> Self {
        self.initial_delay = initial_delay;
        self
    }

    /// The seed of the delays' jitter, at most 2^53 - 1: the same seed gives the same delays.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// How many of the newest attempts the outcome tells of; 10 without it.
    #[must_use]
    pub const fn history_limit(mut self, history_limit: usize) -> Self {
        self.history_limit = history_limit;
        self
    }

    /// The time of the last poll.
    #[must_use]
    pub const fn final_poll(mut self, final_poll: FinalPoll) -> Self {
        self.final_poll = final_poll;
        self
    }

    /// The rule for the delays.
    #[must_use]
    pub const fn pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// The effect of transient errors that no acceptor matches: throttling, faults of the server, lost connections. By default
    /// the call is made again.
    #[must_use]
    pub const fn transient_errors(mut self, transient_errors: TransientErrors) -> Self {
        self.transient_errors = transient_errors;
        self
    }

    /// The longest time without any answer from the service, from the start of the first call that had none, more than 0; 120 s by
    /// default. Then the wait ends as
    /// [`Unreachable`](crate::FailureKind::Unreachable).
    #[must_use]
    pub const fn transient_window(mut self, transient_window: Duration) -> Self {
        self.transient_window = transient_window;
        self
    }

    /// Paths of members whose values messages, reasons and reports do not show: `Credentials.SecretKey`, `Users[].Password`,
    /// `Secrets.*`; lists are passed through. Of a response or input that is all that acceptors may quote; `message` also
    /// hides the messages of errors. A waiter of a model hides its `@sensitive` members by itself.
    #[must_use]
    pub fn redact<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.redact = paths.into_iter().map(Into::into).collect();
        self
    }

    /// Checks the options against a definition's own delays.
    pub(crate) fn resolve(
        &self,
        definition: (Option<Duration>, Option<Duration>),
        seed: u64,
    ) -> Result<ResolvedOptions, OptionsError> {
        let max_wait = self.checked_max_wait()?;
        let deadline = self.checked_deadline()?;
        self.check_final_poll()?;
        let attempt_timeout = self.attempt_timeout;
        Ok(ResolvedOptions {
            max_wait: max_wait.min(deadline.unwrap_or(u64::MAX)),
            has_deadline: deadline.is_some_and(|deadline| deadline < max_wait),
            label: self.checked_label()?,
            show: self.show.clone(),
            attempt_timeout: attempt_timeout
                .map(|timeout| ATTEMPT_TIMEOUT.positive_millis(timeout))
                .transpose()?,
            bounds: self.checked_bounds(definition)?,
            max_attempts: match self.max_attempts {
                Some(attempts) => Some(MAX_ATTEMPTS.checked(attempts)?),
                None => None,
            },
            initial_delay: self.checked_initial_delay(max_wait)?,
            seed: SEED.checked(seed)?,
            history_limit: self.checked_history_limit()?,
            final_poll: self.final_poll,
            proportional: self.checked_proportional()?,
            transient_errors: self.transient_errors,
            transient_window: TRANSIENT_WINDOW.positive_millis(self.transient_window)?,
            redact: self.redact.clone(),
        })
    }

    /// In milliseconds; as many as there are for a wait that only its attempts limit.
    fn checked_max_wait(&self) -> Result<u64, OptionsError> {
        match self.max_wait {
            Some(max_wait) => MAX_WAIT.positive_millis(max_wait),
            None if self.max_attempts.is_some() || self.deadline.is_some() => Ok(u64::MAX),
            None => {
                let rule = format!(" is missing: it {}, or give ", MAX_WAIT.range);
                let parts = [
                    option("maxWait"),
                    rule.into(),
                    option("deadline"),
                    " or ".into(),
                    option("maxAttempts"),
                ];
                Err(OptionsError::new("missing_option", "maxWait", parts))
            }
        }
    }

    /// In milliseconds from the start; 0 if the time is used up.
    fn checked_deadline(&self) -> Result<Option<u64>, OptionsError> {
        let Some(time_left) = self.deadline else {
            return Ok(None);
        };
        match whole_millis(time_left) {
            millis if millis <= TEN_YEARS_MS => Ok(Some(millis)),
            _ => Err(DEADLINE.refused(&display_number(time_left.as_secs_f64()))),
        }
    }

    fn checked_label(&self) -> Result<Option<String>, OptionsError> {
        let Some(label) = &self.label else {
            return Ok(None);
        };
        let label = one_line(label, LONGEST_LABEL);
        match label.chars().count() {
            0 => Err(LABEL.refused("an empty one")),
            length if length > LONGEST_LABEL => Err(LABEL.refused("a longer one")),
            _ => Ok(Some(label)),
        }
    }

    fn checked_bounds(
        &self,
        (min, max): (Option<Duration>, Option<Duration>),
    ) -> Result<Bounds, OptionsError> {
        if let Pace::Every(delay) = self.pace {
            return self.checked_fixed_bounds(delay);
        }
        let min = DelaySource::new(&MIN_DELAY, self.min_delay, min, definition::MIN_DELAY);
        let max = DelaySource::new(&MAX_DELAY, self.max_delay, max, definition::MAX_DELAY);
        let (from, to) = (MIN_DELAY.millis(min.value)?, MAX_DELAY.millis(max.value)?);
        // Without a pause and without a limit on attempts a wait would be a busy loop.
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
        for (given, name) in [(self.min_delay, "minDelay"), (self.max_delay, "maxDelay")] {
            if given.is_some() {
                let parts = [
                    option("pace"),
                    " with a fixed delay excludes ".into(),
                    option(name),
                ];
                return Err(OptionsError::conflict("pace", parts));
            }
        }
        let delay = PACE.positive_millis(delay)?;
        Ok(Bounds::checked(delay, delay))
    }

    fn checked_history_limit(&self) -> Result<usize, OptionsError> {
        HISTORY_LIMIT.checked(u64::try_from(self.history_limit).unwrap_or(u64::MAX))?;
        Ok(self.history_limit)
    }

    fn checked_initial_delay(&self, max_wait: u64) -> Result<u64, OptionsError> {
        let initial = INITIAL_DELAY.millis(self.initial_delay)?;
        if initial >= max_wait {
            return Err(INITIAL_DELAY.conflict([
                option("initialDelay"),
                format!(" {} is not less than ", seconds(initial)).into(),
                option("maxWait"),
                format!(" {}", seconds(max_wait)).into(),
            ]));
        }
        Ok(initial)
    }

    /// Refuses paths to show of responses that the engine does not read.
    #[cfg(feature = "driver")]
    pub(crate) fn check_shows_nothing(&self) -> Result<(), OptionsError> {
        if self.show.is_empty() {
            return Ok(());
        }
        let rule = " needs a waiter that reads responses: a predicate or compiled matcher reads them itself";
        Err(OptionsError::conflict(
            "show",
            [option("show"), rule.into()],
        ))
    }

    fn check_final_poll(&self) -> Result<(), OptionsError> {
        let has_end = self.max_wait.is_some() || self.deadline.is_some();
        if self.final_poll == FinalPoll::Specification || has_end {
            return Ok(());
        }
        let parts = [
            "a late final poll needs ".into(),
            option("maxWait"),
            " or ".into(),
            option("deadline"),
        ];
        Err(OptionsError::conflict("finalPoll", parts))
    }

    /// Returns the part of the time waited in millionths.
    fn checked_proportional(&self) -> Result<Option<u64>, OptionsError> {
        let Pace::Proportional(part) = self.pace else {
            return Ok(None);
        };
        let millionths = (part * 1_000_000.0).round();
        if (1.0..=1_000_000.0).contains(&millionths) {
            return Ok(Some(millionths as u64));
        }
        Err(PACE.refused(&format!("proportional to {}", display_number(part))))
    }
}

/// Checked options, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResolvedOptions {
    /// `u64::MAX` if only attempts are limited.
    #[serde(default = "unlimited", skip_serializing_if = "is_unlimited")]
    pub(crate) max_wait: u64,
    /// `true` if a deadline that waits share ends it before its own max wait.
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
    /// The part of the time waited that a delay is, in millionths.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) proportional: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) transient_errors: TransientErrors,
    #[serde(default = "default_window", skip_serializing_if = "is_default_window")]
    pub(crate) transient_window: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) redact: Vec<String>,
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

/// A delay, and where it came from.
pub(crate) struct DelaySource {
    name: &'static str,
    value: Duration,
    source: &'static str,
}

impl DelaySource {
    fn new(
        ranged: &OptionSpec,
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
            name: ranged.option,
            value,
            source,
        }
    }

    /// A value that is an option's, where it is not the usual one.
    pub(crate) fn of_preset(ranged: &OptionSpec, value: Duration, usual: Duration) -> Self {
        let option = (value != usual).then_some(value);
        Self::new(ranged, option, None, usual)
    }

    /// That this value is above another.
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
