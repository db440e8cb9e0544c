//! The types of values that JMESPath sees, from the shapes of a model.
//!
//! Clause: [JMESPath data model](https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::model::Model;
use crate::node::Node;
use crate::shape::{Kind, Member, Shape};

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Type<'m, 'a> {
    pub(super) form: Form<'m, 'a>,
    /// Whether it may be null.
    pub(super) nullable: bool,
}

/// What a value is when it is not null.
#[derive(Clone, Debug)]
pub(super) enum Form<'m, 'a> {
    /// Anything.
    Any,
    Array {
        element: Rc<Type<'m, 'a>>,
        /// Whether it may be empty.
        empty: bool,
    },
    /// True or false, known or not.
    Boolean(Option<bool>),
    Expression,
    Map(Rc<Type<'m, 'a>>),
    /// Nothing but null.
    Null,
    Number(Option<f64>),
    /// An object that the expression makes.
    Record(Rc<BTreeMap<String, Type<'m, 'a>>>),
    /// Any string, or one of a set.
    String(Option<Rc<[Rc<str>]>>),
    Structure(&'m Shape<'a>),
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
                    empty,
                },
                Self::Array {
                    element: two,
                    empty: other,
                },
            ) => one == two && empty == other,
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
    /// A value that is not null, unless it is nothing else.
    fn from(form: Form<'m, 'a>) -> Self {
        let nullable = matches!(form, Form::Any | Form::Null);
        Self { form, nullable }
    }
}

impl<'m, 'a> Type<'m, 'a> {
    /// The type of a shape.
    pub(super) fn of(model: &'m Model<'a>, shape: Option<&'m Shape<'a>>) -> Self {
        shape.map_or_else(|| Form::Any.into(), |shape| Form::of(model, shape).into())
    }

    /// The type of a member, which may be missing unless it is required.
    pub(super) fn of_member(model: &'m Model<'a>, member: &Member<'a>) -> Self {
        let value = Self::of(model, model.shape(member.target));
        value.or_null(!member.has_trait("smithy.api#required"))
    }

    /// Only null.
    pub(super) fn null() -> Self {
        Form::Null.into()
    }

    /// An array of what is given; nulls are not among it.
    pub(super) fn array_of(element: Self, empty: bool) -> Self {
        let empty = empty || element.nullable;
        let element = Rc::new(element.not_null());
        Form::Array { element, empty }.into()
    }

    /// A string of a set.
    pub(super) fn one_of(values: impl IntoIterator<Item = &'static str>) -> Self {
        Form::String(Some(values.into_iter().map(Rc::from).collect())).into()
    }

    /// The same, null as well if that is so.
    pub(super) fn or_null(mut self, nullable: bool) -> Self {
        self.nullable |= nullable;
        self
    }

    pub(super) fn not_null(mut self) -> Self {
        self.nullable = matches!(self.form, Form::Null);
        self
    }

    /// Whether JMESPath takes it for true, if that is known.
    pub(super) fn truth(&self) -> Option<bool> {
        let when_set = match &self.form {
            Form::Array { empty: false, .. } | Form::Number(_) | Form::Expression => Some(true),
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
        when_set.filter(|truth| !(self.nullable && *truth))
    }

    /// What is known of a value that is one or the other.
    pub(super) fn join(self, other: Self) -> Self {
        let nullable = self.nullable || other.nullable;
        let form = match (self.form, other.form) {
            (one, two) if one == two => one,
            (Form::Null, form) | (form, Form::Null) => form,
            (Form::Boolean(_), Form::Boolean(_)) => Form::Boolean(None),
            (Form::Number(_), Form::Number(_)) => Form::Number(None),
            (Form::String(Some(one)), Form::String(Some(two))) => {
                let more = two.iter().filter(|value| !one.contains(value));
                Form::String(Some(one.iter().chain(more).cloned().collect()))
            }
            (Form::String(_), Form::String(_)) => Form::String(None),
            (
                Form::Array {
                    element: one,
                    empty,
                },
                Form::Array {
                    element: two,
                    empty: other,
                },
            ) => Form::Array {
                element: Rc::new(one.as_ref().clone().join(two.as_ref().clone())),
                empty: empty || other,
            },
            _ => Form::Any,
        };
        Self { form, nullable }
    }

    /// What it is, for messages.
    pub(super) fn name(&self) -> &'static str {
        self.form.name()
    }
}

impl<'m, 'a> Form<'m, 'a> {
    fn of(model: &'m Model<'a>, shape: &'m Shape<'a>) -> Self {
        let target = |name: &str| {
            let member = shape.member(name);
            let target = member.and_then(|member| model.shape(member.target));
            let is_sparse = shape.has_trait("smithy.api#sparse");
            // A list of itself has an end only in its values.
            if target.is_some_and(|target| target.id == shape.id) {
                return Type::from(Self::Any);
            }
            Type::of(model, target).or_null(is_sparse)
        };
        match shape.kind {
            Kind::Blob => Self::String(None),
            Kind::Boolean => Self::Boolean(None),
            Kind::Enum | Kind::String => Self::String(values(shape)),
            Kind::List | Kind::Set => Self::Array {
                element: Rc::new(target("member")),
                empty: !has_an_element(shape),
            },
            Kind::Map => Self::Map(Rc::new(target("value"))),
            Kind::Structure | Kind::Union => Self::Structure(shape),
            Kind::Document | Kind::Operation | Kind::Resource | Kind::Service => Self::Any,
            _ => Self::Number(None),
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

/// The values of an enum, by its members or its trait.
fn values(shape: &Shape<'_>) -> Option<Rc<[Rc<str>]>> {
    let text = |node: Node<'_>| node.as_str().map(Rc::from);
    if shape.kind == Kind::Enum {
        let value = |member: &Member<'_>| {
            let said = member.find_trait("smithy.api#enumValue");
            said.map_or_else(|| Some(member.name.into()), |said| text(said.value))
        };
        return shape.members.iter().map(value).collect();
    }
    let definitions = shape.find_trait("smithy.api#enum")?.value.elements();
    definitions
        .iter()
        .map(|definition| text(definition.member("value")?))
        .collect()
}

fn has_an_element(shape: &Shape<'_>) -> bool {
    let length = shape.find_trait("smithy.api#length");
    let min = length.and_then(|length| length.value.member("min"));
    min.and_then(|min| min.as_f64())
        .is_some_and(|min| min >= 1.0)
}
