//! Enums that are strings or unions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, Error, Field, Fields, Result, Variant};

use crate::attributes::{Container, Part};
use crate::field;
use crate::implementation::Implementation;

/// A parsed variant.
struct Case<'a> {
    variant: &'a Variant,
    part: Part,
    name: String,
    /// The value of the variant.
    field: Option<&'a Field>,
}

pub(crate) fn implementation(data: &DataEnum, container: &Container) -> Result<Implementation> {
    let cases = data
        .variants
        .iter()
        .map(|variant| Case::read(variant, container));
    let cases = cases.collect::<Result<Vec<_>>>()?;
    if cases.is_empty() {
        return Ok(Implementation {
            view: quote!(match *self {}),
            members: None,
        });
    }
    let union = cases.iter().any(Case::is_member);
    let views = cases.iter().map(|case| case.view(union, container));
    let views = views.collect::<Result<Vec<_>>>()?;
    let members = if union {
        Some(bodies(&cases, container)?)
    } else {
        None
    };
    Ok(Implementation {
        view: quote!(match self { #(#views)* }),
        members,
    })
}

/// Returns the bodies of `Members::members` and `Members::member`.
fn bodies(cases: &[Case<'_>], container: &Container) -> Result<(TokenStream, TokenStream)> {
    let path = &container.crate_path;
    let (mut all, mut one) = (Vec::new(), Vec::new());
    for (index, case) in cases.iter().enumerate() {
        if case.part.transparent {
            continue;
        }
        let (ident, name) = (&case.variant.ident, &case.name);
        let others = cases.iter().take(index).map(|other| &other.name);
        field::reject_duplicate(others, name, ident)?;
        let (pattern, view) = match case.field {
            Some(_) => (quote!(Self::#ident(__value)), case.content_view(container)?),
            None => (quote!(Self::#ident), quote!(#path::View::empty())),
        };
        all.push(quote!(#pattern => __to.view(#name, #view),));
        one.push(quote!(#pattern if __name == #name => ::core::option::Option::Some(#view),));
    }
    let all = quote! {
        #[allow(unreachable_patterns)]
        match self { #(#all)* _ => ::core::ops::ControlFlow::Continue(()) }
    };
    Ok((
        all,
        quote!(match self { #(#one)* _ => ::core::option::Option::None }),
    ))
}

impl<'a> Case<'a> {
    fn read(variant: &'a Variant, container: &Container) -> Result<Self> {
        let part = Part::from_variant(&variant.attrs)?;
        let field = content(variant)?;
        if part.transparent && field.is_none() {
            let message = "`transparent` requires a variant with a value";
            return Err(Error::new_spanned(variant, message));
        }
        Ok(Self {
            name: container.name_of_variant(&variant.ident, &part),
            variant,
            part,
            field,
        })
    }

    /// Returns `true` if the variant is a member of a union.
    const fn is_member(&self) -> bool {
        self.field.is_some() && !self.part.transparent
    }

    /// Returns the arm of `Response::view`.
    fn view(&self, union: bool, container: &Container) -> Result<TokenStream> {
        let (path, ident, name) = (&container.crate_path, &self.variant.ident, &self.name);
        if self.part.transparent {
            let content = self.content_view(container)?;
            return Ok(quote!(Self::#ident(__value) => #content,));
        }
        let pattern = self
            .field
            .map_or_else(|| quote!(Self::#ident), |_| quote!(Self::#ident(_)));
        Ok(if union {
            quote!(#pattern => #path::View::Object(self),)
        } else {
            quote!(#pattern => #path::View::from(#name),)
        })
    }

    /// Returns the view of the variant's value, which is bound to `__value`.
    fn content_view(&self, container: &Container) -> Result<TokenStream> {
        let Some(field) = self.field else {
            return Ok(TokenStream::new());
        };
        let part = Part::from_field(&field.attrs)?;
        if part.skip {
            let message = "the value of a variant cannot be skipped: skip the field that holds the enum, or implement `Response` by hand";
            return Err(Error::new_spanned(field, message));
        }
        field::view(field, &part, &quote!(__value), container)
    }
}

/// Returns the value of a variant, or an error for more than one value.
fn content(variant: &Variant) -> Result<Option<&Field>> {
    let mut fields = match &variant.fields {
        Fields::Unit => return Ok(None),
        Fields::Unnamed(fields) => fields.unnamed.iter(),
        Fields::Named(_) => return Err(too_many_fields(variant)),
    };
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(Some(field)),
        _ => Err(too_many_fields(variant)),
    }
}

fn too_many_fields(variant: &Variant) -> Error {
    let message = "a variant must have at most one field, without a name: move the fields to a separate struct";
    Error::new_spanned(variant, message)
}
