//! Functions for the traits of errors and requests, which retry code reads.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Fault, ModeledError, NAME_SOURCES, Operation, Service};

/// Returns the functions `modeled_error` and `behaviour`.
pub(super) fn items(service: &Service<'_>) -> TokenStream {
    if !service.has_metadata() {
        return TokenStream::new();
    }
    let (errors, behaviours) = (errors(service), behaviours(service));
    quote! {
        #errors
        #behaviours
    }
}

fn errors(service: &Service<'_>) -> TokenStream {
    let mut kinds: BTreeMap<(bool, bool, bool), Vec<&str>> = BTreeMap::new();
    for (name, error) in errors_by_name(service) {
        let kind = (
            error.fault == Fault::Server,
            error.retryable,
            error.throttling,
        );
        kinds.entry(kind).or_default().push(name);
    }
    if kinds.is_empty() {
        return TokenStream::new();
    }
    let arms = kinds
        .iter()
        .map(|((is_server, retryable, throttling), names)| {
            let fault = if *is_server {
                quote!(Server)
            } else {
                quote!(Client)
            };
            quote!(#(#names)|* => (ErrorFault::#fault, #retryable, #throttling),)
        });
    quote! {
        /// Returns the traits of an error, by its code or the name of its shape. Returns `None` for other errors.
        ///
        /// Pass them to [`RequestFailure::modeled`](engine::retry::RequestFailure::modeled).
        #[must_use]
        pub fn modeled_error(code: &str) -> Option<engine::operation::ModeledError> {
            use engine::operation::ErrorFault;
            let (fault, retryable, throttling) = match code {
                #(#arms)*
                _ => return None,
            };
            Some(engine::operation::ModeledError { fault, retryable, throttling })
        }
    }
}

/// Returns the errors by name. If several errors have a name, the one with the higher precedence is returned.
fn errors_by_name<'m>(service: &Service<'m>) -> BTreeMap<&'m str, ModeledError<'m>> {
    let mut named = BTreeMap::new();
    for source in NAME_SOURCES {
        let operations = service.operations.iter();
        for error in operations.flat_map(|operation| &operation.errors) {
            if let Some(name) = source(error) {
                named.entry(name).or_insert(*error);
            }
        }
    }
    named
}

/// The idempotency, the idempotency token, the encodings and the stream of an operation's requests.
type RequestBehaviour<'m> = (bool, Option<&'m str>, Vec<&'m str>, bool);

fn behaviours(service: &Service<'_>) -> TokenStream {
    let operations = service
        .operations
        .iter()
        .filter(|operation| has_behaviour(operation));
    let mut groups: BTreeMap<RequestBehaviour<'_>, Vec<&str>> = BTreeMap::new();
    for operation in operations {
        let token = operation.idempotency_token.map(|member| member.name);
        let compression = operation.compression.as_ref();
        let encodings = compression.map(|compression| compression.encodings.clone());
        let streaming = operation.streaming && encodings.is_some();
        let encodings = encodings.unwrap_or_default();
        let key = (operation.idempotent, token, encodings, streaming);
        groups.entry(key).or_default().push(operation.name);
    }
    if groups.is_empty() {
        return TokenStream::new();
    }
    let arms = groups
        .iter()
        .map(|((idempotent, token, encodings, streaming), names)| {
            let token = token.map_or_else(|| quote!(None), |token| quote!(Some(#token)));
            quote!(#(#names)|* => (#idempotent, #token, &[#(#encodings),*], #streaming),)
        });
    quote! {
        /// The behavior traits of an operation's requests.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Behaviour {
            /// `true` if a request may be repeated unchanged.
            pub idempotent: bool,
            /// The input member for the token that makes requests idempotent.
            pub idempotency_token: Option<&'static str>,
            /// The encodings for compressed request bodies, in the order of preference.
            pub encodings: &'static [&'static str],
            /// `true` if the input has a stream. A stream is compressed at any size.
            pub streaming: bool,
        }

        /// Returns the behavior traits of an operation, by its name: `DescribeTable`. Returns `None` for an operation
        /// without them.
        #[must_use]
        pub fn behaviour(operation: &str) -> Option<Behaviour> {
            let (idempotent, idempotency_token, encodings, streaming): (_, _, &'static [&'static str], _) = match operation {
                #(#arms)*
                _ => return None,
            };
            Some(Behaviour { idempotent, idempotency_token, encodings, streaming })
        }
    }
}

const fn has_behaviour(operation: &Operation<'_>) -> bool {
    operation.idempotent || operation.idempotency_token.is_some() || operation.compression.is_some()
}
