//! Fields: their names and views.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Field, Ident, Path, Result};

use crate::attributes::{Container, Part};

/// The members of a type by name, each with the expression of its view.
#[derive(Default)]
pub(crate) struct Members(Vec<(String, TokenStream)>);

impl Members {
    /// Adds a member, or returns an error if the name exists.
    pub(crate) fn add(&mut self, name: String, view: TokenStream, place: &Ident) -> Result<()> {
        reject_duplicate(self.0.iter().map(|(other, _)| other), &name, place)?;
        self.0.push((name, view));
        Ok(())
    }

    /// Returns the bodies of `Members::members` and `Members::member`.
    pub(crate) fn bodies(&self, path: &Path) -> (TokenStream, TokenStream) {
        let (names, views): (Vec<_>, Vec<_>) = self.0.iter().cloned().unzip();
        let all = quote! {
            #(__to.view(#names, #views)?;)*
            ::core::ops::ControlFlow::Continue(())
        };
        let one = quote! {
            match __name {
                #(#names => ::core::option::Option::Some(#views),)*
                _ => ::core::option::Option::<#path::View<'_>>::None,
            }
        };
        (all, one)
    }
}

/// Returns an error if one of the others has the name.
pub(crate) fn reject_duplicate<'n>(
    mut others: impl Iterator<Item = &'n String>,
    name: &str,
    place: &Ident,
) -> Result<()> {
    if others.any(|other| other == name) {
        let message = format!("duplicate member `{name}`");
        return Err(Error::new(place.span(), message));
    }
    Ok(())
}

/// Returns the expression of a field's view. `place` is a reference to the field.
pub(crate) fn view(
    field: &Field,
    part: &Part,
    place: &TokenStream,
    container: &Container,
) -> Result<TokenStream> {
    let path = &container.crate_path;
    let view = unconditional_view(field, part, place, container)?;
    // A null member counts as not set.
    Ok(match &part.skip_if {
        Some(skip) => quote!(if #skip(#place) { #path::View::Null } else { #view }),
        None => view,
    })
}

fn unconditional_view(
    field: &Field,
    part: &Part,
    place: &TokenStream,
    container: &Container,
) -> Result<TokenStream> {
    let path = &container.crate_path;
    let (ty, span) = (&field.ty, field.ty.span());
    match (&part.with, part.blob) {
        (Some(_), true) => Err(Error::new_spanned(
            field,
            "`with` cannot be combined with `blob`",
        )),
        (Some(with), false) => Ok(quote!(#path::View::from(#with(#place)))),
        (None, true) => Ok(quote_spanned!(span=> #path::View::blob(#place))),
        // The call names the type explicitly, so that the compiler points at it if it doesn't implement `Response`.
        (None, false) => Ok(quote!(<#ty as #path::Response>::view(#place))),
    }
}
