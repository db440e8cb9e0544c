//! Proposed waiters.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::goals::Goal;
use super::values::Class;

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
    pub state: Outcome,
    /// The condition.
    pub matcher: Matcher,
}

/// The state to which a match leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Outcome {
    /// The wait succeeds.
    Success,
    /// The wait fails.
    Failure,
    /// The wait continues.
    Retry,
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
        comparator: &'static str,
    },
    /// An error, by its code.
    ErrorType(String),
    /// Any response (`true`) or any error (`false`).
    Success(bool),
}

impl Proposal {
    /// The confidence of a likely proposal.
    pub const LIKELY: f64 = 0.8;

    /// Returns the definition: a value of Smithy's
    /// [`Waiter` structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure) with the tag `suggested`.
    ///
    /// It has no `minDelay`, because a model does not contain the time that a resource needs.
    #[must_use]
    pub fn definition(&self) -> Json {
        json!({"acceptors": self.acceptors, "tags": ["suggested"]})
    }
}
