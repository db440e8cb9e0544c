//! The members that a model marks with the `sensitive` trait.
//!
//! Clause: [sensitive trait](https://smithy.io/2.0/spec/documentation-traits.html#sensitive-trait).

use std::collections::{BTreeMap, BTreeSet};

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
        let holders = self.find_holders();
        let root = |id| Shape::new(self, &holders, id);
        let place = |id: Option<_>| id.map(|id| Place::Shape(root(id)));
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
    /// The shapes that lead to sensitive ones.
    holders: &'m BTreeSet<&'m str>,
    pub(crate) id: &'m str,
    path: String,
    pub(crate) is_sensitive: bool,
}

impl<'m> Shape<'m> {
    fn new(model: &'m Model<'m>, holders: &'m BTreeSet<&'m str>, id: &'m str) -> Self {
        let shape = Self {
            model,
            holders,
            id,
            path: String::new(),
            is_sensitive: false,
        };
        shape.through_lists()
    }

    fn through_lists(mut self) -> Self {
        let (id, is_sensitive) = self.model.through_lists(self.id);
        self.id = id;
        self.is_sensitive |= is_sensitive;
        self
    }

    /// The shape that a member leads to; `step` is the member in a path.
    fn follow(&self, step: &str, name: &str, member: &'m Json) -> Self {
        let path = if self.path.is_empty() {
            step.to_owned()
        } else {
            format!("{}.{step}", self.path)
        };
        let shape = Self {
            id: target(member),
            path,
            is_sensitive: self.model.is_member_sensitive(self.id, name),
            ..self.clone()
        };
        shape.through_lists()
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
        let is_map = self.model.shape(self.id).and_then(kind) == Some("map");
        let value = is_map.then(|| self.model.own(self.id, "value"))??;
        Some(self.follow("*", "value", value))
    }

    /// The shapes of the member with this name, or of all members; a map has one for all its values.
    pub(crate) fn members(&self, name: Option<&str>) -> Vec<Self> {
        let mut members = Vec::new();
        let mut push = |name: &str, member| members.push(self.follow(&step(name), name, member));
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
        self.holders.contains(self.id)
    }
}

impl<'m> Model<'m> {
    /// Whether a shape is sensitive; a map is if its keys are.
    fn is_sensitive(&self, id: &str) -> bool {
        let has_trait = |id: &str| self.trait_of(id, SENSITIVE).is_some();
        let key = || {
            let key = self.own(id, "key")?;
            Some(has_trait(target(key)) || self.is_member_sensitive(id, "key"))
        };
        has_trait(id) || key().unwrap_or(false)
    }

    /// Whether a member itself has the trait, as in models of version 1: where it is defined, defined anew, or from outside.
    fn is_member_sensitive(&self, id: &str, name: &str) -> bool {
        let marked = self.first(id, &mut |id, shape| {
            let member = shape.get("members").and_then(|members| members.get(name));
            let own = member.or_else(|| shape.get(name));
            let of = |member: &'m Json| member.get("traits")?.get(SENSITIVE);
            own.and_then(of)
                .or_else(|| of(self.shape(&format!("{id}${name}"))?))
        });
        marked.is_some()
    }

    /// The shape inside of lists, and whether one of them or it is sensitive.
    fn through_lists(&self, mut id: &'m str) -> (&'m str, bool) {
        let mut is_sensitive = false;
        for _ in 0..MOST_LISTS {
            is_sensitive |= self.is_sensitive(id);
            let is_list = matches!(self.shape(id).and_then(kind), Some("list" | "set"));
            let Some(item) = self.own(id, "member").filter(|_| is_list) else {
                return (id, is_sensitive);
            };
            is_sensitive |= self.is_member_sensitive(id, "member");
            id = target(item);
        }
        // Lists in lists without an end: nothing of them is shown.
        (id, true)
    }

    /// The shapes that lead to something sensitive, found from there backwards.
    fn find_holders(&self) -> BTreeSet<&'m str> {
        let mut led_to_by: BTreeMap<&str, Vec<&'m str>> = BTreeMap::new();
        let (mut holders, mut open) = (BTreeSet::new(), Vec::new());
        for (id, shape) in &self.shapes {
            let mut lead = |name: &str, member| {
                let (target, is_sensitive) = self.through_lists(target(member));
                if is_sensitive || self.is_member_sensitive(id, name) {
                    open.push(*id);
                }
                led_to_by.entry(target).or_default().push(id);
            };
            match kind(shape) {
                Some("map") => {
                    let value = self.own(id, "value");
                    value.into_iter().for_each(|value| lead("value", value));
                }
                _ => self.each_member(id, &mut lead),
            }
        }
        while let Some(id) = open.pop() {
            if holders.insert(id) {
                open.extend(led_to_by.get(id).into_iter().flatten());
            }
        }
        holders
    }
}

fn target(member: &Json) -> &str {
    member
        .get("target")
        .and_then(Json::as_str)
        .unwrap_or_default()
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
