//! The builder of a waiter with its setters and waits.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{Kind, Member, Shape};

use super::comment::comment;
use super::matcher::Matchers;
use super::names::{NamedWaiter, WaiterNames};
use super::request::Request;
use super::{access, deprecated};
use crate::docs;
use crate::escape::escape_json;
use crate::ir::{Deprecation, Operation, Service, member_documentation};
use crate::names;

/// Returns the method's signature for the trait.
pub(super) fn signature(named: &NamedWaiter<'_, '_>) -> TokenStream {
    let NamedWaiter {
        operation,
        waiter,
        names,
    } = named;
    let (builder, method) = (&names.builder, &names.method);
    let Request {
        generics,
        bounds,
        parameter,
        ..
    } = Request::of(named);
    let document = document(waiter.summary(), waiter.name);
    let note = builder_note(operation, builder);
    let own = waiter.deprecated.then(Deprecation::default);
    let deprecated = operation.deprecated.or(own).map(deprecated::mark);
    quote! {
        #document
        ///
        #[doc = #note]
        #deprecated
        fn #method #generics (&self #parameter) -> #builder #generics #bounds;
    }
}

/// Returns the method's implementation for the client.
pub(super) fn method(named: &NamedWaiter<'_, '_>) -> TokenStream {
    let (builder, method) = (&named.names.builder, &named.names.method);
    let Request {
        generics,
        bounds,
        parameter,
        values,
        ..
    } = Request::of(named);
    let allow = deprecated::allow(deprecated::in_call(named.operation));
    quote! {
        #allow
        fn #method #generics (&self #parameter) -> #builder #generics #bounds {
            #builder { #values }
        }
    }
}

/// Returns the documentation of a function that waits: the model's, or a default without it.
pub(super) fn document(summary: Option<String>, waiter: &str) -> TokenStream {
    comment(&summary.unwrap_or_else(|| format!("Waits until the waiter `{waiter}` succeeds.")))
}

fn builder_note(operation: &Operation<'_>, builder: &Ident) -> String {
    let note = format!(" No request is sent until [`{builder}::wait`] is called.");
    if operation.streaming {
        return format!(" `request` completes the request of each attempt.{note}");
    }
    note
}

/// Returns the builder and its type aliases.
pub(super) fn builder(matchers: &Matchers<'_, '_>) -> TokenStream {
    let NamedWaiter {
        operation,
        waiter,
        names,
    } = matchers.named;
    let (builder, types) = (&names.builder, types(operation, names));
    let Request {
        generics,
        bounds,
        fields,
        ..
    } = Request::of(matchers.named);
    let setters = setters(matchers);
    let wait = wait(matchers);
    let builder_docs = format!(
        " A builder for the waiter `{}`, which calls `{}`. Created by [`WaitUntil::{}`].",
        waiter.name, operation.name, names.method
    );
    let allow = deprecated::allow(deprecated::in_call(operation));
    let on_bounds = operation.streaming.then_some(&allow);
    quote! {
        #types
        #[doc = #builder_docs]
        #allow
        #[derive(Clone, Debug)]
        #[must_use = "a builder does nothing until `wait` is called"]
        pub struct #builder #generics { #fields }
        #on_bounds
        impl #generics #builder #generics #bounds {
            #(#setters)*
            #wait
        }
    }
}

fn types(operation: &Operation<'_>, names: &WaiterNames) -> TokenStream {
    let module = access::ident(&names::snake(operation.name));
    let output = format_ident!("{}Output", access::type_name(operation.name));
    let failure = access::operation_type(operation.name, "Error");
    let WaiterNames {
        builder,
        outcome,
        error,
        ..
    } = names;
    let outcome_docs = format!(
        " The result of a successful wait of [`{builder}`]: a response, or an error that an acceptor expects."
    );
    let error_docs = format!(" The error of an unsuccessful wait of [`{builder}`].");
    let allow = deprecated::allow(deprecated::in_sides(operation));
    quote! {
        #[doc = #outcome_docs]
        #allow
        pub type #outcome = engine::Outcome<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
        #[doc = #error_docs]
        #allow
        pub type #error = engine::WaiterError<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
    }
}

/// Returns the setters of the request. A builder with a function for the request has none.
fn setters(matchers: &Matchers<'_, '_>) -> Vec<TokenStream> {
    let operation = matchers.named.operation;
    let input = operation.input.filter(|_| !operation.streaming);
    let members = input.map_or(&[][..], |input| &input.members);
    let named = members.iter().zip(&matchers.named.names.setters);
    let setters = named.filter_map(|(member, name)| setter(matchers.service, member, name));
    setters.collect()
}

/// Returns a setter with the signature of the client's builder.
fn setter(service: &Service<'_>, member: &Member<'_>, name: &Ident) -> Option<TokenStream> {
    let shape = service.model.shape(member.target)?;
    let client_setter = access::member(member.name);
    let document = member_documentation(member).and_then(docs::summary);
    let document = document.unwrap_or_else(|| format!("{} `{}`.", setter_verb(shape), member.name));
    let document = comment(&document);
    let (parameters, arguments) = parameters(service, shape)?;
    let deprecated = Deprecation::of_member(member).map(deprecated::mark);
    let allow = deprecated::allow(deprecated::in_member(service.model, member));
    Some(quote! {
        #document
        #deprecated
        #allow
        pub fn #name(mut self, #parameters) -> Self {
            self.request = self.request.#client_setter(#arguments);
            self
        }
    })
}

const fn setter_verb(shape: &Shape<'_>) -> &'static str {
    match shape.kind {
        Kind::List | Kind::Set => "Adds an element to the input's",
        Kind::Map => "Adds an entry to the input's",
        _ => "Sets the input's",
    }
}

fn parameters(service: &Service<'_>, shape: &Shape<'_>) -> Option<(TokenStream, TokenStream)> {
    let sdk = quote!(sdk);
    let one = |shape: &Shape<'_>| {
        let parameter = access::parameter(service, &sdk, shape)?;
        let is_text = access::Types::Sdk.scalar(shape) == access::Scalar::String
            && matches!(shape.kind, Kind::String);
        Some(if is_text {
            quote!(impl Into<String>)
        } else {
            parameter
        })
    };
    Some(match shape.kind {
        Kind::List | Kind::Set => {
            let element = one(access::element(service.model, shape)?)?;
            (quote!(element: #element), quote!(element))
        }
        Kind::Map => {
            let value = one(access::element(service.model, shape)?)?;
            (
                quote!(key: impl Into<String>, value: #value),
                quote!(key, value),
            )
        }
        _ => {
            let value = one(shape)?;
            (quote!(value: #value), quote!(value))
        }
    })
}

fn wait(matchers: &Matchers<'_, '_>) -> TokenStream {
    let waiter = matchers.named.waiter;
    let WaiterNames {
        outcome,
        error,
        definition,
        matcher: function,
        message,
        ..
    } = &matchers.named.names;
    let (input, matcher) = if waiter.looks_at_input() {
        (
            quote! {
                let input = Clone::clone(self.request.as_input()).build();
            },
            quote!(matchers::#function(input.as_ref().ok()?, result)),
        )
    } else {
        (TokenStream::new(), quote!(matchers::#function(result)))
    };
    let matcher = if matchers.has_messages() {
        quote!(|result| {
            let acceptor = #matcher?;
            let message = result.ok().and_then(|output| matchers::#message(output, acceptor));
            Some(engine::driver::Matched::from(acceptor).message(message))
        })
    } else if waiter.looks_at_input() {
        quote!(|result| #matcher)
    } else {
        quote!(matchers::#function)
    };
    let delays = format!(
        " The delays between calls are {} to {} seconds by default.",
        waiter.min_delay, waiter.max_delay
    );
    let request = Request::of(matchers.named).attempt;
    quote! {
        /// Waits on tokio until the waiter succeeds.
        ///
        /// `options` is the maximum total time as a `Duration`, or [`WaitOptions`](engine::WaitOptions).
        #[doc = #delays]
        /// The client's retries are disabled, because the wait retries transient errors itself.
        ///
        /// # Errors
        ///
        /// - [`WaiterError::Failure`](engine::WaiterError::Failure) if the waiter fails or the time is up.
        /// - [`WaiterError::Options`](engine::WaiterError::Options) if an option is invalid.
        pub async fn wait(self, options: impl Into<engine::WaitOptions>) -> Result<#outcome, #error> {
            let driver = engine::Driver::new(engine::driver::TokioRuntime::new());
            self.wait_on(driver, options).await
        }

        /// Waits with a custom driver, for example with another clock, a callback for attempts or a cancellation token.
        ///
        /// `options` is the maximum total time as a `Duration`, or [`WaitOptions`](engine::WaitOptions).
        ///
        /// # Errors
        ///
        /// - [`WaiterError::Failure`](engine::WaiterError::Failure) if the waiter fails, the time is up or the wait is
        ///   cancelled.
        /// - [`WaiterError::Options`](engine::WaiterError::Options) if an option is invalid.
        pub async fn wait_on<R, I, H>(
            self,
            driver: engine::Driver<R, I, H>,
            options: impl Into<engine::WaitOptions>,
        ) -> Result<#outcome, #error>
        where
            R: engine::driver::Runtime,
            I: engine::value::Value,
            H: FnMut(engine::Progress<'_>),
        {
            #input
            let call = |_| {
                let call = #request.customize().config_override(without_retries());
                call.mutate_request(engine::driver::mark_user_agent).send()
            };
            driver.wait_by(&#definition, #matcher, call, options.into()).await
        }
    }
}

/// Returns the static variable with the engine's waiter.
pub(super) fn definition(named: &NamedWaiter<'_, '_>) -> TokenStream {
    let NamedWaiter { waiter, names, .. } = named;
    let definition = &names.definition;
    let (name, json) = (waiter.name, raw(&waiter.definition));
    quote! {
        static #definition: std::sync::LazyLock<engine::Waiter> = std::sync::LazyLock::new(|| {
            engine::Waiter::named(#name, #json)
                .expect("the generator validated the definition")
                .with_defaults(engine::Defaults::LATE)
        });
    }
}

/// Returns JSON as a raw string literal.
pub(super) fn raw(json: &str) -> TokenStream {
    let text = escape_json(json);
    let mut hashes = String::from("#");
    // A quote with as many hashes would end the raw string.
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let literal = format!("r{hashes}\"{text}\"{hashes}");
    literal.parse().unwrap_or_else(|_| quote!(#text))
}
