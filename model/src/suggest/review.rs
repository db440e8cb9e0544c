//! Compares the acceptors of a model's waiters with the values of the states that they read.

use std::cell::Cell;

use smithy_waiters::State;

use super::documentation::Documentation;
use super::goals::{Goal, Lifecycle};
use super::operations::{Operation, Operations};
use super::proposal::{Acceptor, Matcher};
use super::states::{Search, StateMember};
use super::values::{Classifier, StateValue};
use super::vocabulary::Vocabulary;
use crate::shapes::id::WAITABLE;
use crate::shapes::{Entry, Kind, Model, Shape};

/// The values of a state that no acceptor of a waiter has.
pub(crate) struct Review<'m, 'a> {
    pub(crate) operation: &'m Shape<'a>,
    pub(crate) waiter: Entry<'a>,
    /// The path of the state.
    pub(crate) path: String,
    /// The values from which the waiter cannot succeed.
    pub(crate) permanent: Vec<String>,
    /// Another waiter for the same value, and the other values on which that one fails.
    pub(crate) sibling: Option<(&'a str, Vec<String>)>,
    /// The only other values without an acceptor, if the acceptors have most.
    pub(crate) rest: Vec<String>,
}

/// The most values that are the rest, and the number of values for each of them.
const MAX_REST: usize = 2;
const MIN_PART: usize = 4;

/// A waiter and its state.
struct Subject<'o, 'm, 'a> {
    operation: &'o Operation<'m, 'a>,
    waiter: Entry<'a>,
    state: StateMember,
    acceptors: Vec<Acceptor>,
}

/// Returns the values that waiters miss. Waiters that compare the input, or a path that is not a state, are skipped.
pub(crate) fn review<'m, 'a>(model: &'m Model<'a>, vocabulary: &Vocabulary) -> Vec<Review<'m, 'a>> {
    let mut operations = model.of_kind(Kind::Operation);
    if !operations.any(|operation| operation.has_trait(WAITABLE)) {
        return Vec::new();
    }
    let classifier = Classifier::new(vocabulary);
    let documentation = Documentation::new(model, vocabulary);
    let operations = Operations::new(model, vocabulary);
    let search = Search {
        model,
        vocabulary,
        classifier: &classifier,
        documentation: &documentation,
        searched: Cell::new(0),
    };
    let mut subjects = Vec::new();
    for operation in &operations.reads {
        if let Some(applied) = operation.shape.find_trait(WAITABLE) {
            for waiter in applied.value.entries() {
                subjects.extend(Subject::new(operation, waiter, search.states(operation)));
            }
        }
    }
    let reviews = subjects.iter().map(|subject| subject.review(&subjects));
    reviews.collect()
}

impl<'o, 'm, 'a> Subject<'o, 'm, 'a> {
    fn new(
        operation: &'o Operation<'m, 'a>,
        waiter: &Entry<'a>,
        states: Vec<StateMember>,
    ) -> Option<Self> {
        let acceptors = waiter.value.member("acceptors")?.elements().iter();
        let acceptors: Vec<Acceptor> = acceptors.map(Acceptor::read).collect::<Option<_>>()?;
        let mut states = states.into_iter().filter(|state| !state.is_documented);
        let state = states.find(|state| {
            acceptors
                .iter()
                .any(|own| path_of(own).as_ref() == Some(&state.path))
        })?;
        Some(Self {
            operation,
            waiter: *waiter,
            state,
            acceptors,
        })
    }

    fn review(&self, others: &[Self]) -> Review<'m, 'a> {
        let lifecycle = Lifecycle::new(&self.state.values);
        let goals = self.goals(&lifecycle);
        let values = self.state.values.iter().map(|value| &*value.text);
        let missing = values.filter(|value| !self.has(value));
        let is_permanent = |value: &&str| {
            let fails = |(goal, target): &(Goal, Option<&StateValue>)| {
                let failures = lifecycle.failures(*goal, *target);
                failures.iter().any(|failure| failure.text == *value)
            };
            !goals.is_empty() && goals.iter().all(fails)
        };
        let (permanent, open): (Vec<&str>, Vec<&str>) = missing.partition(is_permanent);
        let siblings = others.iter().filter(|other| {
            other.operation.key == self.operation.key && self.shares_success(other)
        });
        let mut failures = siblings.map(|other| {
            let failures = open
                .iter()
                .filter(|value| other.compares(State::Failure, value));
            (other.waiter.key, owned(failures.copied()))
        });
        let sibling = failures.find(|(_, failures)| !failures.is_empty());
        let is_rest = sibling.is_none()
            && open.len() <= MAX_REST
            && open.len().saturating_mul(MIN_PART) < self.state.values.len();
        Review {
            operation: self.operation.shape,
            waiter: self.waiter,
            path: self.state.path.clone(),
            rest: owned(open.iter().copied().filter(|_| is_rest)),
            permanent: owned(permanent.into_iter()),
            sibling,
        }
    }

    /// Returns the goals of the waiter, with their values.
    fn goals<'s>(&'s self, lifecycle: &Lifecycle<'s>) -> Vec<(Goal, Option<&'s StateValue>)> {
        let wanted = |value: &StateValue| self.compares(State::Success, &value.text);
        let goals = lifecycle.goals().into_iter();
        let goals = goals.filter(|(value, ..)| wanted(value));
        let mut goals: Vec<_> = goals.map(|(value, goal, _)| (goal, Some(value))).collect();
        let by_error = self
            .acceptors
            .iter()
            .any(|own| own.state == State::Success && matches!(own.matcher, Matcher::ErrorType(_)));
        if by_error || lifecycle.gone().is_some_and(wanted) {
            goals.push((Goal::Gone, None));
        }
        goals
    }

    fn shares_success(&self, other: &Self) -> bool {
        let values = self.state.values.iter().map(|value| &*value.text);
        let mut wanted = values.filter(|value| self.compares(State::Success, value));
        wanted.any(|value| other.compares(State::Success, value))
    }

    /// Returns `true` if an acceptor compares any path with a value.
    fn has(&self, value: &str) -> bool {
        self.acceptors.iter().any(|own| own.expects(value))
    }

    /// Returns `true` if an acceptor leads to a state if the waiter's state has a value.
    fn compares(&self, to: State, value: &str) -> bool {
        let mut acceptors = self.acceptors.iter().filter(|own| own.state == to);
        acceptors.any(|own| own.expects(value) && path_of(own).as_ref() == Some(&self.state.path))
    }
}

fn owned<'v>(values: impl Iterator<Item = &'v str>) -> Vec<String> {
    values.map(str::to_owned).collect()
}

/// Returns the path of a comparison in the notation of suggestions.
fn path_of(acceptor: &Acceptor) -> Option<String> {
    match &acceptor.matcher {
        Matcher::Output { path, .. } => Some(path.replace("[*]", "[]").replace(' ', "")),
        _ => None,
    }
}
