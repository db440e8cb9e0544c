//! The members with the `sensitive` trait.
//!
//! Clause: [sensitive trait](https://smithy.io/2.0/spec/documentation-traits.html#sensitive-trait).

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::shape::{kind, target};
use super::{Model, WaiterEntry};
use crate::definition::{Acceptor, Root};
use crate::evaluation::MESSAGES;
use crate::text::quote;

const SENSITIVE: &str = "smithy.api#sensitive";

/// The maximum nesting of lists. Lists of an invalid model may contain themselves.
const MOST_LISTS: usize = 32;

/// The number of paths from which on whole members are redacted. Shapes can share members, so that the number of paths
/// is exponential.
const MOST_PATHS: usize = 1_000;

/// The shapes with sensitive members at any depth.
type Holders = OnceCell<BTreeSet<String>>;

impl<'m> Model<'m> {
    /// Returns the paths of the sensitive members of an operation's output, of its input if an acceptor reads it, and of
    /// the sensitive members with the messages of the operation's errors.
    ///
    /// A member that contains its own shape, and every member after the first [`MOST_PATHS`], is redacted as a whole.
    pub(crate) fn sensitive_paths(
        &'m self,
        found: &WaiterEntry<'m>,
        acceptors: &[Acceptor],
    ) -> Vec<String> {
        let operation = self.parts(found.operation, found.service);
        let holders = Holders::new();
        let root = |id| Shape::new(self, &holders, id);
        let reads_input = |acceptor: &Acceptor| {
            let path = acceptor.matcher().path_matcher();
            path.is_some_and(|path| path.root() == Root::InputOutput)
        };
        let input = operation
            .input
            .filter(|_| acceptors.iter().any(reads_input));
        let mut paths = Vec::new();
        for side in operation.output.into_iter().chain(input) {
            root(side).push_paths(&mut Vec::new(), &mut paths);
        }
        for error in self.errors(&operation).into_iter().map(root) {
            for name in MESSAGES {
                let mut messages = error.members(Some(name));
                messages.retain(|message| error.is_sensitive || message.is_sensitive);
                paths.extend(messages.into_iter().map(Shape::path));
            }
        }
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

/// The shape at the end of a path. A list is represented by its items.
#[derive(Clone)]
struct Shape<'m> {
    model: &'m Model<'m>,
    holders: &'m Holders,
    id: &'m str,
    path: String,
    is_sensitive: bool,
}

impl<'m> Shape<'m> {
    fn new(model: &'m Model<'m>, holders: &'m Holders, id: &'m str) -> Self {
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

    /// Returns the shape of a member. `step` is the member's name in a path.
    fn follow(&self, step: &str, name: &str, member: &'m Json) -> Self {
        let path = if self.path.is_empty() {
            step.to_owned()
        } else {
            format!("{}.{step}", self.path)
        };
        let shape = Self {
            id: target(member).unwrap_or_default(),
            path,
            is_sensitive: self.model.is_member_sensitive(self.id, name),
            ..self.clone()
        };
        shape.through_lists()
    }

    /// Appends the paths of all sensitive members to `paths`. `outer` are the shapes that contain this one.
    fn push_paths(self, outer: &mut Vec<&'m str>, paths: &mut Vec<String>) {
        let is_open = !outer.contains(&self.id) && paths.len() < MOST_PATHS;
        if !self.is_sensitive && self.holds_redacted() && is_open {
            outer.push(self.id);
            for member in self.members(None) {
                member.push_paths(outer, paths);
            }
            outer.pop();
        } else if self.is_sensitive || self.holds_redacted() {
            paths.push(self.path());
        }
    }

    // All values of a map share a place.
    fn members(&self, name: Option<&str>) -> Vec<Self> {
        let mut members = Vec::new();
        let mut push = |name: &str, member| members.push(self.follow(&step(name), name, member));
        match (self.map_value(), name) {
            // An expression can name any key of a map.
            (Some(value), _) => return vec![value],
            (None, None) => self.model.each_member(self.id, &mut push),
            (None, Some(name)) => {
                let member = self.model.own_member(self.id, name);
                member.into_iter().for_each(|member| push(name, member));
            }
        }
        members
    }

    fn holds_redacted(&self) -> bool {
        let holders = self.holders.get_or_init(|| self.model.find_holders());
        holders.contains(self.id)
    }

    /// Returns the path to redact, `@` for the root.
    fn path(self) -> String {
        if self.path.is_empty() {
            return "@".to_owned();
        }
        self.path
    }

    /// Returns the shape of a map's values.
    fn map_value(&self) -> Option<Self> {
        let is_map = self.model.shape(self.id).and_then(kind) == Some("map");
        let value = is_map.then(|| self.model.own(self.id, "value"))??;
        Some(self.follow("*", "value", value))
    }
}

impl<'m> Model<'m> {
    /// Returns `true` if the shape is sensitive or a map with sensitive keys.
    fn is_sensitive(&self, id: &str) -> bool {
        let has_trait = |id: &str| self.trait_of(id, SENSITIVE).is_some();
        // A path cannot name the keys of a map, so that the whole map is hidden.
        let has_sensitive_keys = || {
            let key = target(self.own(id, "key")?)?;
            Some(has_trait(key) || self.is_member_sensitive(id, "key"))
        };
        has_trait(id) || has_sensitive_keys().unwrap_or(false)
    }

    /// Returns `true` if the member has the trait itself, which models of version 1 allow.
    fn is_member_sensitive(&self, id: &str, name: &str) -> bool {
        self.trait_of_member(id, name, SENSITIVE).is_some()
    }

    /// Returns the innermost item of nested lists, and `true` if it or one of the lists is sensitive.
    fn through_lists(&self, mut id: &'m str) -> (&'m str, bool) {
        let mut is_sensitive = false;
        for _ in 0..MOST_LISTS {
            is_sensitive |= self.is_sensitive(id);
            let is_list = matches!(self.shape(id).and_then(kind), Some("list" | "set"));
            let Some(item) = self.own(id, "member").filter(|_| is_list) else {
                return (id, is_sensitive);
            };
            is_sensitive |= self.is_member_sensitive(id, "member");
            id = target(item).unwrap_or_default();
        }
        // The lists contain themselves. Their values are hidden to be safe.
        (id, true)
    }

    /// Finds the shapes with sensitive members, following references backwards from the sensitive shapes.
    fn find_holders(&self) -> BTreeSet<String> {
        let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let (mut holders, mut open) = (BTreeSet::new(), Vec::new());
        for (id, shape) in &self.shapes {
            let mut add = |name: &str, member: &'m Json| {
                let (target, is_sensitive) = self.through_lists(target(member).unwrap_or_default());
                if is_sensitive || self.is_member_sensitive(id, name) {
                    open.push(*id);
                }
                users.entry(target).or_default().push(id);
            };
            match kind(shape) {
                Some("map") => {
                    let value = self.own(id, "value");
                    value.into_iter().for_each(|value| add("value", value));
                }
                _ => self.each_member(id, &mut add),
            }
        }
        while let Some(id) = open.pop() {
            if holders.insert(id.to_owned()) {
                open.extend(users.get(id).into_iter().flatten());
            }
        }
        holders
    }
}

/// Returns a member's name in a path, quoted if necessary.
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
