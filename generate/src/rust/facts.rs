//! What the model says of errors and requests: for retries.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{CLAIMS, Fault, ModeledError, Operation, Service};

/// The functions `modeled_error` and `behaviour`.
pub(super) fn of_service(service: &Service<'_>) -> TokenStream {
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
        /// What the model says of an error, by its code or the name of its shape: to be handed to
        /// [`RequestFailure::modeled`](engine::retry::RequestFailure::modeled).
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

/// Errors by their names; one that two may have is the error's with the stronger claim.
fn errors_by_name<'m>(service: &Service<'m>) -> BTreeMap<&'m str, ModeledError<'m>> {
    let mut named = BTreeMap::new();
    for claim in CLAIMS {
        let operations = service.operations.iter();
        for error in operations.flat_map(|operation| &operation.errors) {
            if let Some(name) = claim(error) {
                named.entry(name).or_insert(*error);
            }
        }
    }
    named
}

/// Whether requests may be repeated, by which member, how they may be compressed, and whether they are streams.
type RequestBehaviour<'m> = (bool, Option<&'m str>, Vec<&'m str>, bool);

fn behaviours(service: &Service<'_>) -> TokenStream {
    let said = service
        .operations
        .iter()
        .filter(|operation| says_something(operation));
    let mut alike: BTreeMap<RequestBehaviour<'_>, Vec<&str>> = BTreeMap::new();
    for operation in said {
        let token = operation.idempotency_token.map(|member| member.name);
        let compression = operation.compression.as_ref();
        let encodings = compression.map(|said| said.encodings.clone());
        let streaming = operation.streaming && encodings.is_some();
        let encodings = encodings.unwrap_or_default();
        let key = (operation.idempotent, token, encodings, streaming);
        alike.entry(key).or_default().push(operation.name);
    }
    if alike.is_empty() {
        return TokenStream::new();
    }
    let arms = alike
        .iter()
        .map(|((idempotent, token, encodings, streaming), names)| {
            let token = token.map_or_else(|| quote!(None), |token| quote!(Some(#token)));
            quote!(#(#names)|* => (#idempotent, #token, &[#(#encodings),*], #streaming),)
        });
    quote! {
        /// What the model says of an operation's requests.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Behaviour {
            /// Whether a request may be repeated as it is.
            pub idempotent: bool,
            /// The input's member that makes it so with a token of its own.
            pub idempotency_token: Option<&'static str>,
            /// How its body may be compressed, the best first.
            pub encodings: &'static [&'static str],
            /// Whether that is whatever its size: the input has a stream.
            pub streaming: bool,
        }

        /// What the model says of the requests of an operation, by its name: `DescribeTable`. Nothing, where that is nothing.
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

const fn says_something(operation: &Operation<'_>) -> bool {
    operation.idempotent || operation.idempotency_token.is_some() || operation.compression.is_some()
}
