//! A lazily created sample value of a shape.
//!
//! The rules are those of Smithy's validator: every member is set. A list has two equal elements, a string two `a`s and
//! a number is 8, within the bounds of their constraint traits. A timestamp is 0, a boolean is true, and a document and
//! a recursive member are `Any`.
//!
//! Values are created on access and equal elements only once, so deeply nested and recursive shapes are cheap.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::runs::{Identity, Runs};
use crate::shapes::{Kind, Model, Node, Shape};

/// The maximum number of elements and characters in a sample. More of them don't change the events.
const MAX_LENGTH: u32 = 256;

/// A value, or a shape whose value is created on access.
#[derive(Clone, Debug)]
pub(crate) enum Sample<'m, 'a> {
    Any,
    Array(Runs<Self>),
    Boolean(bool),
    Expression,
    List(LazyShape<'m, 'a>),
    Map(LazyShape<'m, 'a>),
    Null,
    Number(f64),
    Object(Rc<BTreeMap<String, Self>>),
    String(Rc<str>),
    Structure(LazyShape<'m, 'a>),
}

/// A shape in place of its value, and the shapes around it.
#[derive(Clone, Debug)]
pub(crate) struct LazyShape<'m, 'a> {
    pub(crate) shape: &'m Shape<'a>,
    enclosing: Option<Rc<Enclosing<'m, 'a>>>,
}

/// A shape around a value, and the index of the member that contains the value.
#[derive(Debug)]
struct Enclosing<'m, 'a> {
    shape: &'m Shape<'a>,
    member: usize,
    enclosing: Option<Rc<Self>>,
}

/// The types of JMESPath, and two types for the validator.
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
    /// Returns the name of the type in JMESPath.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Any => "any value",
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
    /// Creates a sample of a shape; `Any` if the shape is unknown.
    pub(crate) fn of(shape: Option<&'m Shape<'a>>) -> Self {
        shape.map_or(Self::Any, |shape| Self::within(shape, None))
    }

    /// Creates an array.
    pub(crate) fn array(elements: impl IntoIterator<Item = Self>) -> Self {
        Self::Array(elements.into_iter().collect())
    }

    fn within(shape: &'m Shape<'a>, enclosing: Option<Rc<Enclosing<'m, 'a>>>) -> Self {
        match shape.kind {
            Kind::Blob => Self::String("blob".into()),
            Kind::Boolean => Self::Boolean(true),
            Kind::Document => Self::Any,
            Kind::Enum | Kind::String => Self::String("a".repeat(length(shape)).into()),
            Kind::List | Kind::Set => Self::List(LazyShape { shape, enclosing }),
            Kind::Map => Self::Map(LazyShape { shape, enclosing }),
            Kind::Structure | Kind::Union => Self::Structure(LazyShape { shape, enclosing }),
            Kind::Timestamp => Self::Number(0.0),
            Kind::Operation | Kind::Resource | Kind::Service => Self::Any,
            _ => Self::Number(number(shape)),
        }
    }

    /// Returns the type.
    pub(crate) const fn kind(&self) -> Type {
        match self {
            Self::Any => Type::Any,
            Self::Array(_) | Self::List(_) => Type::Array,
            Self::Boolean(_) => Type::Boolean,
            Self::Expression => Type::Expression,
            Self::Null => Type::Null,
            Self::Number(_) => Type::Number,
            Self::Map(_) | Self::Object(_) | Self::Structure(_) => Type::Object,
            Self::String(_) => Type::String,
        }
    }

    /// Returns the elements of an array.
    pub(crate) fn elements(&self, model: &'m Model<'a>) -> Option<Runs<Self>> {
        match self {
            Self::Array(elements) => Some(elements.clone()),
            Self::List(list) => {
                let element = list.member(model, 0);
                Some(Runs::of(element, length(list.shape)))
            }
            _ => None,
        }
    }

    /// Returns a member of an object.
    pub(crate) fn member(&self, model: &'m Model<'a>, name: &str) -> Option<Self> {
        match self {
            Self::Map(map) => {
                let place = name.strip_prefix(&*map.key(model))?;
                let mut places = 0..length(map.shape);
                let is_there = places.any(|known| known.to_string() == place);
                is_there.then(|| map.member(model, 1))
            }
            Self::Object(entries) => entries.get(name).cloned(),
            Self::Structure(structure) => {
                let mut members = structure.shape.members.iter();
                let place = members.position(|member| member.name == name)?;
                Some(structure.member(model, place))
            }
            _ => None,
        }
    }

    /// Returns the names of an object's members.
    pub(crate) fn names(&self, model: &'m Model<'a>) -> Vec<String> {
        match self {
            Self::Map(map) => {
                let key = map.key(model);
                let places = 0..length(map.shape);
                places.map(|place| format!("{key}{place}")).collect()
            }
            Self::Object(entries) => entries.keys().cloned().collect(),
            Self::Structure(structure) => {
                let members = structure.shape.members.iter();
                members.map(|member| member.name.to_owned()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the values of an object's members.
    pub(crate) fn values(&self, model: &'m Model<'a>) -> Runs<Self> {
        match self {
            Self::Map(map) => Runs::of(map.member(model, 1), length(map.shape)),
            Self::Object(entries) => entries.values().cloned().collect(),
            Self::Structure(structure) => {
                let places = 0..structure.shape.members.len();
                places.map(|place| structure.member(model, place)).collect()
            }
            _ => Runs::default(),
        }
    }

    /// Returns `true` if the value is truthy in JMESPath.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Self::Any | Self::Number(_) | Self::Expression => true,
            Self::Array(elements) => !elements.is_empty(),
            Self::Boolean(value) => *value,
            Self::List(of) | Self::Map(of) => length(of.shape) > 0,
            Self::Null => false,
            Self::Object(entries) => !entries.is_empty(),
            Self::String(text) => !text.is_empty(),
            Self::Structure(of) => !of.shape.members.is_empty(),
        }
    }

    /// Creates a sample from a literal.
    pub(crate) fn literal(value: &smithy_waiters::internal::jmespath::Variable) -> Self {
        use smithy_waiters::internal::jmespath::Variable;
        match value {
            Variable::Null => Self::Null,
            Variable::String(text) => Self::String(text.as_str().into()),
            Variable::Bool(value) => Self::Boolean(*value),
            Variable::Number(number) => Self::Number(number.as_f64().unwrap_or(0.0)),
            Variable::Array(elements) => {
                Self::array(elements.iter().map(|element| Self::literal(element)))
            }
            Variable::Object(entries) => {
                let entries = entries.iter();
                let entries = entries.map(|(key, value)| (key.clone(), Self::literal(value)));
                Self::Object(Rc::new(entries.collect()))
            }
            Variable::Expref(_) => Self::Expression,
        }
    }
}

impl Identity for Sample<'_, '_> {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, Self::Any)
            | (Self::Expression, Self::Expression)
            | (Self::Null, Self::Null) => true,
            (Self::Array(one), Self::Array(two)) => one.is_same(two),
            (Self::Boolean(one), Self::Boolean(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => one == two,
            (Self::Object(one), Self::Object(two)) => Rc::ptr_eq(one, two),
            (Self::String(one), Self::String(two)) => one == two,
            (Self::List(one), Self::List(two))
            | (Self::Map(one), Self::Map(two))
            | (Self::Structure(one), Self::Structure(two)) => one.is_same(two),
            _ => false,
        }
    }
}

impl<'m, 'a> LazyShape<'m, 'a> {
    /// Returns the value of a member by index. A recursive member is `Any`.
    fn member(&self, model: &'m Model<'a>, place: usize) -> Sample<'m, 'a> {
        let target = self.shape.members.get(place);
        let target = target.and_then(|member| model.shape(member.target));
        let Some(target) = target.filter(|_| !self.is_recursive(place)) else {
            return Sample::Any;
        };
        let within = Enclosing {
            shape: self.shape,
            member: place,
            enclosing: self.enclosing.clone(),
        };
        Sample::within(target, Some(Rc::new(within)))
    }

    /// Returns `true` if the same member or a later one of this shape already contains the value. Smithy ends the
    /// recursion here.
    fn is_recursive(&self, place: usize) -> bool {
        let mut next = self.enclosing.as_ref();
        while let Some(within) = next {
            if within.shape.id == self.shape.id && place <= within.member {
                return true;
            }
            next = within.enclosing.as_ref();
        }
        false
    }

    /// Returns the prefix of the keys of a map.
    fn key(&self, model: &'m Model<'a>) -> Rc<str> {
        match self.member(model, 0) {
            Sample::String(key) => key,
            _ => "a".into(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let is_enclosing_same = match (&self.enclosing, &other.enclosing) {
            (None, None) => true,
            (Some(one), Some(two)) => Rc::ptr_eq(one, two),
            _ => false,
        };
        is_enclosing_same && self.shape.id == other.shape.id
    }
}

fn length(shape: &Shape<'_>) -> usize {
    let length = clamp(2.0, shape, "smithy.api#length").clamp(0.0, f64::from(MAX_LENGTH));
    let lengths = 0..MAX_LENGTH;
    lengths
        .take_while(|count| f64::from(*count) < length)
        .count()
}

fn number(shape: &Shape<'_>) -> f64 {
    clamp(8.0, shape, "smithy.api#range")
}

/// Clamps a number to the bounds of a trait. The maximum is applied last.
fn clamp(number: f64, shape: &Shape<'_>, bounds: &str) -> f64 {
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
