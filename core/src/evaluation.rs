//! The evaluation of one response or error by a waiter's acceptors.
//!
//! Acceptors are tested in order, and the first match ends the evaluation. A path that several acceptors share is
//! evaluated only once. No other module reads the host's value.
//!
//! Clause: [Waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow), steps 3 to 5.

mod error_metadata;
mod excerpt;
mod hint;
mod observation;
mod reason;
mod reason_data;
mod redaction;
mod show;
mod verdict;

use std::ops::ControlFlow;
use std::rc::Rc;

pub use error_metadata::ErrorMetadata;
pub(crate) use excerpt::Excerpt;
use excerpt::{Different, MOST_ITEMS};
pub(crate) use hint::hints;
pub use hint::{Hint, HintCode};
pub use observation::Observation;
pub use reason::{Reason, ReasonCode};
pub(crate) use reason_data::ReasonData;
use reason_data::{Codes, place_of_null};
pub(crate) use redaction::{MESSAGES, Redacted, Redaction, redacted_in_items};
pub use show::PathValue;
pub(crate) use show::{ConditionValue, Show};
pub use verdict::Verdict;

use crate::definition::{
    Acceptor, CompiledGoal, Expectation, Expected, Matcher, PathMatcher, Root,
};
use crate::jmespath::{EvaluationError, Evaluator, Item, Visited};
use crate::value::{Kind, Value};

/// Returns the verdict of the first acceptor that matches, or the implicit one.
pub(crate) fn evaluate<V: Value>(
    acceptors: &[Acceptor],
    input: Option<&V>,
    seen: &Observation<'_, V>,
) -> Verdict {
    Evaluation::new(acceptors, None).run(input, seen)
}

/// Returns the verdict, and the data from which the reasons are rendered, without redacted values.
pub(crate) fn evaluate_with_reasons<V: Value>(
    acceptors: &[Acceptor],
    input: Option<&V>,
    seen: &Observation<'_, V>,
    redacted: &Redacted,
) -> (Verdict, ReasonData) {
    // The data come from the same evaluation: a second one could read other values from a host's getters.
    let mut evaluation = Evaluation::new(acceptors, Some(Vec::new()));
    let verdict = evaluation.run(input, seen);
    let Evaluation { codes, data, .. } = evaluation;
    let tested = verdict
        .acceptor()
        // An evaluation can set codes of later acceptors with the same path. They did not decide, so that they have
        // no reason.
        .map_or(acceptors.len(), |index| index.saturating_add(1));
    let reason_data = ReasonData::new(codes, tested, data.unwrap_or_default(), seen, redacted);
    (verdict, reason_data)
}

struct Evaluation<'w> {
    acceptors: &'w [Acceptor],
    evaluator: Evaluator,
    codes: Codes,
    /// The value of each path, with the first acceptor that has the path; `None` if no reasons are needed.
    data: Option<Vec<(usize, Excerpt)>>,
}

impl<'w> Evaluation<'w> {
    fn new(acceptors: &'w [Acceptor], data: Option<Vec<(usize, Excerpt)>>) -> Self {
        Self {
            acceptors,
            // One limit of work for all acceptors together. Rule: docs/rules.md#evaluation-errors
            evaluator: Evaluator::new(),
            codes: Codes::default(),
            data,
        }
    }

    fn run<V: Value>(&mut self, input: Option<&V>, seen: &Observation<'_, V>) -> Verdict {
        for (index, acceptor) in self.acceptors.iter().enumerate() {
            // Acceptors with equal paths are compared in one evaluation, so that a path is evaluated at most once per
            // attempt.
            if self.codes.get(index).is_none() {
                self.test(index, acceptor, input, seen);
            }
            if self.codes.get(index).is_some_and(ReasonCode::is_match) {
                return Verdict::of_acceptor(index, acceptor.state());
            }
        }
        Verdict::implicit(matches!(seen, Observation::Error(_)))
    }

    /// Determines the code of an acceptor, and of later acceptors that share its path.
    fn test<V: Value>(
        &mut self,
        index: usize,
        acceptor: &'w Acceptor,
        input: Option<&V>,
        seen: &Observation<'_, V>,
    ) {
        let code = match (acceptor.matcher(), seen) {
            (Matcher::ErrorType(expected), Observation::Error(error)) => error.check(expected),
            (_, Observation::Response(output)) if !acceptor.goals().is_empty() => {
                self.evaluate_goals(index, acceptor.goals(), &Item::Host(output.clone()));
                return;
            }
            (Matcher::Path(matcher), Observation::Response(output)) => {
                let root = match matcher.root() {
                    Root::InputOutput => input_output(input, output),
                    Root::Output => Item::Host(output.clone()),
                };
                self.evaluate_path(index, matcher, &root);
                return;
            }
            (Matcher::Success(expected), seen) => {
                equal(*expected == matches!(seen, Observation::Response(_)))
            }
            (Matcher::ErrorType(_), _) | (Matcher::Path(_), _) => ReasonCode::NotApplicable,
        };
        self.codes.set(index, code);
    }

    /// Tests goals up to the first one that is not reached.
    fn evaluate_goals<V: Value>(
        &mut self,
        index: usize,
        goals: &'w [CompiledGoal],
        root: &Item<'_, V>,
    ) {
        for goal in goals {
            let tested = test_goal(&self.evaluator, (index, goal), root, self.data.is_some());
            let (code, excerpt) = tested.unwrap_or_else(|error| {
                let unreadable = Excerpt::Unreadable {
                    problem: error.message().into(),
                    items: Box::default(),
                };
                (ReasonCode::of_error(&error), Some(unreadable))
            });
            if let (Some(data), Some(excerpt)) = (&mut self.data, excerpt) {
                data.push((index, excerpt));
            }
            self.codes.set(index, code);
            if !code.is_match() {
                return;
            }
        }
    }

    fn evaluate_path<V: Value>(
        &mut self,
        index: usize,
        matcher: &'w PathMatcher,
        root: &Item<'_, V>,
    ) {
        let mut comparison = Comparison {
            expectations: matcher.expectations(),
            evaluator: &self.evaluator,
            codes: &mut self.codes,
        };
        let collects = self.data.is_some();
        let excerpt = if matcher.path().root().is_projection() {
            comparison.of_projection(matcher, root, collects)
        } else {
            comparison.of_value(matcher, root, collects)
        };
        let excerpt = excerpt.unwrap_or_else(
            |Failure {
                 error,
                 visited,
                 items,
             }| {
                comparison.fail(&error, visited, matcher.path().calls_functions());
                let problem = error.message().into();
                let items = items.into();
                Some(Excerpt::Unreadable { problem, items })
            },
        );
        if let (Some(data), Some(excerpt)) = (&mut self.data, excerpt) {
            let excerpt = match excerpt {
                // Only for nulls, because it reads the response again.
                Excerpt::Null(_) => Excerpt::Null(place_of_null(matcher.path(), root)),
                excerpt => excerpt,
            };
            data.push((index, excerpt));
        }
    }
}

/// A goal's code, with the excerpt of its value if it is needed.
type GoalResult = Result<(ReasonCode, Option<Excerpt>), EvaluationError>;

/// Tests a goal. `collects` is `true` if the reasons are needed.
fn test_goal<V: Value>(
    evaluator: &Evaluator,
    (index, goal): (usize, &CompiledGoal),
    root: &Item<'_, V>,
    collects: bool,
) -> GoalResult {
    let value = evaluator.evaluate(goal.path().root(), root)?;
    let [of_items, of_every_item] = goal.of_items();
    let (mut items, mut len) = (Vec::new(), 0_u64);
    let mut different: Option<Different> = None;
    let matches = goal.test(evaluator, &value, &mut |item, matches| {
        let kind = item.kind().unwrap_or(Kind::Null);
        if collects && items.len() < MOST_ITEMS {
            items.push(Excerpt::of(item, kind));
        }
        if collects && !matches && of_every_item {
            let first = || Different {
                acceptor: index,
                count: 0,
                index: len,
                first: Excerpt::of(item, kind),
            };
            let different = different.get_or_insert_with(first);
            different.count = different.count.saturating_add(1);
        }
        len = len.saturating_add(1);
    })?;
    let kind = value.kind()?;
    let code = match kind {
        _ if matches => ReasonCode::Matched,
        Kind::Null => ReasonCode::Null,
        Kind::Array if of_items && len == 0 => ReasonCode::Empty,
        _ => ReasonCode::NotEqual,
    };
    let excerpt = match kind {
        Kind::Null => Excerpt::Null(place_of_null(goal.path(), root)),
        Kind::Array if of_items => Excerpt::List {
            items: items.into(),
            len: Some(len),
            different: different.into_iter().collect(),
        },
        kind => Excerpt::of(&value, kind),
    };
    Ok((code, collects.then_some(excerpt)))
}

/// The comparison of one path's value with the expectations of all acceptors that share the path.
struct Comparison<'w, 'c> {
    expectations: &'w [Expectation],
    evaluator: &'c Evaluator,
    codes: &'c mut Codes,
}

type Compared = Result<Option<Excerpt>, Failure>;

/// An evaluation that failed after `visited` items.
struct Failure {
    error: EvaluationError,
    visited: u64,
    items: Vec<Excerpt>,
}

impl<E: Into<EvaluationError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
            visited: 0,
            items: Vec::new(),
        }
    }
}

impl<'w, 'c> Comparison<'w, 'c> {
    /// Evaluates the path, then compares its value.
    fn of_value<V: Value>(
        &mut self,
        matcher: &'w PathMatcher,
        root: &Item<'_, V>,
        collects: bool,
    ) -> Compared {
        let evaluator = self.evaluator;
        let value = evaluator.evaluate(matcher.path().root(), root)?;
        let kind = value.kind()?;
        if kind == Kind::Array {
            let mut items = Items::new(self, false, collects);
            let visited = evaluator.each_item(&value, &mut |item| items.visit(&item));
            return items.end(visited.map(|_| ()));
        }
        for Expectation { acceptor, expected } in self.expectations {
            evaluator.spend(1)?;
            let code = match (expected, kind) {
                (Expected::Boolean(expected), Kind::Boolean(value)) => equal(value == *expected),
                (Expected::String(expected), Kind::String) => equal(value.text_is(expected)?),
                // No comparator converts types. Rule: docs/rules.md#null-and-types
                _ => mismatch(kind),
            };
            self.codes.set(*acceptor, code);
        }
        Ok(collects.then(|| Excerpt::of(&value, kind)))
    }

    /// Compares the items of a projection one by one. Stops when further items cannot change a result.
    fn of_projection<V: Value>(
        &mut self,
        matcher: &'w PathMatcher,
        root: &Item<'_, V>,
        collects: bool,
    ) -> Compared {
        let (evaluator, node) = (self.evaluator, matcher.path().root());
        let exhaustive = matcher.path().calls_functions();
        let mut items = Items::new(self, exhaustive, collects);
        match evaluator.each(node, root, &mut |item| items.visit(&item)) {
            Ok(Visited::Other(kind)) => {
                for Expectation { acceptor, .. } in self.expectations {
                    self.codes.set(*acceptor, mismatch(kind));
                }
                Ok(Some(Excerpt::Null(Box::default())))
            }
            visited => items.end(visited.map(|_| ())),
        }
    }

    /// Sets the error's code for every acceptor that was not decided before the evaluation failed.
    ///
    /// If the path calls functions, the code applies to all acceptors, so that the result does not depend on the order
    /// of the items. See docs/rules.md#evaluation-errors.
    fn fail(&mut self, error: &EvaluationError, visited: u64, calls_functions: bool) {
        for Expectation { acceptor, expected } in self.expectations {
            let code = match (expected, self.codes.get(*acceptor)) {
                _ if calls_functions => ReasonCode::of_error(error),
                (Expected::AllStrings(_), Some(ReasonCode::NotEqual)) => ReasonCode::NotEqual,
                (Expected::AnyString(_), Some(ReasonCode::Matched)) => ReasonCode::Matched,
                (Expected::AllStrings(_) | Expected::AnyString(_), _) => {
                    ReasonCode::of_error(error)
                }
                (_, Some(code)) => code,
                // The path has items, so that its value is a list.
                (_, None) if visited > 0 => ReasonCode::WrongType,
                (_, None) => ReasonCode::of_error(error),
            };
            self.codes.set(*acceptor, code);
        }
    }

    /// Returns `true` if further items cannot change the verdict: every acceptor up to the first definite match is
    /// decided.
    fn is_decided(&self) -> bool {
        for Expectation { acceptor, expected } in self.expectations {
            match (expected, self.codes.get(*acceptor)) {
                (Expected::AnyString(_), Some(ReasonCode::Matched)) => return true,
                (Expected::AllStrings(_), Some(ReasonCode::NotEqual)) => {}
                (Expected::Boolean(_) | Expected::String(_), _) => {}
                _ => return false,
            }
        }
        true
    }
}

/// The comparison of a list, item by item.
struct Items<'a, 'w, 'c> {
    comparison: &'a mut Comparison<'w, 'c>,
    /// `true` if the path calls functions. All items are then visited, because a function may fail on any of them, and
    /// an error must not depend on the order.
    exhaustive: bool,
    finished: bool,
    /// The remaining work limit at the time when all acceptors were decided.
    left: u64,
    /// The first items, if they are needed for the reasons.
    data: Option<Vec<Excerpt>>,
    /// The items that are not what an acceptor expects of every item, if `data` is needed.
    different: Vec<Different>,
    visited: u64,
    /// `true` if the visit ended before the end of the list.
    broken: bool,
}

impl<'a, 'w, 'c> Items<'a, 'w, 'c> {
    fn new(comparison: &'a mut Comparison<'w, 'c>, exhaustive: bool, collects: bool) -> Self {
        for Expectation { acceptor, expected } in comparison.expectations {
            if expected.of_items().is_some() {
                // Holds until the first item: `allStringEquals` does not match an empty list.
                // Rule: docs/rules.md#null-and-types
                comparison.codes.set(*acceptor, ReasonCode::Empty);
            }
        }
        let left = comparison.evaluator.left();
        let mut items = Self {
            comparison,
            exhaustive,
            finished: false,
            left,
            data: collects.then(Vec::new),
            different: Vec::new(),
            visited: 0,
            broken: false,
        };
        // Without a comparator of items, the list is only read for the reasons.
        if items.comparison.is_decided() {
            items.finish();
        }
        items
    }

    /// Marks all acceptors as decided. Further items are read only for the reasons.
    fn finish(&mut self) {
        self.finished = true;
        self.left = self.comparison.evaluator.left();
    }

    fn visit<V: Value>(&mut self, item: &Item<'_, V>) -> Result<ControlFlow<()>, EvaluationError> {
        if self.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        let kind = item.kind()?;
        if !self.finished {
            self.compare(item, kind)?;
        }
        if self.data.is_some() {
            self.count(item, kind);
        }
        self.visited = self.visited.saturating_add(1);
        if let Some(data) = self.data.as_mut().filter(|data| data.len() < MOST_ITEMS) {
            data.push(Excerpt::of(item, kind));
        }
        // The reasons mark a list with further items, so that one more item must be visited.
        Ok(if self.data.is_none() && self.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Returns `true` if neither the verdict nor the reasons need further items. The list's length is unknown then.
    fn is_over(&mut self) -> bool {
        let data = self.data.as_ref();
        // All items that differ are counted.
        let full = data.is_none_or(|data| data.len() >= MOST_ITEMS && self.different.is_empty());
        self.broken = self.finished && !self.exhaustive && full;
        self.broken
    }

    fn compare<V: Value>(&mut self, item: &Item<'_, V>, kind: Kind) -> Result<(), EvaluationError> {
        let mut decided = false;
        for Expectation { acceptor, expected } in self.comparison.expectations {
            let Some((expected, any)) = expected.of_items() else {
                continue;
            };
            let decides = equal(any);
            if self.comparison.codes.get(*acceptor) != Some(decides) {
                self.comparison.evaluator.spend(1)?;
                // Another type is not an error, but an item that is not equal.
                let code = equal(kind == Kind::String && item.text_is(expected)?);
                decided |= code == decides;
                self.comparison.codes.set(*acceptor, code);
            }
        }
        if decided && self.comparison.is_decided() {
            self.finish();
        }
        Ok(())
    }

    /// Counts an item for each acceptor that expects another text of every item.
    fn count<V: Value>(&mut self, item: &Item<'_, V>, kind: Kind) {
        for Expectation { acceptor, expected } in self.comparison.expectations {
            let Expected::AllStrings(expected) = expected else {
                continue;
            };
            let is_equal = || kind == Kind::String && item.text_is(expected).unwrap_or_default();
            // Without work, because reasons must not use up the limit of the verdict.
            if self.comparison.codes.get(*acceptor) != Some(ReasonCode::NotEqual) || is_equal() {
                continue;
            }
            let mut counted = self.different.iter_mut();
            match counted.find(|one| one.acceptor == *acceptor) {
                Some(one) => one.count = one.count.saturating_add(1),
                None => self.different.push(Different {
                    acceptor: *acceptor,
                    count: 1,
                    index: self.visited,
                    first: Excerpt::of(item, kind),
                }),
            }
        }
    }

    /// Ends the visit. An error is ignored if all acceptors were decided before, because the remaining items were read
    /// only for the reasons.
    fn end(mut self, visited: Result<(), EvaluationError>) -> Compared {
        let complete = visited.is_ok() && !self.broken;
        // Without an item it is unknown whether the value is a list, so that the error counts.
        if self.finished && !self.exhaustive && self.visited > 0 {
            // Reasons must not use up the limit of the acceptors that follow: `evaluate` and `wait` give equal
            // verdicts.
            self.comparison.evaluator.restore(self.left);
        } else {
            visited.map_err(|error| Failure {
                error,
                visited: self.visited,
                items: self.data.take().unwrap_or_default(),
            })?;
        }
        for Expectation { acceptor, expected } in self.comparison.expectations {
            if expected.of_items().is_none() {
                self.comparison.codes.set(*acceptor, ReasonCode::WrongType);
            }
        }
        let len = complete.then_some(self.visited);
        let different = self.different;
        Ok(self.data.map(|items| {
            // A list that is shown as a whole needs no count.
            let is_whole = len == Some(items.len() as u64);
            Excerpt::List {
                items: items.into(),
                len,
                different: if is_whole {
                    Box::default()
                } else {
                    different.into()
                },
            }
        }))
    }
}

/// Returns the code for a value of a kind that cannot match.
const fn mismatch(kind: Kind) -> ReasonCode {
    if matches!(kind, Kind::Null) {
        ReasonCode::Null
    } else {
        ReasonCode::WrongType
    }
}

const fn equal(equal: bool) -> ReasonCode {
    if equal {
        ReasonCode::Matched
    } else {
        ReasonCode::NotEqual
    }
}

/// Returns the root of an `inputOutput` path: an object with `input` and `output`.
fn input_output<'e, V: Value>(input: Option<&V>, output: &V) -> Item<'e, V> {
    let input = input.map_or(Item::Null, |input| Item::Host(input.clone()));
    Item::Object(Rc::new(vec![
        ("input".into(), input),
        ("output".into(), Item::Host(output.clone())),
    ]))
}
