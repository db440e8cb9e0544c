//! The attempts of a wait as the state machine stores them: reasons become text only when they are read.

use super::report::{AttemptRecord, AttemptResult};
use crate::definition::State;
use crate::evaluation::{Excerpt, Hint, Reason, ReasonCode, ReasonData, Verdict};
use crate::waiter::Waiter;

/// An attempt that ended. Times are milliseconds since the wait started.
#[derive(Clone, Debug)]
pub(crate) struct EndedAttempt {
    pub(crate) number: u64,
    pub(crate) started: u64,
    pub(crate) ended: u64,
    pub(crate) result: AttemptResult,
    /// `None` if the result was not evaluated.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) facts: Facts,
    pub(crate) level: Level,
    /// `true` if the previous attempt had another result.
    pub(crate) is_new: bool,
    pub(crate) delay: Option<u64>,
    pub(crate) next_is_last: bool,
}

/// What a result shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) explanation: Explanation,
    /// The values to show of the response.
    pub(crate) values: Box<[Excerpt]>,
    /// The hints that no earlier attempt reported.
    pub(crate) hints: Vec<Hint>,
}

/// The level at which an attempt is logged. See docs/rules.md#logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must map every level")]
pub enum Level {
    /// Nothing has changed since the previous attempt.
    Debug,
    /// The result differs from that of the previous attempt, or no attempt was logged at this level for 30 s.
    Info,
}

impl Level {
    /// Returns the name of the level: `debug` or `info`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
        }
    }
}

/// The explanation of an attempt's verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Explanation {
    /// The call did not end within the attempt timeout, in milliseconds.
    AttemptTimeout(u64),
    /// Compiled or hand-written code returned the verdict. `error` describes the error of a failed call.
    External {
        error: Option<Box<str>>,
    },
    Evaluation(ReasonData),
    /// A condition of the options does not hold, so that the verdict does not count.
    Held(Box<HeldReason>),
    /// No acceptor matches the error, and it is retried for the reason of this code.
    Retried(ReasonCode, ReasonData),
    /// The result was not evaluated.
    #[default]
    Unevaluated,
}

/// Why a verdict does not count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeldReason {
    /// `None` if external code returned the verdict.
    acceptors: Option<ReasonData>,
    code: ReasonCode,
    text: String,
}

impl Explanation {
    /// Adds the reason for which the verdict does not count.
    pub(crate) fn into_held(self, code: ReasonCode, text: String) -> Self {
        let acceptors = match self {
            Self::Evaluation(reason_data) => Some(reason_data),
            _ => None,
        };
        Self::Held(Box::new(HeldReason {
            acceptors,
            code,
            text,
        }))
    }

    /// Marks the reasons as those of an error that is retried.
    pub(crate) fn into_retried(self, code: ReasonCode) -> Self {
        match self {
            Self::Evaluation(reason_data) => Self::Retried(code, reason_data),
            other => other,
        }
    }
}

impl EndedAttempt {
    /// Returns the error of a failed call, on one line.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.facts.explanation {
            Explanation::Evaluation(reason_data) | Explanation::Retried(_, reason_data) => {
                reason_data.error()
            }
            Explanation::External { error } => error.as_deref(),
            Explanation::Held(held) => held.acceptors.as_ref().and_then(ReasonData::error),
            Explanation::AttemptTimeout(_) | Explanation::Unevaluated => None,
        }
    }

    /// Returns `true` if another attempt had an equal result.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let values = |attempt: &Self| (attempt.result, attempt.verdict);
        values(self) == values(other)
            && self.facts.explanation == other.facts.explanation
            && self.facts.values == other.facts.values
    }

    pub(crate) fn state(&self) -> Option<State> {
        self.verdict.map(Verdict::state)
    }

    pub(crate) fn acceptor(&self) -> Option<usize> {
        self.verdict.and_then(Verdict::acceptor)
    }

    /// Returns the attempt for people and programs, with its reasons as text.
    pub(crate) fn record(&self, waiter: &Waiter) -> AttemptRecord {
        AttemptRecord {
            attempt: self.number,
            started_ms: self.started,
            ended_ms: self.ended,
            result: self.result,
            error: self.error().map(ToOwned::to_owned),
            state: self.state(),
            acceptor: self.acceptor(),
            reasons: match &self.facts.explanation {
                Explanation::AttemptTimeout(timeout) => vec![Reason::attempt_timeout(*timeout)],
                Explanation::External { error } => {
                    let matched = match_reason(waiter, self.acceptor(), error.as_deref());
                    matched.into_iter().collect()
                }
                Explanation::Evaluation(reason_data) => {
                    reason_data.reasons(waiter.definition_acceptors())
                }
                Explanation::Held(held) => {
                    let acceptors = held.acceptors.as_ref();
                    let reasons = acceptors.map(|held| held.reasons(waiter.definition_acceptors()));
                    let mut reasons = reasons.unwrap_or_default();
                    reasons.push(Reason::of_condition(held.code, &held.text));
                    reasons
                }
                Explanation::Retried(code, reason_data) => {
                    let mut reasons = reason_data.reasons(waiter.definition_acceptors());
                    let of_error = |error| Reason::of_retry(*code, error);
                    reasons.extend(reason_data.error().map(of_error));
                    reasons
                }
                Explanation::Unevaluated => Vec::new(),
            },
            values: waiter
                .show()
                .map_or_else(Vec::new, |show| show.values(&self.facts.values)),
            delay_ms: self.delay,
            next_is_last: self.next_is_last,
        }
    }
}

/// Returns the reason of the acceptor that matched, without the value that it compared.
fn match_reason(waiter: &Waiter, acceptor: Option<usize>, error: Option<&str>) -> Option<Reason> {
    let matched = waiter.acceptor(acceptor?)?;
    Some(Reason {
        acceptor,
        code: ReasonCode::Matched,
        text: match error {
            Some(error) => format!("{}, got {error}", matched.matcher()),
            None => matched.matcher().to_string(),
        },
    })
}
