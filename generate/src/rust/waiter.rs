//! A waiter: its builder, with the input's setters, and the wait.

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
use crate::ir::{Deprecation, Operation, Service, Waiter, member_documentation};
use crate::names;

/// The client's method, in the trait.
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
    let document = document(waiter);
    let own = waiter.deprecated.then(Deprecation::default);
    let deprecated = operation.deprecated.or(own).map(deprecated::mark);
    quote! {
        #document
        #deprecated
        fn #method #generics (&self #parameter) -> #builder #generics #bounds;
    }
}

/// The client's method, where the trait is implemented.
pub(super) fn method(named: &NamedWaiter<'_, '_>) -> TokenStream {
    let (builder, method) = (&named.names.builder, &named.names.method);
    let Request {
        generics,
        bounds,
        parameter,
        values,
        ..
    } = Request::of(named);
    let allowed = deprecated::allow(deprecated::in_call(named.operation));
    quote! {
        #allowed
        fn #method #generics (&self #parameter) -> #builder #generics #bounds {
            #builder { #values }
        }
    }
}

fn document(waiter: &Waiter<'_>) -> TokenStream {
    let summary = waiter.summary();
    comment(&summary.unwrap_or_else(|| format!("Waits until `{}`.", waiter.name)))
}

/// The builder and what belongs to it.
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
    let about = format!(
        "Waits until `{}`, by `{}`: made by [`WaitUntil::{}`].",
        waiter.name, operation.name, names.method
    );
    let about = format!(" {about}");
    let allowed = deprecated::allow(deprecated::in_call(operation));
    let on_bounds = operation.streaming.then_some(&allowed);
    quote! {
        #types
        #[doc = #about]
        #allowed
        #[derive(Clone, Debug)]
        #[must_use = "nothing is called before `wait`"]
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
    let of_outcome = format!(
        " How a wait of [`{builder}`] ends well: by a response, or by an error that it waited for."
    );
    let of_error = format!(" How a wait of [`{builder}`] ends otherwise.");
    let allowed = deprecated::allow(deprecated::in_sides(operation));
    quote! {
        #[doc = #of_outcome]
        #allowed
        pub type #outcome = engine::Outcome<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
        #[doc = #of_error]
        #allowed
        pub type #error = engine::WaiterError<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
    }
}

/// The setters of the request, where the builder holds one.
fn setters(matchers: &Matchers<'_, '_>) -> Vec<TokenStream> {
    let operation = matchers.named.operation;
    let held = operation.input.filter(|_| !operation.streaming);
    let members = held.map_or(&[][..], |input| &input.members);
    let named = members.iter().zip(&matchers.named.names.setters);
    let setters = named.filter_map(|(member, name)| setter(matchers.service, member, name));
    setters.collect()
}

/// A setter as the client's own builder has it.
fn setter(service: &Service<'_>, member: &Member<'_>, name: &Ident) -> Option<TokenStream> {
    let shape = service.model.shape(member.target)?;
    let clients = access::member(member.name);
    let document = member_documentation(member).and_then(docs::summary);
    let document = document.unwrap_or_else(|| format!("The input's `{}`.", member.name));
    let document = comment(&document);
    let (parameters, arguments) = parameters(service, shape)?;
    let deprecated = Deprecation::of_member(member).map(deprecated::mark);
    let allowed = deprecated::allow(deprecated::in_member(service.model, member));
    Some(quote! {
        #document
        #deprecated
        #allowed
        pub fn #name(mut self, #parameters) -> Self {
            self.request = self.request.#clients(#arguments);
            self
        }
    })
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
            let element = one(access::element(service.model, shape, "member")?)?;
            (quote!(element: #element), quote!(element))
        }
        Kind::Map => {
            let value = one(access::element(service.model, shape, "value")?)?;
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
            quote!(matchers::#function(input.as_ref().ok()?, seen)),
        )
    } else {
        (TokenStream::new(), quote!(matchers::#function(seen)))
    };
    let matcher = if matchers.has_messages() {
        quote!(|seen| {
            let acceptor = #matcher?;
            let message = seen.ok().and_then(|output| matchers::#message(output, acceptor));
            Some(engine::driver::Matched::from(acceptor).message(message))
        })
    } else if waiter.looks_at_input() {
        quote!(|seen| #matcher)
    } else {
        quote!(matchers::#function)
    };
    let bounds = format!(
        " The delays are the model's, {} s to {} s, unless the options say otherwise.",
        waiter.min_delay, waiter.max_delay
    );
    let request = Request::of(matchers.named).of_attempt;
    quote! {
        /// Waits, on tokio, for a `Duration` in all or as [`WaitOptions`](engine::WaitOptions) say.
        ///
        #[doc = #bounds]
        /// The client's own retries are off: the wait makes calls again after transient errors.
        pub async fn wait(self, options: impl Into<engine::WaitOptions>) -> Result<#outcome, #error> {
            let driver = engine::Driver::new(engine::driver::TokioRuntime::new());
            self.wait_on(driver, options).await
        }

        /// Waits by a driver: on another clock, with a hook, or with a token that cancels.
        pub async fn wait_on<R, I, H>(
            self,
            driver: engine::Driver<R, I, H>,
            options: impl Into<engine::WaitOptions>,
        ) -> Result<#outcome, #error>
        where
            R: engine::driver::Runtime,
            I: engine::Value,
            H: FnMut(engine::Progress<'_>),
        {
            #input
            let call = |_| #request.customize().config_override(without_retries()).send();
            driver.wait_by(&#definition, #matcher, call, options.into()).await
        }
    }
}

/// The engine's waiter, read once.
pub(super) fn definition(named: &NamedWaiter<'_, '_>) -> TokenStream {
    let NamedWaiter { waiter, names, .. } = named;
    let definition = &names.definition;
    let (name, json) = (waiter.name, raw(&waiter.definition));
    quote! {
        static #definition: std::sync::LazyLock<engine::Waiter> = std::sync::LazyLock::new(|| {
            engine::Waiter::named(#name, #json).expect("checked when this was generated")
        });
    }
}

/// A raw string, as people write JSON in Rust.
pub(super) fn raw(json: &str) -> TokenStream {
    let text = escape_json(json);
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let literal = format!("r{hashes}\"{text}\"{hashes}");
    literal.parse().unwrap_or_else(|_| quote!(#text))
}
