//! Rust, over the crates of AWS's SDK or any other that smithy-rs writes.

mod access;
mod client;
mod code;
mod comment;
mod deprecated;
mod escape;
mod facts;
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
use crate::error::{GenerateError, together};
use crate::ir::{Definition, Service};
use access::Types;
pub use client::default_client;
pub use format::format;
use matcher::Matchers;
use member::Reader;
use names::{NamedWaiter, Names};

/// The backend for Rust.
///
/// A file has an extension trait of the client with a method for each waiter, a builder for each, and their matchers as
/// functions; a function `paginate_…` for each paginated operation; and what the model says of errors and requests. It is to be a module of its own, beside the SDK's own `Waiters` trait: a module that imports both cannot call
/// either.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rust {
    /// The client's crate or module as code names it, `aws_sdk_dynamodb`, `crate::sdk`; without it, by the service's `sdkId`.
    pub client: Option<String>,
    /// No client: matchers only, over plain types with serde's `Deserialize`, of what the paths look at.
    pub plain: bool,
}

impl Rust {
    /// Over a client's crate, or the one that the service's `sdkId` names.
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
    /// Matchers without a client.
    #[must_use]
    pub const fn plain() -> Self {
        let (client, plain) = (None, true);
        Self { client, plain }
    }

    fn tokens(&self, service: &Service<'_>) -> Result<TokenStream, GenerateError> {
        if self.plain {
            return plain::tokens(service);
        }
        let client = client::path(self.client.as_deref(), service)?;
        let names = Names::of(service)?;
        let (waiters, pages) = (waiters(service, &names.waiters)?, pages(service, &names));
        let facts = facts::of_service(service);
        let items = quote! {
            #waiters
            #(#pages)*
            #facts
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

/// The extension trait, the builders and the matchers; nothing of it without waiters.
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
    let functions = together(matchers.iter().map(Matchers::functions))?;
    let builders = matchers.iter().map(|matchers| waiter::builder(matchers));
    let about = comment::comment(&format!(
        "Waits for resources of {}.",
        service.sdk_id.unwrap_or(service.name)
    ));
    Ok(quote! {
        #about
        ///
        /// Not to be imported together with the SDK's own `Waiters`, whose methods have the same names.
        pub trait WaitUntil {
            #(#signatures)*
        }
        impl WaitUntil for sdk::Client {
            #(#methods)*
        }
        #(#builders)*
        #(#definitions)*
        /// A waiter decides itself what is retried: the client is not to.
        fn without_retries() -> sdk::config::Builder {
            sdk::config::Builder::new().retry_config(sdk::config::retry::RetryConfig::disabled())
        }
        /// What the waiters make of responses and errors: compiled from the model's paths.
        pub mod matchers {
            use super::{engine, sdk};
            #(#functions)*
        }
    })
}

/// The paginators.
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

/// A file that a module can have without `r#` or a `path`.
fn file_name(module: &str) -> String {
    /// What files are called that are no modules.
    const ROOTS: [&str; 2] = ["lib", "main"];
    let name = access::ident(module).to_string();
    let keyword = name.strip_prefix("r#");
    let taken = keyword.or_else(|| ROOTS.iter().copied().find(|root| *root == name));
    taken.map_or_else(|| name.clone(), |taken| format!("{taken}_"))
}

/// The name of a service's module, and of AWS's crate for it after `aws_sdk_`; Smithy's names have a letter or a digit.
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

/// With an empty line between items, which the printer leaves out.
fn separate_items(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        if begins_item(before, line) {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        before = line;
    }
    spaced
}

/// Whether a line begins an item after one that ends another, at the same depth.
fn begins_item(before: &str, line: &str) -> bool {
    const STARTS: [&str; 8] = [
        "///", "#[", "pub ", "fn ", "impl ", "impl<", "static ", "async ",
    ];
    let depth = |line: &str| line.len().saturating_sub(line.trim_start().len());
    let ends = matches!(before.trim_start(), "}" | "});" | ">;")
        || (depth(before) == 0 && before.starts_with("use ") && !line.starts_with("use "));
    let starts = STARTS
        .iter()
        .any(|start| line.trim_start().starts_with(start));
    ends && starts && depth(before) == depth(line)
}
