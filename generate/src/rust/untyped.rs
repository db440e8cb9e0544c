//! Hand-written definitions: the engine's waiters, for responses of any type that it can read.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::comment::comment;
use super::{deprecated, names, waiter};
use crate::error::GenerateError;
use crate::ir::{Definition, Deprecation};

/// The function that waits, and the one that gives the waiter.
pub(super) fn tokens(definition: &Definition) -> Result<TokenStream, GenerateError> {
    let functions = functions(definition, &names::of_definition(&definition.name)?);
    Ok(quote! {
        use ::smithy_waiters as engine;
        use std::future::Future;
        #functions
    })
}

fn functions(definition: &Definition, [wait, name]: &[Ident; 2]) -> TokenStream {
    let (modeled, json) = (&definition.name, waiter::raw(&definition.json));
    let summary = definition.summary();
    let summary = summary.unwrap_or_else(|| format!("Waits until `{modeled}`."));
    let document = comment(&summary);
    let deprecated = definition.deprecated.then(Deprecation::default);
    let deprecated = deprecated.map(deprecated::mark);
    let about = format!(" `{modeled}`, read once.");
    let (input, waited) = if definition.looks_at_input() {
        let runtime = quote!(engine::driver::TokioRuntime::new());
        (
            quote!(input: impl engine::Value,),
            quote!(engine::Driver::new(#runtime).input(input).wait(#name(), call, options.into())),
        )
    } else {
        let waited = quote!(#name().wait(call, options.into()));
        (TokenStream::new(), waited)
    };
    quote! {
        #document
        ///
        /// On tokio; `call` is made for every attempt. A `Duration` is how long to wait in all.
        #deprecated
        pub async fn #wait<C, F, T, E>(
            #input
            call: C,
            options: impl Into<engine::WaitOptions>,
        ) -> Result<engine::Outcome<T, E>, engine::WaiterError<T, E>>
        where
            C: FnMut(engine::Attempt) -> F,
            F: Future<Output = Result<T, E>>,
            T: engine::Response,
            E: engine::driver::OperationError,
        {
            #waited.await
        }

        #[doc = #about]
        #[must_use]
        pub fn #name() -> &'static engine::Waiter {
            static WAITER: std::sync::LazyLock<engine::Waiter> = std::sync::LazyLock::new(|| {
                engine::Waiter::named(#modeled, #json).expect("checked when this was generated")
            });
            &WAITER
        }
    }
}
