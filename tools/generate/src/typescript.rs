//! TypeScript, for the clients of the AWS SDK for JavaScript v3 or for types generated from the model.

mod client;
mod names;
mod paginator;
mod print;
mod support;
mod types;
mod untyped;
mod waiter;

use crate::backend::{Backend, File};
use crate::document::{Doc, lines, raw, text};
use crate::error::GenerateError;
use crate::ir::{Definition, Operation, Service, Success};
use crate::request_model;
use client::Client;
use names::Names;

/// The backend for TypeScript.
///
/// A file contains two functions for each waiter: `waitUntilTableExists({ client, maxWaitTime }, input)`, and
/// `tableExistsWaiter()`, which returns the engine's waiter.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TypeScript {
    /// The package of the client. By default, it is derived from the service's `sdkId`.
    pub client: Option<String>,
    /// `true` to generate without a client. Functions accept a callback for the request, over types generated from the
    /// model.
    pub plain: bool,
}

impl TypeScript {
    /// Generates for the given package, or for the package that the service's `sdkId` implies. Without either, it
    /// generates for types of the model.
    #[must_use]
    pub const fn for_client(client: Option<String>) -> Self {
        let plain = false;
        Self { client, plain }
    }

    /// Generates for types of the model, even if the service has an `sdkId`.
    #[must_use]
    pub const fn without_client() -> Self {
        Self {
            client: None,
            plain: true,
        }
    }
}

impl Backend for TypeScript {
    fn language(&self) -> &'static str {
        "typescript"
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn service(&self, service: &Service<'_>) -> Result<Vec<File>, GenerateError> {
        let client = Client::of(service, self.client.as_deref(), self.plain)?;
        let names = Names::of(service)?;
        let has_waits = !names.waiters.is_empty();
        let has_pages = !names.pages.is_empty();
        let operations: Vec<&Operation<'_>> = service.callable_operations().collect();

        let imports = client.imports(&operations).into_iter();
        let imports: Vec<Doc> = imports.chain(engine_import(service, &client)).collect();
        let mut declarations = Vec::new();
        declarations.extend((!imports.is_empty()).then(|| lines(imports)));
        for (waiter, names) in service.waiters().zip(&names.waiters) {
            declarations.extend(waiter::functions(&client, waiter, names));
        }
        for ((operation, pages), name) in service.paginated_operations().zip(&names.pages) {
            declarations.push(paginator::function(&client, operation, pages, name));
        }
        declarations.extend(metadata(service));
        declarations.extend(client.types(has_waits, has_pages));
        if matches!(client, Client::Function) {
            declarations.extend(types::declarations(service, &operations)?);
        }
        declarations.extend(client.helpers(has_waits));

        let docs = [service.summary(), "@module".to_owned()];
        let text = print::module(&docs, declarations);
        let path = format!("{}.ts", file_name(service));
        Ok(vec![File::new(self, path, &text)])
    }

    fn untyped(&self, definition: &Definition) -> Result<File, GenerateError> {
        let docs = ["A waiter from a hand-written definition.", "@module"].map(str::to_owned);
        let text = print::module(&docs, untyped::declarations(definition)?);
        let path = format!("{}.ts", crate::names::words(&definition.name).join("-"));
        Ok(File::new(self, path, &text))
    }
}

fn file_name(service: &Service<'_>) -> String {
    match service.sdk_id {
        Some(id) => id.to_lowercase().replace(' ', "-"),
        None => crate::names::words(service.name).join("-"),
    }
}

/// Returns the import of the engine's package.
fn engine_import(service: &Service<'_>, client: &Client) -> Option<Doc> {
    let mut names = Vec::new();
    if service.has_metadata() {
        names.push("Operation");
    }
    if service.paginated_operations().next().is_some() {
        names.extend(["type Pages", "type PagesOptions", "Paginator"]);
    }
    let waiters = service.waiters().map(|(_, waiter)| waiter);
    let successes: Vec<Success> = waiters.map(|waiter| waiter.success()).collect();
    if !successes.is_empty() {
        names.extend(["type WaitOptions", "Waiter"]);
        if let Client::Sdk { .. } = client {
            // The type of the results extends it.
            names.push("type Outcome");
        }
    }
    let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let outcomes = successes.into_iter().map(waiter::outcome_name);
    names.extend(outcomes.map(|name| format!("type {name}")));
    (!names.is_empty()).then(|| print::import(names, "smithy-waiters"))
}

/// Returns the type of the operations' names, the function `operation`, and the embedded model that it reads.
fn metadata(service: &Service<'_>) -> Vec<Doc> {
    if !service.has_metadata() {
        return Vec::new();
    }
    let operations = service.operations.iter();
    let names = operations.map(|operation| operation.name);
    let model = print::string_literal(&request_model::to_json(service));
    vec![
        raw(support::OPERATION),
        print::union("OperationName", names),
        text(format!("const REQUESTS =\n  {model};")),
    ]
}
