//! Validates an acceptor: its matcher and its message.
//!
//! Clause: [acceptor](https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure).

use super::waiter::{ID, Waiter};
use crate::event::{Culprit, Event, Fix, Severity};
use crate::messages;
use crate::path;
use crate::shapes::{Node, id};
use crate::validate::evaluate::sample::{Sample, Type};
use crate::validate::evaluate::{self, Evaluation};

const PROBLEM: &str = "WaitableTraitJmespathProblem";

/// An acceptor of a waiter.
pub(super) struct Acceptor<'w, 'm, 'a> {
    pub(super) waiter: Waiter<'m, 'a>,
    pub(super) index: usize,
    pub(super) node: &'w Node<'a>,
}

impl<'m, 'a> Acceptor<'_, 'm, 'a> {
    pub(super) fn state(&self) -> Option<&'a str> {
        self.node.member("state")?.as_str()
    }

    pub(super) fn check(&self, events: &mut Vec<Event>) {
        let start = events.len();
        let matcher = self.node.member("matcher");
        for entry in matcher.map_or(&[][..], |matcher| matcher.entries()) {
            match entry.key {
                "output" => self.path_matcher(&entry.value, self.output(), events),
                "inputOutput" => self.path_matcher(&entry.value, self.sides(), events),
                "errorType" => events.extend(self.error_type(&entry.value)),
                _ => {}
            }
        }
        // Smithy validates the matcher of a failure with a message twice and reports each event twice. The number of
        // events must be the same here: see docs/rules.md#validator-differences.
        if self.state() == Some("failure") && self.node.member("message").is_some() {
            events.extend_from_within(start..);
        }
        self.message(events);
    }

    fn output(&self) -> Sample<'m, 'a> {
        let Waiter {
            model, operation, ..
        } = self.waiter;
        Sample::of(model.input_or_output(operation, "output"))
    }

    fn sides(&self) -> Sample<'m, 'a> {
        let both = self.waiter.model.sides(self.waiter.operation, Sample::of);
        Sample::Object(both)
    }

    fn path_matcher(&self, node: &Node<'a>, sample: Sample<'m, 'a>, events: &mut Vec<Event>) {
        let text = |name| node.member(name).filter(|member| member.as_str().is_some());
        let (Some(path), Some(comparator)) = (text("path"), text("comparator")) else {
            return;
        };
        let comparator = comparator.as_str().unwrap_or_default();
        let evaluation = self.evaluate("path", &path, sample, events);
        let found = evaluation
            .as_ref()
            .map_or(Type::Any, |evaluation| evaluation.result.kind());
        let wanted = match comparator {
            "booleanEquals" => {
                events.extend(self.expected(text("expected")));
                Type::Boolean
            }
            "stringEquals" => Type::String,
            "allStringEquals" | "anyStringEquals" => Type::Array,
            _ => return,
        };
        if found != Type::Any && found != wanted {
            let message = format!(
                "`{comparator}` requires a path that returns {}, but {} returns {}{}",
                article(wanted),
                messages::quote(path.as_str().unwrap_or_default()),
                article(found),
                comparators_of(found)
            );
            let mut event = self.problem(Severity::Danger, "ReturnTypeMismatch", message);
            event.is_consequence = found == Type::Null
                && evaluation.is_some_and(|evaluation| evaluation.has_missing_member);
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

    /// Evaluates an expression and reports its problems. Returns `None` if it doesn't parse.
    fn evaluate(
        &self,
        what: &str,
        node: &Node<'a>,
        sample: Sample<'m, 'a>,
        events: &mut Vec<Event>,
    ) -> Option<Evaluation<'m, 'a>> {
        let text = node.as_str()?;
        let ast = match path::parse(text) {
            Ok(parsed) => parsed.ast,
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
        let evaluation = evaluate::evaluate(self.waiter.model, &ast, sample);
        for problem in &evaluation.problems {
            let message = format!(
                "the {what} {}, {}: {}",
                messages::quote(text),
                path::describe_position(text, problem.offset),
                problem.message
            );
            let mut event = match problem.severity {
                Severity::Error => self.error(message),
                Severity::Danger => self.problem(Severity::Danger, "JmespathEventDanger", message),
                severity => self.problem(severity, "JmespathEventWarning", message),
            };
            event.is_consequence = problem.is_consequence;
            let culprit = path::culprit(node.at, text, problem.offset);
            let fix = problem
                .instead
                .clone()
                .map(|instead| Fix::Replace(culprit, instead));
            events.push(event.because_of(culprit).fixed_by(fix));
        }
        Some(evaluation)
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
        let id = format!(
            "WaitableTraitInvalidErrorType.{}.{}",
            self.waiter.name, self.index
        );
        let event = self.event(Severity::Warning, id, &message);
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
        let Some(evaluation) = self.evaluate("message", &node, self.output(), events) else {
            return;
        };
        let found = match evaluation.result.kind() {
            Type::String => return,
            Type::Array => match self.first_of(text) {
                Type::String => return,
                kind => format!(
                    "an array whose first element, as in `{text}[0]`, is {}",
                    article(kind)
                ),
            },
            kind => article(kind),
        };
        let message = format!(
            "a message must be a string or an array of strings, but {} returns {found}",
            messages::quote(text)
        );
        events.push(self.error(message).because_of(Culprit::whole(node.at)));
    }

    /// Returns the type of an array's first element. Like Smithy, this appends `[0]` to the text, which in a projection
    /// selects the first element of each element. Adding `| @` at the end avoids this.
    fn first_of(&self, text: &str) -> Type {
        let first = path::parse(&format!("{text}[0]")).ok();
        first.map_or(Type::Any, |first| {
            evaluate::evaluate(self.waiter.model, &first.ast, self.output())
                .result
                .kind()
        })
    }

    fn error(&self, message: String) -> Event {
        self.event(Severity::Error, ID.to_owned(), &message)
    }

    fn problem(&self, severity: Severity, part: &str, message: String) -> Event {
        let id = format!("{PROBLEM}.{part}.{}.{}", self.waiter.name, self.index);
        self.event(severity, id, &message)
    }

    fn event(&self, severity: Severity, id: String, message: &str) -> Event {
        let message = format!(
            "waiter `{}`, acceptor {}: {message}",
            self.waiter.name, self.index
        );
        self.waiter.event(Event::new(severity, id, message))
    }
}

/// Returns the comparators for a result type, for messages.
const fn comparators_of(kind: Type) -> &'static str {
    match kind {
        Type::Array => ": use `allStringEquals` or `anyStringEquals`",
        Type::Boolean => ": use `booleanEquals`",
        Type::String => ": use `stringEquals`",
        _ => "",
    }
}

fn article(kind: Type) -> String {
    match kind {
        Type::Any | Type::Null => kind.name().to_owned(),
        kind => messages::with_article(kind.name()),
    }
}
