//! Waiters with typed paths.

use smithy_waiters_model::{At, Entry, Model, Node, Shape, Value, id};

use super::definition::remove_documentation;
use super::{Expression, State};
use crate::docs;

/// A waiter of an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Waiter<'m> {
    /// The name: `TableExists`.
    pub name: &'m str,
    /// The documentation.
    pub documentation: Option<&'m str>,
    /// `true` if the waiter is deprecated.
    pub deprecated: bool,
    /// The minimum delay in seconds.
    pub min_delay: u64,
    /// The maximum delay in seconds.
    pub max_delay: u64,
    /// The acceptors, in the order of the definition.
    pub acceptors: Vec<Acceptor<'m>>,
    /// The Waiter structure as compact JSON for the engine, without documentation and tags.
    pub definition: String,
}

/// An acceptor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Acceptor<'m> {
    /// The state that the acceptor leads to.
    pub state: State,
    /// The matcher.
    pub matcher: Matcher<'m>,
    /// The path of the failure message in the output.
    pub message: Option<Message<'m>>,
}

/// The path of a failure message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message<'m> {
    /// The source text of the path.
    pub path: &'m str,
    /// The position of the path in the model.
    pub at: At,
    /// The parsed path.
    pub expression: Expression<'m>,
}

/// The kinds of result with which a wait can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the two kinds of result and their combination"
)]
pub enum Success {
    /// A response or an error, depending on the acceptor.
    Either,
    /// Always an error.
    Error,
    /// Always a response.
    Response,
}

/// The matcher of an acceptor.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new matcher must break the build of backends that don't handle it"
)]
pub enum Matcher<'m> {
    /// Matches an error by its type. The name has neither a namespace nor a suffix after a colon.
    ErrorType(&'m str),
    /// Matches a response by a path.
    Path(PathMatcher<'m>),
    /// Matches any response (`true`) or any error (`false`).
    Success(bool),
}

/// A matcher for the result of a path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PathMatcher<'m> {
    /// The value to which the path is applied.
    pub sides: Sides,
    /// The source text of the path.
    pub path: &'m str,
    /// The position of the path in the model.
    pub at: At,
    /// The parsed path.
    pub expression: Expression<'m>,
    /// The comparator.
    pub comparator: Comparator,
    /// The expected value.
    pub expected: &'m str,
}

/// The value to which a path is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has no other")]
pub enum Sides {
    /// The output.
    Output,
    /// An object with the members `input` and `output`.
    InputOutput,
}

/// The comparator for the result of a path. An evaluation error never matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has no other")]
pub enum Comparator {
    /// Matches a non-empty array whose elements all equal the expected string.
    AllStringEquals,
    /// Matches an array with at least one element that equals the expected string.
    AnyStringEquals,
    /// Matches the expected boolean.
    BooleanEquals,
    /// Matches the expected string.
    StringEquals,
}

impl<'m> Waiter<'m> {
    /// Reads the waiters of an operation. Invalid waiters are left out, because the linter has reported them.
    pub(super) fn of(model: &'m Model<'m>, operation: &'m Shape<'m>) -> Vec<Self> {
        let applied = operation.find_trait(id::WAITABLE);
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        let waiters = entries.iter();
        let waiters = waiters.filter_map(|entry| Self::read(model, operation, entry));
        let mut waiters: Vec<Self> = waiters.collect();
        // A JSON object is unordered.
        waiters.sort_by_key(|waiter| waiter.name);
        waiters
    }

    /// Returns `true` if a path reads the input.
    #[must_use]
    pub fn looks_at_input(&self) -> bool {
        let mut acceptors = self.acceptors.iter();
        acceptors.any(|acceptor| {
            matches!(&acceptor.matcher, Matcher::Path(path) if path.sides == Sides::InputOutput)
        })
    }

    /// Returns the first paragraph of the documentation as plain text on one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.documentation.and_then(docs::summary)
    }

    /// Returns the kinds of result with which a wait can succeed.
    #[must_use]
    pub fn success(&self) -> Success {
        let success = || {
            let acceptors = self.acceptors.iter();
            acceptors.filter(|acceptor| acceptor.state == State::Success)
        };
        if success().all(Acceptor::matches_errors) {
            Success::Error
        } else if success().any(Acceptor::matches_errors) {
            Success::Either
        } else {
            Success::Response
        }
    }

    /// Returns the types of the errors with which a wait can succeed, or `None` if any error may do.
    #[must_use]
    pub fn success_errors(&self) -> Option<Vec<&'m str>> {
        let acceptors = self.acceptors.iter();
        let errors = acceptors.filter(|one| one.state == State::Success && one.matches_errors());
        let types = errors.map(|acceptor| match acceptor.matcher {
            Matcher::ErrorType(name) => Some(name),
            _ => None,
        });
        types.collect()
    }

    /// Adds the paths of redacted values to the definition.
    pub(super) fn redact(&mut self, paths: &[String]) {
        let definition = serde_json::from_str(&self.definition);
        if let (false, Ok(serde_json::Value::Object(mut definition))) =
            (paths.is_empty(), definition)
        {
            definition.insert("redact".to_owned(), paths.into());
            self.definition = serde_json::Value::Object(definition).to_string();
        }
    }

    fn read(model: &'m Model<'m>, operation: &'m Shape<'m>, entry: &Entry<'m>) -> Option<Self> {
        let waiter = entry.value;
        let seconds = |name| waiter.member(name).and_then(|seconds| seconds.as_f64());
        let acceptors = waiter.member("acceptors")?.elements().iter();
        let acceptors = acceptors.map(|acceptor| Acceptor::read(model, operation, acceptor));
        Some(Self {
            name: entry.key,
            documentation: waiter
                .member("documentation")
                .and_then(|text| text.as_str()),
            deprecated: waiter
                .member("deprecated")
                .and_then(|value| value.as_bool())
                == Some(true),
            min_delay: seconds("minDelay").map_or(2, |seconds| seconds as u64),
            max_delay: seconds("maxDelay").map_or(120, |seconds| seconds as u64),
            acceptors: acceptors.collect::<Option<_>>()?,
            definition: definition(&waiter),
        })
    }
}

impl Acceptor<'_> {
    /// Returns `true` if the acceptor matches errors.
    const fn matches_errors(&self) -> bool {
        matches!(
            self.matcher,
            Matcher::ErrorType(_) | Matcher::Success(false)
        )
    }
}

impl<'m> Acceptor<'m> {
    fn read(model: &'m Model<'m>, operation: &'m Shape<'m>, acceptor: &Node<'m>) -> Option<Self> {
        let state = match acceptor.member("state")?.as_str()? {
            "success" => State::Success,
            "failure" => State::Failure,
            _ => State::Retry,
        };
        let message = acceptor.member("message");
        let matcher = acceptor.member("matcher")?;
        Some(Self {
            state,
            matcher: Matcher::read(model, operation, matcher.entries().first()?)?,
            message: message.and_then(|path| Message::read(model, operation, &path)),
        })
    }
}

impl<'m> Message<'m> {
    fn read(model: &'m Model<'m>, operation: &'m Shape<'m>, node: &Node<'m>) -> Option<Self> {
        let path = node.as_str()?;
        let (at, expression) = (node.at, model.output_path(operation, path)?);
        Some(Self {
            path,
            at,
            expression,
        })
    }
}

impl<'m> Matcher<'m> {
    fn read(model: &'m Model<'m>, operation: &'m Shape<'m>, entry: &Entry<'m>) -> Option<Self> {
        let text = |name: &str| entry.value.member(name)?.as_str();
        let sides = match entry.key {
            "success" => return entry.value.as_bool().map(Self::Success),
            "errorType" => {
                return entry
                    .value
                    .as_str()
                    .map(|name| Self::ErrorType(strip_error_name(name)));
            }
            "output" => Sides::Output,
            _ => Sides::InputOutput,
        };
        let node = entry.value.member("path")?;
        let path = node.as_str()?;
        Some(Self::Path(PathMatcher {
            sides,
            path,
            at: node.at,
            expression: match sides {
                Sides::Output => model.output_path(operation, path)?,
                Sides::InputOutput => model.input_output_path(operation, path)?,
            },
            comparator: match text("comparator")? {
                "allStringEquals" => Comparator::AllStringEquals,
                "anyStringEquals" => Comparator::AnyStringEquals,
                "booleanEquals" => Comparator::BooleanEquals,
                _ => Comparator::StringEquals,
            },
            expected: text("expected")?,
        }))
    }
}

/// Removes the namespace of an error name and the suffix after a colon. See docs/rules.md#error-names.
fn strip_error_name(name: &str) -> &str {
    let name = name.split(':').next().unwrap_or_default();
    name.rsplit('#').next().unwrap_or_default()
}

/// Returns the definition as JSON for the engine, without documentation and tags.
fn definition(waiter: &Node<'_>) -> String {
    let mut json = json(waiter);
    remove_documentation(&mut json);
    json.to_string()
}

fn json(node: &Node<'_>) -> serde_json::Value {
    match node.value {
        Value::Boolean(value) => value.into(),
        Value::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        Value::String(text) | Value::ShapeId(text) => text.into(),
        Value::Array(elements) => elements.iter().map(json).collect(),
        Value::Object(entries) => {
            let members = entries.iter();
            let members = members.map(|entry| (entry.key.to_owned(), json(&entry.value)));
            serde_json::Value::Object(members.collect())
        }
        _ => serde_json::Value::Null,
    }
}
