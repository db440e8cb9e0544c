//! How a wait ended, and what it saw on the way.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::error::StateError;
use crate::json::{self, Json};
use crate::matcher::Seen;
use crate::options::seconds;
use crate::value::Value;
use crate::verdict::{Reason, ReasonCode, State, Verdict};
use crate::wait::kept;
use crate::wait::message::{FAILED, push_number, spent};

/// How a wait ended: everything that a program or a person needs to know why.
///
/// # Example: what a failed wait tells, to people and as JSON
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Seen, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(std::time::Duration::from_secs(60)), 1)?;
/// wait.next(0)?;
/// let Step::Done(ending) = wait.observe(&Value::Null, Seen::Response(&json!({"Status": "FAILED"})), 40)? else { panic!() };
///
/// println!("{}", ending.explain());
/// let json = serde_json::to_value(&*ending)?;
/// assert_eq!(json["code"], "failure_state");
/// assert_eq!((&json["acceptor"], &json["attempts"], &json["elapsedMs"]), (&json!(1), &json!(1), &json!(40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ending {
    /// The waiter's name.
    pub waiter: Option<String>,
    /// Why it failed; `None` for a success. In JSON it is the `code`.
    #[serde(rename = "code")]
    pub kind: Option<FailureKind>,
    /// What happened, for people, in one line; the failure's own message where the definition has one.
    pub message: String,
    /// The index of the acceptor that ended the wait.
    pub acceptor: Option<usize>,
    /// That acceptor as the definition has it, as compact JSON.
    pub acceptor_text: Option<String>,
    /// The number of calls that were started.
    pub attempts: u64,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// The newest attempts, the oldest first; at most the history limit.
    pub history: Vec<AttemptRecord>,
}

/// Why a wait did not succeed.
///
/// # Example: what to do about each
///
/// ```
/// use smithy_waiters::FailureKind;
///
/// fn advice(kind: FailureKind) -> &'static str {
///     match kind {
///         FailureKind::TimedOut | FailureKind::TooManyAttempts => "wait longer",
///         FailureKind::FailureState => "the resource will never be ready",
///         FailureKind::UnmatchedError => "mend the call",
///         _ => "nothing",
///     }
/// }
///
/// assert_eq!(advice(FailureKind::TimedOut), "wait longer");
/// assert_eq!(FailureKind::TimedOut.code(), "timed_out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// The caller cancelled it.
    Cancelled,
    /// An acceptor with state `failure` matched.
    FailureState,
    /// The time is up, or no further poll fits into it.
    TimedOut,
    /// The caller's number of attempts is used up.
    TooManyAttempts,
    /// The call failed with an error that no acceptor matches.
    UnmatchedError,
}

impl FailureKind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Cancelled,
        Self::FailureState,
        Self::TimedOut,
        Self::TooManyAttempts,
        Self::UnmatchedError,
    ];

    /// The stable code, for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::FailureState => "failure_state",
            Self::TimedOut => "timed_out",
            Self::TooManyAttempts => "too_many_attempts",
            Self::UnmatchedError => "unmatched_error",
        }
    }
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// One attempt that has ended (D12).
///
/// # Example: the attempts of a wait, one by one
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{AttemptRecord, ErrorFacts, WaitOptions, Waiter};
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
/// let call = |_| Ok::<Value, ErrorFacts>(json!({"Status": "PENDING"}));
/// driver.wait_blocking(&ready, call, options).unwrap_err();
///
/// assert_eq!((seen[0].attempt, seen[0].delay_ms), (1, Some(2_000)));
/// assert_eq!(seen[0].reasons[0].text, r#"Status gave "PENDING", expected "READY""#);
/// assert_eq!((seen[1].attempt, seen[1].delay_ms), (2, None));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttemptRecord {
    /// Its number, from 1.
    pub attempt: u64,
    /// When the call was started, in milliseconds since the wait began.
    pub started_ms: u64,
    /// When it ended, likewise.
    pub ended_ms: u64,
    /// What came of it.
    pub result: AttemptResult,
    /// The error in one line, where the call failed.
    pub error: Option<String>,
    /// The verdict's state; `None` where the result was not looked at.
    pub state: Option<State>,
    /// The index of the acceptor that matched.
    pub acceptor: Option<usize>,
    /// Why each acceptor that was looked at did or did not match.
    pub reasons: Vec<Reason>,
    /// The delay that followed, in milliseconds.
    pub delay_ms: Option<u64>,
    /// Whether the attempt after that delay is the last that fits.
    pub next_is_last: bool,
}

/// What came of a call.
///
/// # Example: what came of the only call
///
/// ```
/// use serde_json::Value;
/// use smithy_waiters::{AttemptResult, ErrorFacts, Seen, Step, WaitOptions, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let mut wait = ready.start(&WaitOptions::new(std::time::Duration::from_secs(60)), 1)?;
/// wait.next(0)?;
/// let denied = ErrorFacts::of_code("AccessDenied");
/// let Step::Done(ending) = wait.observe(&Value::Null, Seen::Failure(&denied), 5)? else { panic!() };
/// assert_eq!(ending.history[0].result, AttemptResult::Error);
/// assert_eq!(AttemptResult::Error.as_str(), "error");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttemptResult {
    /// The wait was cancelled while it ran.
    Cancelled,
    /// The driver cut it at the deadline.
    Cut,
    /// It failed.
    Error,
    /// It ended after the deadline: what it gave was not looked at.
    Late,
    /// It succeeded.
    Response,
}

impl AttemptResult {
    pub(crate) const ALL: [Self; 5] = [
        Self::Cancelled,
        Self::Cut,
        Self::Error,
        Self::Late,
        Self::Response,
    ];

    /// The stable word, for programs.
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

impl Serialize for AttemptResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Ending {
    /// The whole story for people: the message, behind what failed and when where it is the definition's own, then a line for
    /// each attempt that is remembered and each acceptor it was held against.
    #[must_use]
    pub fn explain(&self) -> String {
        let mut text = String::new();
        if self.kind == Some(FailureKind::FailureState) {
            let waiter = self.waiter.as_deref();
            text = spent(waiter, FAILED, self.elapsed_ms, self.attempts) + ": ";
            if self.message.starts_with(&text) {
                text.clear();
            }
        }
        text.push_str(&self.message);
        text.push('\n');
        let unseen = self
            .attempts
            .saturating_sub(u64::try_from(self.history.len()).unwrap_or(u64::MAX));
        if unseen > 0 {
            push_number(&mut text, "  … ", unseen);
            text.push_str(if unseen == 1 {
                " earlier attempt\n"
            } else {
                " earlier attempts\n"
            });
        }
        for alike in self.history.chunk_by(AttemptRecord::is_alike) {
            if let (Some(first), Some(last)) = (alike.first(), alike.last()) {
                AttemptRecord::explain(&mut text, first, last);
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// An ending from what [`to_json`](Self::to_json) gave.
    ///
    /// # Errors
    ///
    /// [`StateError::Damaged`] for anything else.
    ///
    /// # Example: kept and read back
    ///
    /// ```
    /// use std::time::Duration;
    /// use smithy_waiters::{AttemptRecord, Ending, Step, WaitOptions, Waiter};
    ///
    /// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#)?;
    /// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)), 0)?;
    /// wait.next(0)?;
    /// let Step::Done(ending) = wait.cancel(5) else { unreachable!() };
    /// assert_eq!(Ending::from_json(&ending.to_json())?, *ending);
    /// let attempt = &ending.history[0];
    /// assert_eq!(AttemptRecord::from_json(&attempt.to_json())?, *attempt);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        kept::ending(text)
    }

    /// The ending as JSON text, the same that it serialises to.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::object(&[
            ("waiter", self.waiter.as_deref().into()),
            ("code", self.kind.map(FailureKind::code).into()),
            ("message", (&*self.message).into()),
            ("acceptor", self.acceptor.into()),
            ("acceptorText", self.acceptor_text.as_deref().into()),
            ("attempts", self.attempts.into()),
            ("elapsedMs", self.elapsed_ms.into()),
            (
                "history",
                Json::Text(AttemptRecord::list_to_json(&self.history)),
            ),
        ])
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl AttemptRecord {
    pub(crate) fn seen<V: Value>(
        attempt: u64,
        started: u64,
        ended: u64,
        seen: &Seen<'_, V>,
        verdict: &Verdict,
        reasons: Vec<Reason>,
    ) -> Self {
        let (result, error) = match seen {
            Seen::Response(_) => (AttemptResult::Response, None),
            Seen::Failure(facts) => (AttemptResult::Error, Some(facts.describe())),
        };
        Self {
            error,
            state: Some(verdict.state()),
            acceptor: verdict.acceptor(),
            reasons,
            ..Self::unseen(attempt, started, ended, result)
        }
    }

    /// A record from what [`to_json`](Self::to_json) gave; [`Ending::from_json`] shows it.
    ///
    /// # Errors
    ///
    /// [`StateError::Damaged`] for anything else.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        kept::attempt(text)
    }

    /// The record as JSON text, the same that it serialises to.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::object(&[
            ("attempt", self.attempt.into()),
            ("startedMs", self.started_ms.into()),
            ("endedMs", self.ended_ms.into()),
            ("result", self.result.as_str().into()),
            ("error", self.error.as_deref().into()),
            ("state", self.state.map(State::as_str).into()),
            ("acceptor", self.acceptor.into()),
            ("reasons", Json::Text(Reason::list_to_json(&self.reasons))),
            ("delayMs", self.delay_ms.into()),
            ("nextIsLast", self.next_is_last.into()),
        ])
    }

    pub(crate) fn list_to_json(records: &[Self]) -> String {
        let records = records.iter().map(|record| Json::Text(record.to_json()));
        json::array(&mut { records })
    }

    /// An attempt whose result was not looked at.
    pub(crate) const fn unseen(
        attempt: u64,
        started_ms: u64,
        ended_ms: u64,
        result: AttemptResult,
    ) -> Self {
        Self {
            attempt,
            started_ms,
            ended_ms,
            result,
            error: None,
            state: None,
            acceptor: None,
            reasons: Vec::new(),
            delay_ms: None,
            next_is_last: false,
        }
    }

    /// Takes a retry strategy's word on an error that no acceptor matches (D15).
    pub(crate) fn answered(&mut self, answer: &Result<u64, String>) {
        // Not by `format!`: this is in the wasm, whose size counts.
        let mut text = self.error.clone().unwrap_or_default();
        let (state, code) = match answer {
            Ok(pause) => {
                text.push_str(" is transient: retried after ");
                text.push_str(&seconds(*pause));
                text.push_str(" at least");
                (State::Retry, ReasonCode::Transient)
            }
            Err(refusal) => {
                text.push_str(" is not retried: ");
                text.push_str(refusal);
                (State::Failure, ReasonCode::NotRetried)
            }
        };
        self.state = Some(state);
        let reason = Reason {
            acceptor: None,
            code,
            text,
        };
        // The most telling comes first.
        self.reasons.insert(0, reason);
    }

    fn is_alike(&self, other: &Self) -> bool {
        (self.result, self.state, &self.reasons) == (other.result, other.state, &other.reasons)
    }

    /// Attempts that are alike: their numbers, from when to when, and once what they saw.
    fn explain(text: &mut String, first: &Self, last: &Self) {
        if first.attempt == last.attempt {
            push_number(text, "  attempt ", first.attempt);
        } else {
            push_number(text, "  attempts ", first.attempt);
            push_number(text, " to ", last.attempt);
        }
        push_number(text, " (", first.started_ms);
        push_number(text, " to ", last.ended_ms);
        text.push_str(" ms): ");
        text.push_str(first.result.as_str());
        if let Some(state) = first.state {
            text.push_str(" → ");
            text.push_str(state.as_str());
        }
        if let Some(delay) = last.delay_ms {
            push_number(text, ", next in ", delay);
            text.push_str(" ms");
        }
        if last.next_is_last {
            text.push_str(", the last that fits");
        }
        text.push('\n');
        for reason in &first.reasons {
            text.push_str("    ");
            if let Some(acceptor) = reason.acceptor {
                push_number(
                    text,
                    "acceptor ",
                    u64::try_from(acceptor).unwrap_or(u64::MAX),
                );
                text.push_str(if reason.code.is_match() {
                    ": matched: "
                } else {
                    ": no match: "
                });
            }
            text.push_str(&reason.text);
            text.push('\n');
        }
    }
}
