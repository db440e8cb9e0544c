//! Compares the acceptors of a model's waiters with the values of the states that they read.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smithy_waiters::State;

use super::documentation::Documentation;
use super::goals::{Goal, Lifecycle};
use super::operations::{Operation, Operations};
use super::proposal::{Acceptor, Matcher};
use super::propose::OWN_RANK;
use super::states::{Search, StateMember};
use super::values::{Class, Classifier, StateValue};
use super::vocabulary::Phase;
use crate::shapes::id::{self, WAITABLE};
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

/// The most waiters of a noun that others are compared with.
const MAX_SIBLINGS: usize = 64;

/// A waiter and its state.
struct Subject<'o, 'm, 'a> {
    operation: &'o Operation<'m, 'a>,
    waiter: Entry<'a>,
    state: Rc<StateMember>,
    acceptors: Vec<Acceptor>,
}

/// Returns the values that waiters miss. Waiters that compare the input, or a path that is not a state, are skipped.
pub(crate) fn review<'m, 'a>(
    model: &'m Model<'a>,
    classifier: &Classifier<'_>,
) -> Vec<Review<'m, 'a>> {
    let mut operations = model.of_kind(Kind::Operation);
    if !operations.any(|operation| operation.has_trait(WAITABLE)) {
        return Vec::new();
    }
    let documentation = Documentation::new(model, classifier.vocabulary);
    let operations = Operations::new(model, classifier.vocabulary);
    let search = Search::new(model, classifier, &documentation, &operations);
    // The waiters of each noun in a namespace.
    let mut nouns: FxHashMap<(&str, &str), Vec<Subject<'_, 'm, 'a>>> = FxHashMap::default();
    for operation in &operations.reads {
        if let Some(applied) = operation.shape.find_trait(WAITABLE) {
            let mut states = search.states(operation);
            states.retain(|state| !state.values.is_empty());
            let states: Vec<Rc<StateMember>> = states.into_iter().map(Rc::new).collect();
            let waiters = applied.value.entries().iter();
            let noun = (id::namespace(operation.shape.id), operation.key.as_str());
            let subjects = nouns.entry(noun).or_default();
            subjects.extend(waiters.filter_map(|waiter| Subject::new(operation, waiter, &states)));
        }
    }
    let reviews = nouns.values().flat_map(|subjects| {
        let siblings = subjects.get(..MAX_SIBLINGS).unwrap_or(subjects);
        let reviews = subjects.iter();
        reviews.map(|subject| subject.review(siblings, classifier))
    });
    reviews.collect()
}

impl<'o, 'm, 'a> Subject<'o, 'm, 'a> {
    fn new(
        operation: &'o Operation<'m, 'a>,
        waiter: &Entry<'a>,
        states: &[Rc<StateMember>],
    ) -> Option<Self> {
        let acceptors: Vec<Acceptor> = Acceptor::of_waiter(waiter).collect::<Option<_>>()?;
        let paths: Vec<String> = acceptors.iter().filter_map(path_of).collect();
        let mut known = states.iter();
        let state = known.find(|state| paths.contains(&state.path));
        // A waiter for an error says nothing about the state of the resource.
        let mut own = states.iter().filter(|_| acceptors.iter().any(is_gone));
        let state = state.or_else(|| own.find(|state| state.rank > OWN_RANK))?;
        // The values of an expression on the state are not known.
        let member = state.path.rsplit('.').next().unwrap_or_default();
        let is_compared = |path: &String| *path == state.path || !path.contains(member);
        (!state.is_documented && paths.iter().all(is_compared)).then(|| Self {
            operation,
            waiter: *waiter,
            state: Rc::clone(state),
            acceptors,
        })
    }

    fn review(&self, siblings: &[Self], classifier: &Classifier<'_>) -> Review<'m, 'a> {
        let state = &self.state;
        let lifecycle = Lifecycle::new(&state.values);
        let goals = self.goals(&lifecycle);
        let is_permanent = |value: &&StateValue| {
            let fails = |(goal, target): &(Goal, Option<&StateValue>)| {
                let failures = lifecycle.failures(*goal, *target);
                failures.iter().any(|failure| failure.text == value.text)
            };
            // A user can end a state at rest.
            value.class != Class::Rest && !goals.is_empty() && goals.iter().all(fails)
        };
        let missing = state.values.iter().filter(|value| !self.has(&value.text));
        let (permanent, open): (Vec<&StateValue>, Vec<&StateValue>) =
            missing.partition(is_permanent);
        let ends = |value: &&&StateValue| {
            value.class != Class::Transitional || value.phase == Some(Phase::Delete)
        };
        let mut failures = siblings.iter().map(|other| {
            let is_failure = |value: &&&StateValue| {
                other.compares(State::Failure, &value.text)
                    && !classifier.is_intermediate(&value.text)
            };
            let shared = if self.shares_success(other) {
                &open[..]
            } else {
                &[]
            };
            (
                other.waiter.key,
                texts(shared.iter().filter(is_failure).copied()),
            )
        });
        let sibling = failures.find(|(_, failures)| !failures.is_empty());
        let is_rest = sibling.is_none()
            && permanent.is_empty()
            && open.len() <= MAX_REST
            && open.len().saturating_mul(MIN_PART) < state.values.len();
        Review {
            operation: self.operation.shape,
            waiter: self.waiter,
            path: state.path.clone(),
            rest: texts(open.iter().filter(ends).filter(|_| is_rest).copied()),
            permanent: texts(permanent.into_iter()),
            sibling,
        }
    }

    /// Returns the goals of the waiter, with their values.
    fn goals<'s>(&'s self, lifecycle: &Lifecycle<'s>) -> Vec<(Goal, Option<&'s StateValue>)> {
        let wanted = |value: &StateValue| self.compares(State::Success, &value.text);
        let goals = lifecycle.goals().into_iter();
        let goals = goals.filter(|(value, ..)| wanted(value));
        let mut goals: Vec<_> = goals.map(|(value, goal, _)| (goal, Some(value))).collect();
        let by_error = self.acceptors.iter().any(is_gone);
        if by_error || lifecycle.gone().is_some_and(wanted) {
            goals.push((Goal::Gone, None));
        }
        goals
    }

    fn shares_success(&self, other: &Self) -> bool {
        let mut wanted = self
            .acceptors
            .iter()
            .filter(|own| own.state == State::Success);
        wanted.any(|own| match &own.matcher {
            Matcher::Output { expected, .. } => other.compares(State::Success, expected),
            _ => false,
        })
    }

    /// Returns `true` if an acceptor compares any path with a value.
    fn has(&self, value: &str) -> bool {
        self.acceptors.iter().any(|own| own.expects(value))
    }

    /// Returns `true` if an acceptor for a value of the waiter's state leads to a state.
    fn compares(&self, to: State, value: &str) -> bool {
        let mut acceptors = self.acceptors.iter().filter(|own| own.state == to);
        acceptors.any(|own| own.expects(value))
    }
}

/// Returns `true` if an acceptor succeeds by an error.
fn is_gone(acceptor: &Acceptor) -> bool {
    acceptor.state == State::Success && matches!(acceptor.matcher, Matcher::ErrorType(_))
}

fn texts<'v>(values: impl Iterator<Item = &'v StateValue>) -> Vec<String> {
    values.map(|value| value.text.clone()).collect()
}

/// Returns the path of a comparison in the notation of suggestions.
fn path_of(acceptor: &Acceptor) -> Option<String> {
    match &acceptor.matcher {
        Matcher::Output { path, .. } => Some(path.replace("[*]", "[]").replace(' ', "")),
        _ => None,
    }
}
