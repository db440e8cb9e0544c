//! Validates an acceptor: its matcher and its message.
//!
//! Clause: [acceptor](https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure).

use crate::event::{Culprit, Event, Fix, Severity};
use crate::messages;
use crate::path;
use crate::shapes::{Node, id};
use crate::typed::infer::{ERROR, Finding};
use crate::typed::{Expression, Form, Sides, Type};
use crate::waiter::Waiter;

const INVALID_ERROR: &str = "WaitableTraitInvalidErrorType";
const MISMATCH: &str = "WaitableTraitJmespathProblem.ReturnTypeMismatch";

/// An acceptor of a waiter.
pub(super) struct Acceptor<'w, 'm, 'a> {
    pub(super) waiter: Waiter<'m, 'a>,
    pub(super) index: usize,
    pub(super) node: &'w Node<'a>,
}

impl<'a> Acceptor<'_, '_, 'a> {
    pub(super) fn state(&self) -> Option<&'a str> {
        self.node.member("state")?.as_str()
    }

    pub(super) fn check(&self, events: &mut Vec<Event>) {
        let matcher = self.node.member("matcher");
        for entry in matcher.map_or(&[][..], |matcher| matcher.entries()) {
            match entry.key {
                "output" => self.path_matcher(&entry.value, Sides::Output, events),
                "inputOutput" => self.path_matcher(&entry.value, Sides::Both, events),
                "errorType" => events.extend(self.error_type(&entry.value)),
                _ => {}
            }
        }
        self.message(events);
    }

    fn path_matcher(&self, node: &Node<'a>, sides: Sides, events: &mut Vec<Event>) {
        let text = |name| node.member(name).filter(|member| member.as_str().is_some());
        let (Some(path), Some(comparator)) = (text("path"), text("comparator")) else {
            return;
        };
        let comparator = comparator.as_str().unwrap_or_default();
        if comparator == "booleanEquals" {
            events.extend(self.expected(text("expected")));
        }
        let Some(found) = self.path("path", &path, sides, events) else {
            return;
        };
        let form = &found.gives.form;
        let (wanted, fits) = match comparator {
            "booleanEquals" => ("a boolean", matches!(form, Form::Boolean(_))),
            "stringEquals" => ("a string", matches!(form, Form::String(_))),
            "allStringEquals" | "anyStringEquals" => {
                ("an array", matches!(form, Form::Array { .. }))
            }
            _ => return,
        };
        if !fits && !matches!(form, Form::Any) {
            let message = format!(
                "`{comparator}` requires a path that returns {wanted}, but {} returns {}{}",
                messages::quote(path.as_str().unwrap_or_default()),
                found.gives.name(),
                comparators_of(form)
            );
            let event = self.event(Severity::Danger, MISMATCH, &message);
            events.push(event.because_of(Culprit::whole(path.at)));
        }
    }

    fn expected(&self, node: Option<Node<'_>>) -> Option<Event> {
        let (node, expected) = node.and_then(|node| Some((node, node.as_str()?)))?;
        if matches!(expected, "true" | "false") {
            return None;
        }
        let near = messages::did_you_mean(expected, ["true", "false"]);
        let message = format!("`booleanEquals` requires `true` or `false`, got `{expected}`{near}");
        let culprit = Culprit::whole(node.at);
        let recased = messages::with_other_case(expected, ["true", "false"]);
        let fix = recased.map(|value| Fix::Replace(culprit, value.to_owned()));
        Some(self.error(message).because_of(culprit).fixed_by(fix))
    }

    /// Analyzes a path and reports the problems that Smithy's validator reports too. Returns `None` if the engine
    /// rejects the path.
    fn path(
        &self,
        what: &str,
        node: &Node<'a>,
        sides: Sides,
        events: &mut Vec<Event>,
    ) -> Option<Expression<'_>> {
        let text = node.as_str()?;
        let waiter = &self.waiter;
        let analysis = match sides.analyze(waiter.model, waiter.operation, text) {
            Ok(analysis) => analysis,
            // Smithy doesn't have these limits. The lint reports them.
            Err(error) if error.is_limit => return None,
            Err(error) => {
                let event = self.error(format!("the {what} {}", error.message));
                let culprit = error
                    .offset
                    .map(|offset| path::culprit(node.at, text, offset));
                events.push(event.because_of(culprit.unwrap_or(Culprit::whole(node.at))));
                return None;
            }
        };
        for finding in analysis.findings.iter().filter(|found| found.is_smithys()) {
            events.push(self.finding(what, node, text, finding));
        }
        Some(analysis.expression)
    }

    fn finding(&self, what: &str, node: &Node<'_>, text: &str, finding: &Finding) -> Event {
        let message = format!(
            "the {what} {}, {}: {}",
            messages::quote(text),
            path::describe_position(text, finding.offset),
            finding.message
        );
        let event = match finding.id {
            ERROR => self.error(message),
            id => self.event(finding.severity, id, &message),
        };
        let culprit = path::culprit(node.at, text, finding.offset);
        let instead = finding.instead.clone();
        let fix = instead.map(|instead| Fix::Replace(culprit, instead));
        event.because_of(culprit).fixed_by(fix)
    }

    fn error_type(&self, node: &Node<'_>) -> Option<Event> {
        let error = node.as_str()?;
        let errors = self.waiter.model.errors(self.waiter.operation);
        if errors
            .iter()
            .any(|known| error == *known || error == id::name(known))
        {
            return None;
        }
        let names = || errors.iter().map(|error| id::name(error));
        let near = messages::did_you_mean_one_of(error, names());
        let message = format!("the operation does not have the error `{error}`{near}");
        let event = self.event(Severity::Warning, INVALID_ERROR, &message);
        // There is no fix: error names are case-sensitive, and the error can be one that is not modeled.
        Some(event.because_of(Culprit::whole(node.at)))
    }

    fn message(&self, events: &mut Vec<Event>) {
        let message = self.node.member("message");
        let Some((node, text)) = message.and_then(|node| Some((node, node.as_str()?))) else {
            return;
        };
        if self.state() != Some("failure") {
            let message = "`message` requires the state `failure`".to_owned();
            return events.push(self.error(message).because_of(Culprit::whole(node.at)));
        }
        let Some(found) = self.path("message", &node, Sides::Output, events) else {
            return;
        };
        let is_text = |value: &Type<'_, '_>| matches!(value.form, Form::Any | Form::String(_));
        let found = match &found.gives {
            value if is_text(value) => return,
            array if matches!(array.form, Form::Array { .. }) => {
                let element = array.element(self.waiter.model);
                if is_text(&element) {
                    return;
                }
                format!("an array in which each element is {}", element.name())
            }
            other => other.name().to_owned(),
        };
        let message = format!(
            "a message must be a string or an array of strings, but {} returns {found}",
            messages::quote(text)
        );
        events.push(self.error(message).because_of(Culprit::whole(node.at)));
    }

    fn error(&self, message: String) -> Event {
        let (name, index) = (self.waiter.name(), self.index);
        let message = format!("waiter `{name}`, acceptor {index}: {message}");
        super::error(&self.waiter, message)
    }

    fn event(&self, severity: Severity, id: &str, message: &str) -> Event {
        let at = self.waiter.trait_at();
        self.waiter
            .acceptor_event(self.index, severity, id, at, message)
    }
}

/// Returns the comparators for a result type, for messages.
const fn comparators_of(form: &Form<'_, '_>) -> &'static str {
    match form {
        Form::Array { .. } => ": use `allStringEquals` or `anyStringEquals`",
        Form::Boolean(_) => ": use `booleanEquals`",
        Form::String(_) => ": use `stringEquals`",
        _ => "",
    }
}
