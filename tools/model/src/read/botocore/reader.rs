//! Reads members of botocore's files and reports invalid ones.

use rustc_hash::FxHashSet;

use super::node_builder::NodeBuilder;
use super::place::Place;
use super::uses::Uses;
use super::values::{describe, flag, new_trait};
use crate::event::{Event, Severity};
use crate::messages;
use crate::read::definitions::Definitions;
use crate::read::idl_version::IdlVersion;
use crate::read::json;
use crate::shapes::{Node, Trait, Value};
use crate::source::{At, File, Sources};

/// The id of errors about members that the format doesn't allow.
pub(super) const INVALID: &str = "SmithyWaiters.Botocore";

/// The id of notes about translations that are not exactly equivalent.
pub(super) const APPROXIMATE: &str = "SmithyWaiters.Botocore.Approximate";

/// The id of warnings about waiters and paginators that Smithy cannot express. They are left out of the model.
pub(super) const NOT_EXPRESSIBLE: &str = "SmithyWaiters.Botocore.NotExpressible";

pub(super) struct Reader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) builder: NodeBuilder<'a>,
    /// The namespace, such as `com.amazonaws.dynamodb`.
    pub(super) namespace: String,
    /// The names of the operations. botocore allows a shape with the name of an operation, Smithy does not.
    pub(super) operations: FxHashSet<&'a str>,
    /// The shapes of the file, if the protocols are read.
    pub(super) shapes: Option<Node<'a>>,
    /// The uses of shapes.
    pub(super) uses: Uses<'a>,
    pub(super) definitions: Definitions<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            builder: NodeBuilder::new(sources.arena()),
            namespace: String::new(),
            operations: FxHashSet::default(),
            shapes: None,
            uses: Uses::default(),
            definitions: Definitions {
                version: IdlVersion::Two,
                ..Definitions::default()
            },
        }
    }

    pub(super) fn parse<'p>(&mut self, file: &'a File) -> Option<Place<'p, 'a>> {
        let events = &mut self.definitions.events;
        match json::read(file, self.sources.arena(), events, false) {
            Ok(node) => Some(Place::whole(node)),
            Err(event) => {
                events.push(*event);
                None
            }
        }
    }

    /// Reads a required member. Reports an error if it is missing or has another type than expected.
    pub(super) fn read_member<'p, T>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
        expected: &str,
        read: impl FnOnce(&Node<'a>) -> Option<T>,
    ) -> Option<(Place<'p, 'a>, T)> {
        let place = parent.member(name);
        let found = place.as_ref().and_then(|place| read(&place.node));
        if let (Some(place), Some(found)) = (place, found) {
            return Some((place, found));
        }
        let (at, found) = match place {
            Some(place) => (place.node.at, describe(&place.node)),
            None => (parent.node.at, "nothing".to_owned()),
        };
        let member = parent.path(name);
        let message = format!("`{member}` must be {expected}, got {found}");
        self.problem(INVALID, Severity::Error, at, message);
        None
    }

    pub(super) fn text<'p>(&mut self, parent: &'p Place<'p, 'a>, name: &'p str) -> Option<&'a str> {
        let (_, text) = self.read_member(parent, name, "a string", Node::as_str)?;
        Some(text)
    }

    pub(super) fn object<'p>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
    ) -> Option<Place<'p, 'a>> {
        let is_object = |node: &Node<'a>| matches!(node.value, Value::Object(_)).then_some(());
        let (place, ()) = self.read_member(parent, name, "an object", is_object)?;
        Some(place)
    }

    /// Reads a positive integer. Returns the node as well, to keep the number as written.
    pub(super) fn positive<'p>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
    ) -> Option<(Node<'a>, u32)> {
        let whole = |node: &Node<'a>| match node.value {
            Value::Number(text) => text.parse().ok().filter(|number| *number > 0),
            _ => None,
        };
        let (place, number) = self.read_member(parent, name, "a positive integer", whole)?;
        Some((place.node, number))
    }

    /// Returns the absolute id of a shape. A shape with the name of an operation has the suffix `Shape`.
    pub(super) fn shape_id(&self, name: &str) -> &'a str {
        let namespace = &self.namespace;
        let mark = if self.operations.contains(name) {
            "Shape"
        } else {
            ""
        };
        self.builder.text(&format!("{namespace}#{name}{mark}"))
    }

    pub(super) fn operation_id(&self, name: &str) -> &'a str {
        self.builder.text(&format!("{}#{name}", self.namespace))
    }

    /// Returns the traits for `documentation` and `deprecated`.
    pub(super) fn common_traits(&self, node: &Node<'a>) -> Vec<Trait<'a>> {
        let mut traits = Vec::new();
        let documentation = node.member("documentation");
        if let Some(documentation) = documentation.filter(|_| self.sources.uses_documentation()) {
            traits.push(new_trait("smithy.api#documentation", documentation));
        }
        if let Some(at) = flag(node, "deprecated") {
            let named = [
                ("message", "deprecatedMessage"),
                ("since", "deprecatedSince"),
            ];
            let members = named.map(|(name, key)| Some((name, node.member(key)?)));
            let value = self.builder.object(at, members.into_iter().flatten());
            traits.push(new_trait("smithy.api#deprecated", value));
        }
        traits
    }

    /// Returns an annotation trait for each flag that is `true`.
    pub(super) fn flags(&self, node: &Node<'a>, known: &[(&str, &'static str)]) -> Vec<Trait<'a>> {
        let applied = |(key, id): &(&str, &'static str)| {
            let at = flag(node, key)?;
            Some(new_trait(id, self.builder.object(at, [])))
        };
        known.iter().filter_map(applied).collect()
    }

    pub(super) fn problem(&mut self, id: &str, severity: Severity, at: At, message: String) {
        let event = Event::new(severity, id, message).at(at);
        self.definitions.events.push(event);
    }

    /// Returns the operation with a name. If there isn't one, reports the member at `path`.
    pub(super) fn operation_of(
        &mut self,
        name: &str,
        operations: &Node<'a>,
        (path, got): (&str, &str),
        at: At,
    ) -> Option<Node<'a>> {
        let operation = operations.member(name);
        if operation.is_none() {
            let names = operations.entries().iter().map(|entry| entry.key);
            let near = messages::did_you_mean(name, names);
            let message = format!("`{path}` must be an operation of the service{got}{near}");
            self.problem(INVALID, Severity::Error, at, message);
        }
        operation
    }
}
