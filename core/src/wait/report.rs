//! Reports of ended waits: their data, message and explanation.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use crate::definition::{PathMatcher, State};
use crate::error::Spelling;
use crate::evaluation::{PathValue, Reason, ReasonCode};
use crate::millis::seconds;
use crate::options::{FinalPoll, ResolvedOptions};
use crate::retry::Problem;
use crate::text::one_line;
use crate::waiter::Waiter;

/// The end of a wait, for programs and for people.
///
/// # Example: the report of a failed wait as text and as JSON
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{Event, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(std::time::Duration::from_secs(60)), 1)?;
/// wait.poll(0);
/// let Step::Done(report) = wait.handle(Event::response(&json!({"Status": "FAILED"})), 40)? else { panic!() };
///
/// println!("{}", report.explain());
/// let json = serde_json::to_value(&*report)?;
/// assert_eq!(json["code"], "failure_state");
/// assert_eq!((&json["acceptor"], &json["attempts"], &json["elapsed"]), (&json!(1), &json!(1), &json!(0.04)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaitReport {
    /// The name of the waiter.
    pub waiter: Option<String>,
    /// The label of the wait.
    pub label: Option<String>,
    /// The reason for the failure. `None` if the wait succeeded. Its name in JSON is `code`.
    pub kind: Option<FailureKind>,
    /// The message for people, on one line. It is the message of the definition if it has one for the failure.
    pub message: String,
    /// The index of the acceptor that ended the wait.
    pub acceptor: Option<usize>,
    /// The text of that acceptor as compact JSON, with the member names of the definition.
    pub acceptor_text: Option<String>,
    /// The number of attempts that were started.
    pub attempts: u64,
    /// The duration of the wait, in milliseconds.
    pub elapsed_ms: u64,
    /// The maximum delay with which a success was noticed, in milliseconds: the time since the start of the previous
    /// evaluated call. `None` for a failure, and if no previous call was evaluated.
    pub noticed_within_ms: Option<u64>,
    /// The result of the last attempt. `None` before the first attempt.
    pub last_result: Option<AttemptResult>,
    /// The latest attempts in chronological order, limited by the history limit.
    pub history: Vec<AttemptRecord>,
    /// The paths of the members whose values the texts and the [JSON](Self::to_json) omit.
    pub redact: Vec<String>,
}

/// The reason why a wait failed.
///
/// # Example: the reaction to each reason
///
/// ```
/// use smithy_waiters::FailureKind;
///
/// fn advice(kind: FailureKind) -> &'static str {
///     match kind {
///         FailureKind::TimedOut | FailureKind::TooManyAttempts => "wait longer",
///         FailureKind::FailureState => "the resource will never be ready",
///         FailureKind::UnmatchedError => "fix the call",
///         _ => "nothing",
///     }
/// }
///
/// assert_eq!(advice(FailureKind::TimedOut), "wait longer");
/// assert_eq!(FailureKind::TimedOut.code(), "timed_out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// The caller cancelled the wait.
    Cancelled,
    /// An acceptor with state `failure` matched.
    FailureState,
    /// The resource was found and is gone: two errors in a row say that it does not exist. Only with the option
    /// [`not_found_for`](crate::WaitOptions::not_found_for).
    Gone,
    /// The resource was not found in the time of the option [`not_found_for`](crate::WaitOptions::not_found_for).
    NeverFound,
    /// The value of the option [`left`](crate::WaitOptions::left) was not left in time: the change may not have started.
    NeverLeft,
    /// The value of the option [`same`](crate::WaitOptions::same) was not seen in time.
    NeverSeen,
    /// Another value took the place of the value of the option [`same`](crate::WaitOptions::same).
    Replaced,
    /// The deadline passed, or no further attempt fits before it.
    TimedOut,
    /// The maximum number of attempts is reached.
    TooManyAttempts,
    /// The service has not responded for the duration of the transient window.
    Unreachable,
    /// The resource is in a state that the definition does not list: an acceptor with `unexpected` matched.
    /// See [docs/rules.md#unexpected-states](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#unexpected-states).
    UnexpectedState,
    /// The call returned an error that no acceptor matches.
    UnmatchedError,
}

impl FailureKind {
    /// Returns `true` if the wait gave up on work that may still be running: it was cancelled, or its time or its attempts
    /// are over. See [docs/rules.md#around-a-wait](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#around-a-wait).
    #[must_use]
    pub const fn leaves_work(self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::TimedOut | Self::TooManyAttempts
        )
    }

    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::FailureState => "failure_state",
            Self::Gone => "gone",
            Self::NeverFound => "never_found",
            Self::NeverLeft => "never_left",
            Self::NeverSeen => "never_seen",
            Self::Replaced => "replaced",
            Self::TimedOut => "timed_out",
            Self::TooManyAttempts => "too_many_attempts",
            Self::UnexpectedState => "unexpected_state",
            Self::Unreachable => "unreachable",
            Self::UnmatchedError => "unmatched_error",
        }
    }

    /// Returns the name of the exception's class in languages with exceptions, and in JSON: `WaiterTimeout`.
    #[must_use]
    pub const fn class_name(self) -> &'static str {
        match self {
            Self::Cancelled => "WaiterCancelled",
            Self::FailureState
            | Self::Gone
            | Self::NeverFound
            | Self::NeverLeft
            | Self::NeverSeen
            | Self::Replaced
            | Self::UnexpectedState
            | Self::Unreachable
            | Self::UnmatchedError => "WaiterFailed",
            Self::TimedOut => "WaiterTimeout",
            Self::TooManyAttempts => "WaiterAttemptsExceeded",
        }
    }
}

/// An attempt that ended. See [docs/rules.md#history](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#history).
///
/// # Example: the attempts of a wait
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{AttemptRecord, ErrorMetadata, WaitOptions, Waiter};
/// # #[cfg(feature = "testing")] {
/// use smithy_waiters::Driver;
/// use smithy_waiters::testing::FakeClock;
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut seen: Vec<AttemptRecord> = Vec::new();
/// let driver = Driver::new(FakeClock::new()).on_attempt(|progress| seen.push(progress.attempt.clone()));
/// let options = WaitOptions::new(std::time::Duration::from_secs(60)).max_attempts(2);
/// let call = |_| Ok::<Value, ErrorMetadata>(json!({"Status": "PENDING"}));
/// driver.wait_blocking(&ready, call, options).unwrap_err();
///
/// assert_eq!((seen[0].attempt, seen[0].delay_ms), (1, Some(2_000)));
/// assert_eq!(seen[0].reasons[0].text, r#"Status gave "PENDING", expected "READY""#);
/// assert_eq!((seen[1].attempt, seen[1].delay_ms), (2, None));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttemptRecord {
    /// The number of the attempt, from 1.
    pub attempt: u64,
    /// The start of the call, in milliseconds since the wait started.
    pub started_ms: u64,
    /// The end of the call, in milliseconds since the wait started.
    pub ended_ms: u64,
    /// The result of the call.
    pub result: AttemptResult,
    /// The error on one line, if the call returned one.
    pub error: Option<String>,
    /// The state of the verdict. `None` if the result was not evaluated.
    pub state: Option<State>,
    /// The index of the acceptor that matched.
    pub acceptor: Option<usize>,
    /// The reasons why each evaluated acceptor did or did not match.
    pub reasons: Vec<Reason>,
    /// The values of the paths to show in a response.
    #[serde(default)]
    pub values: Vec<PathValue>,
    /// The delay after the attempt, in milliseconds. `None` if no attempt follows.
    pub delay_ms: Option<u64>,
    /// `true` if the attempt after that delay is the last one that fits before the deadline.
    pub next_is_last: bool,
}

/// The result of a call.
///
/// # Example: the result of the only call
///
/// ```
/// use smithy_waiters::{AttemptResult, ErrorMetadata, Event, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(std::time::Duration::from_secs(60)), 1)?;
/// wait.poll(0);
/// let denied = ErrorMetadata::of_code("AccessDenied");
/// let Step::Done(report) = wait.handle(Event::error(&denied), 5)? else { panic!() };
/// assert_eq!(report.history[0].result, AttemptResult::Error);
/// assert_eq!(AttemptResult::Error.as_str(), "error");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AttemptResult {
    /// The wait was cancelled during the call.
    Cancelled,
    /// The driver interrupted the call at the deadline.
    Cut,
    /// The call returned an error.
    Error,
    /// The call ended after the deadline, and its result was discarded.
    Late,
    /// The call returned a response.
    Response,
}

impl AttemptResult {
    /// Returns the result of a call that ended in time.
    pub(crate) const fn of_call(failed: bool) -> Self {
        if failed { Self::Error } else { Self::Response }
    }

    /// Returns the stable name, for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Cut => "cut",
            Self::Error => "error",
            Self::Late => "late",
            Self::Response => "response",
        }
    }
}

/// The reason why a wait ends, with the data of its message that the history lacks.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Cancelled,
    FailureState {
        /// The value of the acceptor's `message`.
        message: Option<String>,
        /// `true` if the definition does not list the state.
        is_unexpected: bool,
    },
    Gone,
    /// A condition of the options can no longer hold.
    Missed(FailureKind),
    NeverFound,
    Success {
        /// The time since the start of the previous evaluated call.
        noticed_within: Option<u64>,
    },
    TimedOut(TimeoutCause),
    TooManyAttempts,
    Unreachable,
    UnmatchedError(Problem),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum TimeoutCause {
    /// The last call was interrupted at the deadline.
    Interrupted,
    /// The last call ended after the deadline.
    Late,
    /// No further attempt fits before the deadline.
    NoFurtherAttempt,
    /// The service requests no attempt before this time, which is too late.
    NotBefore(u64),
    /// The deadline passed during a pause.
    Over,
}

impl End {
    const fn kind(&self) -> Option<FailureKind> {
        match self {
            Self::Cancelled => Some(FailureKind::Cancelled),
            Self::FailureState {
                is_unexpected: true,
                ..
            } => Some(FailureKind::UnexpectedState),
            Self::FailureState { .. } => Some(FailureKind::FailureState),
            Self::Gone => Some(FailureKind::Gone),
            Self::Missed(kind) => Some(*kind),
            Self::NeverFound => Some(FailureKind::NeverFound),
            Self::Success { .. } => None,
            Self::TimedOut(_) => Some(FailureKind::TimedOut),
            Self::TooManyAttempts => Some(FailureKind::TooManyAttempts),
            Self::Unreachable => Some(FailureKind::Unreachable),
            Self::UnmatchedError(_) => Some(FailureKind::UnmatchedError),
        }
    }
}

impl WaitReport {
    /// Returns the cause of the failure: the caller's `reason` of a cancellation, or the `error` of the last attempt if that
    /// attempt returned an error.
    #[doc(hidden)]
    pub fn cause<T>(&self, error: Option<T>, reason: Option<T>) -> Option<T> {
        match self.kind? {
            // Not the error of an attempt before the cancellation.
            FailureKind::Cancelled => reason,
            _ => error.filter(|_| self.last_result == Some(AttemptResult::Error)),
        }
    }

    pub(crate) fn new(
        end: &End,
        waiter: &Waiter,
        settings: &ResolvedOptions,
        attempts: u64,
        elapsed_ms: u64,
        (mut history, spelling): (Vec<AttemptRecord>, Spelling),
    ) -> Self {
        let kind = end.kind();
        let latest = history.last();
        // No other end comes from an acceptor: the last one that matched only retried.
        let decided = matches!(end, End::FailureState { .. } | End::Success { .. });
        let acceptor = latest
            .filter(|_| decided)
            .and_then(|attempt| attempt.acceptor);
        let found = acceptor.and_then(|index| waiter.acceptor(index));
        let skipped = history.len().saturating_sub(settings.history_limit);
        let headline = Headline {
            waiter,
            settings,
            attempts,
            elapsed_ms,
            history: &history,
            spelling,
        };
        let message = headline.message(end);
        let last_result = latest.map(|attempt| attempt.result);
        // The latest attempt is stored for the message even if the history limit is 0.
        history.drain(..skipped);
        Self {
            waiter: waiter.name().map(ToOwned::to_owned),
            label: settings.label.clone(),
            kind,
            message,
            acceptor,
            acceptor_text: found.map(|acceptor| acceptor.text().to_owned()),
            attempts,
            elapsed_ms,
            noticed_within_ms: match end {
                End::Success { noticed_within } => *noticed_within,
                _ => None,
            },
            last_result,
            history,
            redact: waiter.redact().to_vec(),
        }
    }

    /// Returns the full explanation for people: the message, then a line for each attempt in the history and for each
    /// acceptor that was evaluated in it. Acceptors that cannot match the kind of result are omitted.
    #[must_use]
    pub fn explain(&self) -> String {
        let mut text = self.preface();
        text.push_str(&self.message);
        // The history is limited, and the total is not.
        let remembered = u64::try_from(self.history.len()).unwrap_or(u64::MAX);
        match self.attempts.saturating_sub(remembered) {
            0 => {}
            1 => text.push_str("\n  … 1 earlier attempt"),
            earlier => _ = write!(text, "\n  … {earlier} earlier attempts"),
        }
        for equal_attempts in self.history.chunk_by(AttemptRecord::is_equal_attempt) {
            if let (Some(first), Some(last)) = (equal_attempts.first(), equal_attempts.last()) {
                AttemptRecord::explain(&mut text, first, last);
            }
        }
        text
    }

    /// Returns the waiter, the time and the attempts if the message, which the definition may provide, doesn't contain
    /// them.
    fn preface(&self) -> String {
        // Only this kind can have the service's own text, which names neither the waiter nor the totals.
        if self.kind != Some(FailureKind::FailureState) {
            return String::new();
        }
        let subject = Subject(self.waiter.as_deref(), self.label.as_deref());
        let preface = subject.with_totals(FAILED, self.elapsed_ms, self.attempts) + ": ";
        // The default message, or the one with a label, already has it.
        if self.message.starts_with(&preface) {
            return String::new();
        }
        preface
    }
}

impl fmt::Display for WaitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

const FAILED: &str = "failed after";

/// The maximum length of a definition's message in code points, because saved waits contain it.
const MAX_MESSAGE_CHARS: usize = 10_000;

/// The waiter's name and the label of the wait.
#[derive(Clone, Copy)]
struct Subject<'a>(Option<&'a str>, Option<&'a str>);

impl Subject<'_> {
    /// Formats as in `TableExists failed after 4.2 s and 3 attempts`, or with a label as in
    /// `TableExists orders: failed after …`.
    fn with_totals(self, verb: &str, elapsed_ms: u64, attempts: u64) -> String {
        let (elapsed, s) = (seconds(elapsed_ms), if attempts == 1 { "" } else { "s" });
        format!("{self} {verb} {elapsed} and {attempts} attempt{s}")
    }
}

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self(Some(waiter), Some(label)) => write!(f, "{waiter} {label}:"),
            Self(None, Some(label)) => write!(f, "{label}:"),
            Self(waiter, None) => f.write_str(waiter.unwrap_or("the waiter")),
        }
    }
}

/// Returns the message of a success.
pub(super) fn success_message(
    waiter: &Waiter,
    settings: &ResolvedOptions,
    attempts: u64,
    elapsed_ms: u64,
) -> String {
    // The state may be that from before a change, which no condition of the options excludes.
    let verb = if attempts == 1 && !settings.knows_the_change() {
        "was already in its state after"
    } else {
        "reached its state after"
    };
    Subject(waiter.name(), settings.label.as_deref()).with_totals(verb, elapsed_ms, attempts)
}

/// Returns the waiter's name and the label, followed by a colon, or `None` without both.
pub(super) fn subject(waiter: &Waiter, label: Option<&str>) -> Option<String> {
    let subject = Subject(waiter.name(), label).to_string();
    let colon = if label.is_some() { "" } else { ":" };
    (waiter.name().is_some() || label.is_some()).then(|| subject + colon)
}

/// Returns a one-line description of an attempt: its result and the next delay.
pub(super) fn summary(waiter: &Waiter, label: Option<&str>, attempt: &AttemptRecord) -> String {
    let subject = subject(waiter, label).unwrap_or_else(|| "the waiter:".to_owned());
    let (number, elapsed) = (attempt.attempt, seconds(attempt.ended_ms));
    let state = attempt.state.map_or(attempt.result.as_str(), State::as_str);
    let mut text = format!("{subject} attempt {number} after {elapsed}: {state}");
    // Writing to a string never fails.
    if let Some(reason) = reason(waiter, attempt) {
        let _ = write!(text, ": {reason}");
    }
    let values = values(attempt);
    if !values.is_empty() {
        let _ = write!(text, "; {values}");
    }
    if let Some(delay) = attempt.delay_ms {
        let last = if attempt.next_is_last {
            ", the last"
        } else {
            ""
        };
        let _ = write!(text, "; next in {}{last}", seconds(delay));
    }
    text
}

/// Returns the reason for an attempt's state as text. If an acceptor decided the wait, it is that acceptor's reason.
/// For a retry or an unexpected state, it is the most informative reason, and for an error that no acceptor matches,
/// the error.
pub(super) fn reason(waiter: &Waiter, attempt: &AttemptRecord) -> Option<String> {
    if let (Some(State::Failure), None, Some(error)) =
        (attempt.state, attempt.acceptor, &attempt.error)
    {
        return Some(error.clone());
    }
    let decides = |reason: &&Reason| {
        let acceptor = reason.acceptor.and_then(|index| waiter.acceptor(index));
        acceptor.is_some_and(|acceptor| acceptor.state() != State::Retry && !acceptor.unexpected())
    };
    // An acceptor whose match a condition of the options holds back has not decided.
    let decisive = attempt.acceptor.and_then(|_| attempt.matched());
    let decisive = decisive.filter(decides);
    let reason = decisive.or_else(|| key_reason(waiter, attempt))?;
    Some(reason.text.clone())
}

/// Returns the values to show except nulls, on one line: `StackStatusReason: "no quota"`.
pub(super) fn values(attempt: &AttemptRecord) -> String {
    // A path that gives null, such as a reason that the service omits, would only lengthen the line.
    let values = attempt.values.iter().filter(|value| value.text != "null");
    let values = values.map(|PathValue { path, text }| format!("{path}: {text}"));
    values.collect::<Vec<_>>().join("; ")
}

/// The data of a wait's message.
struct Headline<'w> {
    waiter: &'w Waiter,
    settings: &'w ResolvedOptions,
    attempts: u64,
    elapsed_ms: u64,
    history: &'w [AttemptRecord],
    spelling: Spelling,
}

impl Headline<'_> {
    /// Returns the message. For a failure, it includes the values to show.
    fn message(&self, end: &End) -> String {
        let mut text = self.text(end);
        if !matches!(end, End::Success { .. }) {
            let mut newest = self.history.iter().rev();
            // Errors and interrupted calls have no values, so that the newest response counts.
            let newest = newest.find(|attempt| !attempt.values.is_empty());
            let values = newest.map(values).filter(|values| !values.is_empty());
            if let Some(values) = values {
                text.push_str("; ");
                text.push_str(&values);
            }
        }
        text
    }

    fn text(&self, end: &End) -> String {
        match end {
            End::Success { .. } => {
                success_message(self.waiter, self.settings, self.attempts, self.elapsed_ms)
            }
            End::Cancelled => self.begin("was cancelled after") + &self.latest_reason(),
            End::FailureState {
                message: Some(message),
                ..
            } => {
                // The service's text could be long, or look like several lines of a log.
                // Rule: docs/rules.md#failure-messages
                let message = one_line(message, MAX_MESSAGE_CHARS);
                match self.settings.label {
                    Some(_) => format!("{}: {message}", self.begin(FAILED)),
                    None => message,
                }
            }
            End::FailureState {
                is_unexpected: true,
                ..
            } => {
                let latest = self.history.last();
                let why = latest.and_then(|attempt| key_reason(self.waiter, attempt));
                let why = why.map_or("no acceptor lists it", |reason| &reason.text);
                format!("{}: an unexpected state: {why}", self.begin(FAILED))
            }
            End::FailureState { .. } => {
                let latest = self.history.last();
                let why = latest.and_then(AttemptRecord::matched);
                let why = why.map_or("an acceptor matched", |reason| &reason.text);
                format!("{}: {why}", self.begin(FAILED))
            }
            End::Gone => {
                let mut newest = self.history.iter().rev();
                let found = newest.find(|attempt| attempt.result == AttemptResult::Response);
                let seen = found.and_then(|attempt| {
                    let reason = key_reason(self.waiter, attempt)?;
                    let after = seconds(attempt.ended_ms);
                    Some(format!("; after {after} it was there: {}", reason.text))
                });
                let seen = seen.unwrap_or_default();
                let error = self.latest_error();
                format!(
                    "{}: the resource is gone: {error}{seen}",
                    self.begin(FAILED)
                )
            }
            End::Missed(_) => {
                let latest = self.history.last();
                let why = latest.and_then(|attempt| key_reason(self.waiter, attempt));
                let why = why.map_or("a condition does not hold", |reason| &reason.text);
                format!("{}: {why}", self.begin(FAILED))
            }
            End::NeverFound => {
                let window = seconds(self.settings.not_found_for.unwrap_or_default());
                format!(
                    "{}: the resource was never found in {window}: {} (does it exist? {} is the time to wait for it)",
                    self.begin(FAILED),
                    self.latest_error(),
                    self.spelling.option("notFoundFor")
                )
            }
            End::TimedOut(why) => {
                let (why, seen) = (self.timeout_reason(*why), self.latest_reason());
                format!("{}: {why}{seen}", self.begin("timed out after"))
            }
            End::TooManyAttempts => {
                let seen = self.latest_reason();
                format!(
                    "{}: no more attempts are allowed{seen}",
                    self.begin("gave up after")
                )
            }
            End::Unreachable => {
                let window = seconds(self.settings.transient_window);
                let latest = self.history.last().and_then(|attempt| {
                    let mut reasons = attempt.reasons.iter().rev();
                    reasons.find(|reason| reason.code == ReasonCode::Transient)
                });
                let latest = latest.map_or("no answer", |reason| &reason.text);
                format!(
                    "{}: the service has not answered for {window}: {latest}",
                    self.begin(FAILED)
                )
            }
            End::UnmatchedError(problem) => {
                let error = problem.describe(self.latest_error(), self.spelling);
                format!("{}: {error}", self.begin(FAILED))
            }
        }
    }

    fn latest_error(&self) -> &str {
        let latest = self.history.last();
        let error = latest.and_then(|attempt| attempt.error.as_deref());
        error.unwrap_or("an unnamed error")
    }

    fn begin(&self, verb: &str) -> String {
        self.subject()
            .with_totals(verb, self.elapsed_ms, self.attempts)
    }

    fn timeout_reason(&self, why: TimeoutCause) -> String {
        let Self {
            settings, attempts, ..
        } = self;
        let limit = seconds(settings.max_wait);
        // The caller did not set `max wait` to this number, so that the message must not name that option.
        let (max_wait, in_brackets) = if settings.has_deadline {
            (format!("the {limit} to the deadline"), String::new())
        } else {
            let max_wait = format!("max wait {limit}");
            (max_wait.clone(), format!(" ({max_wait})"))
        };
        match why {
            TimeoutCause::Interrupted => {
                format!("attempt {attempts} was still running at the deadline{in_brackets}")
            }
            TimeoutCause::Late => format!(
                "attempt {attempts} ended after the deadline{in_brackets}, its result was discarded"
            ),
            TimeoutCause::NotBefore(time) => {
                let after = seconds(time.saturating_sub(self.elapsed_ms));
                format!(
                    "the service requested a delay of {after}, which does not fit into {max_wait}"
                )
            }
            // The specification's last poll starts one `minDelay` before the deadline. Rule: docs/rules.md#final-poll
            TimeoutCause::NoFurtherAttempt if self.elapsed_ms < settings.max_wait => {
                let early = seconds(settings.max_wait.saturating_sub(self.elapsed_ms));
                let min_delay = seconds(settings.bounds.min());
                match settings.final_poll {
                    FinalPoll::Specification => format!(
                        "gave up {early} early: no further poll fits into {max_wait} (min delay {min_delay}); {} polls until the deadline",
                        self.spelling.setting("finalPoll", "late")
                    ),
                    FinalPoll::Late => {
                        format!("the last poll ended {early} before the end of {max_wait}")
                    }
                }
            }
            _ if settings.has_deadline => "the deadline has passed".to_owned(),
            TimeoutCause::NoFurtherAttempt | TimeoutCause::Over => format!("{max_wait} is over"),
        }
    }

    fn subject(&self) -> Subject<'_> {
        Subject(self.waiter.name(), self.settings.label.as_deref())
    }

    /// Describes the latest evaluated attempt by the reason why it was not a success.
    fn latest_reason(&self) -> String {
        let mut newest = self.history.iter().rev();
        let Some(reason) = newest.find_map(|attempt| key_reason(self.waiter, attempt)) else {
            return String::new();
        };
        let expected = self.unevaluated_success(reason).unwrap_or_default();
        format!("; last seen: {}{expected}", reason.text)
    }

    /// Returns the expected value of the first success acceptor, if an earlier retry acceptor matched a response.
    fn unevaluated_success(&self, reason: &Reason) -> Option<String> {
        let matched = self.waiter.acceptor(reason.acceptor?)?;
        if !reason.code.is_match() || matched.state() != State::Retry {
            return None;
        }
        let mut acceptors = (0..).map_while(|index| self.waiter.acceptor(index));
        let success = acceptors.find(|acceptor| acceptor.state() == State::Success)?;
        Some(expected_beside(
            success.matcher().path_matcher()?,
            matched.matcher().path_matcher()?,
        ))
    }
}

/// Returns the most informative reason: the one of a success acceptor, then the one of the acceptor that matched, then
/// the first that applies. For an error, the acceptor that matched comes first, because a success acceptor only reports
/// that it didn't match.
fn key_reason<'a>(waiter: &Waiter, attempt: &'a AttemptRecord) -> Option<&'a Reason> {
    let applies = |reason: &&Reason| reason.code != ReasonCode::NotApplicable;
    let is_success = |reason: &&Reason| {
        let acceptor = reason.acceptor.and_then(|index| waiter.acceptor(index));
        acceptor.is_some_and(|acceptor| acceptor.state() == State::Success)
    };
    let find = |wanted: &dyn Fn(&&Reason) -> bool| attempt.reasons.iter().find(wanted);
    // Acceptors matched, but that doesn't count yet.
    if let Some(held) = find(&|reason| reason.code.is_of_condition()) {
        return Some(held);
    }
    let success = find(&|reason| is_success(reason) && applies(reason));
    let retried = [ReasonCode::NotFound, ReasonCode::Transient];
    let retried = || find(&|reason| retried.contains(&reason.code));
    let [first, second] = match attempt.result {
        // After an error, paths do not apply, so that the success acceptor has the less useful reason.
        AttemptResult::Error => [attempt.matched().or_else(retried), success],
        _ => [success, attempt.matched()],
    };
    let success = || find(&|reason| is_success(reason));
    first
        .or(second)
        // A reason that does not apply is still better than none: it names the expectation.
        .or_else(success)
        .or_else(|| find(&|reason| applies(reason)))
}

/// Returns the expected value of a success acceptor, to follow the reason of another acceptor: `, expected "ACTIVE"`.
fn expected_beside(success: &PathMatcher, matched: &PathMatcher) -> String {
    let expected = success.expected();
    if success.path().text() == matched.path().text() {
        return format!(", expected {expected}");
    }
    format!(", expected of {} {expected}", success.path().text())
}

impl AttemptRecord {
    fn matched(&self) -> Option<&Reason> {
        self.reasons.iter().find(|reason| reason.code.is_match())
    }

    fn is_equal_attempt(&self, other: &Self) -> bool {
        let saw = |record: &Self| (record.result, record.state);
        // Times and numbers differ between all attempts.
        saw(self) == saw(other) && self.reasons == other.reasons && self.values == other.values
    }

    /// Adds equal attempts as one entry: their numbers, their times and their common result.
    fn explain(text: &mut String, first: &Self, last: &Self) {
        // Writing to a string never fails.
        let _ = if first.attempt == last.attempt {
            write!(text, "\n  attempt {}", first.attempt)
        } else {
            write!(text, "\n  attempts {} to {}", first.attempt, last.attempt)
        };
        let (from, to, result) = (first.started_ms, last.ended_ms, first.result.as_str());
        let _ = write!(text, " ({from} to {to} ms): {result}");
        if let Some(state) = first.state {
            let _ = write!(text, " → {state}");
        }
        if let Some(delay) = last.delay_ms {
            let _ = write!(text, ", next in {delay} ms");
        }
        if last.next_is_last {
            text.push_str(", the last that fits");
        }
        let applicable = |reason: &&Reason| reason.code != ReasonCode::NotApplicable;
        for reason in first.reasons.iter().filter(applicable) {
            text.push_str("\n    ");
            if let Some(acceptor) = reason.acceptor {
                let matched = if reason.code.is_match() {
                    "matched"
                } else {
                    "no match"
                };
                let _ = write!(text, "acceptor {acceptor}: {matched}: ");
            }
            text.push_str(&reason.text);
        }
        for PathValue { path, text: value } in &first.values {
            let _ = write!(text, "\n    {path}: {value}");
        }
    }
}
