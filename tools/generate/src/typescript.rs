//! TypeScript, for the clients of the AWS SDK for JavaScript v3 or for types generated from the model.

mod client;
mod item;
mod lower;
mod module;
mod names;
mod narrow;
mod operation;
mod paginator;
mod print;
mod support;
mod tree;
mod types;
mod untyped;
mod waiter;

use std::collections::BTreeSet;

use crate::backend::{Backend, File};
use crate::error::GenerateError;
use crate::ir::{Definition, Operation, Service};
use client::Client;
use item::Item;
use lower::Lower;
use names::Names;

/// The backend for TypeScript.
///
/// A file contains two functions for each waiter: `waitUntilTableExists({ client, maxWaitTime }, input)`, and a matcher
/// that returns the index of the acceptor that matches a response.
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
        let mut lower = Lower::new(service);
        let mut waiters = Vec::new();
        for (waiter, names) in service.waiters().zip(&names.waiters) {
            waiters.extend(waiter::items(&client, &mut lower, waiter, names));
        }
        let pages = service.paginated_operations().zip(&names.pages);
        let pages = pages
            .map(|((operation, pages), name)| paginator::item(&client, operation, pages, name));
        let pages: Vec<Item> = pages.collect();
        let operations: Vec<&Operation<'_>> = service.callable_operations().collect();
        let metadata = operation::items(service);
        let mut items: Vec<Item> = client.import(&operations).into_iter().collect();
        let helpers = helpers(&waiters);
        let is_sdk = matches!(client, Client::Sdk { .. });
        items.extend(imports(
            &waiters,
            !pages.is_empty(),
            !metadata.is_empty(),
            is_sdk,
        ));
        items.extend(client.configurations(!waiters.is_empty(), !pages.is_empty()));
        if matches!(client, Client::Function) {
            items.extend(types::items(service, &operations)?);
        }
        items.extend(waiters.into_iter().chain(pages).chain(metadata));
        items.extend(helper_items(&helpers));
        let docs = [service.summary(), "@module".to_owned()];
        let text = module::print(&docs, &items);
        Ok(vec![File::new(
            self,
            format!("{}.ts", file_name(service)),
            &text,
        )])
    }

    fn untyped(&self, definition: &Definition) -> Result<File, GenerateError> {
        let docs = ["A waiter from a hand-written definition.", "@module"].map(str::to_owned);
        let text = module::print(&docs, &untyped::items(definition)?);
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

/// Returns the names of the helpers that the functions call.
fn helpers(items: &[Item]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for item in items {
        if let Item::Function(function) = item {
            let body = function.body.iter();
            body.for_each(|statement| statement.names(&mut names));
        }
    }
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    helpers.filter(|name| names.contains(name)).collect()
}

fn helper_items(used: &BTreeSet<&'static str>) -> Vec<Item> {
    let helpers = support::HELPERS.iter();
    let helpers = helpers.filter(|(name, _)| used.contains(name));
    helpers
        .map(|(_, code)| Item::Raw(code.trim_start()))
        .collect()
}

/// Returns the import of the engine's package.
fn imports(waiters: &[Item], has_pages: bool, has_metadata: bool, is_sdk: bool) -> Option<Item> {
    let return_types = waiters.iter().filter_map(|item| match item {
        Item::Function(function) => Some(print::type_line(&function.returns)),
        _ => None,
    });
    let return_types: String = return_types.collect();
    let mut names: Vec<&str> = Vec::new();
    let outcomes = [
        ("<ErrorOutcome", "type ErrorOutcome"),
        ("<Outcome", "type Outcome"),
        ("<ResponseOutcome", "type ResponseOutcome"),
    ];
    let outcomes = outcomes.iter().filter(|(part, name)| {
        // The type of the SDK's results extends it.
        return_types.contains(part) || (is_sdk && !waiters.is_empty() && *name == "type Outcome")
    });
    names.extend(outcomes.map(|(_, name)| *name));
    if has_metadata {
        names.push("Operation");
    }
    if has_pages {
        names.extend(["type Pages", "type PagesOptions", "Paginator"]);
    }
    if !waiters.is_empty() {
        names.extend(["type WaitOptions", "Waiter"]);
    }
    names.sort_by_key(|name| name.trim_start_matches("type "));
    let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
    (!names.is_empty()).then(|| Item::Import(names, "smithy-waiters".to_owned()))
}
