//! A waiter: its acceptors, with typed paths.

use smithy_waiters_model::{At, Entry, Model, Node, Shape, Value};

use super::definition::leave_docs_out;
use super::{Expression, State};
use crate::docs;

/// A waiter of an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Waiter<'m> {
    /// Its name: `TableExists`.
    pub name: &'m str,
    /// Its documentation.
    pub documentation: Option<&'m str>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The least delay, in seconds.
    pub min_delay: u64,
    /// The greatest delay, in seconds.
    pub max_delay: u64,
    /// Its acceptors, in their order.
    pub acceptors: Vec<Acceptor<'m>>,
    /// The Waiter structure as compact JSON, for the engine: without its documentation.
    pub definition: String,
}

/// An acceptor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Acceptor<'m> {
    /// Where it leads.
    pub state: State,
    /// What it matches.
    pub matcher: Matcher<'m>,
    /// The message of the failure that it leads to, over the output.
    pub message: Option<Message<'m>>,
}

/// The path of a failure's message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message<'m> {
    /// The path as it is written.
    pub path: &'m str,
    /// Where it stands.
    pub at: At,
    /// The path as a tree.
    pub expression: Expression<'m>,
}

/// What a wait that succeeds is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else")]
pub enum Success {
    /// A response or an error, by the acceptor that matches.
    Either,
    /// Always an error.
    Error,
    /// Always a response.
    Response,
}

/// What an acceptor matches.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a generator that does not know a matcher must not compile"
)]
pub enum Matcher<'m> {
    /// An error of a type, by the name of its shape; what is before `#` and after `:` is cut off.
    ErrorType(&'m str),
    /// A response, by a path.
    Path(PathMatcher<'m>),
    /// Any response, or any error.
    Success(bool),
}

/// What a path must give.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PathMatcher<'m> {
    /// What the path works on.
    pub sides: Sides,
    /// The path as it is written.
    pub path: &'m str,
    /// Where it stands.
    pub at: At,
    /// The path as a tree.
    pub expression: Expression<'m>,
    /// How its result is compared.
    pub comparator: Comparator,
    /// With what.
    pub expected: &'m str,
}

/// What a path works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has no other")]
pub enum Sides {
    /// The output.
    Output,
    /// An object of `input` and `output`.
    InputOutput,
}

/// How the result of a path is compared; one that is an error matches nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the specification has no other")]
pub enum Comparator {
    /// An array of at least one element, all of them strings that are equal.
    AllStringEquals,
    /// An array with a string that is equal.
    AnyStringEquals,
    /// A boolean.
    BooleanEquals,
    /// A string.
    StringEquals,
}

impl PathMatcher<'_> {
    /// Whether it matches where another does.
    fn says(&self, other: &PathMatcher<'_>) -> bool {
        let parts = (self.path, self.comparator, self.expected, self.sides);
        parts == (other.path, other.comparator, other.expected, other.sides)
    }
}

impl<'m> Waiter<'m> {
    /// The waiters of an operation of a model that holds: what does not is left out, the linter has refused it.
    pub(super) fn of(model: &'m Model<'m>, operation: &'m Shape<'m>) -> Vec<Self> {
        let applied = operation.find_trait("smithy.waiters#waitable");
        let entries = applied.map_or(&[][..], |applied| applied.value.entries());
        let waiters = entries.iter();
        let waiters = waiters.filter_map(|entry| Self::read(model, operation, entry));
        let mut waiters: Vec<Self> = waiters.collect();
        // Members of a JSON object have no order.
        waiters.sort_by_key(|waiter| waiter.name);
        waiters
    }

    /// Whether a path looks at the input.
    #[must_use]
    pub fn looks_at_input(&self) -> bool {
        let mut acceptors = self.acceptors.iter();
        acceptors.any(|acceptor| {
            matches!(&acceptor.matcher, Matcher::Path(path) if path.sides == Sides::InputOutput)
        })
    }

    /// What its documentation says first, as plain text on one line.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.documentation.and_then(docs::summary)
    }

    /// What a wait that succeeds is given.
    #[must_use]
    pub fn success(&self) -> Success {
        let success = || {
            let acceptors = self.acceptors.iter();
            acceptors.filter(|acceptor| acceptor.state == State::Success)
        };
        if success().all(Acceptor::is_of_errors) {
            Success::Error
        } else if success().any(Acceptor::is_of_errors) {
            Success::Either
        } else {
            Success::Response
        }
    }

    /// The types of the errors that a wait may succeed with; nothing where that may be any.
    #[must_use]
    pub fn success_errors(&self) -> Option<Vec<&'m str>> {
        let acceptors = self.acceptors.iter();
        let errors = acceptors.filter(|one| one.state == State::Success && one.is_of_errors());
        let types = errors.map(|acceptor| match acceptor.matcher {
            Matcher::ErrorType(name) => Some(name),
            _ => None,
        });
        types.collect()
    }

    /// Whether a response is looked at at all.
    #[must_use]
    pub fn looks_at_responses(&self) -> bool {
        !self.acceptors.iter().all(Acceptor::is_of_errors)
    }

    /// The acceptors that a response is to be held against, by their indexes; without a path, any response matches.
    ///
    /// Those of errors are not among them, none that says what an earlier one has said, and none after one that always matches.
    #[must_use]
    pub fn of_responses(&self) -> Vec<(usize, Option<&PathMatcher<'m>>)> {
        let mut held: Vec<(usize, Option<&PathMatcher<'m>>)> = Vec::new();
        for (index, acceptor) in self.acceptors.iter().enumerate() {
            match &acceptor.matcher {
                Matcher::ErrorType(_) | Matcher::Success(false) => {}
                Matcher::Success(true) => {
                    held.push((index, None));
                    break;
                }
                Matcher::Path(path) => {
                    if !held
                        .iter()
                        .any(|(_, other)| other.is_some_and(|other| other.says(path)))
                    {
                        held.push((index, Some(path)));
                    }
                }
            }
        }
        held
    }

    /// Adds the paths of what must not be shown to the definition.
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
    /// Whether it matches errors.
    const fn is_of_errors(&self) -> bool {
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
            "errorType" => return entry.value.as_str().map(|name| Self::ErrorType(bare(name))),
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

/// The name of an error without namespace and what follows a colon (D4).
fn bare(name: &str) -> &str {
    let name = name.split(':').next().unwrap_or_default();
    name.rsplit('#').next().unwrap_or_default()
}

/// The structure as the engine reads it; it does not read what people do.
fn definition(waiter: &Node<'_>) -> String {
    let mut json = json(waiter);
    leave_docs_out(&mut json);
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
