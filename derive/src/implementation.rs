//! The implementations of the traits.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Generics, Path, parse_quote};

/// The bodies of the methods in a type's implementation.
pub(crate) struct Implementation {
    /// The body of `Response::view`.
    pub(crate) view: TokenStream,
    /// The bodies of `Members::members` and `Members::member`, if the type has members.
    pub(crate) members: Option<(TokenStream, TokenStream)>,
}

impl Implementation {
    /// Returns the implementations of the traits.
    pub(crate) fn tokens(&self, input: &DeriveInput, path: &Path) -> TokenStream {
        let name = &input.ident;
        let generics = with_bounds(&input.generics, path);
        let (parameters, arguments, bounds) = generics.split_for_impl();
        let view = &self.view;
        let members = self.members.as_ref().map(|(all, one)| {
            quote! {
                #[automatically_derived]
                impl #parameters #path::response::Members for #name #arguments #bounds {
                    fn members<'waiter>(
                        &'waiter self,
                        __to: &mut #path::response::Visitor<'_, 'waiter>,
                    ) -> ::core::ops::ControlFlow<()> {
                        #all
                    }

                    fn member(&self, __name: &str) -> ::core::option::Option<#path::View<'_>> {
                        #one
                    }
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl #parameters #path::Response for #name #arguments #bounds {
                fn view(&self) -> #path::View<'_> {
                    #view
                }
            }

            #members
        }
    }
}

/// Adds the bound `Response` to every type parameter.
fn with_bounds(generics: &Generics, path: &Path) -> Generics {
    let mut bounded = generics.clone();
    for parameter in bounded.type_params_mut() {
        parameter.bounds.push(parse_quote!(#path::Response));
    }
    bounded
}
