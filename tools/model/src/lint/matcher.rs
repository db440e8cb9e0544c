//! Checks the path of an acceptor by the types of the operation's input and output.

use std::rc::Rc;

use smithy_waiters::internal::jmespath::Ast;

use super::waiter::Waiter;
use crate::event::{Culprit, Event, Fix, Severity};
use crate::messages;
use crate::path;
use crate::shapes::{Model, Node};
use crate::source::At;
use crate::types::infer::{CONSTANT, Finding, Inference};
use crate::types::{Form, Type};
use crate::validate::evaluate::evaluate;
use crate::validate::evaluate::sample::Sample;

const NEVER: &str = "SmithyWaiters.NeverMatches";
const INVALID: &str = "SmithyWaiters.InvalidExpression";
const EMPTY: &str = "SmithyWaiters.EmptyList";
const EMPTY_MESSAGE: &str =
    "`allStringEquals` does not match an empty list: the waiter continues if the list is empty";

/// Checks the path and the message of an acceptor.
pub(super) fn check(
    waiter: &Waiter<'_, '_>,
    index: usize,
    acceptor: &Node<'_>,
    events: &mut Vec<Event>,
) {
    let matcher = acceptor.member("matcher");
    for entry in matcher.map_or(&[][..], |matcher| matcher.entries()) {
        let sides = match entry.key {
            "output" => Sides::Output,
            "inputOutput" => Sides::Both,
            _ => continue,
        };
        let text = |name: &str| entry.value.member(name);
        let (Some(path), Some(comparator)) = (text("path"), text("comparator")) else {
            continue;
        };
        let Some(found) = infer(waiter, sides, &path) else {
            continue;
        };
        let comparator = comparator.as_str().unwrap_or_default();
        if found
            .findings
            .iter()
            .all(|finding| finding.severity <= Severity::Note)
        {
            let finding = check_comparator(waiter.model, &found, comparator, text("expected"));
            events.extend(finding.map(|finding| finding.event(waiter, index, &path)));
        }
        let findings = found.findings.iter();
        events.extend(findings.map(|finding| event(waiter, index, &path, finding)));
    }
    if let Some(message) = acceptor.member("message") {
        let found = infer(waiter, Sides::Output, &message);
        let findings = found.into_iter().flat_map(|found| found.findings);
        events.extend(findings.map(|finding| event(waiter, index, &message, &finding)));
    }
}

/// The value that a path is evaluated on.
#[derive(Clone, Copy)]
pub(super) enum Sides {
    Both,
    Output,
}

impl Sides {
    /// Returns the prefix for keys of paths, relative to `{input, output}`.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Both => "",
            Self::Output => ".\"output\"",
        }
    }
}

/// Returns the type of the value that a path is evaluated on.
pub(super) fn root<'m, 'a>(waiter: &Waiter<'m, 'a>, sides: Sides) -> Type<'m, 'a> {
    match sides {
        Sides::Output => Type::of(waiter.model.input_or_output(waiter.operation, "output")),
        Sides::Both => Form::Record(waiter.model.sides(waiter.operation, Type::of)).into(),
    }
}

fn sample<'m, 'a>(waiter: &Waiter<'m, 'a>, sides: Sides) -> Sample<'m, 'a> {
    match sides {
        Sides::Output => Sample::of(waiter.model.input_or_output(waiter.operation, "output")),
        Sides::Both => Sample::Object(waiter.model.sides(waiter.operation, Sample::of)),
    }
}

struct PathType<'m, 'a> {
    result: Type<'m, 'a>,
    /// The types of the elements if the path is a multi-select list.
    each: Vec<Type<'m, 'a>>,
    may_fail: bool,
    findings: Vec<Finding>,
}

impl PathType<'_, '_> {
    /// Creates the result for an expression that the engine rejects.
    fn invalid(error: path::SyntaxError) -> Self {
        let finding = Finding {
            id: INVALID,
            severity: Severity::Warning,
            offset: error.offset.unwrap_or_default(),
            message: error.message,
        };
        Self {
            result: Form::Any.into(),
            each: Vec::new(),
            may_fail: true,
            findings: vec![finding],
        }
    }
}

fn infer<'m, 'a>(
    waiter: &Waiter<'m, 'a>,
    sides: Sides,
    path: &Node<'_>,
) -> Option<PathType<'m, 'a>> {
    let path::Expression { ast, engine_error } = match path::parse(path.as_str()?) {
        Ok(parsed) => parsed,
        Err(error) if error.is_limit => return Some(PathType::invalid(error)),
        Err(_) => return None,
    };
    let model = waiter.model;
    let mut inference = Inference::new(model);
    let root = root(waiter, sides);
    let result = inference.infer(&ast, &root);
    let each = match &ast {
        Ast::MultiList { elements, .. } => {
            let elements = elements.iter();
            elements
                .map(|element| Inference::quiet(model).infer(element, &root))
                .collect()
        }
        _ => Vec::new(),
    };
    // Smithy's own event at the same offset makes a finding redundant.
    let problems = evaluate(model, &ast, sample(waiter, sides)).problems;
    let is_new = |finding: &Finding| {
        problems
            .iter()
            .all(|problem| problem.offset != finding.offset)
    };
    let mut findings: Vec<Finding> = inference.findings.into_iter().filter(is_new).collect();
    if let Some(engine_error) = engine_error.filter(|_| {
        problems
            .iter()
            .all(|problem| problem.severity < Severity::Error)
    }) {
        findings.extend(PathType::invalid(engine_error).findings);
    }
    Some(PathType {
        result,
        each,
        may_fail: inference.may_fail,
        findings,
    })
}

/// A finding about a comparator and its path.
struct ComparatorFinding {
    id: &'static str,
    severity: Severity,
    message: String,
    /// The position of an expected value that the path never has, and its replacement if it is unambiguous.
    expected: Option<(At, Option<String>)>,
}

impl ComparatorFinding {
    const fn warning(id: &'static str, message: String) -> Self {
        Self {
            id,
            severity: Severity::Warning,
            message,
            expected: None,
        }
    }

    fn event(self, waiter: &Waiter<'_, '_>, index: usize, path: &Node<'_>) -> Event {
        let text = messages::quote(path.as_str().unwrap_or_default());
        let message = format!("{text}: {}", self.message);
        let event = waiter.acceptor_event(index, self.severity, self.id, path.at, &message);
        let Some((at, instead)) = self.expected else {
            return event.because_of(Culprit::whole(path.at));
        };
        let culprit = Culprit::whole(at);
        let fix = instead.map(|instead| Fix::Replace(culprit, instead));
        event.because_of(culprit).fixed_by(fix)
    }
}

fn check_comparator<'m, 'a>(
    model: &'m Model<'a>,
    found: &PathType<'m, 'a>,
    comparator: &str,
    expected: Option<Node<'_>>,
) -> Option<ComparatorFinding> {
    let expected = expected?;
    let PathType { result, .. } = found;
    match (comparator, &result.form) {
        ("booleanEquals", Form::Boolean(Some(value))) => {
            let matches = expected.as_str() == Some(&*value.to_string());
            let message = match (matches, result.nullable || found.may_fail) {
                (true, true) => return None,
                (true, false) => {
                    format!("the path always returns `{value}`, so the acceptor always matches")
                }
                (false, false) => {
                    format!("the path always returns `{value}`, so the acceptor never matches")
                }
                (false, true) => {
                    format!("the path only returns `{value}`, so the acceptor never matches")
                }
            };
            Some(ComparatorFinding::warning(CONSTANT, message))
        }
        ("stringEquals", Form::String(Some(values))) => check_value(values, &expected),
        ("allStringEquals" | "anyStringEquals", Form::Array { element, length }) => {
            let element = element.get(model);
            // `allStringEquals` requires that each element can have the expected value.
            let mut each = found.each.iter().filter_map(Type::strings);
            let lacking = each.find_map(|values| check_value(values, &expected));
            if comparator == "allStringEquals" && lacking.is_some() {
                return lacking;
            }
            let may_be_empty = length.has(0.0) && comparator == "allStringEquals";
            check_elements(&element, comparator, &expected, may_be_empty)
        }
        _ => None,
    }
}

fn check_elements(
    element: &Type<'_, '_>,
    comparator: &str,
    expected: &Node<'_>,
    may_be_empty: bool,
) -> Option<ComparatorFinding> {
    match &element.form {
        Form::String(Some(values)) if check_value(values, expected).is_some() => {
            check_value(values, expected)
        }
        Form::Any | Form::String(_) => may_be_empty.then(|| ComparatorFinding {
            severity: Severity::Note,
            ..ComparatorFinding::warning(EMPTY, EMPTY_MESSAGE.to_owned())
        }),
        _ => {
            let found = element.name();
            let message = format!("`{comparator}` requires strings, but each element is {found}");
            Some(ComparatorFinding::warning(NEVER, message))
        }
    }
}

/// Returns a finding if the expected value is not among the possible ones.
fn check_value(values: &[Rc<str>], node: &Node<'_>) -> Option<ComparatorFinding> {
    let expected = node.as_str()?;
    let names = || values.iter().map(AsRef::as_ref);
    if names().any(|value| value == expected) {
        return None;
    }
    let near = messages::did_you_mean_one_of(expected, names());
    let instead = messages::with_other_case(expected, names()).map(str::to_owned);
    Some(ComparatorFinding {
        expected: Some((node.at, instead)),
        ..ComparatorFinding::warning(NEVER, format!("the path never returns `{expected}`{near}"))
    })
}

fn event(waiter: &Waiter<'_, '_>, index: usize, node: &Node<'_>, finding: &Finding) -> Event {
    let text = node.as_str().unwrap_or_default();
    let place = path::describe_position(text, finding.offset);
    let message = format!("{}, {place}: {}", messages::quote(text), finding.message);
    let event = waiter.acceptor_event(index, finding.severity, finding.id, node.at, &message);
    event.because_of(path::culprit(node.at, text, finding.offset))
}
