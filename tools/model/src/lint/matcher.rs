//! Checks the path of an acceptor by the types of the operation's input and output.

use std::rc::Rc;

use crate::event::{Culprit, Event, Fix, Severity};
use crate::messages;
use crate::path;
use crate::shapes::{Model, Node};
use crate::source::At;
use crate::typed::infer::{CONSTANT, Finding};
use crate::typed::{Analysis, Comparison, Expression, Form, Function, Op, Sides, Type};
use crate::waiter::Waiter;

const NEVER: &str = "SmithyWaiters.NeverMatches";
const INVALID: &str = "SmithyWaiters.InvalidExpression";
const EMPTY: &str = "SmithyWaiters.EmptyList";
const EMPTY_MESSAGE: &str =
    "`allStringEquals` does not match an empty list: the waiter continues if the list is empty";
const EMPTY_SUCCESS: &str = "SmithyWaiters.EmptySuccess";
const EMPTY_SUCCESS_MESSAGE: &str =
    "an empty list matches, too: the waiter succeeds if the list is empty";

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
        let found = match infer(waiter, sides, &path) {
            Some(Ok(found)) => found,
            Some(Err(finding)) => {
                events.push(event(waiter, index, &path, &finding));
                continue;
            }
            None => continue,
        };
        let comparator = comparator.as_str().unwrap_or_default();
        let is_minor =
            |finding: &Finding| finding.is_smithys() || finding.severity <= Severity::Note;
        if found.findings.iter().all(is_minor) {
            let found = &found.expression;
            let finding = check_comparator(waiter.model, found, comparator, text("expected"));
            let is = |node: Option<Node<'_>>, value| node?.as_str().map(|text| text == value);
            let may_succeed = is(acceptor.member("state"), "success") == Some(true)
                && is(text("expected"), "true") == Some(true);
            let on_empty = || (may_succeed && counts_none(found)).then(empty_success);
            let finding = finding.or_else(on_empty);
            events.extend(finding.map(|finding| finding.event(waiter, index, &path)));
        }
        add_findings(waiter, index, &path, &found.findings, events);
    }
    if let Some(message) = acceptor.member("message") {
        match infer(waiter, Sides::Output, &message) {
            Some(Ok(found)) => add_findings(waiter, index, &message, &found.findings, events),
            Some(Err(finding)) => events.push(event(waiter, index, &message, &finding)),
            None => {}
        }
    }
}

/// Adds events for the findings that Smithy's validator does not have.
fn add_findings(
    waiter: &Waiter<'_, '_>,
    index: usize,
    path: &Node<'_>,
    findings: &[Finding],
    events: &mut Vec<Event>,
) {
    let ours = findings.iter().filter(|finding| !finding.is_smithys());
    events.extend(ours.map(|finding| event(waiter, index, path, finding)));
}

/// Analyzes a path. Returns `None` if it is not a string or the engine rejects it, which is an event of Smithy, and a
/// finding if it exceeds a limit of the engine, which Smithy does not have.
fn infer<'m>(
    waiter: &Waiter<'m, '_>,
    sides: Sides,
    path: &Node<'_>,
) -> Option<Result<Analysis<'m>, Finding>> {
    match sides.analyze(waiter.model, waiter.operation, path.as_str()?) {
        Ok(found) => Some(Ok(found)),
        Err(error) if error.is_limit => Some(Err(Finding {
            id: INVALID,
            severity: Severity::Warning,
            offset: error.offset.unwrap_or_default(),
            message: error.message,
            instead: None,
        })),
        Err(_) => None,
    }
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

fn check_comparator<'m>(
    model: &'m Model<'m>,
    found: &Expression<'m>,
    comparator: &str,
    expected: Option<Node<'_>>,
) -> Option<ComparatorFinding> {
    let expected = expected?;
    let result = &found.gives;
    match (comparator, &result.form) {
        ("booleanEquals", Form::Boolean(Some(value))) => {
            let matches = expected.as_str() == Some(&*value.to_string());
            let message = match (matches, result.nullable || found.may_fail(model)) {
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
            let each = match &found.op {
                Op::List(elements) => elements.as_slice(),
                _ => &[],
            };
            let mut each = each.iter().filter_map(|element| element.gives.strings());
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

/// Returns `true` if a path tests that no element of a list that may be empty passes a filter.
fn counts_none(found: &Expression<'_>) -> bool {
    let Op::Compare(Comparison::Equal, sides) = &found.op else {
        return false;
    };
    let is_zero = |side: &Expression<'_>| matches!(&side.op, Op::Literal(value) if value == 0);
    let is_count = |side: &Expression<'_>| match &side.op {
        Op::Call(Function::Length, arguments) => arguments.iter().any(is_filter),
        _ => false,
    };
    sides.iter().any(is_zero) && sides.iter().any(is_count)
}

fn is_filter(list: &Expression<'_>) -> bool {
    match &list.op {
        Op::Each { of, when, .. } => when.is_some() && may_be_empty(&of.gives),
        _ => false,
    }
}

fn may_be_empty(list: &Type<'_, '_>) -> bool {
    matches!(&list.form, Form::Array { length, .. } if length.has(0.0))
}

fn empty_success() -> ComparatorFinding {
    ComparatorFinding {
        severity: Severity::Note,
        ..ComparatorFinding::warning(EMPTY_SUCCESS, EMPTY_SUCCESS_MESSAGE.to_owned())
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
