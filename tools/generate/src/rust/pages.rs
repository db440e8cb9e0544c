//! Paginators over the requests and tokens of the client.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{Kind, Shape};

use super::access::{self, Types};
use super::deprecated;
use super::names::PageNames;
use crate::ir::{Operation, Pagination, Service};
use crate::names;

/// Returns the paginator of an operation. Returns `None` for unsupported token types and for requests with a stream,
/// which can be sent only once.
pub(super) fn of_operation(
    service: &Service<'_>,
    operation: &Operation<'_>,
    names: &PageNames,
) -> Option<TokenStream> {
    let pages = operation.pagination.as_ref();
    let pages = pages.filter(|_| !operation.streaming)?;
    let PageNames {
        pages: name,
        function,
        token: token_function,
    } = names;
    let (token_type, token) = token(service, operation, pages, token_function)?;
    let truncated = truncation(service, operation);
    let module = access::ident(&names::snake(operation.name));
    let request = access::operation_type(operation.name, "FluentBuilder");
    let output = format_ident!("{}Output", access::type_name(operation.name));
    let error = access::operation_type(operation.name, "Error");
    let set = format_ident!("set_{}", access::member(pages.input_token));
    let path = pages.output_token_path;
    let deprecated = operation.deprecated.map(deprecated::mark);
    let allow = deprecated::allow(uses_deprecated(service, operation, pages));
    let pages_docs = format!(
        " The pages of `{}`. Created by [`{function}`].",
        operation.name
    );
    let function_docs = format!(" Returns the pages of `{}` for a request.", operation.name);
    Some(quote! {
        #[doc = #function_docs]
        #deprecated
        #allow
        pub fn #function(request: sdk::operation::#module::builders::#request) -> #name {
            let tokens = engine::paginator::Tokens::new(#path);
            #name { request, tokens }
        }

        #[doc = #pages_docs]
        #allow
        #[derive(Clone, Debug)]
        #[must_use = "a paginator does nothing until `next_page` is called"]
        pub struct #name {
            request: sdk::operation::#module::builders::#request,
            tokens: engine::paginator::Tokens<#token_type>,
        }

        #allow
        impl #name {
            /// Sets the options of the pagination.
            pub fn paging(mut self, paging: engine::paginator::Paging) -> Self {
                self.tokens = self.tokens.paging(paging);
                self
            }

            /// Returns the next page, or `None` after the last page.
            ///
            /// # Errors
            ///
            /// - [`PageError::Call`](engine::paginator::PageError::Call) if the call fails. The next call
            ///   requests the same page again.
            /// - [`PageError::Pagination`](engine::paginator::PageError::Pagination) if the token of the previous
            ///   page is invalid or repeated.
            pub async fn next_page(
                &mut self,
            ) -> Option<Result<
                sdk::operation::#module::#output,
                engine::paginator::PageError<sdk::error::SdkError<sdk::operation::#module::#error>>,
            >> {
                let request = match self.tokens.due()? {
                    Ok(None) => Clone::clone(&self.request),
                    Ok(token) => Clone::clone(&self.request).#set(token),
                    Err(error) => return Some(Err(engine::paginator::PageError::Pagination(error))),
                };
                let page = match request.send().await {
                    Ok(page) => page,
                    Err(error) => return Some(Err(engine::paginator::PageError::Call(error))),
                };
                self.tokens.follow(#token_function(&page), #truncated);
                Some(Ok(page))
            }

            /// Returns the pages as a [`Stream`](engine::paginator::Stream).
            pub fn into_stream(self) -> impl engine::paginator::Stream<Item = Result<
                sdk::operation::#module::#output,
                engine::paginator::PageError<sdk::error::SdkError<sdk::operation::#module::#error>>,
            >> + Send + Unpin {
                engine::paginator::unfold(self, |mut pages| async move {
                    let page = pages.next_page().await?;
                    Some((page, pages))
                })
            }
        }

        #allow
        #token
    })
}

/// Returns `true` if the code of an operation's paginator uses deprecated items.
fn uses_deprecated(
    service: &Service<'_>,
    operation: &Operation<'_>,
    pages: &Pagination<'_>,
) -> bool {
    let side = |side: Option<&Shape<'_>>, name| {
        let member = side.and_then(|side| side.member(name));
        member.is_some_and(|member| deprecated::in_member(service.model, member))
    };
    deprecated::in_call(operation)
        || deprecated::in_path(&pages.output_token)
        || side(operation.input, pages.input_token)
        || side(operation.output, TRUNCATED)
}

/// The output member that reports more pages in some services.
const TRUNCATED: &str = "IsTruncated";

/// Returns the type of the token and the function that reads it from a page.
fn token(
    service: &Service<'_>,
    operation: &Operation<'_>,
    pages: &Pagination<'_>,
    function: &Ident,
) -> Option<(TokenStream, TokenStream)> {
    let model = service.model;
    let mut shape = operation.output?;
    let mut names: Vec<&str> = pages.output_token_path.split('.').collect();
    let last = names.pop()?;
    let mut place = quote!(page);
    for name in names {
        place = step(service, shape, name, &place)?;
        shape = model.shape(shape.member(name)?.target)?;
    }
    let member = shape.member(last)?;
    let target = model.shape(member.target)?;
    if !matches!(target.kind, Kind::String | Kind::Map) || target.has_trait("smithy.api#enum") {
        return None;
    }
    let of = access::parameter(service, &quote!(sdk), target)?;
    let field = access::member(last);
    let is_optional = Types::Sdk.is_optional(model, shape, member);
    let token = if is_optional {
        quote!(#place.#field.clone())
    } else {
        quote!(Some(#place.#field.clone()))
    };
    let module = access::ident(&names::snake(operation.name));
    let output = format_ident!("{}Output", access::type_name(operation.name));
    let token_docs = format!(
        " Returns the token of a page, `{}`.",
        pages.output_token_path
    );
    let function = quote! {
        #[doc = #token_docs]
        fn #function(page: &sdk::operation::#module::#output) -> Option<#of> {
            #token
        }
    };
    Some((of, function))
}

/// Returns the access to a member of a structure. A missing member returns from the function.
fn step(
    service: &Service<'_>,
    shape: &Shape<'_>,
    name: &str,
    place: &TokenStream,
) -> Option<TokenStream> {
    let member = shape.member(name)?;
    let field = access::member(name);
    let is_optional = Types::Sdk.is_optional(service.model, shape, member);
    Some(if is_optional {
        quote!(#place.#field.as_ref()?)
    } else {
        quote!(#place.#field)
    })
}

/// Returns the page's own report of more pages, or `None` without a member for it. Rule: docs/rules.md#truncated-pages
fn truncation(service: &Service<'_>, operation: &Operation<'_>) -> TokenStream {
    let truncated = operation.output.and_then(|output| {
        let member = output.member(TRUNCATED)?;
        let target = service.model.shape(member.target)?;
        (target.kind == Kind::Boolean).then_some((output, member))
    });
    match truncated {
        None => quote!(None),
        Some((output, member)) if Types::Sdk.is_optional(service.model, output, member) => {
            quote!(page.is_truncated)
        }
        Some(_) => quote!(Some(page.is_truncated)),
    }
}
