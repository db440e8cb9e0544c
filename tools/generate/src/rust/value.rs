//! Values of expressions in Rust.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use smithy_waiters_model::{Kind, Shape};

use super::access::{Scalar, Types};
use super::code::Code;

/// A value: its code, its type, and whether the code is an `Option` of that type.
#[derive(Clone, Debug)]
pub(super) struct Value<'m> {
    pub(super) code: Code,
    pub(super) rep: Rep<'m>,
    pub(super) optional: bool,
    /// The strict code, if it is shorter than the code with a `?` appended.
    strict: Option<Code>,
}

/// The Rust type of a value that is not null.
#[derive(Clone, Debug)]
pub(super) enum Rep<'m> {
    /// `bool`
    Bool,
    /// An iterator over items, or a vector of items, that are not null.
    Items(Rc<Self>, Container),
    /// A reference to a list of the client.
    List(&'m Shape<'m>),
    /// A reference to a map of the client.
    Map(&'m Shape<'m>),
    /// Null, which has no type.
    Null,
    /// `f64`
    Number,
    /// The object with the input and the output. It exists only in parts, without a Rust value.
    Record(Rc<BTreeMap<String, Value<'m>>>),
    /// A multiselect list: `[T; N]`, or `[Option<T>; N]`.
    Row {
        /// The type `T`, which is `Copy`.
        item: Rc<Self>,
        /// `true` if items may be null.
        nullable: bool,
    },
    /// `&str`
    String,
    /// A reference to a structure or a union.
    Structure(&'m Shape<'m>),
}

/// The container of items.
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
            strict: None,
        }
    }

    pub(super) const fn optional(code: Code, rep: Rep<'m>) -> Self {
        Self {
            code,
            rep,
            optional: true,
            strict: None,
        }
    }

    pub(super) fn with_strict(mut self, strict: Code) -> Self {
        self.strict = Some(strict);
        self
    }

    /// Returns the value with other code.
    pub(super) fn with_code(&self, code: Code) -> Self {
        Self {
            code,
            strict: None,
            ..self.clone()
        }
    }

    pub(super) fn null() -> Self {
        Self::optional(Code::atom(quote!(None)), Rep::Null)
    }

    /// Returns the strict value, whose null ends the matcher.
    pub(super) fn strict(self) -> Self {
        if !self.optional {
            return self;
        }
        let code = self.strict.unwrap_or_else(|| self.code.then(&quote!(?)));
        Self::new(code, self.rep)
    }

    /// Returns the type of the items.
    pub(super) fn item(&self) -> Option<&Rep<'m>> {
        match &self.rep {
            Rep::Items(item, _) => Some(item),
            _ => None,
        }
    }

    /// Returns the code as an `Option`.
    pub(super) fn as_option(&self) -> Code {
        if self.optional {
            return self.code.clone();
        }
        let code = &self.code;
        Code::atom(quote!(Some(#code)))
    }
}

impl<'m> Rep<'m> {
    /// Returns the Rust type of a shape's values, or `None` for an unsupported shape.
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

    /// Returns `true` if values of both types can be compared and one can replace the other.
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

    /// Returns `true` for an array that may contain nulls.
    pub(super) fn has_nulls(&self) -> bool {
        match self {
            Self::List(shape) => shape.has_trait("smithy.api#sparse"),
            Self::Row { nullable, .. } => *nullable,
            _ => false,
        }
    }

    /// Returns `true` if the value can be used twice, because it is `Copy`.
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

    /// Returns `true` for booleans, numbers and strings.
    pub(super) const fn is_scalar(&self) -> bool {
        matches!(self, Self::Bool | Self::Number | Self::String)
    }
}

/// Converts a reference to a value of the client. A value without a conversion stays a reference.
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

/// Converts a number or boolean of the client.
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
