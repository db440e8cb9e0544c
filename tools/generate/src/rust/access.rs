//! Access to members in Rust: the names, types and optionality in a client's crate.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use smithy_waiters_model::{Kind, Member, Model, Shape};

use crate::ir::{self, Expression, Form, Op, Service};
use crate::names;

/// The types that the code works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// Structures generated from the model. Every member is optional, enums are strings, and numbers are doubles.
    Plain,
    /// The types of a crate that smithy-rs generates.
    Sdk,
}

/// The Rust type of a simple shape's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Blob,
    Bool,
    Double,
    Enum,
    Float,
    /// An integer with up to 32 bits.
    Int,
    Long,
    String,
    Timestamp,
    /// A document or an arbitrary-precision number.
    Other,
}

impl Types {
    /// Returns the type of a shape other than a structure, union, list or map.
    pub(super) fn scalar(self, shape: &Shape<'_>) -> Scalar {
        let is_enum = shape.kind == Kind::Enum || shape.has_trait("smithy.api#enum");
        match (self, shape.kind) {
            (_, Kind::Boolean) => Scalar::Bool,
            (Self::Sdk, _) if is_enum => Scalar::Enum,
            (_, Kind::String | Kind::Enum) => Scalar::String,
            (Self::Plain, Kind::Blob) => Scalar::String,
            (Self::Plain, Kind::Document) => Scalar::Other,
            (Self::Plain, _) => Scalar::Double,
            (_, Kind::Blob) => Scalar::Blob,
            (_, Kind::Byte | Kind::Short | Kind::Integer | Kind::IntEnum) => Scalar::Int,
            (_, Kind::Long) => Scalar::Long,
            (_, Kind::Float) => Scalar::Float,
            (_, Kind::Double) => Scalar::Double,
            (_, Kind::Timestamp) => Scalar::Timestamp,
            _ => Scalar::Other,
        }
    }

    /// Returns `true` if a member's field is an `Option`.
    ///
    /// In an SDK, a `@required` member or a member with a default is not optional, unless it is a structure or a union.
    /// Members of an operation's input are always optional.
    pub(super) fn is_optional(
        self,
        model: &Model<'_>,
        of: &Shape<'_>,
        member: &Member<'_>,
    ) -> bool {
        if self == Self::Plain || of.kind == Kind::Union {
            return true;
        }
        let target = model.shape(member.target).map(|target| target.kind);
        let is_whole = matches!(target, Some(Kind::Structure | Kind::Union));
        let is_loose = of.has_trait("smithy.api#input")
            || member.has_trait("smithy.api#clientOptional")
            || member.has_trait("smithy.api#addedDefault");
        let default = member.find_trait("smithy.api#default");
        let has_default = default.is_some_and(|default| default.value.kind() != "null");
        is_whole || is_loose || !(member.has_trait("smithy.api#required") || has_default)
    }
}

/// Returns the name of a member's field and of its setter in a fluent builder.
pub(super) fn member(name: &str) -> Ident {
    /// The methods of the SDKs' builders that don't set members.
    const RESERVED: [&str; 8] = [
        "build",
        "builder",
        "customize",
        "default",
        "make_operation",
        "meta",
        "presigned",
        "send",
    ];
    let name = names::snake(name);
    if RESERVED.contains(&&*name) {
        return ident(&format!("{name}_value"));
    }
    ident(&name)
}

/// Returns an identifier, raw if it is a keyword.
pub(super) fn ident(name: &str) -> Ident {
    // These keywords cannot be raw identifiers.
    match name {
        "self" | "super" | "crate" | "_" => {
            return Ident::new(&format!("{name}_"), Span::call_site());
        }
        "Self" => return Ident::new("SelfValue", Span::call_site()),
        _ => {}
    }
    let first = name.chars().next();
    let name = if first.is_none_or(|first| first.is_ascii_digit()) {
        format!("n{name}")
    } else {
        name.to_owned()
    };
    // A keyword since the edition 2024. The raw identifier is valid in all editions.
    let is_later = name == "gen";
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) if !is_later => ident,
        _ => Ident::new_raw(&name, Span::call_site()),
    }
}

/// Returns the name of a shape's type.
pub(super) fn type_name(shape: &str) -> Ident {
    ident(&names::pascal(shape))
}

/// Returns the name of an operation's builder or error. The SDKs keep the model's capitals here: `ListMFADevicesError`,
/// but `ListMfaDevicesOutput`.
pub(super) fn operation_type(operation: &str, kind: &str) -> Ident {
    ident(&format!("{}{kind}", names::capital(operation)))
}

/// Returns the parameter type of a fluent builder's setter.
pub(super) fn parameter(
    service: &Service<'_>,
    client: &TokenStream,
    shape: &Shape<'_>,
) -> Option<TokenStream> {
    let name = type_name(service.name_of(shape));
    Some(match shape.kind {
        Kind::Structure | Kind::Union => quote!(#client::types::#name),
        Kind::List | Kind::Set => {
            let element = element(service.model, shape)?;
            let element = parameter(service, client, element)?;
            quote!(Vec<#element>)
        }
        Kind::Map => {
            let value = parameter(service, client, element(service.model, shape)?)?;
            quote!(::std::collections::HashMap<String, #value>)
        }
        _ => match Types::Sdk.scalar(shape) {
            Scalar::Blob => quote!(#client::primitives::Blob),
            Scalar::Bool => quote!(bool),
            Scalar::Double => quote!(f64),
            Scalar::Enum => quote!(#client::types::#name),
            Scalar::Float => quote!(f32),
            Scalar::Int => match shape.kind {
                Kind::Byte => quote!(i8),
                Kind::Short => quote!(i16),
                _ => quote!(i32),
            },
            Scalar::Long => quote!(i64),
            Scalar::String => quote!(String),
            Scalar::Timestamp => quote!(#client::primitives::DateTime),
            Scalar::Other => return None,
        },
    })
}

/// Returns the structure and its member that an expression accesses.
pub(super) fn member_access<'m>(
    expression: &Expression<'m>,
) -> Option<(&'m Shape<'m>, &'m Member<'m>)> {
    let Op::Member(of, name) = &expression.op else {
        return None;
    };
    let Form::Structure(shape) = &of.gives.form else {
        return None;
    };
    Some((shape, shape.member(name)?))
}

/// Returns the shape of a list's elements or a map's values.
pub(super) fn element<'m>(model: &'m Model<'m>, shape: &Shape<'_>) -> Option<&'m Shape<'m>> {
    model.shape(ir::element(shape)?.target)
}
