//! Matchers without a client, over plain structures with the members that the paths read.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{Kind, Member, Shape};

use super::access::{self, Scalar, Types};
use super::code;
use super::matcher::Matchers;
use super::member::Reader;
use super::names::{NamedWaiter, Names};
use crate::error::{GenerateError, collect_results};
use crate::ir::{Expression, Matcher, Service};
use crate::names::Scope;

/// The structures by id, with the members that paths read.
type ReadMembers<'m> = BTreeMap<&'m str, (&'m Shape<'m>, BTreeSet<&'m str>)>;

/// Returns the structures and the matchers of a service.
pub(super) fn tokens(service: &Service<'_>) -> Result<TokenStream, GenerateError> {
    let mut used = ReadMembers::new();
    let named = Names::of(service)?.waiters;
    for named in &named {
        let NamedWaiter {
            operation, waiter, ..
        } = named;
        let sides = [operation.input, operation.output];
        for shape in sides.into_iter().flatten() {
            used.entry(shape.id).or_insert((shape, BTreeSet::new()));
        }
        for acceptor in &waiter.acceptors {
            if let Matcher::Path(path) = &acceptor.matcher {
                collect(&path.expression, &mut used);
            }
            if let Some(message) = &acceptor.message {
                collect(&message.expression, &mut used);
            }
        }
    }
    let functions = named
        .iter()
        .map(|named| matchers(service, named).functions());
    let functions = collect_results(functions)?;
    add_targets(service, &mut used);
    let mut scope = Scope::new("Rust", []);
    let mut structures = Vec::new();
    for (shape, members) in used.values() {
        let of = format!("the shape `{}`", shape.id);
        scope.take(&type_name(service, shape).to_string(), "_", &of)?;
        structures.push(structure(service, shape, members)?);
    }
    let functions = quote!(#(#functions)*);
    let imports = [
        (
            "engine",
            quote!(
                use ::smithy_waiters as engine;
            ),
        ),
        (
            "types",
            quote!(
                use super::types;
            ),
        ),
    ];
    let imports = code::imports_of(&functions, &imports);
    Ok(quote! {
        /// The structures that the paths read.
        pub mod types {
            #(#structures)*
        }
        /// The matchers of the waiters, compiled from the paths of the model.
        pub mod matchers {
            #imports
            #functions
        }
    })
}

fn matchers<'s, 'm>(service: &'s Service<'m>, named: &'s NamedWaiter<'s, 'm>) -> Matchers<'s, 'm> {
    let side = |shape: Option<&Shape<'_>>| match shape {
        Some(shape) => {
            let name = type_name(service, shape);
            quote!(types::#name)
        }
        None => quote!(()),
    };
    Matchers {
        service,
        reader: Reader {
            model: service.model,
            types: Types::Plain,
        },
        named,
        input: side(named.operation.input),
        output: side(named.operation.output),
    }
}

/// Returns the name of a structure's type, which must not hide the types of its fields.
fn type_name(service: &Service<'_>, shape: &Shape<'_>) -> Ident {
    let name = access::type_name(service.name_of(shape));
    match &*name.to_string() {
        "Box" | "Option" | "String" | "Vec" => format_ident!("{name}Shape"),
        _ => name,
    }
}

fn collect<'m>(expression: &Expression<'m>, used: &mut ReadMembers<'m>) {
    if let Some((shape, member)) = access::member_access(expression) {
        let entry = used.entry(shape.id).or_insert((shape, BTreeSet::new()));
        entry.1.insert(member.name);
    }
    for child in expression.children() {
        collect(child, used);
    }
}

/// Adds the structures that the members refer to.
fn add_targets<'m>(service: &Service<'m>, used: &mut ReadMembers<'m>) {
    let mut pending: Vec<&Shape<'_>> = Vec::new();
    for (shape, members) in used.values() {
        let members = members.iter().filter_map(|name| shape.member(name));
        pending.extend(members.filter_map(|member| service.model.shape(member.target)));
    }
    while let Some(shape) = pending.pop() {
        match shape.kind {
            Kind::Structure | Kind::Union => {
                used.entry(shape.id).or_insert((shape, BTreeSet::new()));
            }
            Kind::List | Kind::Set | Kind::Map => {
                pending.extend(access::element(service.model, shape));
            }
            _ => {}
        }
    }
}

fn structure(
    service: &Service<'_>,
    shape: &Shape<'_>,
    used: &BTreeSet<&str>,
) -> Result<TokenStream, GenerateError> {
    let name = type_name(service, shape);
    let about = format!(
        " The members of `{}` that the paths read.",
        service.name_of(shape)
    );
    let mut scope = Scope::new("Rust", []);
    let mut fields = Vec::new();
    for member in shape
        .members
        .iter()
        .filter(|member| used.contains(member.name))
    {
        let of = format!("the member `{}`", member.name);
        scope.take(&access::member(member.name).to_string(), "_", &of)?;
        fields.extend(field(service, shape, member));
    }
    Ok(quote! {
        #[doc = #about]
        #[derive(Clone, Debug, Default, serde::Deserialize)]
        pub struct #name { #(#fields)* }
    })
}

fn field(service: &Service<'_>, shape: &Shape<'_>, member: &Member<'_>) -> Option<TokenStream> {
    let name = access::member(member.name);
    let (modeled, about) = (member.name, format!(" The member `{}`.", member.name));
    let target = service.model.shape(member.target)?;
    let of = field_type(service, shape, target)?;
    let of = if matches!(target.kind, Kind::Structure | Kind::Union) {
        // The structure may contain itself, which requires a `Box`.
        quote!(Box<#of>)
    } else {
        of
    };
    Some(quote! {
        #[doc = #about]
        #[serde(rename = #modeled)]
        pub #name: Option<#of>,
    })
}

/// Returns the type of a shape's values for a field of the structure `within`.
fn field_type(service: &Service<'_>, within: &Shape<'_>, shape: &Shape<'_>) -> Option<TokenStream> {
    let element = || {
        let element = access::element(service.model, shape)?;
        let element = field_type(service, within, element)?;
        let is_sparse = shape.has_trait("smithy.api#sparse");
        Some(if is_sparse {
            quote!(Option<#element>)
        } else {
            element
        })
    };
    Some(match shape.kind {
        Kind::Structure | Kind::Union if shape.id == within.id => quote!(Self),
        Kind::Structure | Kind::Union => {
            let name = type_name(service, shape);
            quote!(#name)
        }
        Kind::List | Kind::Set => {
            let element = element()?;
            quote!(Vec<#element>)
        }
        Kind::Map => {
            let value = element()?;
            quote!(std::collections::BTreeMap<String, #value>)
        }
        _ => match Types::Plain.scalar(shape) {
            Scalar::Bool => quote!(bool),
            Scalar::Double => quote!(f64),
            Scalar::String => quote!(String),
            _ => return None,
        },
    })
}
