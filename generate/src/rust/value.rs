//! What an expression has become in Rust.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use smithy_waiters_model::{Kind, Shape};

use super::access::{Scalar, Types};
use super::code::Code;

/// A value: the code that gives it, what it is there, and whether it is an `Option` of it.
#[derive(Clone, Debug)]
pub(super) struct Value<'m> {
    pub(super) code: Code,
    pub(super) rep: Rep<'m>,
    pub(super) optional: bool,
    /// How it is written where null ends the matcher, if better than with a `?` behind it.
    ended: Option<Code>,
}

/// What a value is in Rust when it is there.
#[derive(Clone, Debug)]
pub(super) enum Rep<'m> {
    /// `bool`
    Bool,
    /// An iterator, or a vector, of what is not null.
    Items(Rc<Self>, Container),
    /// A reference to a list of the client's.
    List(&'m Shape<'m>),
    /// A reference to a map of the client's.
    Map(&'m Shape<'m>),
    /// Nothing.
    Null,
    /// `f64`
    Number,
    /// Several values by name, which are none in Rust: the input and the output.
    Record(Rc<BTreeMap<String, Value<'m>>>),
    /// An array that a path makes, `[T; 2]`, or of `Option<T>`.
    Row {
        /// `T`, which is copied.
        item: Rc<Self>,
        /// Whether items may be null.
        nullable: bool,
    },
    /// `&str`
    String,
    /// A reference to a structure or a union.
    Structure(&'m Shape<'m>),
}

/// How items are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Iterator,
    Vector,
}

impl<'m> Value<'m> {
    pub(super) const fn new(code: Code, rep: Rep<'m>) -> Self {
        Self {
            code,
            rep,
            optional: false,
            ended: None,
        }
    }

    pub(super) const fn optional(code: Code, rep: Rep<'m>) -> Self {
        Self {
            code,
            rep,
            optional: true,
            ended: None,
        }
    }

    pub(super) fn or_end_with(mut self, ended: Code) -> Self {
        self.ended = Some(ended);
        self
    }

    /// The same value, by other code.
    pub(super) fn by(&self, code: Code) -> Self {
        Self {
            code,
            ended: None,
            ..self.clone()
        }
    }

    pub(super) fn null() -> Self {
        Self::optional(Code::atom(quote!(None)), Rep::Null)
    }

    /// The same where null ends the matcher: it is as good as an error there.
    pub(super) fn strict(self) -> Self {
        if !self.optional {
            return self;
        }
        let code = self.ended.unwrap_or_else(|| self.code.then(&quote!(?)));
        Self::new(code, self.rep)
    }

    /// What the items are, where it is of items.
    pub(super) fn item(&self) -> Option<&Rep<'m>> {
        match &self.rep {
            Rep::Items(item, _) => Some(item),
            _ => None,
        }
    }

    /// The code as an `Option`.
    pub(super) fn as_option(&self) -> Code {
        if self.optional {
            return self.code.clone();
        }
        let code = &self.code;
        Code::atom(quote!(Some(#code)))
    }
}

impl<'m> Rep<'m> {
    /// What a shape's values are; nothing where Rust has nothing for them that the generator knows.
    pub(super) fn of(types: Types, shape: &'m Shape<'m>) -> Option<Self> {
        Some(match shape.kind {
            Kind::Structure | Kind::Union => Self::Structure(shape),
            Kind::List | Kind::Set => Self::List(shape),
            Kind::Map => Self::Map(shape),
            _ => match types.scalar(shape) {
                Scalar::Bool => Self::Bool,
                Scalar::Enum | Scalar::String => Self::String,
                Scalar::Blob | Scalar::Other => return None,
                Scalar::Double | Scalar::Float | Scalar::Int | Scalar::Long | Scalar::Timestamp => {
                    Self::Number
                }
            },
        })
    }

    /// Whether two values can be compared, or stand for each other.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Structure(one), Self::Structure(two))
            | (Self::List(one), Self::List(two))
            | (Self::Map(one), Self::Map(two)) => one.id == two.id,
            (Self::Items(one, _), Self::Items(two, _)) => one.is_like(two),
            (Self::Bool, Self::Bool)
            | (Self::Number, Self::Number)
            | (Self::Null, Self::Null)
            | (Self::String, Self::String) => true,
            _ => false,
        }
    }

    /// Whether it is an array that may have nulls.
    pub(super) fn has_nulls(&self) -> bool {
        match self {
            Self::List(shape) => shape.has_trait("smithy.api#sparse"),
            Self::Row { nullable, .. } => *nullable,
            _ => false,
        }
    }

    /// Whether it is copied where it is read twice.
    pub(super) const fn is_copied(&self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::List(_)
                | Self::Map(_)
                | Self::Number
                | Self::String
                | Self::Structure(_)
        )
    }

    /// Whether a value is copied, not referred to.
    pub(super) const fn is_scalar(&self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }
}

/// From a reference that the client's types give to the value: for what is borrowed, `&T`.
pub(super) fn from_reference(scalar: Scalar, reference: &Code) -> Code {
    let text = |rest: TokenStream| reference.then(&rest);
    match scalar {
        Scalar::Enum | Scalar::String => text(quote!(.as_str())),
        Scalar::Timestamp => text(quote!(.as_secs_f64())),
        scalar => from_copy(
            scalar,
            &Code::new(super::code::Level::Prefix, quote!(*#reference)),
        ),
    }
}

/// From a number or boolean of the client's.
pub(super) fn from_copy(scalar: Scalar, value: &Code) -> Code {
    match scalar {
        Scalar::Int | Scalar::Float => Code::atom(quote!(f64::from(#value))),
        Scalar::Long => {
            let value = value.at(super::code::Level::Cast);
            Code::new(super::code::Level::Cast, quote!(#value as f64))
        }
        _ => value.clone(),
    }
}
