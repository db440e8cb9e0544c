//! A waiter: its builder, with the input's setters, and the wait.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{Kind, Member, Model, Shape};

use super::access;
use super::matcher::Matchers;
use crate::docs;
use crate::ir::{Operation, Waiter, member_documentation};
use crate::names;

/// The names that a waiter has.
pub(super) struct WaiterNames {
    /// The builder: `TableExists`.
    pub(super) builder: Ident,
    pub(super) outcome: Ident,
    pub(super) error: Ident,
    /// The engine's waiter: `TABLE_EXISTS`.
    pub(super) definition: Ident,
    /// The client's method: `wait_until_table_exists`.
    pub(super) method: Ident,
}

impl WaiterNames {
    pub(super) fn of(waiter: &Waiter<'_>) -> Self {
        let builder = access::type_name(waiter.name);
        Self {
            outcome: format_ident!("{builder}Outcome"),
            error: format_ident!("{builder}Error"),
            definition: format_ident!("{}", names::screaming(waiter.name)),
            method: format_ident!("wait_until_{}", names::snake(waiter.name)),
            builder,
        }
    }
}

/// The client's method, in the trait.
pub(super) fn signature(waiter: &Waiter<'_>) -> TokenStream {
    let WaiterNames {
        builder, method, ..
    } = WaiterNames::of(waiter);
    let document = document(waiter);
    let deprecated = deprecated(waiter.deprecated);
    quote! {
        #document
        #deprecated
        fn #method(&self) -> #builder;
    }
}

/// The client's method, where the trait is implemented.
pub(super) fn method(operation: &Operation<'_>, waiter: &Waiter<'_>) -> TokenStream {
    let WaiterNames {
        builder, method, ..
    } = WaiterNames::of(waiter);
    let call = access::ident(&names::snake(operation.name));
    quote! {
        fn #method(&self) -> #builder {
            #builder { request: self.#call() }
        }
    }
}

fn document(waiter: &Waiter<'_>) -> TokenStream {
    let said = waiter.documentation.map(docs::summary);
    let said = said
        .filter(|said| !said.is_empty())
        .unwrap_or_else(|| format!("Waits until `{}`.", waiter.name));
    comment(&said)
}

/// A doc comment.
pub(super) fn comment(text: &str) -> TokenStream {
    let text = format!(" {}", text.replace('[', "\\[").replace(']', "\\]"));
    quote!(#[doc = #text])
}

pub(super) fn deprecated(deprecated: bool) -> TokenStream {
    if deprecated {
        quote!(#[deprecated = "the model says so"])
    } else {
        TokenStream::new()
    }
}

/// The builder and what belongs to it.
pub(super) fn builder(
    model: &Model<'_>,
    operation: &Operation<'_>,
    matchers: &Matchers<'_, '_>,
) -> TokenStream {
    let waiter = matchers.waiter;
    let names = WaiterNames::of(waiter);
    let (builder, types) = (&names.builder, types(operation, &names));
    let module = access::ident(&names::snake(operation.name));
    let request = format_ident!("{}FluentBuilder", access::type_name(operation.name));
    let setters = operation.input.map_or(&[][..], |input| &input.members);
    let setters = setters.iter().filter_map(|member| setter(model, member));
    let wait = wait(waiter, matchers, &names);
    let about = format!(
        "Waits until `{}`, by `{}`: made by [`WaitUntil::{}`].",
        waiter.name, operation.name, names.method
    );
    let about = format!(" {about}");
    quote! {
        #types
        #[doc = #about]
        #[derive(Clone, Debug)]
        #[must_use = "nothing is called before `wait`"]
        pub struct #builder {
            request: sdk::operation::#module::builders::#request,
        }
        impl #builder {
            #(#setters)*
            #wait
        }
    }
}

fn types(operation: &Operation<'_>, names: &WaiterNames) -> TokenStream {
    let module = access::ident(&names::snake(operation.name));
    let output = format_ident!("{}Output", access::type_name(operation.name));
    let failure = format_ident!("{}Error", access::type_name(operation.name));
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
    quote! {
        #[doc = #of_outcome]
        pub type #outcome = engine::Outcome<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
        #[doc = #of_error]
        pub type #error = engine::WaiterError<
            sdk::operation::#module::#output,
            sdk::error::SdkError<sdk::operation::#module::#failure>,
        >;
    }
}

/// A setter as the client's own builder has it.
fn setter(model: &Model<'_>, member: &Member<'_>) -> Option<TokenStream> {
    let shape = model.shape(member.target)?;
    let name = access::setter(member.name);
    let document = member_documentation(member).map(docs::summary);
    let document = document.filter(|text| !text.is_empty());
    let document = document.unwrap_or_else(|| format!("The input's `{}`.", member.name));
    let document = comment(&document);
    let (parameters, arguments) = parameters(model, shape)?;
    Some(quote! {
        #document
        pub fn #name(mut self, #parameters) -> Self {
            self.request = self.request.#name(#arguments);
            self
        }
    })
}

fn parameters(model: &Model<'_>, shape: &Shape<'_>) -> Option<(TokenStream, TokenStream)> {
    let sdk = quote!(sdk);
    let one = |shape: &Shape<'_>| {
        let parameter = access::parameter(model, &sdk, shape)?;
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
            let element = one(access::element(model, shape, "member")?)?;
            (quote!(element: #element), quote!(element))
        }
        Kind::Map => {
            let value = one(access::element(model, shape, "value")?)?;
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

fn wait(waiter: &Waiter<'_>, matchers: &Matchers<'_, '_>, names: &WaiterNames) -> TokenStream {
    let WaiterNames {
        outcome,
        error,
        definition,
        ..
    } = names;
    let function = matchers.name();
    let (input, matcher) = if waiter.looks_at_input() {
        (
            quote! {
                let input = self.request.as_input().clone().build();
            },
            quote!(matchers::#function(input.as_ref().ok()?, seen)),
        )
    } else {
        (TokenStream::new(), quote!(matchers::#function(seen)))
    };
    let matcher = if matchers.has_messages() {
        let message = matchers.message_name();
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
    quote! {
        /// Waits, on tokio, for a `Duration` in all or as [`WaitOptions`](engine::WaitOptions) say.
        ///
        #[doc = #bounds]
        /// The client's own retries are off.
        pub async fn wait(self, options: impl Into<engine::WaitOptions>) -> Result<#outcome, #error> {
            let driver = engine::Driver::new(engine::driver::TokioRuntime::new());
            self.wait_on(driver, options).await
        }

        /// The same by a driver: on another clock, watched, or with a retry strategy.
        pub async fn wait_on<R, I, H, S>(
            self,
            driver: engine::Driver<R, I, H, S>,
            options: impl Into<engine::WaitOptions>,
        ) -> Result<#outcome, #error>
        where
            R: engine::driver::Runtime,
            I: engine::Value,
            H: FnMut(engine::Progress<'_>),
            S: engine::retry::RetryStrategy,
        {
            #input
            let call = |_| self.request.clone().customize().config_override(without_retries()).send();
            driver.wait_by(&#definition, #matcher, call, options.into()).await
        }
    }
}

/// The engine's waiter, read once.
pub(super) fn definition(waiter: &Waiter<'_>) -> TokenStream {
    let WaiterNames { definition, .. } = WaiterNames::of(waiter);
    let (name, json) = (waiter.name, raw(&waiter.definition));
    quote! {
        static #definition: std::sync::LazyLock<engine::Waiter> = std::sync::LazyLock::new(|| {
            engine::Waiter::named(#name, #json).expect("checked when this was generated")
        });
    }
}

/// A raw string, as people write JSON in Rust.
pub(super) fn raw(text: &str) -> TokenStream {
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let literal = format!("r{hashes}\"{text}\"{hashes}");
    literal.parse().unwrap_or_else(|_| quote!(#text))
}
