//! Python, for the clients of boto3 and aiobotocore.

mod file;
mod function;
mod imports;
mod method;
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
use crate::ir::{Definition, Service};
use crate::request_model;
use function::{Function, docstring};
use method::method_name;
pub use method::operation_name;
use names::{Names, RequestParameter};
use print::{block, list, string_literal};
use types::{Types, input};

/// The backend for Python.
///
/// A module contains a function for each waiter, `wait_until_table_exists(client, TableName=…, max_wait=…)`, its
/// asyncio variant, a mix-in with both as methods, the function `table_exists_waiter()`, which returns the engine's
/// waiter, and the types of requests and responses.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Python;

impl Backend for Python {
    fn language(&self) -> &'static str {
        "python"
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn service(&self, service: &Service<'_>) -> Result<Vec<File>, GenerateError> {
        let names = Names::of(service)?;
        let waits = service.waiters().zip(&names.waiters);
        let waits = waits.flat_map(|(waiter, named)| {
            waiter::functions(waiter, named, names.request_parameter(waiter.0))
        });
        let module = Module {
            service,
            waits: waits.collect(),
            pages: paginator::functions(service, &names),
            types: Types::of(service),
            names,
        };
        Ok(vec![File::new(
            self,
            format!("{}.py", file::of_service(service)),
            &module.text(),
        )])
    }

    fn untyped(&self, definition: &Definition) -> Result<File, GenerateError> {
        let path = format!("{}.py", file::name(&crate::names::snake(&definition.name)));
        Ok(File::new(self, path, &untyped::text_of(definition)?))
    }
}

struct Module<'s, 'm> {
    service: &'s Service<'m>,
    names: Names<'m>,
    waits: Vec<Function>,
    pages: Vec<Function>,
    types: Types,
}

impl Module<'_, '_> {
    fn text(&self) -> String {
        let mut parts = vec![self.head()];
        if self.has_waiters() {
            parts.push(raw(support::SETTINGS));
        }
        parts.extend(self.types.code.iter().map(|code| raw(code)));
        parts.extend(self.request_types());
        parts.extend(self.waits.iter().map(Function::print));
        parts.extend(self.mix_in());
        parts.extend(self.pages.iter().map(Function::print));
        if self.service.has_metadata() {
            let model = string_literal(&request_model::to_json(self.service));
            parts.push(raw(support::OPERATION));
            parts.push(text(format!("_REQUESTS = {model}")));
        }
        if self.splits_arguments() {
            parts.push(raw(support::SPLIT_ARGUMENTS));
        }
        print::module(parts)
    }

    const fn has_waiters(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Returns `true` if a wait accepts the members of the request together with the settings.
    fn splits_arguments(&self) -> bool {
        let mut waiters = self.service.waiters();
        waiters.any(|(operation, _)| {
            !matches!(
                self.names.request_parameter(operation),
                RequestParameter::Whole
            )
        })
    }

    fn head(&self) -> Doc {
        let docs = docstring(&[self.service.summary()], 0).unwrap_or_else(Doc::nil);
        let imports = self.imports();
        docs.append(Doc::hardline())
            .append(Doc::hardline())
            .append(lines(imports.lines().map(text)))
    }

    fn imports(&self) -> String {
        let functions = || self.waits.iter().chain(&self.pages);
        let outcomes = self.waits.iter().map(|function| &*function.returns);
        imports::of(&imports::ModuleUses {
            waits: self.has_waiters(),
            pages: !self.pages.is_empty(),
            operations: self.service.has_metadata(),
            deprecated: functions().any(|function| function.deprecated.is_some()),
            outcomes: outcomes.collect(),
            types: &self.types.uses,
        })
    }

    /// Returns the types of the keyword arguments: the request's members together with the wait's settings.
    fn request_types(&self) -> Vec<Doc> {
        let operations = self.service.operations.iter();
        let operations = operations.filter(|operation| !operation.waiters.is_empty());
        let named = operations.filter_map(|operation| {
            let RequestParameter::Members(name) = self.names.request_parameter(operation) else {
                return None;
            };
            let docs = format!(
                "The request of `{}` and the settings of a wait.",
                method_name(operation.name)
            );
            let bases = vec![text(input(operation)), text("Settings")];
            let head = list(format!("class {name}("), bases, "):");
            Some(block(head, docstring(&[docs], 4)))
        });
        named.collect()
    }

    fn mix_in(&self) -> Option<Doc> {
        if !self.has_waiters() {
            return None;
        }
        let summary = "Mix-in that adds the waiters to clients as methods.".to_owned();
        let usage = "Register it with a session to add it to the session's clients:".to_owned();
        let example = format!(
            "session.events.register(\"creating-client-class.{}\", lambda base_classes, **_: base_classes.insert(0, Waiters))",
            self.service
                .sdk_id
                .unwrap_or(self.service.name)
                .to_lowercase()
                .replace(' ', "-")
        );
        let docs = docstring(&[summary, usage, example], 4)?;
        let waiters = self.names.waiters.iter();
        let names = waiters.flat_map(|names| [false, true].map(|is_async| names.wait(is_async)));
        // A function that takes the client first also works as a method of the client.
        let methods = names.map(|name| print::assignment(name, name));
        let body = [docs, Doc::nil()].into_iter().chain(methods);
        Some(block(text("class Waiters:"), body))
    }
}
