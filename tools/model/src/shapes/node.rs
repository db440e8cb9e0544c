//! Node values: the JSON-like values of traits and metadata, each with its position.
//!
//! Clause: [node values](https://smithy.io/2.0/spec/idl.html#node-values).

use crate::source::At;

/// A node value and its position.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The position of the first character.
    pub at: At,
    /// The value.
    pub value: Value<'a>,
}

/// A JSON-like value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number as written in the text.
    Number(&'a str),
    /// A decoded string.
    String(&'a str),
    /// An array.
    Array(&'a [Node<'a>]),
    /// An object, with its members in the order of the text.
    Object(&'a [Entry<'a>]),
    /// A shape id without quotes. Resolving the names of a text turns it into a string.
    ShapeId(&'a str),
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The name.
    pub key: &'a str,
    /// The position of the name.
    pub key_at: At,
    /// The value.
    pub value: Node<'a>,
}

impl<'a> Node<'a> {
    /// Creates a node.
    #[must_use]
    pub const fn new(at: At, value: Value<'a>) -> Self {
        Self { at, value }
    }

    /// Returns the value of an object's member.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let entry = self.entries().iter().find(|entry| entry.key == name)?;
        Some(entry.value)
    }

    /// Returns the members of an object; empty for any other value.
    #[must_use]
    pub const fn entries(&self) -> &'a [Entry<'a>] {
        match self.value {
            Value::Object(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the elements of an array; empty for any other value.
    #[must_use]
    pub const fn elements(&self) -> &'a [Self] {
        match self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the text of a string.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.value {
            Value::String(text) | Value::ShapeId(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of a number as a double.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Returns the kind of the value with its article, for messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) | Value::ShapeId(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// Compares values. Positions and the order of an object's members are ignored.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.value, other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Boolean(one), Value::Boolean(two)) => one == two,
            (Value::Number(one), Value::Number(two)) => {
                one == two || (self.as_f64().is_some() && self.as_f64() == other.as_f64())
            }
            (Value::Array(one), Value::Array(two)) => one == two,
            (Value::Object(one), Value::Object(two)) => {
                let same = |entry: &Entry<'_>| other.member(entry.key) == Some(entry.value);
                one.len() == two.len() && one.iter().all(same)
            }
            _ => self.as_str().is_some() && self.as_str() == other.as_str(),
        }
    }
}
