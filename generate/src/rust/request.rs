//! Waiters of operations whose input has a stream: a stream is sent once, so that each attempt's request is made anew.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::access;
use super::names::NamedWaiter;
use crate::names;

/// How a wait has its request.
pub(super) struct Request {
    /// The builder's parameters, where it has any: the function that makes the request.
    pub(super) generics: TokenStream,
    pub(super) bounds: TokenStream,
    /// What the client's method takes beside the client.
    pub(super) parameter: TokenStream,
    /// The builder's fields.
    pub(super) fields: TokenStream,
    /// What the client's method makes of them.
    pub(super) values: TokenStream,
    /// The request of one attempt.
    pub(super) of_attempt: TokenStream,
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
                of_attempt: quote!(Clone::clone(&self.request)),
            };
        }
        let make = format_ident!("Make");
        Self {
            generics: quote!(<#make>),
            bounds: quote!(where #make: Fn(#request) -> #request),
            parameter: quote!(, request: #make),
            fields: quote!(client: sdk::Client, request: #make,),
            values: quote!(client: Clone::clone(self), request),
            of_attempt: quote!((self.request)(self.client.#call())),
        }
    }
}
