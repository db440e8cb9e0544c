//! The tests that acceptors put to a response or an error.
//!
//! Clauses: [Matcher](https://smithy.io/2.0/additional-specs/waiters.html#matcher-union),
//! [PathMatcher](https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure),
//! [PathComparator](https://smithy.io/2.0/additional-specs/waiters.html#pathcomparator-enum).

mod explain;

use std::ops::ControlFlow;
use std::rc::Rc;

use crate::expression::{EvaluationError, Evaluator, Expression, Item, Met, Names};
use crate::failure::ErrorFacts;
use crate::value::{Kind, Name, PathTest, Value, Wanted, When};
use crate::verdict::ReasonCode;

/// What came of a call, as a host sees it.
///
/// # Example: an error that is waited for
///
/// ```
/// use serde_json::Value;
/// use smithy_waiters::{ErrorFacts, Seen, State, Waiter};
/// # let ready = Waiter::named("Ready", r#"{"acceptors": [
/// #     {"state": "success", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "READY"}}},
/// #     {"state": "failure", "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "FAILED"}}},
/// #     {"state": "retry", "matcher": {"errorType": "NotFound"}}]}"#)?;
/// let missing = ErrorFacts::of_code("NotFound");
/// assert_eq!(ready.evaluate(&Value::Null, Seen::Failure(&missing)).state(), State::Retry);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a call gives a response or fails")]
pub enum Seen<'a, V> {
    /// The call succeeded with this response.
    Response(V),
    /// The call failed with this error.
    Failure(&'a ErrorFacts<'a>),
}

/// A matcher of the specification; exactly one member of the union is set.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    ErrorType(Box<str>),
    InputOutput(PathMatcher),
    Output(PathMatcher),
    Success(bool),
}

/// A path and what it is expected to give.
#[derive(Clone, Debug)]
pub(crate) struct PathMatcher {
    path: Expression,
    expected: Expected,
    /// The whole of it as a test that hosts can make, where the path is a plain one.
    test: Option<PathTest>,
}

/// A comparator with its expected value.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    AllStrings(Name),
    AnyString(Name),
    Boolean(bool),
    String(Name),
}

impl Matcher {
    /// The test of a plain path, where it is one of the output.
    pub(crate) const fn test(&self) -> Option<&PathTest> {
        match self {
            Self::Output(matcher) => matcher.test(),
            _ => None,
        }
    }

    /// When it matches a response, for hosts that look at these by themselves.
    pub(crate) fn when(&self) -> When<'_> {
        match self {
            Self::ErrorType(_) => When::Error,
            Self::InputOutput(_) => When::Unknown,
            Self::Output(matcher) => matcher.when(),
            Self::Success(true) => When::Always,
            Self::Success(false) => When::Failure,
        }
    }

    /// Whether it may match what came of a call: of one that failed, or of one that did not.
    pub(crate) const fn looks_at(&self, failed: bool) -> bool {
        match self {
            Self::ErrorType(_) => failed,
            Self::InputOutput(_) | Self::Output(_) => !failed,
            Self::Success(expected) => *expected != failed,
        }
    }

    /// Whether the matcher matches, and why.
    pub(crate) fn check<V: Value>(&self, input: Option<&V>, seen: &Seen<'_, V>) -> ReasonCode {
        match (self, seen) {
            (Self::ErrorType(expected), Seen::Failure(error)) => error.check(expected),
            (Self::InputOutput(matcher), Seen::Response(output)) => {
                matcher.check(&input_output(input, output))
            }
            (Self::Output(matcher), Seen::Response(output)) => matcher.check_host(output),
            (Self::Success(expected), seen) => {
                let succeeded = matches!(seen, Seen::Response(_));
                if *expected == succeeded {
                    ReasonCode::Matched
                } else {
                    ReasonCode::NotEqual
                }
            }
            _ => ReasonCode::NotApplicable,
        }
    }
}

impl PathMatcher {
    pub(crate) const fn new(path: Expression, expected: Expected) -> Self {
        Self {
            path,
            expected,
            test: None,
        }
    }

    /// With the test that hosts can make, where the path is a plain one.
    pub(crate) fn with_test(mut self, names: &mut Names) -> Self {
        let test = self.expected.wanted().zip(self.path.steps());
        self.test = test.map(|((wanted, expected), steps)| {
            PathTest::new(names.next_test(), steps, wanted, expected.clone())
        });
        self
    }

    pub(crate) const fn test(&self) -> Option<&PathTest> {
        self.test.as_ref()
    }

    fn when(&self) -> When<'_> {
        match (&self.test, &self.expected) {
            (Some(test), _) => When::Path(test),
            (None, Expected::Boolean(expected)) => self
                .path
                .plan()
                .map_or(When::Unknown, |plan| When::Plan(plan, *expected)),
            _ => When::Unknown,
        }
    }

    fn check_host<V: Value>(&self, root: &V) -> ReasonCode {
        match self.test.as_ref().map(|test| root.test(test)) {
            Some(Ok(Some(code))) => code,
            Some(Err(_)) => ReasonCode::EvaluationError,
            Some(Ok(None)) | None => self.check(&Item::Host(root.clone())),
        }
    }

    fn check<V: Value>(&self, root: &Item<'_, V>) -> ReasonCode {
        self.expected
            .check(&self.path, root)
            .unwrap_or_else(|error| error.code())
    }
}

impl Expected {
    /// What a plain path is tested for; a boolean is not.
    const fn wanted(&self) -> Option<(Wanted, &Name)> {
        match self {
            Self::AllStrings(expected) => Some((Wanted::Every, expected)),
            Self::AnyString(expected) => Some((Wanted::Any, expected)),
            Self::Boolean(_) => None,
            Self::String(expected) => Some((Wanted::Value, expected)),
        }
    }

    fn check<V: Value>(
        &self,
        path: &Expression,
        root: &Item<'_, V>,
    ) -> Result<ReasonCode, EvaluationError> {
        let evaluator = Evaluator::new();
        match self {
            Self::AllStrings(expected) => items(&evaluator, path, root, expected, false),
            Self::AnyString(expected) => items(&evaluator, path, root, expected, true),
            Self::Boolean(expected) => Ok(match evaluator.evaluate(path.root(), root)?.kind()? {
                Kind::Boolean(value) => equal(value == *expected),
                other => mismatch(other),
            }),
            Self::String(expected) => {
                let value = evaluator.evaluate(path.root(), root)?;
                Ok(match value.kind()? {
                    Kind::String => equal(value.text_is(expected)?),
                    other => mismatch(other),
                })
            }
        }
    }
}

/// An array with an item (`any`), or of nothing but items and at least one, that are strings and equal the expected one.
fn items<V: Value>(
    evaluator: &Evaluator,
    path: &Expression,
    root: &Item<'_, V>,
    expected: &Name,
    any: bool,
) -> Result<ReasonCode, EvaluationError> {
    let (mut code, mut decided) = (ReasonCode::Empty, false);
    // A projection that calls functions is evaluated to its end: an error of theirs must not depend on the hit.
    let exhaustive = any && path.root().is_projection() && path.root().calls_functions();
    let met = evaluator.each(path.root(), root, &mut |item| {
        if decided {
            return Ok(ControlFlow::Continue(()));
        }
        let is_equal = item.kind()? == Kind::String && item.text_is(expected)?;
        code = equal(is_equal);
        // The first that equals decides for any, the first that does not for all.
        decided = is_equal == any;
        Ok(if decided && !exhaustive {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    Ok(of_array(met, code))
}

fn of_array(met: Met, code: ReasonCode) -> ReasonCode {
    match met {
        Met::Array => code,
        Met::Other(kind) => mismatch(kind),
    }
}

const fn equal(equal: bool) -> ReasonCode {
    if equal {
        ReasonCode::Matched
    } else {
        ReasonCode::NotEqual
    }
}

const fn mismatch(kind: Kind) -> ReasonCode {
    if matches!(kind, Kind::Null) {
        ReasonCode::Null
    } else {
        ReasonCode::WrongType
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
