//! A made-up value of a shape, one level at a time.
//!
//! Every member is set: a list has two equal elements unless its length says otherwise, a string is of `a`s, a number is 8
//! within its range, a timestamp 0, a boolean true. A member that is met again inside itself, and a document, is anything.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::Model;
use crate::node::Node;
use crate::shape::{Kind, Shape};

/// How many elements a sample has at most, and characters a text: more makes no difference to what is looked at.
const MAX_LENGTH: u32 = 256;

/// A value, or a shape whose value is made when it is looked into.
#[derive(Clone, Debug)]
pub(crate) enum Sample<'m, 'a> {
    Any,
    Array(Rc<[Self]>),
    Boolean(bool),
    Expression,
    Null,
    Number(f64),
    Object(Rc<BTreeMap<String, Self>>),
    String(Rc<str>),
    Structure(&'m Shape<'a>, Option<Rc<Inside<'m, 'a>>>),
}

/// A shape that is being looked into, and how many of its members have been met there.
#[derive(Debug)]
pub(crate) struct Inside<'m, 'a> {
    shape: &'m Shape<'a>,
    met: usize,
    outside: Option<Rc<Self>>,
}

/// The types of JMESPath, with two of the checker's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Any,
    Array,
    Boolean,
    Expression,
    Null,
    Number,
    Object,
    String,
}

impl Type {
    /// The type's name in JMESPath.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Expression => "expression",
            Self::Null => "null",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }
}

impl<'m, 'a> Sample<'m, 'a> {
    /// A value of a shape; of an unknown one, anything.
    pub(crate) fn of(model: &'m Model<'a>, shape: Option<&'m Shape<'a>>) -> Self {
        shape.map_or(Self::Any, |shape| Self::inside(model, shape, None))
    }

    /// An array of what is given.
    pub(crate) fn array(elements: Vec<Self>) -> Self {
        Self::Array(elements.into())
    }

    fn inside(
        model: &'m Model<'a>,
        shape: &'m Shape<'a>,
        outside: Option<Rc<Inside<'m, 'a>>>,
    ) -> Self {
        match shape.kind {
            Kind::Blob => Self::String("blob".into()),
            Kind::Boolean => Self::Boolean(true),
            Kind::Document => Self::Any,
            Kind::Enum | Kind::String => Self::String("a".repeat(length(shape)).into()),
            Kind::List | Kind::Set => {
                let element = member(model, shape, 0, outside.as_ref());
                Self::Array(vec![element; length(shape)].into())
            }
            Kind::Map => {
                let key = member(model, shape, 0, outside.as_ref());
                let value = member(model, shape, 1, outside.as_ref());
                let key = if let Self::String(key) = key {
                    key
                } else {
                    "a".into()
                };
                let entries =
                    (0..length(shape)).map(|place| (format!("{key}{place}"), value.clone()));
                Self::Object(Rc::new(entries.collect()))
            }
            Kind::Structure | Kind::Union => Self::Structure(shape, outside),
            Kind::Timestamp => Self::Number(0.0),
            Kind::Operation | Kind::Resource | Kind::Service => Self::Any,
            _ => Self::Number(number(shape)),
        }
    }

    /// The type, of a structure as well.
    pub(crate) const fn kind(&self) -> Type {
        match self {
            Self::Any => Type::Any,
            Self::Array(_) => Type::Array,
            Self::Boolean(_) => Type::Boolean,
            Self::Expression => Type::Expression,
            Self::Null => Type::Null,
            Self::Number(_) => Type::Number,
            Self::Object(_) | Self::Structure(..) => Type::Object,
            Self::String(_) => Type::String,
        }
    }

    /// A member of an object.
    pub(crate) fn member(&self, model: &'m Model<'a>, name: &str) -> Option<Self> {
        match self {
            Self::Object(entries) => entries.get(name).cloned(),
            Self::Structure(shape, outside) => {
                let place = shape
                    .members
                    .iter()
                    .position(|member| member.name == name)?;
                Some(member(model, shape, place, outside.as_ref()))
            }
            _ => None,
        }
    }

    /// The names of an object's members.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Object(entries) => entries.keys().map(String::as_str).collect(),
            Self::Structure(shape, _) => shape.members.iter().map(|member| member.name).collect(),
            _ => Vec::new(),
        }
    }

    /// The values of an object's members.
    pub(crate) fn values(&self, model: &'m Model<'a>) -> Vec<Self> {
        let names = self.names().into_iter();
        names.filter_map(|name| self.member(model, name)).collect()
    }

    /// Whether JMESPath takes it for true.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Any | Self::Number(_) | Self::Expression => true,
            Self::Array(elements) => !elements.is_empty(),
            Self::Boolean(value) => *value,
            Self::Null => false,
            Self::Object(entries) => !entries.is_empty(),
            Self::String(text) => !text.is_empty(),
            Self::Structure(shape, _) => !shape.members.is_empty(),
        }
    }

    /// A literal of an expression.
    pub(crate) fn literal(value: &jmespath::Variable) -> Self {
        use jmespath::Variable;
        match value {
            Variable::Null => Self::Null,
            Variable::String(text) => Self::String(text.as_str().into()),
            Variable::Bool(value) => Self::Boolean(*value),
            Variable::Number(number) => Self::Number(number.as_f64().unwrap_or(0.0)),
            Variable::Array(elements) => Self::Array(
                elements
                    .iter()
                    .map(|element| Self::literal(element))
                    .collect(),
            ),
            Variable::Object(entries) => {
                let entries = entries.iter();
                let entries = entries.map(|(key, value)| (key.clone(), Self::literal(value)));
                Self::Object(Rc::new(entries.collect()))
            }
            Variable::Expref(_) => Self::Expression,
        }
    }
}

fn member<'m, 'a>(
    model: &'m Model<'a>,
    shape: &'m Shape<'a>,
    place: usize,
    outside: Option<&Rc<Inside<'m, 'a>>>,
) -> Sample<'m, 'a> {
    let target = shape.members.get(place);
    let target = target.and_then(|member| model.shape(member.target));
    let Some(target) = target.filter(|_| !is_met(shape, place, outside)) else {
        return Sample::Any;
    };
    let inside = Inside {
        shape,
        met: place,
        outside: outside.cloned(),
    };
    Sample::inside(model, target, Some(Rc::new(inside)))
}

/// Whether a member has been met on the way.
fn is_met(shape: &Shape<'_>, place: usize, outside: Option<&Rc<Inside<'_, '_>>>) -> bool {
    let mut next = outside;
    while let Some(inside) = next {
        if inside.shape.id == shape.id && place <= inside.met {
            return true;
        }
        next = inside.outside.as_ref();
    }
    false
}

fn length(shape: &Shape<'_>) -> usize {
    let length = bounded(2.0, shape, "smithy.api#length").clamp(0.0, f64::from(MAX_LENGTH));
    let lengths = 0..MAX_LENGTH;
    lengths
        .take_while(|count| f64::from(*count) < length)
        .count()
}

fn number(shape: &Shape<'_>) -> f64 {
    bounded(8.0, shape, "smithy.api#range")
}

/// A number moved within the bounds of a trait: the maximum comes last.
fn bounded(number: f64, shape: &Shape<'_>, bounds: &str) -> f64 {
    let bound = |name| {
        let bounds = shape.find_trait(bounds)?;
        bounds
            .value
            .member(name)
            .and_then(|node: Node<'_>| node.as_f64())
    };
    let number = bound("min").map_or(number, |min: f64| number.max(min));
    bound("max").map_or(number, |max: f64| number.min(max))
}
