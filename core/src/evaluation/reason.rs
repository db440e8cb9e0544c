//! The reasons for which acceptors match or don't match.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::jmespath::EvaluationError;
use crate::millis::seconds;

/// The stable code of a [`Reason`].
///
/// # Example: codes of acceptors that do not match
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{ReasonCode, Observation, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let reasons = ready.reasons(&Value::Null, Observation::Response(&json!({"Status": 7})));
/// assert_eq!(reasons[0].code, ReasonCode::WrongType);
/// assert_eq!(reasons[2].code.as_str(), "not_applicable");
/// assert!(!reasons[2].code.is_match());
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonCode {
    /// No match: an array comparator was applied to an empty array.
    Empty,
    /// No match: the path could not be evaluated. A function's argument has the wrong type, or the host could not read
    /// its value.
    EvaluationError,
    /// No match: the evaluation of the path exceeded the limit of depth or work.
    LimitExceeded,
    /// The acceptor matched.
    Matched,
    /// The acceptor matched an error without a service code by the name of its class.
    MatchedByClass,
    /// No match: the acceptor applies only to responses and the call failed, or only to errors and the call succeeded.
    NotApplicable,
    /// No match: the value has the right type, but not the expected value.
    NotEqual,
    /// The resource does not exist yet, or is gone, and the option `not_found_for` waits for it.
    NotFound,
    /// No match: the value of the path is null, or the error does not have a name to compare.
    Null,
    /// The value of the option `same` is another one, so that the response does not count.
    Other,
    /// A number of the option `at_least` is not reached, so that the success does not count.
    TooSmall,
    /// The attempt failed temporarily: a transient error, or no response within the attempt timeout.
    Transient,
    /// The value of the option `left` has not been left, so that the response does not count.
    Unchanged,
    /// The successes are too few or too short for the options `successes` and `stable_for`.
    Unstable,
    /// No match: the comparator never matches the type of the value.
    WrongType,
}

impl ReasonCode {
    /// All codes. The index of a code is its discriminant.
    pub const ALL: [Self; 15] = [
        Self::Empty,
        Self::EvaluationError,
        Self::LimitExceeded,
        Self::Matched,
        Self::MatchedByClass,
        Self::NotApplicable,
        Self::NotEqual,
        Self::NotFound,
        Self::Null,
        Self::Other,
        Self::TooSmall,
        Self::Transient,
        Self::Unchanged,
        Self::Unstable,
        Self::WrongType,
    ];

    /// Returns the name of the code, such as `not_equal`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::EvaluationError => "evaluation_error",
            Self::LimitExceeded => "limit_exceeded",
            Self::Matched => "matched",
            Self::MatchedByClass => "matched_by_class",
            Self::NotApplicable => "not_applicable",
            Self::NotEqual => "not_equal",
            Self::NotFound => "not_found",
            Self::Null => "null",
            Self::Other => "other",
            Self::TooSmall => "too_small",
            Self::Transient => "transient",
            Self::Unchanged => "unchanged",
            Self::Unstable => "unstable",
            Self::WrongType => "wrong_type",
        }
    }

    /// Returns the code of an evaluation error.
    pub(crate) const fn of_error(error: &EvaluationError) -> Self {
        if error.is_limit() {
            Self::LimitExceeded
        } else {
            Self::EvaluationError
        }
    }

    /// Returns `true` if the path could not be evaluated.
    pub(crate) const fn is_error(self) -> bool {
        matches!(self, Self::EvaluationError | Self::LimitExceeded)
    }

    /// Returns `true` if a condition of the options does not hold, so that the verdict does not count.
    pub(crate) const fn is_of_condition(self) -> bool {
        matches!(
            self,
            Self::Other | Self::TooSmall | Self::Unchanged | Self::Unstable
        )
    }

    /// Returns `true` if the acceptor matched.
    #[must_use]
    pub const fn is_match(self) -> bool {
        matches!(self, Self::Matched | Self::MatchedByClass)
    }
}

/// The reason why an acceptor matched or did not match.
///
/// # Example: the text of a reason
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Reason, Observation, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let pending = json!({"Status": "PENDING"});
/// let reasons: Vec<Reason> = ready.reasons(&Value::Null, Observation::Response(&pending));
/// assert_eq!(reasons[1].text, r#"Status gave "PENDING", expected "FAILED""#);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Reason {
    /// The index of the acceptor; `None` if no acceptor was evaluated.
    pub acceptor: Option<usize>,
    /// The stable code, for programs.
    pub code: ReasonCode,
    /// The text, for people: `Table.TableStatus gave "CREATING", expected "ACTIVE"`.
    pub text: String,
}

impl Reason {
    /// Creates the reason for an error that is retried although no acceptor matches it: a transient one, or one for a
    /// resource that is not found.
    pub(crate) fn of_retry(code: ReasonCode, error: &str) -> Self {
        let why = match code {
            ReasonCode::NotFound => "not found",
            _ => "transient",
        };
        Self {
            acceptor: None,
            code,
            text: format!("{error} ({why})"),
        }
    }

    /// Creates the reason for which a condition of the options does not hold.
    pub(crate) fn of_condition(code: ReasonCode, text: &str) -> Self {
        Self {
            acceptor: None,
            code,
            text: text.to_owned(),
        }
    }

    /// Creates the reason for a call that exceeded the attempt timeout.
    pub(crate) fn attempt_timeout(timeout_ms: u64) -> Self {
        Self {
            acceptor: None,
            code: ReasonCode::Transient,
            text: format!(
                "no response within the attempt timeout {}",
                seconds(timeout_ms)
            ),
        }
    }
}

/// Adds the member `matched`, so that hosts don't have to derive it from the code.
impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut reason = serializer.serialize_struct("Reason", 4)?;
        reason.serialize_field("acceptor", &self.acceptor)?;
        reason.serialize_field("matched", &self.code.is_match())?;
        reason.serialize_field("code", &self.code)?;
        reason.serialize_field("text", &self.text)?;
        reason.end()
    }
}
