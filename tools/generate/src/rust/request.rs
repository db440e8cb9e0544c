//! Requests of waits. An input with a stream can be sent only once, so each attempt builds a new request.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::access;
use super::names::NamedWaiter;
use crate::names;

/// The parts of a builder that depend on the form of its request.
pub(super) struct Request {
    /// The generic parameters: a function that builds the request if the input has a stream.
    pub(super) generics: TokenStream,
    pub(super) bounds: TokenStream,
    /// The parameters of the client's method besides the client.
    pub(super) parameter: TokenStream,
    /// The fields of the builder.
    pub(super) fields: TokenStream,
    /// The initial values of the fields.
    pub(super) values: TokenStream,
    /// The request of an attempt.
    pub(super) attempt: TokenStream,
}

impl Request {
    pub(super) fn of(named: &NamedWaiter<'_, '_>) -> Self {
        let name = named.operation.name;
        let call = access::ident(&names::snake(name));
        let request = access::operation_type(name, "FluentBuilder");
        let request = quote!(sdk::operation::#call::builders::#request);
        if !named.operation.streaming {
            return Self {
                generics: TokenStream::new(),
                bounds: TokenStream::new(),
                parameter: TokenStream::new(),
                fields: quote!(request: #request,),
                values: quote!(request: self.#call()),
                attempt: quote!(Clone::clone(&self.request)),
            };
        }
        let make = format_ident!("Make");
        Self {
            generics: quote!(<#make>),
            bounds: quote!(where #make: Fn(#request) -> #request),
            parameter: quote!(, request: #make),
            fields: quote!(client: sdk::Client, request: #make,),
            values: quote!(client: Clone::clone(self), request),
            attempt: quote!((self.request)(self.client.#call())),
        }
    }
}
