//! A waiter's acceptors, and the verdict of the specification's workflow.

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::typed::Expression;
use smithy_waiters_model::{Model, Node, Shape, id};

use crate::reference::{Problem, evaluate, satisfies};
use crate::suite::Verdict;
use crate::wire::Form;

/// An acceptor.
#[derive(Debug)]
pub(crate) struct Acceptor<'m> {
    pub(crate) state: &'m str,
    pub(crate) matcher: Matcher<'m>,
}

/// A matcher.
#[derive(Debug)]
pub(crate) enum Matcher<'m> {
    Error(&'m str),
    Path(PathMatcher<'m>),
    Success(bool),
    /// A matcher that cannot be read. The linter reports the reason.
    Invalid,
}

/// A matcher of the output, or of the input and the output.
#[derive(Debug)]
pub(crate) struct PathMatcher<'m> {
    pub(crate) path: &'m str,
    pub(crate) expected: &'m str,
    pub(crate) comparator: &'m str,
    pub(crate) expression: Expression<'m>,
    /// `true` for `inputOutput`.
    pub(crate) uses_input: bool,
}

/// An answer before it is written.
#[derive(Clone, Debug)]
pub(crate) enum Given<'m> {
    Output {
        input: Map<String, Json>,
        output: Json,
    },
    Error {
        code: String,
        shape: Option<&'m Shape<'m>>,
        form: Form,
    },
}

/// A verdict, and whether it depends on a question that the specification leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// A path with an error of types, which the verdict counts as no match.
    pub(crate) type_error: Option<String>,
}

impl<'m> Acceptor<'m> {
    /// Reads the acceptors of a waiter.
    pub(crate) fn all(
        model: &'m Model<'m>,
        operation: &'m Shape<'m>,
        definition: &Node<'m>,
    ) -> Vec<Self> {
        let acceptors = definition.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        let text = |node: Node<'m>| node.as_str();
        let read = |acceptor: &Node<'m>| Self {
            state: acceptor.member("state").and_then(text).unwrap_or_default(),
            matcher: matcher(model, operation, acceptor).unwrap_or(Matcher::Invalid),
        };
        acceptors.iter().map(read).collect()
    }
}

fn matcher<'m>(
    model: &'m Model<'m>,
    operation: &'m Shape<'m>,
    acceptor: &Node<'m>,
) -> Option<Matcher<'m>> {
    let matcher = acceptor.member("matcher")?;
    let [only] = matcher.entries() else {
        return None;
    };
    Some(match only.key {
        "success" => Matcher::Success(only.value.as_bool()?),
        "errorType" => Matcher::Error(only.value.as_str()?),
        kind @ ("output" | "inputOutput") => {
            let text = |name: &str| only.value.member(name)?.as_str();
            let (path, uses_input) = (text("path")?, kind == "inputOutput");
            let expression = if uses_input {
                model.input_output_path(operation, path)?
            } else {
                model.output_path(operation, path)?
            };
            Matcher::Path(PathMatcher {
                path,
                expected: text("expected")?,
                comparator: text("comparator")?,
                expression,
                uses_input,
            })
        }
        _ => return None,
    })
}

impl PathMatcher<'_> {
    /// Returns the value that the path is evaluated on.
    pub(crate) fn root(&self, input: &Map<String, Json>, output: &Json) -> Json {
        if self.uses_input {
            json!({"input": input, "output": output})
        } else {
            output.clone()
        }
    }

    pub(crate) fn find(&self, input: &Map<String, Json>, output: &Json) -> Result<Json, Problem> {
        evaluate(&self.expression, &self.root(input, output))
    }
}

impl Matcher<'_> {
    /// Returns `true` if the matcher matches an answer.
    pub(crate) fn matches(&self, given: &Given<'_>) -> Result<bool, Problem> {
        Ok(match (self, given) {
            (Self::Success(expected), _) => *expected == matches!(given, Given::Output { .. }),
            (Self::Error(name), Given::Error { code, shape, .. }) => {
                let name = id::name(name);
                *name == **code || shape.is_some_and(|shape| id::name(shape.id) == name)
            }
            (Self::Path(matcher), Given::Output { input, output }) => satisfies(
                matcher.comparator,
                matcher.expected,
                &matcher.find(input, output)?,
            ),
            _ => false,
        })
    }
}

/// Returns the verdict on an answer: the first acceptor that matches, a failure for another error, or a retry.
///
/// # Errors
///
/// Returns the name of a function that the reference lacks.
pub(crate) fn verdict(
    acceptors: &[Acceptor<'_>],
    given: &Given<'_>,
) -> Result<Outcome, &'static str> {
    let mut type_error = None;
    for (index, acceptor) in acceptors.iter().enumerate() {
        match acceptor.matcher.matches(given) {
            Ok(true) => {
                let verdict = Verdict::new(acceptor.state, Some(index));
                return Ok(Outcome {
                    verdict,
                    type_error,
                });
            }
            Ok(false) => {}
            Err(Problem::Type(problem)) => type_error = Some(problem),
            Err(Problem::Unknown(function)) => return Err(function),
        }
    }
    let state = if matches!(given, Given::Error { .. }) {
        "failure"
    } else {
        "retry"
    };
    let verdict = Verdict::new(state, None);
    Ok(Outcome {
        verdict,
        type_error,
    })
}
