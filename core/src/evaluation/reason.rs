//! Reasons: why acceptors did or did not match.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::jmespath::EvaluationError;
use crate::millis::seconds;

/// Why an acceptor did or did not match.
///
/// # Example: why there is no match
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
    /// An array comparator met an array without items.
    Empty,
    /// The path could not be evaluated: a function met a wrong type, or the host could not read its own value.
    EvaluationError,
    /// The path's evaluation went beyond a limit of depth or work.
    LimitExceeded,
    /// It matched.
    Matched,
    /// It matched an error that carries no service code, by the name of its class.
    MatchedByClass,
    /// The acceptor looks at the other kind of result: at responses only, or at errors only.
    NotApplicable,
    /// A value of the right type, but not the expected one.
    NotEqual,
    /// The path gave null.
    Null,
    /// The path gave a value of a type that the comparator never matches.
    WrongType,
    /// The attempt failed in a way that waiting may cure: a transient error, or no answer within the attempt timeout.
    Transient,
}

impl ReasonCode {
    /// Every code, each at the index that it is as a number.
    pub const ALL: [Self; 10] = [
        Self::Empty,
        Self::EvaluationError,
        Self::LimitExceeded,
        Self::Matched,
        Self::MatchedByClass,
        Self::NotApplicable,
        Self::NotEqual,
        Self::Null,
        Self::WrongType,
        Self::Transient,
    ];

    /// The stable code, for programs.
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
            Self::Null => "null",
            Self::WrongType => "wrong_type",
            Self::Transient => "transient",
        }
    }

    /// Returns the code of an evaluation that failed.
    pub(crate) const fn of_error(error: &EvaluationError) -> Self {
        if error.is_limit() {
            Self::LimitExceeded
        } else {
            Self::EvaluationError
        }
    }

    /// Whether the path could not be evaluated.
    pub(crate) const fn is_error(self) -> bool {
        matches!(self, Self::EvaluationError | Self::LimitExceeded)
    }

    /// Whether the acceptor matched.
    #[must_use]
    pub const fn is_match(self) -> bool {
        matches!(self, Self::Matched | Self::MatchedByClass)
    }
}

/// Why an acceptor did or did not match, for people.
///
/// # Example: in words
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
    /// Why, for programs.
    pub code: ReasonCode,
    /// Why, for people: `Table.TableStatus gave "CREATING", expected "ACTIVE"`.
    pub text: String,
}

impl Reason {
    /// The error of the call is transient, and no acceptor matches it.
    pub(crate) fn transient_error(error: &str) -> Self {
        Self {
            acceptor: None,
            code: ReasonCode::Transient,
            text: format!("{error} (transient)"),
        }
    }

    /// The call had no answer within the attempt timeout, in milliseconds.
    pub(crate) fn attempt_timeout(timeout_ms: u64) -> Self {
        Self {
            acceptor: None,
            code: ReasonCode::Transient,
            text: format!(
                "no answer within the attempt timeout {}",
                seconds(timeout_ms)
            ),
        }
    }
}

/// With `matched`, which a host would otherwise derive from the code.
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
