//! The attempts of a wait as the state machine stores them: reasons become text only when they are read.

use super::report::{AttemptRecord, AttemptResult};
use crate::definition::State;
use crate::evaluation::{Excerpt, Reason, ReasonCode, ReasonData, Verdict};
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
    pub(crate) explanation: Explanation,
    /// The values to show of the response.
    pub(crate) values: Box<[Excerpt]>,
    pub(crate) delay: Option<u64>,
    pub(crate) next_is_last: bool,
}

/// The explanation of an attempt's verdict.
#[derive(Clone, Debug)]
pub(crate) enum Explanation {
    /// The call did not end within the attempt timeout, in milliseconds.
    AttemptTimeout(u64),
    /// Compiled or hand-written code returned the verdict. `error` describes the error of a failed call.
    External {
        error: Option<Box<str>>,
    },
    Evaluation(ReasonData),
    /// No acceptor matches the error, and the error is transient.
    Transient(ReasonData),
    /// The result was not evaluated.
    Unevaluated,
}

impl Explanation {
    /// Marks the reasons as those of a transient error, which is retried.
    pub(crate) fn into_transient(self) -> Self {
        match self {
            Self::Evaluation(reason_data) => Self::Transient(reason_data),
            other => other,
        }
    }
}

impl EndedAttempt {
    /// Returns the error of a failed call, on one line.
    pub(crate) fn error(&self) -> Option<&str> {
        match &self.explanation {
            Explanation::Evaluation(reason_data) | Explanation::Transient(reason_data) => {
                reason_data.error()
            }
            Explanation::External { error } => error.as_deref(),
            Explanation::AttemptTimeout(_) | Explanation::Unevaluated => None,
        }
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
            reasons: match &self.explanation {
                Explanation::AttemptTimeout(timeout) => vec![Reason::attempt_timeout(*timeout)],
                Explanation::External { error } => {
                    let matched = match_reason(waiter, self.acceptor(), error.as_deref());
                    matched.into_iter().collect()
                }
                Explanation::Evaluation(reason_data) => {
                    reason_data.reasons(waiter.definition_acceptors())
                }
                Explanation::Transient(reason_data) => {
                    let mut reasons = reason_data.reasons(waiter.definition_acceptors());
                    reasons.extend(reason_data.error().map(Reason::transient_error));
                    reasons
                }
                Explanation::Unevaluated => Vec::new(),
            },
            values: waiter
                .show()
                .map_or_else(Vec::new, |show| show.values(&self.values)),
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
