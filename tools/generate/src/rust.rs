//! Rust, for the AWS SDK's crates or other clients that smithy-rs generates.

mod access;
mod behaviour;
mod client;
mod code;
mod comment;
mod deprecated;
mod escape;
mod format;
mod lower;
mod matcher;
mod member;
mod names;
mod pages;
mod plain;
mod request;
mod untyped;
mod value;
mod waiter;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::backend::{Backend, File};
use crate::error::{GenerateError, collect_results};
use crate::ir::{Definition, Service};
use access::Types;
pub use client::dependencies;
pub use format::format;
use matcher::Matchers;
use member::Reader;
use names::{NamedWaiter, Names};

/// The backend for Rust.
///
/// A file contains an extension trait of the client with a method for each waiter, a builder for each waiter, the
/// matchers as functions, a function `paginate_…` for each paginated operation, and functions for the traits of errors
/// and requests.
///
/// Include the file as a separate module. The methods of its trait and of the SDK's `Waiters` trait have the same
/// names, so calls are ambiguous if both are imported.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rust {
    /// The path of the client's crate or module in code: `aws_sdk_dynamodb`, `crate::sdk`. By default, it is derived
    /// from the service's `sdkId`. A service without one has no crate, and its code has only matchers, as if `plain` were
    /// set.
    pub client: Option<String>,
    /// `true` to generate only matchers, over plain structures that implement `Deserialize` and contain the members
    /// that the paths read.
    pub plain: bool,
}

impl Rust {
    /// Generates for the given crate, or for the crate that the service's `sdkId` implies.
    #[must_use]
    pub const fn for_client(client: Option<String>) -> Self {
        let plain = false;
        Self { client, plain }
    }
}

impl Backend for Rust {
    fn language(&self) -> &'static str {
        "rust"
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn service(&self, service: &Service<'_>) -> Result<Vec<File>, GenerateError> {
        let tokens = self.tokens(service)?;
        let text = print(service.name, tokens)?;
        let path = format!("{}.rs", file_name(&module(service)));
        Ok(vec![File::new(self, path, &text)])
    }

    fn untyped(&self, definition: &Definition) -> Result<File, GenerateError> {
        let name = &definition.name;
        let text = print(name, untyped::tokens(definition)?)?;
        let path = format!("{}.rs", file_name(&crate::names::snake(name)));
        Ok(File::new(self, path, &text))
    }
}

impl Rust {
    /// Generates matchers without a client.
    #[must_use]
    pub const fn plain() -> Self {
        let (client, plain) = (None, true);
        Self { client, plain }
    }

    /// Returns `true` if the code of a service uses no client.
    #[must_use]
    pub const fn is_plain(&self, service: &Service<'_>) -> bool {
        self.plain || self.client.is_none() && service.sdk_id.is_none()
    }

    fn tokens(&self, service: &Service<'_>) -> Result<TokenStream, GenerateError> {
        if self.is_plain(service) {
            return plain::tokens(service);
        }
        let client = client::path(self.client.as_deref(), service)?;
        let names = Names::of(service)?;
        let (waiters, pages) = (waiters(service, &names.waiters)?, pages(service, &names));
        let behaviours = behaviour::items(service);
        let items = quote! {
            #waiters
            #(#pages)*
            #behaviours
        };
        let imports = [
            ("sdk", quote!(use #client as sdk;)),
            (
                "engine",
                quote!(
                    use ::smithy_waiters as engine;
                ),
            ),
        ];
        let imports = code::imports_of(&items, &imports);
        Ok(quote!(#imports #items))
    }
}

/// Returns the extension trait, the builders and the matchers, or no code without waiters.
fn waiters(
    service: &Service<'_>,
    waiters: &[NamedWaiter<'_, '_>],
) -> Result<TokenStream, GenerateError> {
    if waiters.is_empty() {
        return Ok(TokenStream::new());
    }
    let signatures = waiters.iter().map(waiter::signature);
    let methods = waiters.iter().map(waiter::method);
    let definitions = waiters.iter().map(waiter::definition);
    let matchers = waiters.iter().map(|named| sdk_matchers(service, named));
    let matchers: Vec<_> = matchers.collect();
    let functions = collect_results(matchers.iter().map(Matchers::functions))?;
    let builders = matchers.iter().map(|matchers| waiter::builder(matchers));
    let summary = comment::comment(&format!(
        "Extends the client of {} with its waiters.",
        service.sdk_id.unwrap_or(service.name)
    ));
    Ok(quote! {
        #summary
        ///
        /// Don't import it together with the SDK's own `Waiters` trait. Its methods have the same names.
        pub trait WaitUntil {
            #(#signatures)*
        }
        impl WaitUntil for sdk::Client {
            #(#methods)*
        }
        #(#builders)*
        #(#definitions)*
        /// Returns the configuration of a call. Its retries are disabled, because the wait itself retries transient
        /// errors.
        fn without_retries() -> sdk::config::Builder {
            sdk::config::Builder::new().retry_config(sdk::config::retry::RetryConfig::disabled())
        }
        /// The matchers of the waiters, compiled from the paths of the model.
        pub mod matchers {
            use super::{engine, sdk};
            #(#functions)*
        }
    })
}

/// Returns the paginators.
fn pages(service: &Service<'_>, names: &Names<'_, '_>) -> Vec<TokenStream> {
    let pages = names.pages.iter();
    let pages = pages.filter_map(|(of, names)| pages::of_operation(service, of, names));
    pages.collect()
}

fn sdk_matchers<'s, 'm>(
    service: &'s Service<'m>,
    named: &'s NamedWaiter<'s, 'm>,
) -> Matchers<'s, 'm> {
    let operation = named.operation;
    let module = access::ident(&crate::names::snake(operation.name));
    let side = |side: &str| {
        let name = format_ident!("{}{side}", access::type_name(operation.name));
        quote!(sdk::operation::#module::#name)
    };
    Matchers {
        service,
        reader: Reader {
            model: service.model,
            types: Types::Sdk,
        },
        named,
        input: side("Input"),
        output: side("Output"),
    }
}

/// Returns a file name that doesn't need `r#` or a `path` attribute to be a module.
fn file_name(module: &str) -> String {
    /// The names of crate roots.
    const ROOTS: [&str; 2] = ["lib", "main"];
    let name = access::ident(module).to_string();
    let keyword = name.strip_prefix("r#");
    let reserved = keyword.or_else(|| ROOTS.iter().copied().find(|root| *root == name));
    reserved.map_or_else(|| name.clone(), |reserved| format!("{reserved}_"))
}

/// Returns the name of a service's module, which is the part of the AWS crate's name after `aws_sdk_`. It is never
/// empty, because Smithy's names contain a letter or digit.
fn module(service: &Service<'_>) -> String {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let by_id = service.sdk_id.map(letters).filter(|id| !id.is_empty());
    by_id.unwrap_or_else(|| letters(service.name))
}

fn print(service: &str, tokens: TokenStream) -> Result<String, GenerateError> {
    let tokens = escape::in_strings(tokens);
    let file = syn::parse2::<syn::File>(tokens).map_err(|error| GenerateError::Defect {
        service: service.to_owned(),
        language: "Rust",
        message: error.to_string(),
    })?;
    Ok(separate_items(&prettyplease::unparse(&file)))
}

/// Separates the items by empty lines, which the printer leaves out.
fn separate_items(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut previous = "";
    for line in text.lines() {
        if begins_item(previous, line) {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        previous = line;
    }
    spaced
}

/// Returns `true` if a line begins an item after the end of another item at the same depth.
fn begins_item(previous: &str, line: &str) -> bool {
    const STARTS: [&str; 8] = [
        "///", "#[", "pub ", "fn ", "impl ", "impl<", "static ", "async ",
    ];
    let depth = |line: &str| line.len().saturating_sub(line.trim_start().len());
    let ends = matches!(previous.trim_start(), "}" | "});" | ">;")
        || (depth(previous) == 0 && previous.starts_with("use ") && !line.starts_with("use "));
    let starts = STARTS
        .iter()
        .any(|start| line.trim_start().starts_with(start));
    ends && starts && depth(previous) == depth(line)
}
