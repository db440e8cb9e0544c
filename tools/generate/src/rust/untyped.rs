//! Modules for hand-written definitions. Their waits accept any response type that implements the engine's trait.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{deprecated, names, waiter};
use crate::error::GenerateError;
use crate::ir::{Definition, Deprecation};

/// Returns the function that waits and the function that returns the engine's waiter.
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
    let document = waiter::document(definition.summary(), modeled);
    let deprecated = definition.deprecated.then(Deprecation::default);
    let deprecated = deprecated.map(deprecated::mark);
    let about =
        format!(" Returns the waiter `{modeled}`. Its definition is parsed on the first call.");
    let (input, input_docs, wait_call) = if definition.looks_at_input() {
        let runtime = quote!(engine::driver::TokioRuntime::new());
        (
            quote!(input: impl engine::value::Value,),
            quote!(#[doc = " `input` is the input of the operation, which the matchers read."]),
            quote!(engine::Driver::new(#runtime).input(input).wait(#name(), call, options.into())),
        )
    } else {
        let wait_call = quote!(#name().wait(call, options.into()));
        (TokenStream::new(), TokenStream::new(), wait_call)
    };
    quote! {
        #document
        ///
        /// The wait runs on tokio. `call` sends the request of each attempt. `options` is the maximum total time as a
        /// `Duration`, or [`WaitOptions`](engine::WaitOptions).
        #input_docs
        ///
        /// # Errors
        ///
        /// - [`WaiterError::Failure`](engine::WaiterError::Failure) if the waiter fails or the time is up.
        /// - [`WaiterError::Options`](engine::WaiterError::Options) if an option is invalid.
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
            #wait_call.await
        }

        #[doc = #about]
        #[must_use]
        pub fn #name() -> &'static engine::Waiter {
            static WAITER: std::sync::LazyLock<engine::Waiter> = std::sync::LazyLock::new(|| {
                engine::Waiter::named(#modeled, #json)
                    .expect("the generator validated the definition")
                    .with_defaults(engine::Defaults::LATE)
            });
            &WAITER
        }
    }
}
