//! Pages of paginated operations, by the client's own requests and tokens.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use smithy_waiters_model::{Kind, Shape};

use super::access::{self, Types};
use super::deprecated;
use super::names::PageNames;
use crate::ir::{Operation, Pagination, Service};
use crate::names;

/// What an operation's paginator is written with; nothing where its token is of a type that Rust has nothing for, or
/// where a request can be sent only once.
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
    let allowed = deprecated::allow(names_deprecated(service, operation, pages));
    let about = format!(
        " The pages of `{}`, one after the other: made by [`{function}`].",
        operation.name
    );
    let about_function = format!(
        " The pages of `{}`, as this request asks for them.",
        operation.name
    );
    Some(quote! {
        #[doc = #about_function]
        #deprecated
        #allowed
        pub fn #function(request: sdk::operation::#module::builders::#request) -> #name {
            let tokens = engine::paginator::Tokens::new(#path);
            #name { request, tokens }
        }

        #[doc = #about]
        #allowed
        #[derive(Clone, Debug)]
        #[must_use = "nothing is called before `next_page`"]
        pub struct #name {
            request: sdk::operation::#module::builders::#request,
            tokens: engine::paginator::Tokens<#token_type>,
        }

        #allowed
        impl #name {
            /// Walks the pages in another way.
            pub fn paging(mut self, paging: engine::paginator::Paging) -> Self {
                self.tokens = self.tokens.paging(paging);
                self
            }

            /// The next page; nothing after the last. After an error of a call the same page can be asked for again.
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

            /// The same as a `Stream`.
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

        #allowed
        #token
    })
}

/// Whether the code of an operation's pages names what is deprecated.
fn names_deprecated(
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

/// What a page's word for whether there is more is called.
const TRUNCATED: &str = "IsTruncated";

/// The type of the token, and the function that takes it out of a page.
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
    let about = format!(" The token of a page, `{}`.", pages.output_token_path);
    let function = quote! {
        #[doc = #about]
        fn #function(page: &sdk::operation::#module::#output) -> Option<#of> {
            #token
        }
    };
    Some((of, function))
}

/// The member of a structure, where its absence ends the function.
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

/// Whether the page says that there is more, where it has a word for that.
fn truncation(service: &Service<'_>, operation: &Operation<'_>) -> TokenStream {
    let found = operation.output.and_then(|output| {
        let member = output.member(TRUNCATED)?;
        let target = service.model.shape(member.target)?;
        (target.kind == Kind::Boolean).then_some((output, member))
    });
    match found {
        None => quote!(None),
        Some((output, member)) if Types::Sdk.is_optional(service.model, output, member) => {
            quote!(page.is_truncated)
        }
        Some(_) => quote!(Some(page.is_truncated)),
    }
}
