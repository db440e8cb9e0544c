//! Reads models in JSON AST, versions 1.0 and 2.0.
//!
//! Clause: [JSON AST](https://smithy.io/2.0/spec/json-ast.html).

use bumpalo::Bump;
use smithy_waiters::internal::is_identifier;

use crate::event::Event;
use crate::event::ids::MODEL;
use crate::messages;
use crate::read::definitions::{Application, Definitions};
use crate::read::idl_version::IdlVersion;
use crate::read::json;
use crate::shapes::{Entry, Kind, Member, Node, Reference, Shape, Trait, Value, id};
use crate::source::{At, File};

/// The members of the document and of shapes that have their own fields in [`Shape`].
const SHAPE_TYPE: &str = "type";
const MEMBERS: &str = "members";
const MIXINS: &str = "mixins";
const TRAITS: &str = "traits";
const TARGET: &str = "target";

/// Reads a text. With `raw_documentation`, documentation strings keep their escape sequences.
pub(crate) fn read<'a>(
    file: &'a File,
    arena: &'a Bump,
    raw_documentation: bool,
) -> Definitions<'a> {
    let mut definitions = Definitions::default();
    match json::read(file, arena, &mut definitions.events, raw_documentation) {
        Ok(node) => definitions.whole(&node),
        Err(event) => definitions.events.push(*event),
    }
    definitions
}

impl<'a> Definitions<'a> {
    fn whole(&mut self, node: &Node<'a>) {
        if !matches!(node.value, Value::Object(_)) {
            let found = node.kind();
            let message = format!(
                "a model must be an object with the members `smithy` and `shapes`, got {found}"
            );
            return self.problem(node.at, message);
        }
        self.version(node);
        if let Some(metadata) = self.object(node, "metadata") {
            self.metadata.extend(metadata);
        }
        let shapes = self.object(node, "shapes").unwrap_or_default();
        self.shapes.reserve_exact(shapes.len());
        for entry in shapes {
            self.shape(entry);
        }
    }

    fn version(&mut self, node: &Node<'a>) {
        let Some(version) = node.member("smithy") else {
            let message = "missing version: add `\"smithy\": \"2.0\"`".to_owned();
            return self.problem(node.at, message);
        };
        match version.as_str().and_then(IdlVersion::parse) {
            Some(version) => self.version = version,
            None => {
                let found = version.as_str().unwrap_or(version.kind());
                let message = format!("unsupported version `{found}`: expected `1.0` or `2.0`");
                self.problem(version.at, message);
            }
        }
    }

    fn shape(&mut self, entry: &Entry<'a>) {
        let node = &entry.value;
        if !id::is_absolute(entry.key) {
            let message = format!(
                "`{}` is not an absolute shape id: expected `namespace#Name`",
                messages::excerpt(entry.key)
            );
            return self.problem(entry.key_at, message);
        }
        let Some(kind) = node.member(SHAPE_TYPE).and_then(|kind| kind.as_str()) else {
            let message = format!("the shape `{}` is missing its `type`", entry.key);
            return self.problem(entry.key_at, message);
        };
        if kind == "apply" {
            let (id, at) = (entry.key, entry.key_at);
            let application = Application {
                target: Reference { id, at },
                traits: self.traits(node),
            };
            return self.applications.push(application);
        }
        match Kind::from_name(kind) {
            Some(_) if id::member(entry.key).is_some() => {
                let message = format!(
                    "`{}` is the id of a member: only `apply` can refer to a member here",
                    entry.key
                );
                self.problem(entry.key_at, message);
            }
            Some(kind) => {
                let shape = self.shape_of(kind, entry);
                self.shapes.push(shape);
            }
            None => self.unknown_kind(kind, node),
        }
    }

    fn unknown_kind(&mut self, kind: &str, node: &Node<'a>) {
        let near = messages::did_you_mean(kind, Kind::NAMES.iter().copied());
        let at = node.member(SHAPE_TYPE).map_or(node.at, |kind| kind.at);
        self.problem(at, format!("unknown shape type `{kind}`{near}"));
    }

    fn shape_of(&mut self, kind: Kind, entry: &Entry<'a>) -> Shape<'a> {
        let node = &entry.value;
        Shape {
            id: entry.key,
            kind,
            at: entry.key_at,
            members: self.members(kind, node),
            traits: self.traits(node),
            mixins: self.mixins(node),
            properties: properties(kind, node),
            resource: None,
        }
    }

    fn members(&mut self, kind: Kind, node: &Node<'a>) -> Vec<Member<'a>> {
        let entries: Vec<&Entry<'a>> = if kind.has_named_members() {
            self.object(node, MEMBERS)
                .unwrap_or_default()
                .iter()
                .collect()
        } else {
            let fixed = kind.fixed_members();
            let entries = node.entries().iter();
            entries.filter(|entry| fixed.contains(&entry.key)).collect()
        };
        let mut members = Vec::with_capacity(entries.len());
        members.extend(entries.into_iter().filter_map(|entry| self.member(entry)));
        members
    }

    fn member(&mut self, entry: &Entry<'a>) -> Option<Member<'a>> {
        if !is_identifier(entry.key) {
            let message = format!(
                "`{}` is not the name of a member: expected letters, digits and `_`, and no digit at the start",
                messages::excerpt(entry.key)
            );
            self.problem(entry.key_at, message);
            return None;
        }
        Some(Member {
            name: entry.key,
            target: self.target(&entry.value)?,
            at: entry.key_at,
            traits: self.traits(&entry.value),
            inherited: false,
        })
    }

    fn mixins(&mut self, node: &Node<'a>) -> Vec<Reference<'a>> {
        let mixins = node.member(MIXINS);
        let elements = mixins.map_or(&[][..], |mixins| mixins.elements());
        let reference = |element: &Node<'a>| {
            let id = self.target(element)?;
            Some(Reference { id, at: element.at })
        };
        elements.iter().filter_map(reference).collect()
    }

    fn target(&mut self, node: &Node<'a>) -> Option<&'a str> {
        let target = node.member(TARGET).and_then(|target| target.as_str());
        if target.is_none() {
            let message = "expected `{\"target\": …}` with the id of a shape".to_owned();
            self.problem(node.at, message);
        }
        target
    }

    fn traits(&mut self, node: &Node<'a>) -> Vec<Trait<'a>> {
        let entries = self.object(node, TRAITS).unwrap_or_default();
        for entry in entries.iter().filter(|entry| !entry.key.contains('#')) {
            let message = format!(
                "`{}` is not an absolute trait id: expected `namespace#name`",
                messages::excerpt(entry.key)
            );
            self.problem(entry.key_at, message);
        }
        let applied = |entry: &Entry<'a>| Trait {
            id: entry.key,
            at: entry.key_at,
            value: entry.value,
            inherited: false,
            extensible: false,
        };
        entries.iter().map(applied).collect()
    }

    /// Returns the members of an optional member, and reports an error if that member is not an object.
    fn object(&mut self, node: &Node<'a>, name: &str) -> Option<&'a [Entry<'a>]> {
        let member = node.member(name)?;
        if !matches!(member.value, Value::Object(_)) {
            let found = member.kind();
            self.problem(
                member.at,
                format!("`{name}` must be an object, got {found}"),
            );
        }
        Some(member.entries())
    }

    fn problem(&mut self, at: At, message: String) {
        self.events.push(Event::error(MODEL, message).at(at));
    }
}

/// Returns the properties of a shape that have no field in [`Shape`].
fn properties<'a>(kind: Kind, node: &Node<'a>) -> Vec<Entry<'a>> {
    let is_read = |key: &str| {
        matches!(key, SHAPE_TYPE | TRAITS | MIXINS)
            || kind.fixed_members().contains(&key)
            || (kind.has_named_members() && key == MEMBERS)
    };
    let entries = node.entries().iter();
    entries
        .filter(|entry| !is_read(entry.key))
        .copied()
        .collect()
}
