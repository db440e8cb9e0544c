//! One acceptor's path against the types of the operation's input and output.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Waiter;
use super::infer::{CONSTANT, Finding, Inference};
use super::types::{Form, Type};
use crate::event::{Event, Severity};
use crate::node::Node;
use crate::path::{self, Sample};
use crate::suggest;

const NEVER: &str = "SmithyWaiters.NeverMatches";
const EMPTY: &str = "SmithyWaiters.EmptyList";

/// Looks into the path of an acceptor, and into its message.
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
        let expected = text("expected").and_then(|expected| expected.as_str());
        let comparator = comparator.as_str().unwrap_or_default();
        let verdict = found
            .findings
            .is_empty()
            .then(|| judge(&found.result, comparator, expected.unwrap_or_default()));
        let findings = found.findings.into_iter().chain(verdict.flatten());
        let shown = findings.map(|finding| event(waiter, index, &path, &finding));
        events.extend(shown);
    }
    if let Some(message) = acceptor.member("message") {
        let found = infer(waiter, Sides::Output, &message);
        let findings = found.into_iter().flat_map(|found| found.findings);
        events.extend(findings.map(|finding| event(waiter, index, &message, &finding)));
    }
}

/// What a path looks at.
#[derive(Clone, Copy)]
enum Sides {
    Both,
    Output,
}

struct Found<'m, 'a> {
    result: Type<'m, 'a>,
    findings: Vec<Finding>,
}

fn infer<'m, 'a>(waiter: &Waiter<'m, 'a>, sides: Sides, path: &Node<'_>) -> Option<Found<'m, 'a>> {
    let ast = path::parse(path.as_str()?).ok()?;
    let model = waiter.model;
    let shape = |side| model.input_or_output(waiter.operation, side);
    let (current, sample) = match sides {
        Sides::Output => (
            Type::of(model, shape("output")),
            Sample::of(model, shape("output")),
        ),
        Sides::Both => {
            let both = ["input", "output"];
            let types = both.map(|side| (side.to_owned(), Type::of(model, shape(side))));
            let samples = both.map(|side| (side.to_owned(), Sample::of(model, shape(side))));
            (
                Form::Record(Rc::new(BTreeMap::from(types))).into(),
                Sample::Object(Rc::new(BTreeMap::from(samples))),
            )
        }
    };
    let mut inference = Inference {
        model,
        findings: Vec::new(),
    };
    let result = inference.infer(&ast, &current);
    // What Smithy says of the same place is not said again.
    let said = path::lint(model, &ast, sample).problems;
    let is_new = |finding: &Finding| said.iter().all(|problem| problem.offset != finding.offset);
    let findings: Vec<Finding> = inference.findings.into_iter().filter(is_new).collect();
    Some(Found { result, findings })
}

/// What the comparator makes of a type.
fn judge(result: &Type<'_, '_>, comparator: &str, expected: &str) -> Option<Finding> {
    match (comparator, &result.form) {
        ("booleanEquals", Form::Boolean(Some(value))) if !result.nullable => {
            let matches = value.to_string() == expected;
            let always = if matches { "always" } else { "never" };
            Some(warning(
                CONSTANT,
                format!("the path always gives `{value}`, so it {always} matches"),
            ))
        }
        ("stringEquals", Form::String(Some(values))) => never(values, expected),
        ("allStringEquals" | "anyStringEquals", Form::Array { element, empty }) => match &element
            .form
        {
            Form::String(Some(values)) if never(values, expected).is_some() => {
                never(values, expected)
            }
            Form::Any | Form::String(_) => {
                (comparator == "allStringEquals" && *empty).then(may_be_empty)
            }
            _ => {
                let found = element.name();
                Some(warning(
                    NEVER,
                    format!("`{comparator}` compares strings, and the elements are each {found}"),
                ))
            }
        },
        _ => None,
    }
}

fn never(values: &[Rc<str>], expected: &str) -> Option<Finding> {
    if values.iter().any(|value| value.as_ref() == expected) {
        return None;
    }
    let near = suggest::did_you_mean_one_of(expected, values.iter().map(AsRef::as_ref));
    Some(warning(
        NEVER,
        format!("the path never gives `{expected}`{near}"),
    ))
}

fn may_be_empty() -> Finding {
    let message = "`allStringEquals` does not match an empty list: if there is nothing left to look at, the waiter goes on";
    Finding {
        severity: Severity::Note,
        ..warning(EMPTY, message.to_owned())
    }
}

const fn warning(id: &'static str, message: String) -> Finding {
    Finding {
        id,
        severity: Severity::Warning,
        offset: 0,
        message,
    }
}

fn event(waiter: &Waiter<'_, '_>, index: usize, node: &Node<'_>, finding: &Finding) -> Event {
    let text = node.as_str().unwrap_or_default();
    let column = path::column(text, finding.offset);
    let message = format!(
        "`{}`, column {column}: {}",
        suggest::excerpt(text),
        finding.message
    );
    let event = waiter.acceptor_event(index, finding.severity, finding.id, node.at, &message);
    event.because_of(path::culprit(node.at, text, finding.offset))
}
