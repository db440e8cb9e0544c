//! Translates waiters into Smithy's `waitable` trait.
//!
//! As in Smithy, botocore checks a response or an error against one list of acceptors and fails on an error without a
//! match. Four matchers have a counterpart in Smithy. For expected values other than strings and booleans, the
//! comparison becomes part of the path. A `status` from 200 to 299 becomes `success`, and any other status becomes the
//! errors of the operation with that status.

use std::collections::BTreeMap;

use smithy_waiters::internal::botocore;

use super::place::Place;
use super::reader::{APPROXIMATE, INVALID, NOT_EXPRESSIBLE, Reader};
use super::values::{OperationTraits, describe, new_trait, reference_name};
use crate::event::Severity;
use crate::messages;
use crate::shapes::id::WAITABLE;
use crate::shapes::{Node, Value};

/// The default maximum delay of Smithy waiters in seconds.
const DEFAULT_MAX_DELAY: u32 = 120;

const MATCHERS: [&str; 5] = ["path", "pathAll", "pathAny", "status", "error"];

const STATES: [&str; 3] = ["success", "failure", "retry"];

/// A matcher in Smithy: the name of the union member and its value.
type Matcher<'a> = (&'static str, Node<'a>);

/// Marks an acceptor that cannot be translated. An event reports the reason.
struct Untranslatable;

/// The data about an operation that translating acceptors requires.
struct Context<'a> {
    operation: Node<'a>,
    shapes: Node<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn waiters(
        &mut self,
        whole: &Place<'_, 'a>,
        operations: &Node<'a>,
        shapes: &Node<'a>,
    ) -> OperationTraits<'a> {
        let is_two = |node: &Node<'a>| node.as_f64().filter(|version| *version == 2.0);
        let _ = self.read_member(whole, "version", "2", is_two);
        let mut found: BTreeMap<&'a str, Vec<(&'a str, Node<'a>)>> = BTreeMap::new();
        let Some(waiters) = self.object(whole, "waiters") else {
            return OperationTraits::default();
        };
        for waiter in waiters.members() {
            let Some(name) = self.text(&waiter, "operation") else {
                continue;
            };
            let (path, got) = (waiter.path("operation"), format!(", got `{name}`"));
            let at = waiter.node.at;
            let Some(operation) = self.operation_of(name, operations, (&path, &got), at) else {
                continue;
            };
            let context = Context {
                operation,
                shapes: *shapes,
            };
            if let Some(definition) = self.waiter(&waiter, &context) {
                let waiter = self.builder.text(waiter.name);
                found.entry(name).or_default().push((waiter, definition));
            }
        }
        let waitable = |(operation, waiters): (&'a str, Vec<(&'a str, Node<'a>)>)| {
            let at = waiters.first().map_or(whole.node.at, |(_, first)| first.at);
            let value = self.builder.object(at, waiters);
            (operation, new_trait(WAITABLE, value))
        };
        found.into_iter().map(waitable).collect()
    }

    fn waiter(&mut self, waiter: &Place<'_, 'a>, context: &Context<'a>) -> Option<Node<'a>> {
        let delay = self.positive(waiter, "delay");
        let attempts = self.positive(waiter, "maxAttempts");
        let is_list = |node: &Node<'a>| matches!(node.value, Value::Array(_)).then_some(());
        let (place, ()) = self.read_member(waiter, "acceptors", "an array", is_list)?;
        let ((delay, seconds), _) = (delay?, attempts?);
        let mut acceptors = Vec::new();
        let mut is_whole = true;
        for (index, acceptor) in place.node.elements().iter().enumerate() {
            let index = index.to_string();
            let acceptor = Place {
                node: *acceptor,
                name: &index,
                parent: Some(&place),
            };
            match self.acceptor(&acceptor, context) {
                Ok(translated) => acceptors.extend(translated),
                Err(Untranslatable) => is_whole = false,
            }
        }
        if !is_whole {
            return None;
        }
        let mut members = Vec::new();
        let documentation = waiter.node.member("description");
        if self.sources.uses_documentation() {
            members.extend(documentation.map(|text| ("documentation", text)));
        }
        members.push(("acceptors", self.builder.array(place.node.at, &acceptors)));
        members.push(("minDelay", delay));
        if seconds > DEFAULT_MAX_DELAY {
            members.push(("maxDelay", delay));
        }
        Some(self.builder.object(waiter.node.at, members))
    }

    /// Translates an acceptor. A status that several errors have becomes several acceptors.
    fn acceptor(
        &mut self,
        acceptor: &Place<'_, 'a>,
        context: &Context<'a>,
    ) -> Result<Vec<Node<'a>>, Untranslatable> {
        let state = self.one_of(acceptor, "state", &STATES);
        let matchers = self.matchers(acceptor, context)?;
        let state = state.ok_or(Untranslatable)?;
        let at = acceptor.node.at;
        let made = matchers.into_iter().map(|(kind, value)| {
            let matcher = self.builder.object(at, [(kind, value)]);
            self.builder
                .object(at, [("state", state), ("matcher", matcher)])
        });
        Ok(made.collect())
    }

    fn matchers(
        &mut self,
        acceptor: &Place<'_, 'a>,
        context: &Context<'a>,
    ) -> Result<Vec<Matcher<'a>>, Untranslatable> {
        let kind = self.one_of(acceptor, "matcher", &MATCHERS);
        let any = |node: &Node<'a>| Some(*node);
        let expected = self.read_member(acceptor, "expected", "present", any);
        let kind = kind.and_then(|kind| kind.as_str()).ok_or(Untranslatable)?;
        let (place, expected) = expected.ok_or(Untranslatable)?;
        match (kind, expected.value) {
            ("error", Value::String(_)) => Ok(vec![("errorType", expected)]),
            ("error", Value::Boolean(any)) => Ok(vec![(
                "success",
                Node::new(expected.at, Value::Boolean(!any)),
            )]),
            ("error", _) => {
                let message = "an error code, `true` or `false`";
                Err(self.untranslatable(&place, message))
            }
            ("status", Value::Number(status)) => match status.parse() {
                Ok(200..=299) => Ok(vec![(
                    "success",
                    Node::new(expected.at, Value::Boolean(true)),
                )]),
                Ok(status @ 300..=599_u16) => Ok(self.status_matchers(acceptor, status, context)),
                _ => Err(self.untranslatable(&place, "an HTTP status from 200 to 599")),
            },
            ("status", _) => Err(self.untranslatable(&place, "an HTTP status from 200 to 599")),
            (kind, _) => {
                let path = self.text(acceptor, "argument").ok_or(Untranslatable)?;
                Ok(vec![self.path_matcher(kind, path, &place)?])
            }
        }
    }

    /// Translates a matcher of the output.
    fn path_matcher(
        &mut self,
        kind: &str,
        path: &'a str,
        expected: &Place<'_, 'a>,
    ) -> Result<Matcher<'a>, Untranslatable> {
        let node = expected.node;
        let value = serde_json::from_str(&node.to_json()).unwrap_or_default();
        let Some(comparison) = botocore::comparison(kind, path, &value) else {
            let path = expected.own_path();
            let message = format!("`{path}` must not be null: a path cannot find null in a list");
            self.problem(NOT_EXPRESSIBLE, Severity::Warning, node.at, message);
            return Err(Untranslatable);
        };
        let path = self.builder.text(&comparison.path);
        let expected = self.builder.text(&comparison.expected);
        let comparator = comparison.comparator;
        let members = [
            ("path", Node::new(node.at, Value::String(path))),
            ("expected", Node::new(node.at, Value::String(expected))),
            ("comparator", Node::new(node.at, Value::String(comparator))),
        ];
        Ok(("output", self.builder.object(node.at, members)))
    }

    /// Translates a status into matchers of error codes: those of the operation's errors with that status. For an error
    /// without a body, botocore uses the status as the code, and other SDKs use `NotFound` for 404.
    fn status_matchers(
        &mut self,
        acceptor: &Place<'_, 'a>,
        status: u16,
        context: &Context<'a>,
    ) -> Vec<Matcher<'a>> {
        let operation = &context.operation;
        let errors = operation.member("errors");
        let errors = errors.map_or(&[][..], |errors| errors.elements());
        let modeled = errors.iter().filter_map(|element| {
            let name = reference_name(element)?;
            let error = context.shapes.member(name)?.member("error")?;
            let number = error.member("httpStatusCode")?.as_f64()?;
            let code = error.member("code").and_then(|code| code.as_str());
            (number == f64::from(status)).then_some(code.unwrap_or(name))
        });
        let mut codes: Vec<&str> = modeled.collect();
        let number = status.to_string();
        let method = operation
            .member("http")
            .and_then(|http| http.member("method"));
        let is_head = method.and_then(|method| method.as_str()) == Some("HEAD");
        if is_head || codes.is_empty() {
            codes.push(&number);
        }
        if is_head && status == 404 {
            codes.push("NotFound");
        }
        let at = acceptor.node.at;
        let path = acceptor.path("expected");
        let names = messages::list(codes.iter().copied());
        let message =
            format!("`{path}` is the status {status}: Smithy matches errors by name, here {names}");
        self.problem(APPROXIMATE, Severity::Note, at, message);
        let matcher = |code: &&str| ("errorType", self.builder.string(at, code));
        codes.iter().map(matcher).collect()
    }

    fn one_of<'p>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
        known: &[&str],
    ) -> Option<Node<'a>> {
        let expected = format!("one of {}", messages::list(known.iter().copied()));
        let is_known = |node: &Node<'a>| node.as_str().filter(|text| known.contains(text));
        let (place, _) = self.read_member(parent, name, &expected, is_known)?;
        Some(place.node)
    }

    fn untranslatable(&mut self, place: &Place<'_, 'a>, expected: &str) -> Untranslatable {
        let path = place.own_path();
        let found = describe(&place.node);
        let message = format!("`{path}` must be {expected}, got {found}");
        self.problem(INVALID, Severity::Error, place.node.at, message);
        Untranslatable
    }
}
