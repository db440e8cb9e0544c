//! Node values: the JSON-like values of traits and metadata, each with its place.
//!
//! Clause: [node values](https://smithy.io/2.0/spec/idl.html#node-values).

use crate::source::At;

/// A node value and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Where it begins.
    pub at: At,
    /// What it is.
    pub value: Value<'a>,
}

/// What a node value is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number, as it is written.
    Number(&'a str),
    /// A string, without quotes and escapes.
    String(&'a str),
    /// An array.
    Array(&'a [Node<'a>]),
    /// An object, in the order in which it is written.
    Object(&'a [Entry<'a>]),
    /// A shape id that is written without quotes: a string as soon as the model is whole.
    ShapeId(&'a str),
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its name.
    pub key: &'a str,
    /// Where its name stands.
    pub key_at: At,
    /// Its value.
    pub value: Node<'a>,
}

impl<'a> Node<'a> {
    /// A value that is written nowhere.
    #[must_use]
    pub const fn new(at: At, value: Value<'a>) -> Self {
        Self { at, value }
    }

    /// The value of an object's member.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        let entry = self.entries().iter().find(|entry| entry.key == name)?;
        Some(entry.value)
    }

    /// The members of an object; of anything else, none.
    #[must_use]
    pub const fn entries(&self) -> &'a [Entry<'a>] {
        match self.value {
            Value::Object(entries) => entries,
            _ => &[],
        }
    }

    /// The elements of an array; of anything else, none.
    #[must_use]
    pub const fn elements(&self) -> &'a [Self] {
        match self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a string.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.value {
            Value::String(text) | Value::ShapeId(text) => Some(text),
            _ => None,
        }
    }

    /// A boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// A number as a double.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// What kind of value it is, with its article, for messages.
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

/// Nodes are equal by what they say, wherever they stand and in whatever order an object lists its members.
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
