//! The evaluation of one response or error by a waiter's acceptors.
//!
//! Acceptors are tried in order and the first match ends the evaluation, but a path that several of them share is evaluated once,
//! for all of them. The host's value is read only here.
//!
//! Clause: [Waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow), steps 3 to 5.

mod datum;
mod error_metadata;
mod findings;
mod observation;
mod reason;
mod redaction;
mod show;
mod verdict;

use std::ops::ControlFlow;
use std::rc::Rc;

pub(crate) use datum::Datum;
use datum::MOST_ITEMS;
pub use error_metadata::ErrorMetadata;
pub(crate) use error_metadata::one_line;
pub(crate) use findings::Findings;
use findings::{Codes, place_of_null};
pub use observation::Observation;
pub use reason::{Reason, ReasonCode};
pub(crate) use redaction::{MESSAGES, Place, Redacted, places_read};
pub use show::PathValue;
pub(crate) use show::Show;
pub use verdict::Verdict;

use crate::definition::{Acceptor, Expectation, Expected, Matcher, PathMatcher, Root};
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

/// Evaluates as [`evaluate`] does, and keeps what the reasons need and may show.
pub(crate) fn evaluate_with_findings<V: Value>(
    acceptors: &[Acceptor],
    input: Option<&V>,
    seen: &Observation<'_, V>,
    redacted: &Redacted,
) -> (Verdict, Findings) {
    let mut evaluation = Evaluation::new(acceptors, Some(Vec::new()));
    let verdict = evaluation.run(input, seen);
    let Evaluation { codes, data, .. } = evaluation;
    let looked_at = verdict
        .acceptor()
        .map_or(acceptors.len(), |index| index.saturating_add(1));
    let findings = Findings::new(codes, looked_at, data.unwrap_or_default(), seen, redacted);
    (verdict, findings)
}

struct Evaluation<'w> {
    acceptors: &'w [Acceptor],
    evaluator: Evaluator,
    codes: Codes,
    /// What each path gave, with the first acceptor that has the path; `None` if nobody asked for it.
    data: Option<Vec<(usize, Datum)>>,
}

impl<'w> Evaluation<'w> {
    fn new(acceptors: &'w [Acceptor], data: Option<Vec<(usize, Datum)>>) -> Self {
        Self {
            acceptors,
            evaluator: Evaluator::new(),
            codes: Codes::default(),
            data,
        }
    }

    fn run<V: Value>(&mut self, input: Option<&V>, seen: &Observation<'_, V>) -> Verdict {
        for (index, acceptor) in self.acceptors.iter().enumerate() {
            if self.codes.get(index).is_none() {
                self.look(index, acceptor, input, seen);
            }
            if self.codes.get(index).is_some_and(ReasonCode::is_match) {
                return Verdict::of_acceptor(index, acceptor.state());
            }
        }
        Verdict::implicit(matches!(seen, Observation::Error(_)))
    }

    /// Finds out the code of one acceptor, and of those that share its path.
    fn look<V: Value>(
        &mut self,
        index: usize,
        acceptor: &'w Acceptor,
        input: Option<&V>,
        seen: &Observation<'_, V>,
    ) {
        let code = match (acceptor.matcher(), seen) {
            (Matcher::ErrorType(expected), Observation::Error(error)) => error.check(expected),
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
        let datum = if matcher.path().root().is_projection() {
            comparison.of_projection(matcher, root, collects)
        } else {
            comparison.of_value(matcher, root, collects)
        };
        let datum = datum.unwrap_or_else(
            |Failure {
                 error,
                 visited,
                 items,
             }| {
                comparison.fail(&error, visited, matcher.path().calls_functions());
                let problem = error.message().into();
                Some(Datum::Unreadable { problem, items })
            },
        );
        if let (Some(data), Some(datum)) = (&mut self.data, datum) {
            let datum = match datum {
                Datum::Null(_) => Datum::Null(place_of_null(matcher.path(), root)),
                datum => datum,
            };
            data.push((index, datum));
        }
    }
}

/// The expectations for a path, and the codes of their acceptors so far.
struct Comparison<'w, 'c> {
    expectations: &'w [Expectation],
    evaluator: &'c Evaluator,
    codes: &'c mut Codes,
}

type Compared = Result<Option<Datum>, Failure>;

/// An evaluation that failed, after this many items.
struct Failure {
    error: EvaluationError,
    visited: u64,
    items: Vec<Datum>,
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
    /// Compares what is computed as a whole.
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
            let met = evaluator.each_item(&value, &mut |item| items.visit(&item));
            return items.end(met.map(|_| ()));
        }
        for Expectation { acceptor, expected } in self.expectations {
            evaluator.spend(1)?;
            let code = match (expected, kind) {
                (Expected::Boolean(expected), Kind::Boolean(value)) => equal(value == *expected),
                (Expected::String(expected), Kind::String) => equal(value.text_is(expected)?),
                _ => mismatch(kind),
            };
            self.codes.set(*acceptor, code);
        }
        Ok(collects.then(|| Datum::of(&value, kind)))
    }

    /// Compares items one by one, and stops where all is decided.
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
                Ok(Some(Datum::Null(Box::default())))
            }
            met => items.end(met.map(|_| ())),
        }
    }

    /// The evaluation failed: that is the reason of each acceptor that was not decided before. If the path calls functions, it is
    /// the reason of all: whether one fails must not depend on the order of the items.
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
                // An item makes it a list.
                (_, None) if visited > 0 => ReasonCode::WrongType,
                (_, None) => ReasonCode::of_error(error),
            };
            self.codes.set(*acceptor, code);
        }
    }

    /// Whether further items can change the result: of the acceptors up to the first that matches for good.
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

/// The items of a list, as they are visited.
struct Items<'a, 'w, 'c> {
    comparison: &'a mut Comparison<'w, 'c>,
    /// Whether all items are visited, because a function may fail on any of them: an error must not depend on the order.
    exhaustive: bool,
    finished: bool,
    /// The work that was left when all was decided.
    left: u64,
    kept: Option<Vec<Datum>>,
    visited: u64,
    /// Whether the visit ended before the list did.
    broken: bool,
}

impl<'a, 'w, 'c> Items<'a, 'w, 'c> {
    fn new(comparison: &'a mut Comparison<'w, 'c>, exhaustive: bool, collects: bool) -> Self {
        for Expectation { acceptor, expected } in comparison.expectations {
            if expected.of_items().is_some() {
                comparison.codes.set(*acceptor, ReasonCode::Empty);
            }
        }
        let left = comparison.evaluator.left();
        let mut items = Self {
            comparison,
            exhaustive,
            finished: false,
            left,
            kept: collects.then(Vec::new),
            visited: 0,
            broken: false,
        };
        if items.comparison.is_decided() {
            items.finish();
        }
        items
    }

    /// All is decided: further items are read only for the reasons.
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
        self.visited = self.visited.saturating_add(1);
        if let Some(kept) = self.kept.as_mut().filter(|kept| kept.len() < MOST_ITEMS) {
            kept.push(Datum::of(item, kind));
        }
        // The reasons need to know whether there is a further item; the verdict does not.
        Ok(if self.kept.is_none() && self.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Whether no further item is needed, neither for the verdict nor for the reasons; then the rest of the list is unknown.
    fn is_over(&mut self) -> bool {
        let kept = self.kept.as_ref();
        let full = kept.is_none_or(|kept| kept.len() >= MOST_ITEMS);
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

    /// Ends the visit. An error counts unless all was decided before: items read ahead for the reasons decide nothing.
    fn end(mut self, visited: Result<(), EvaluationError>) -> Compared {
        let complete = visited.is_ok() && !self.broken;
        if self.finished && !self.exhaustive && self.visited > 0 {
            self.comparison.evaluator.restore(self.left);
        } else {
            visited.map_err(|error| Failure {
                error,
                visited: self.visited,
                items: self.kept.take().unwrap_or_default(),
            })?;
        }
        for Expectation { acceptor, expected } in self.comparison.expectations {
            if expected.of_items().is_none() {
                self.comparison.codes.set(*acceptor, ReasonCode::WrongType);
            }
        }
        let len = complete.then_some(self.visited);
        Ok(self.kept.map(|items| Datum::List { items, len }))
    }
}

/// Returns the code for a value that cannot match, by its kind.
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

/// The root of an `inputOutput` path: an object of the two.
fn input_output<'e, V: Value>(input: Option<&V>, output: &V) -> Item<'e, V> {
    let input = input.map_or(Item::Null, |input| Item::Host(input.clone()));
    Item::Object(Rc::new(vec![
        ("input".into(), input),
        ("output".into(), Item::Host(output.clone())),
    ]))
}
