//! Serializes models as JSON AST 2.0.

use std::fmt;

use super::model::Model;
use super::node::{Entry, Node, Value};
use super::shape::{Member, Shape, Trait};

impl Model<'_> {
    /// Returns the model as JSON AST 2.0, without white space between the tokens.
    #[must_use]
    pub fn to_ast(&self) -> String {
        let mut json = String::new();
        // Writing to a string cannot fail.
        let _ = Writer { out: &mut json }.model(self);
        json
    }
}

impl Node<'_> {
    /// Returns the value as JSON, without white space between the tokens.
    #[must_use]
    pub fn to_json(self) -> String {
        let mut json = String::new();
        // Writing to a string cannot fail.
        let _ = Writer { out: &mut json }.node(&self);
        json
    }
}

struct Writer<'o> {
    out: &'o mut dyn fmt::Write,
}

impl Writer<'_> {
    fn model(&mut self, model: &Model<'_>) -> fmt::Result {
        self.out.write_str("{\"smithy\":\"2.0\"")?;
        if !model.metadata().is_empty() {
            self.out.write_str(",\"metadata\":")?;
            self.entries(model.metadata())?;
        }
        self.out.write_str(",\"shapes\":{")?;
        let mut first = true;
        for shape in model.shapes() {
            self.key(shape.id, &mut first)?;
            self.shape(shape)?;
            self.apply_statements(shape)?;
        }
        self.out.write_str("}}")
    }

    fn shape(&mut self, shape: &Shape<'_>) -> fmt::Result {
        write!(self.out, "{{\"type\":\"{}\"", shape.kind.name())?;
        for property in &shape.properties {
            self.property(property.key)?;
            self.node(&property.value)?;
        }
        self.mixins(shape)?;
        self.members(shape)?;
        self.traits(&shape.traits)?;
        self.out.write_char('}')
    }

    fn mixins(&mut self, shape: &Shape<'_>) -> fmt::Result {
        if shape.mixins.is_empty() {
            return Ok(());
        }
        self.property("mixins")?;
        self.out.write_char('[')?;
        for (place, mixin) in shape.mixins.iter().enumerate() {
            self.comma(place)?;
            self.out.write_str("{\"target\":")?;
            self.string(mixin.id)?;
            self.out.write_char('}')?;
        }
        self.out.write_char(']')
    }

    fn members(&mut self, shape: &Shape<'_>) -> fmt::Result {
        let named = shape.kind.has_named_members();
        if named {
            self.out.write_str(",\"members\":{")?;
        }
        let mut first = named;
        for member in shape.members.iter().filter(|member| !member.inherited) {
            self.key(member.name, &mut first)?;
            self.member(member)?;
        }
        if named {
            self.out.write_char('}')
        } else {
            Ok(())
        }
    }

    fn member(&mut self, member: &Member<'_>) -> fmt::Result {
        self.out.write_str("{\"target\":")?;
        self.string(member.target)?;
        self.traits(&member.traits)?;
        self.out.write_char('}')
    }

    /// Writes `apply` statements for the traits that a shape itself applies to members of its mixins.
    fn apply_statements(&mut self, shape: &Shape<'_>) -> fmt::Result {
        for member in shape.members.iter().filter(|member| member.inherited) {
            if member.traits.iter().any(|applied| !applied.inherited) {
                self.out.write_char(',')?;
                self.string(&format!("{}${}", shape.id, member.name))?;
                self.out.write_str(":{\"type\":\"apply\"")?;
                self.traits(&member.traits)?;
                self.out.write_char('}')?;
            }
        }
        Ok(())
    }

    fn traits(&mut self, traits: &[Trait<'_>]) -> fmt::Result {
        let mut own = traits
            .iter()
            .filter(|applied| !applied.inherited)
            .peekable();
        if own.peek().is_none() {
            return Ok(());
        }
        self.out.write_str(",\"traits\":{")?;
        let mut first = true;
        for applied in own {
            self.key(applied.id, &mut first)?;
            self.node(&applied.value)?;
        }
        self.out.write_char('}')
    }

    fn node(&mut self, node: &Node<'_>) -> fmt::Result {
        match node.value {
            Value::Null => self.out.write_str("null"),
            Value::Boolean(value) => write!(self.out, "{value}"),
            Value::Number(text) => self.out.write_str(text),
            Value::String(text) | Value::ShapeId(text) => self.string(text),
            Value::Array(elements) => self.elements(elements),
            Value::Object(entries) => self.entries(entries),
        }
    }

    fn elements(&mut self, elements: &[Node<'_>]) -> fmt::Result {
        self.out.write_char('[')?;
        for (place, element) in elements.iter().enumerate() {
            self.comma(place)?;
            self.node(element)?;
        }
        self.out.write_char(']')
    }

    fn entries(&mut self, entries: &[Entry<'_>]) -> fmt::Result {
        self.out.write_char('{')?;
        let mut first = true;
        for entry in entries {
            self.key(entry.key, &mut first)?;
            self.node(&entry.value)?;
        }
        self.out.write_char('}')
    }

    fn property(&mut self, name: &str) -> fmt::Result {
        self.key(name, &mut false)
    }

    fn key(&mut self, key: &str, first: &mut bool) -> fmt::Result {
        self.comma(usize::from(!std::mem::take(first)))?;
        self.string(key)?;
        self.out.write_char(':')
    }

    fn comma(&mut self, place: usize) -> fmt::Result {
        if place > 0 {
            self.out.write_char(',')
        } else {
            Ok(())
        }
    }

    fn string(&mut self, text: &str) -> fmt::Result {
        let text = serde_json::to_string(text).map_err(|_| fmt::Error)?;
        self.out.write_str(&text)
    }
}
