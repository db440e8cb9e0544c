//! Proposed waiters.

use serde::Serialize;
use serde_json::{Value as Json, json};
use smithy_waiters::State;

use super::goals::Goal;
use super::values::Class;
use crate::shapes::{Entry, Node};

/// A waiter that a model lacks, with the reasons for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Proposal {
    /// The name.
    pub waiter: String,
    /// The id of the operation.
    pub operation: String,
    /// The kind of state.
    pub goal: Goal,
    /// The confidence that the operation, the path and the goal are right, from 0 to 1.
    ///
    /// It does not include the failures.
    pub confidence: f64,
    /// The path of the state; `None` if the waiter only checks for an error.
    pub path: Option<String>,
    /// The values of the state, in the order of the model, with their classes.
    pub values: Vec<(String, Class)>,
    /// The acceptors, in order.
    pub acceptors: Vec<Acceptor>,
    /// The shape of the error in `errorType`, if clients see another code.
    ///
    /// Smithy's validator only knows the shape, and reports `WaitableTraitInvalidErrorType` for the code.
    pub error_shape: Option<String>,
    /// The reasons for the proposal.
    pub evidence: Vec<String>,
    /// The reasons against it, and questions that the model does not answer.
    pub questions: Vec<String>,
}

/// An acceptor of a proposed waiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Acceptor {
    /// The state to which a match leads.
    pub state: State,
    /// The condition.
    pub matcher: Matcher,
}

/// The condition of an acceptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Matcher {
    /// A comparison with the result of a path.
    Output {
        /// The path.
        path: String,
        /// A value of the state.
        expected: String,
        /// The comparator.
        comparator: String,
    },
    /// An error, by its code.
    ErrorType(String),
    /// Any response (`true`) or any error (`false`).
    Success(bool),
}

impl Proposal {
    /// Returns `true` if the confidence is at least 0.8.
    #[must_use]
    pub fn is_likely(&self) -> bool {
        self.confidence >= 0.8
    }

    /// Returns the definition: a value of Smithy's
    /// [`Waiter` structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure) with the tag `suggested`.
    ///
    /// It has no `minDelay`, because a model does not contain the time that a resource needs.
    #[must_use]
    pub fn definition(&self) -> Json {
        json!({"acceptors": self.acceptors, "tags": ["suggested"]})
    }
}

impl Acceptor {
    /// Reads the acceptors of a waiter in the trait `waitable`, in order. An acceptor is `None` if it is invalid, or
    /// compares the input.
    pub fn of_waiter(waiter: &Entry<'_>) -> impl Iterator<Item = Option<Self>> {
        let acceptors = waiter.value.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        acceptors.iter().map(Self::read)
    }

    fn read(acceptor: &Node<'_>) -> Option<Self> {
        let state = match acceptor.member("state")?.as_str()? {
            "success" => State::Success,
            "failure" => State::Failure,
            "retry" => State::Retry,
            _ => return None,
        };
        let entry = acceptor.member("matcher")?.entries().first()?;
        let text = |name: &str| entry.value.member(name)?.as_str().map(str::to_owned);
        let matcher = match entry.key {
            "output" => Matcher::Output {
                path: text("path")?,
                expected: text("expected")?,
                comparator: text("comparator")?,
            },
            "errorType" => Matcher::ErrorType(entry.value.as_str()?.to_owned()),
            "success" => Matcher::Success(entry.value.as_bool()?),
            _ => return None,
        };
        Some(Self { state, matcher })
    }

    /// Returns `true` if the acceptor compares the state with a value.
    pub(super) fn expects(&self, value: &str) -> bool {
        matches!(&self.matcher, Matcher::Output { expected, .. } if expected == value)
    }
}
