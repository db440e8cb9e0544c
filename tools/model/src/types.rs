//! The types of JMESPath values, derived from the shapes of a model.
//!
//! Clause: [JMESPath data model](https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model).

mod join;
mod numbers;

use crate::shapes::{Kind, Member, Model, Node, Shape, Trait};
use std::collections::BTreeMap;
use std::rc::Rc;

pub use numbers::Numbers;

const LENGTH: &str = "smithy.api#length";
const RANGE: &str = "smithy.api#range";

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Type<'m, 'a> {
    /// The type of the value if it is not null.
    pub form: Form<'m, 'a>,
    /// `true` if the value can be null.
    pub nullable: bool,
}

/// The type of a value that is not null.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a generator that does not handle a form must not compile"
)]
pub enum Form<'m, 'a> {
    /// Any value.
    Any,
    /// A list.
    Array {
        /// The type of the elements; see [`Type::element`].
        element: Element<'m, 'a>,
        /// The possible lengths.
        length: Numbers,
    },
    /// A boolean. The value is `Some` if only one value is possible.
    Boolean(Option<bool>),
    /// An expression reference, which is an argument of a function.
    Expression,
    /// A map with string keys; see [`Type::element`].
    Map(Element<'m, 'a>),
    /// Only null.
    Null,
    /// A number.
    Number(Numbers),
    /// An object that the expression creates.
    Record(Rc<BTreeMap<String, Type<'m, 'a>>>),
    /// A string. The values are `Some` if they are known.
    String(Option<Rc<[Rc<str>]>>),
    /// A structure or a union of the model.
    Structure(&'m Shape<'a>),
}

/// The type of the elements of an array or the values of a map. For a shape it is resolved on demand, because shapes
/// can be recursive.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Element<'m, 'a> {
    /// A type created by an expression.
    Type(Rc<Type<'m, 'a>>),
    /// A list or map shape of the model.
    Shape(&'m Shape<'a>),
}

impl PartialEq for Element<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Type(one), Self::Type(two)) => one == two,
            (Self::Shape(one), Self::Shape(two)) => one.id == two.id,
            _ => false,
        }
    }
}

impl<'m, 'a> From<Type<'m, 'a>> for Element<'m, 'a> {
    fn from(value: Type<'m, 'a>) -> Self {
        Self::Type(Rc::new(value))
    }
}

impl<'m, 'a> Element<'m, 'a> {
    /// Returns the type of a map's keys.
    pub(crate) fn key(&self, model: &'m Model<'a>) -> Type<'m, 'a> {
        let key = match self {
            Self::Shape(shape) => shape.member("key"),
            Self::Type(_) => None,
        };
        let known = key.map(|key| Type::of_target(model, key));
        known.unwrap_or_else(|| Form::String(None).into())
    }

    /// Returns the type of the elements or values.
    pub(crate) fn get(&self, model: &'m Model<'a>) -> Type<'m, 'a> {
        match self {
            Self::Type(value) => value.as_ref().clone(),
            Self::Shape(shape) => {
                let name = if shape.kind == Kind::Map {
                    "value"
                } else {
                    "member"
                };
                let is_sparse = shape.has_trait("smithy.api#sparse");
                let member = shape.member(name);
                let known = member.map(|member| Type::of_target(model, member));
                let known = known.unwrap_or_else(|| Form::Any.into());
                known.or_null(is_sparse)
            }
        }
    }
}

impl PartialEq for Form<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, Self::Any)
            | (Self::Expression, Self::Expression)
            | (Self::Null, Self::Null) => true,
            (
                Self::Array {
                    element: one,
                    length,
                },
                Self::Array {
                    element: two,
                    length: other,
                },
            ) => one == two && length == other,
            (Self::Boolean(one), Self::Boolean(two)) => one == two,
            (Self::Map(one), Self::Map(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => one == two,
            (Self::Record(one), Self::Record(two)) => one == two,
            (Self::String(one), Self::String(two)) => one == two,
            (Self::Structure(one), Self::Structure(two)) => one.id == two.id,
            _ => false,
        }
    }
}

impl<'m, 'a> From<Form<'m, 'a>> for Type<'m, 'a> {
    /// Creates a type that is nullable only for `Any` and `Null`.
    fn from(form: Form<'m, 'a>) -> Self {
        let nullable = matches!(form, Form::Any | Form::Null);
        Self { form, nullable }
    }
}

impl<'m, 'a> Type<'m, 'a> {
    pub(crate) fn of(shape: Option<&'m Shape<'a>>) -> Self {
        shape.map_or_else(|| Form::Any.into(), |shape| Form::of(shape).into())
    }

    /// Returns the type of a member. It is nullable unless the member is required.
    pub(crate) fn of_member(model: &'m Model<'a>, member: &Member<'a>) -> Self {
        Self::of_target(model, member).or_null(!member.has_trait("smithy.api#required"))
    }

    /// Returns the type of a member's target, narrowed by the constraint traits of the member.
    fn of_target(model: &'m Model<'a>, member: &Member<'a>) -> Self {
        let mut value = Self::of(model.shape(member.target));
        match &mut value.form {
            Form::Array { length, .. } => *length = clamp(length, &member.traits, LENGTH),
            Form::Number(numbers) => *numbers = clamp(numbers, &member.traits, RANGE),
            _ => {}
        }
        value
    }

    pub(crate) fn null() -> Self {
        Form::Null.into()
    }

    /// Returns the type of an array without its null elements, as projections create it.
    pub(crate) fn array_of(element: Self, length: &Numbers) -> Self {
        let length = if element.nullable {
            length.or_fewer()
        } else {
            length.clone()
        };
        let element = element.not_null().into();
        Form::Array { element, length }.into()
    }

    /// Returns the type of a string from a set.
    pub(crate) fn one_of(values: impl IntoIterator<Item = &'static str>) -> Self {
        Form::String(Some(values.into_iter().map(Rc::from).collect())).into()
    }

    /// Returns the possible strings, if they are known.
    pub(crate) fn strings(&self) -> Option<&[Rc<str>]> {
        match &self.form {
            Form::String(Some(values)) => Some(values),
            _ => None,
        }
    }

    /// Returns the only possible string, if there is exactly one.
    pub(crate) fn only_string(&self) -> Option<&str> {
        match self.strings()? {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the type, made nullable if `nullable` is `true`.
    pub(crate) fn or_null(mut self, nullable: bool) -> Self {
        self.nullable |= nullable;
        self
    }

    /// Returns the type of the elements of an array or the values of a map. It is [`Form::Any`] for other types.
    #[must_use]
    pub fn element(&self, model: &'m Model<'a>) -> Self {
        match &self.form {
            Form::Array { element, .. } | Form::Map(element) => element.get(model),
            _ => Form::Any.into(),
        }
    }

    pub(crate) fn not_null(mut self) -> Self {
        self.nullable = matches!(self.form, Form::Null);
        self
    }

    /// Returns the truth value in JMESPath, if it is the same for all possible values.
    pub(crate) fn truth(&self) -> Option<bool> {
        let when_set = match &self.form {
            Form::Array { length, .. } if !length.has(0.0) => Some(true),
            Form::Number(_) | Form::Expression => Some(true),
            Form::Boolean(value) => *value,
            Form::Null => return Some(false),
            Form::Record(members) => Some(!members.is_empty()),
            Form::String(Some(values)) if values.iter().all(|value| value.is_empty()) => {
                Some(false)
            }
            Form::String(Some(values)) if values.iter().all(|value| !value.is_empty()) => {
                Some(true)
            }
            _ => None,
        };
        // Null is false, so that a value that may be null is never certainly true.
        when_set.filter(|truth| !(self.nullable && *truth))
    }

    /// Returns the type restricted to truthy values.
    pub(crate) fn truthy(self) -> Self {
        let form = match self.form {
            Form::Boolean(_) => Form::Boolean(Some(true)),
            Form::String(Some(values)) => strings(&values, |value| !value.is_empty()),
            form => form,
        };
        Self::from(form).not_null()
    }

    /// Returns the type restricted to falsy values.
    pub(crate) fn falsy(self) -> Self {
        let nullable = self.nullable;
        let set = self.not_null();
        if set.truth() == Some(true) {
            return Self::null();
        }
        let form = match set.form {
            Form::Boolean(_) => Form::Boolean(Some(false)),
            Form::String(Some(values)) => strings(&values, str::is_empty),
            form => form,
        };
        Self::from(form).or_null(nullable)
    }

    /// Returns the name of the type for messages.
    pub(crate) fn name(&self) -> &'static str {
        self.form.name()
    }
}

impl<'m, 'a> Form<'m, 'a> {
    fn of(shape: &'m Shape<'a>) -> Self {
        match shape.kind {
            Kind::Blob => Self::String(None),
            Kind::Boolean => Self::Boolean(None),
            Kind::Enum | Kind::String => Self::String(values(shape)),
            Kind::IntEnum => Self::Number(numbers::of_enum(shape)),
            Kind::List | Kind::Set => Self::Array {
                element: Element::Shape(shape),
                length: clamp(&Numbers::COUNTS, &shape.traits, LENGTH),
            },
            Kind::Map => Self::Map(Element::Shape(shape)),
            Kind::Structure | Kind::Union => Self::Structure(shape),
            Kind::Document | Kind::Operation | Kind::Resource | Kind::Service => Self::Any,
            kind => Self::Number(clamp(&Numbers::of(kind), &shape.traits, RANGE)),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Array { .. } => "an array",
            Self::Boolean(_) => "a boolean",
            Self::Expression => "an expression",
            Self::Map(_) | Self::Record(_) | Self::Structure(_) => "an object",
            Self::Null => "null",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
        }
    }
}

/// Returns the strings that satisfy a predicate.
fn strings<'m, 'a>(values: &[Rc<str>], predicate: impl Fn(&str) -> bool) -> Form<'m, 'a> {
    let matching = values.iter().filter(|value| predicate(value));
    Form::String(Some(matching.cloned().collect()))
}

/// Returns the values of an enum, from its members or from the trait `enum`.
pub(crate) fn values(shape: &Shape<'_>) -> Option<Rc<[Rc<str>]>> {
    let text = |node: Node<'_>| node.as_str().map(Rc::from);
    if shape.kind == Kind::Enum {
        let value = |member: &Member<'_>| {
            let applied = member.find_trait("smithy.api#enumValue");
            applied.map_or_else(|| Some(member.name.into()), |applied| text(applied.value))
        };
        return shape.members.iter().map(value).collect();
    }
    let definitions = shape.find_trait("smithy.api#enum")?.value.elements();
    definitions
        .iter()
        .map(|definition| text(definition.member("value")?))
        .collect()
}

/// Restricts numbers to the bounds of a constraint trait.
fn clamp(numbers: &Numbers, traits: &[Trait<'_>], id: &str) -> Numbers {
    let bound = |name| bound(traits, id, name);
    numbers.clamp(bound("min"), bound("max"))
}

fn bound(traits: &[Trait<'_>], id: &str, name: &str) -> Option<f64> {
    let bounds = traits.iter().find(|applied| applied.id == id)?;
    bounds.value.member(name)?.as_f64()
}
