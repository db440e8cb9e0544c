//! The members that a model marks with the `sensitive` trait.
//!
//! Clause: [sensitive trait](https://smithy.io/2.0/spec/documentation-traits.html#sensitive-trait).

use serde_json::Value as Json;

use super::{Found, Model, kind};
use crate::definition::Acceptor;
use crate::jmespath::quote;
use crate::order::sorted;
use crate::redact::{MESSAGES, Place, places_read};

const SENSITIVE: &str = "smithy.api#sensitive";

/// How many lists may be inside each other: in a model that is wrong they never end.
const MOST_LISTS: usize = 32;

impl<'m> Model<'m> {
    /// Returns the paths of the sensitive members that the acceptors of an operation's waiter read in the input and the output, and
    /// of those that hold the messages of its errors.
    pub(crate) fn sensitive_paths(
        &'m self,
        found: &Found<'m>,
        acceptors: &[Acceptor],
    ) -> Vec<String> {
        let operation = self.parts(found.operation, found.service);
        let root = |id: &'m str| Shape::new(self, id, String::new(), false);
        let place = |id: Option<&'m str>| id.map(|id| Place::Shape(root(id)));
        let sides = [place(operation.input), place(operation.output)];
        let mut paths = Vec::new();
        for acceptor in acceptors {
            let places = places_read(acceptor, &sides).into_iter().flatten();
            paths.extend(places.filter_map(Place::path));
        }
        for error in self.errors(&operation).into_iter().map(root) {
            for name in MESSAGES {
                let mut messages = error.members(Some(name));
                messages.retain(|message| error.is_sensitive || message.is_sensitive);
                paths.extend(messages.into_iter().map(Shape::path));
            }
        }
        paths = sorted(&paths, Ord::cmp);
        paths.dedup();
        paths
    }
}

/// A shape that a path leads to, lists passed through.
#[derive(Clone)]
pub(crate) struct Shape<'m> {
    model: &'m Model<'m>,
    pub(crate) id: &'m str,
    path: String,
    pub(crate) is_sensitive: bool,
}

impl<'m> Shape<'m> {
    fn new(model: &'m Model<'m>, id: &'m str, path: String, is_sensitive: bool) -> Self {
        let (mut id, mut is_sensitive) = (id, is_sensitive);
        for _ in 0..MOST_LISTS {
            is_sensitive |= model.trait_of(id, SENSITIVE).is_some();
            match model.shape(id).and_then(kind) {
                Some("list" | "set") => {}
                _ => break,
            }
            let Some(item) = model.own(id, "member") else {
                break;
            };
            is_sensitive |= is_marked(item);
            id = target(item);
        }
        Self {
            model,
            id,
            path,
            is_sensitive,
        }
    }

    /// The shape that a member leads to; `step` is the member in a path.
    fn follow(&self, step: &str, member: &'m Json) -> Self {
        let path = if self.path.is_empty() {
            step.to_owned()
        } else {
            format!("{}.{step}", self.path)
        };
        Self::new(self.model, target(member), path, is_marked(member))
    }

    /// The path to redact: of the whole response where the root is sensitive.
    pub(crate) fn path(self) -> String {
        if self.path.is_empty() {
            return "@".to_owned();
        }
        self.path
    }

    /// The value of a map.
    fn map_value(&self) -> Option<Self> {
        let shape = self.model.shape(self.id)?;
        let value = (kind(shape) == Some("map")).then(|| self.model.own(self.id, "value"))??;
        let key = self
            .model
            .own(self.id, "key")
            .map(|key| self.follow("*", key));
        let mut value = self.follow("*", value);
        value.is_sensitive |= key.is_some_and(|key| key.is_sensitive);
        Some(value)
    }

    /// The shapes of the member with this name, or of all members; a map has one for all its values.
    pub(crate) fn members(&self, name: Option<&str>) -> Vec<Self> {
        let mut members = Vec::new();
        let mut push = |name: &str, member| members.push(self.follow(&step(name), member));
        match (self.map_value(), name) {
            (Some(value), _) => return vec![value],
            (None, None) => self.model.each_member(self.id, &mut push),
            (None, Some(name)) => {
                let member = self.model.own_member(self.id, name);
                member.into_iter().for_each(|member| push(name, member));
            }
        }
        members
    }

    /// Whether something that it leads to is sensitive.
    pub(crate) fn holds_sensitive(&self) -> bool {
        let (mut seen, mut open) = (Vec::new(), self.members(None));
        while let Some(shape) = open.pop() {
            if shape.is_sensitive {
                return true;
            }
            if let Err(place) = seen.binary_search(&shape.id) {
                seen.insert(place, shape.id);
                open.extend(shape.members(None));
            }
        }
        false
    }
}

fn target(member: &Json) -> &str {
    member
        .get("target")
        .and_then(Json::as_str)
        .unwrap_or_default()
}

/// Whether a member itself has the trait, as in models of version 1.
fn is_marked(member: &Json) -> bool {
    let traits = member.get("traits");
    traits.is_some_and(|traits| traits.get(SENSITIVE).is_some())
}

/// A name as a step of a path.
fn step(name: &str) -> String {
    let mut bytes = name.bytes();
    let first = bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if first && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return name.to_owned();
    }
    quote(name)
}
