//! Resolves the relative names of an IDL text.
//!
//! Clause: [relative shape id resolution](https://smithy.io/2.0/spec/idl.html#relative-shape-id).

use bumpalo::Bump;
use rustc_hash::FxHashMap;

use crate::read::definitions::Definitions;
use crate::shapes::{Entry, Kind, Node, Shape, Trait, Value, id};

/// The meaning of the relative names in a text.
#[derive(Debug, Default)]
pub(crate) struct Scope<'a> {
    pub(crate) namespace: &'a str,
    /// The ids imported with `use`, by name.
    pub(crate) uses: FxHashMap<&'a str, &'a str>,
}

/// Replaces the names of a text by absolute ids. This requires the definitions of all texts.
pub(crate) struct Resolver<'r, 'a> {
    pub(crate) scope: &'r Scope<'a>,
    /// The kinds of all defined shapes by id.
    pub(crate) kinds: &'r FxHashMap<&'a str, Kind>,
    pub(crate) arena: &'a Bump,
}

impl<'a> Resolver<'_, 'a> {
    /// Makes all names of a text absolute.
    pub(crate) fn resolve(&self, definitions: &mut Definitions<'a>) {
        for shape in &mut definitions.shapes {
            self.shape(shape);
        }
        for application in &mut definitions.applications {
            application.target.id = self.id(application.target.id);
            self.traits(&mut application.traits);
        }
        for entry in &mut definitions.metadata {
            entry.value = self.node(entry.value);
        }
    }

    fn shape(&self, shape: &mut Shape<'a>) {
        self.traits(&mut shape.traits);
        for member in &mut shape.members {
            if !member.target.is_empty() {
                member.target = self.id(member.target);
            }
            self.traits(&mut member.traits);
        }
        for reference in shape.mixins.iter_mut().chain(&mut shape.resource) {
            reference.id = self.id(reference.id);
        }
        for entry in &mut shape.properties {
            entry.value = self.node(entry.value);
        }
    }

    fn traits(&self, traits: &mut [Trait<'a>]) {
        for applied in traits {
            applied.id = self.id(applied.id);
            applied.value = self.node(applied.value);
            self.complete_annotation(applied);
        }
    }

    /// Sets the value of a trait without one to the empty value of the trait's type.
    fn complete_annotation(&self, applied: &mut Trait<'a>) {
        if !matches!(applied.value.value, Value::Null) {
            return;
        }
        match self.kinds.get(applied.id) {
            None | Some(Kind::Structure | Kind::Map) => applied.value.value = Value::Object(&[]),
            Some(Kind::List | Kind::Set) => applied.value.value = Value::Array(&[]),
            Some(_) => {}
        }
    }

    /// Returns the absolute id of a name.
    fn id(&self, name: &'a str) -> &'a str {
        if name.contains('#') {
            return name;
        }
        let shape = id::shape(name);
        let used = self.scope.uses.get(shape).copied();
        let absolute = used.unwrap_or_else(|| self.find_in_namespaces(shape));
        match id::member(name) {
            Some(member) => self.arena.alloc_str(&format!("{absolute}${member}")),
            None => absolute,
        }
    }

    /// Returns the id in the namespace of the text, or in the prelude if only the prelude defines the name.
    fn find_in_namespaces(&self, name: &str) -> &'a str {
        let own = format!("{}#{name}", self.scope.namespace);
        let of_prelude = || self.kinds.get_key_value(&*format!("smithy.api#{name}"));
        let known = self.kinds.get_key_value(own.as_str());
        match known.or_else(of_prelude) {
            Some((id, _)) => id,
            None => self.arena.alloc_str(&own),
        }
    }

    /// Returns the node with absolute ids. Nodes without ids are not copied.
    fn node(&self, node: Node<'a>) -> Node<'a> {
        let value = match node.value {
            Value::ShapeId(name) => Value::String(self.id(name)),
            Value::Array(elements) if elements.iter().any(has_ids) => {
                let resolved = elements.iter().map(|element| self.node(*element));
                Value::Array(self.arena.alloc_slice_fill_iter(resolved))
            }
            Value::Object(entries) if entries.iter().any(|entry| has_ids(&entry.value)) => {
                let resolved = entries.iter().map(|entry| Entry {
                    value: self.node(entry.value),
                    ..*entry
                });
                Value::Object(self.arena.alloc_slice_fill_iter(resolved))
            }
            value => value,
        };
        Node { value, ..node }
    }
}

fn has_ids(node: &Node<'_>) -> bool {
    match node.value {
        Value::ShapeId(_) => true,
        Value::Array(elements) => elements.iter().any(has_ids),
        Value::Object(entries) => entries.iter().any(|entry| has_ids(&entry.value)),
        _ => false,
    }
}
