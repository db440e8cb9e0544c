//! How generated Rust reaches members: the names, types and optionality that a client's crate gives them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use smithy_waiters_model::{Kind, Member, Model, Shape};

use crate::ir::{Expression, Form, Op, Service};
use crate::names;

/// Whose types the code works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// Those that the generator makes of the model: every member may be missing, enums are strings, numbers doubles.
    Plain,
    /// Those of a crate by smithy-rs.
    Sdk,
}

/// What a value of a shape is in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Blob,
    Bool,
    Double,
    Enum,
    Float,
    /// Up to 32 bits.
    Int,
    Long,
    String,
    Timestamp,
    /// Documents and numbers of any size.
    Other,
}

impl Types {
    /// What a shape is, where it is neither structure nor list nor map.
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

    /// Whether a member's field is an `Option`.
    ///
    /// In an SDK a member is there that is `@required`, or has a default, unless it is a structure or a union; an operation's
    /// input has options only.
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

/// The field of a member, and the method of a fluent builder that sets it.
pub(super) fn member(name: &str) -> Ident {
    /// What SDKs have of their own beside members.
    const TAKEN: [&str; 8] = [
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
    if TAKEN.contains(&&*name) {
        return ident(&format!("{name}_value"));
    }
    ident(&name)
}

/// An identifier, raw where it is a keyword.
pub(super) fn ident(name: &str) -> Ident {
    // These are never raw.
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
    // Of later editions, and legal in those before.
    let is_later = name == "gen";
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) if !is_later => ident,
        _ => Ident::new_raw(&name, Span::call_site()),
    }
}

/// The name of a shape's type.
pub(super) fn type_name(shape: &str) -> Ident {
    ident(&names::pascal(shape))
}

/// The name of an operation's builder or error, which the SDKs leave as the model has it: `ListMFADevicesError`, beside
/// `ListMfaDevicesOutput`.
pub(super) fn operation_type(operation: &str, kind: &str) -> Ident {
    ident(&format!("{}{kind}", names::capital(operation)))
}

/// The type of a value, as a setter of a fluent builder takes it.
pub(super) fn parameter(
    service: &Service<'_>,
    client: &TokenStream,
    shape: &Shape<'_>,
) -> Option<TokenStream> {
    let name = type_name(service.name_of(shape));
    Some(match shape.kind {
        Kind::Structure | Kind::Union => quote!(#client::types::#name),
        Kind::List | Kind::Set => {
            let element = element(service.model, shape, "member")?;
            let element = parameter(service, client, element)?;
            quote!(Vec<#element>)
        }
        Kind::Map => {
            let value = parameter(service, client, element(service.model, shape, "value")?)?;
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

/// The member of a structure that an expression reads itself, and the structure.
pub(super) fn read<'m>(expression: &Expression<'m>) -> Option<(&'m Shape<'m>, &'m Member<'m>)> {
    let Op::Member(of, name) = &expression.op else {
        return None;
    };
    let Form::Structure(shape) = &of.gives.form else {
        return None;
    };
    Some((shape, shape.member(name)?))
}

/// The shape of a list's elements or a map's values.
pub(super) fn element<'m>(
    model: &'m Model<'m>,
    shape: &Shape<'_>,
    name: &str,
) -> Option<&'m Shape<'m>> {
    model.shape(shape.member(name)?.target)
}
