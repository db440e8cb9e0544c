//! What one look at a response or an error says.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::millis::seconds;

/// The state that an acceptor leads to, or that follows where none matches.
///
/// Clause: [AcceptorState](https://smithy.io/2.0/additional-specs/waiters.html#acceptorstate-enum).
///
/// # Example: the implicit states
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{ErrorFacts, Seen, State, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let (nothing, denied) = (json!({}), ErrorFacts::of_code("AccessDenied"));
/// let state = |seen| ready.evaluate(&Value::Null, seen).state();
/// assert_eq!(state(Seen::Response(&nothing)), State::Retry);
/// assert_eq!(state(Seen::Failure(&denied)), State::Failure);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "the specification's three states; a fourth would be another engine"
)]
pub enum State {
    /// The resource is in the wanted state: the wait is over.
    Success,
    /// The resource can never reach the wanted state: the wait is over.
    Failure,
    /// Neither: the operation is called again after a delay.
    Retry,
}

impl State {
    /// The state that follows if no acceptor matches: step 4 of the workflow for an error, step 5 for a response.
    pub(crate) const fn implicit(failed: bool) -> Self {
        if failed { Self::Failure } else { Self::Retry }
    }

    /// The specification's word for the state.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Retry => "retry",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a waiter says of one response or error.
///
/// # Example: by which acceptor
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Seen, State, Verdict, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let verdict: Verdict = ready.evaluate(&Value::Null, Seen::Response(&json!({"Status": "FAILED"})));
/// assert_eq!((verdict.state(), verdict.acceptor()), (State::Failure, Some(1)));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Verdict {
    /// From the lowest bits on: the codes of the first acceptors, each by its number plus 1; the state by its number;
    /// whether an acceptor leads to it. One is made for every response: as two words, registers hold it.
    word: u64,
    /// The numbers of the other acceptors' codes. Real waiters have no more than a dozen.
    #[expect(clippy::box_collection, reason = "a thin pointer is one word")]
    further: Option<Box<Vec<u8>>>,
}

const CODE_BITS: u32 = 4;
const STATE_SHIFT: u32 = 60;
const STATE: u64 = 3 << STATE_SHIFT;
const CODES: u64 = (1 << STATE_SHIFT) - 1;
const BY_ACCEPTOR: u64 = 1 << 62;

impl Verdict {
    /// What follows where no acceptor matches.
    pub(crate) const fn undecided(implicit: State) -> Self {
        Self {
            word: (implicit as u64) << STATE_SHIFT,
            further: None,
        }
    }

    /// Notes what the next acceptor says.
    pub(crate) fn note(&mut self, code: ReasonCode) {
        let place = self.first_codes().saturating_mul(CODE_BITS);
        if place < STATE_SHIFT {
            self.word |= u64::from(code.number()) << place;
        } else {
            self.further.get_or_insert_default().push(code.number());
        }
    }

    /// The acceptor that was noted last has matched.
    pub(crate) const fn decide(&mut self, state: State) {
        self.word = (self.word & CODES) | ((state as u64) << STATE_SHIFT) | BY_ACCEPTOR;
    }

    /// The verdict as a host may keep it: 15 codes of 4 bits, two bits of the state, one that says whether an acceptor
    /// leads to it; and the numbers of further codes.
    #[must_use]
    pub fn to_parts(&self) -> (u64, &[u8]) {
        let further = self.further.as_deref();
        (self.word, further.map_or(&[], Vec::as_slice))
    }

    /// The verdict of which the parts tell.
    #[must_use]
    pub fn from_parts(word: u64, further: Vec<u8>) -> Self {
        let further = (!further.is_empty()).then(|| Box::new(further));
        Self { word, further }
    }

    /// What follows.
    #[must_use]
    pub const fn state(&self) -> State {
        match (self.word & STATE) >> STATE_SHIFT {
            0 => State::Success,
            1 => State::Failure,
            _ => State::Retry,
        }
    }

    /// The index of the acceptor that matched; `None` where none did: an error is then a failure, a response a retry.
    #[must_use]
    pub fn acceptor(&self) -> Option<usize> {
        let (word, further) = self.to_parts();
        let looked_at = (self.first_codes() as usize).saturating_add(further.len());
        let last = looked_at.checked_sub(1);
        last.filter(|_| word & BY_ACCEPTOR != 0)
    }

    /// Why each acceptor that was looked at did or did not match, in order; the texts are made by
    /// [`Waiter::explain`](crate::Waiter::explain).
    pub fn codes(&self) -> impl Iterator<Item = ReasonCode> {
        let (word, further) = self.to_parts();
        let places = (0..self.first_codes()).map(|nth| nth.saturating_mul(CODE_BITS));
        let codes = places.map(move |place| (word >> place) as u8 & 0xf);
        codes
            .chain(further.iter().copied())
            .filter_map(ReasonCode::of)
    }

    /// How many codes the word has.
    const fn first_codes(&self) -> u32 {
        let unused = (self.word & CODES).leading_zeros();
        u64::BITS.saturating_sub(unused).div_ceil(CODE_BITS)
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("state", &self.state())
            .field("acceptor", &self.acceptor())
            .field("codes", &self.codes().collect::<Vec<_>>())
            .finish()
    }
}

/// Why an acceptor did or did not match.
///
/// # Example: why there is no match
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{ReasonCode, Seen, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let verdict = ready.evaluate(&Value::Null, Seen::Response(&json!({"Status": 7})));
/// let codes: Vec<ReasonCode> = verdict.codes().collect();
/// assert_eq!(codes[0], ReasonCode::WrongType);
/// assert_eq!(codes[2].as_str(), "not_applicable");
/// assert!(!codes[2].is_match());
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
    /// The attempt failed in a way that waiting may cure: its timeout was over.
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

    /// Its number in a verdict's word, where 0 is none.
    const fn number(self) -> u8 {
        (self as u8).saturating_add(1)
    }

    fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
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
/// use smithy_waiters::{Reason, Seen, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let pending = json!({"Status": "PENDING"});
/// let verdict = ready.evaluate(&Value::Null, Seen::Response(&pending));
/// let reasons: Vec<Reason> = ready.explain(&verdict, &Value::Null, Seen::Response(&pending));
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

#[cfg(test)]
mod tests {
    use super::{ReasonCode, State, Verdict};

    #[test]
    fn as_many_codes_as_are_noted_are_kept() {
        for count in 0..40 {
            let mut verdict = Verdict::undecided(State::Retry);
            let codes: Vec<ReasonCode> = ReasonCode::ALL.into_iter().cycle().take(count).collect();
            codes.iter().for_each(|code| verdict.note(*code));
            assert_eq!((verdict.state(), verdict.acceptor()), (State::Retry, None));
            verdict.decide(State::Failure);

            assert_eq!(verdict.codes().collect::<Vec<_>>(), codes);
            assert_eq!(verdict.state(), State::Failure);
            assert_eq!(verdict.acceptor(), count.checked_sub(1));
            let (word, further) = verdict.to_parts();
            assert_eq!(Verdict::from_parts(word, further.to_vec()), verdict);
        }
    }
}
