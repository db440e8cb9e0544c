//! Python, for the clients of boto3 and aiobotocore.

mod file;
mod function;
mod imports;
mod lower;
mod method;
mod names;
mod paginator;
mod support;
mod tree;
mod types;
mod untyped;
mod waiter;

use std::collections::BTreeSet;

use crate::backend::{Backend, File};
use crate::error::GenerateError;
use crate::ir::{Definition, Service};
use crate::request_model;
use function::{Function, docstring};
use lower::Lower;
use method::method_name;
use names::{Names, RequestParameter};
use tree::{Doc, Py, Statement, block, lines, list, print, statement, text};
use types::{Types, input};

/// The backend for Python.
///
/// A module contains a function for each waiter, `wait_until_table_exists(client, TableName=…, max_wait=…)`, its
/// asyncio variant, a mix-in with both as methods, and the types of requests and responses.
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
        let mut lower = Lower::new(service);
        let mut waits = Vec::new();
        for (waiter, named) in service.waiters().zip(&names.waiters) {
            let parameter = names.request_parameter(waiter.0);
            waits.extend(waiter::functions(&mut lower, waiter, named, parameter));
        }
        let helpers = helpers(&waits);
        let module = Module {
            service,
            waits,
            pages: paginator::functions(service, &names),
            types: Types::of(service),
            names,
            helpers,
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

/// Returns the names of the helpers that the functions call.
fn helpers(functions: &[Function]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for statement in functions.iter().flat_map(|function| &function.body) {
        statement.names(&mut names);
    }
    // `_contains` calls `_equal`.
    if names.contains("_contains") {
        names.insert("_equal");
    }
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    helpers.filter(|name| names.contains(name)).collect()
}

struct Module<'s, 'm> {
    service: &'s Service<'m>,
    names: Names<'m>,
    waits: Vec<Function>,
    pages: Vec<Function>,
    types: Types,
    helpers: BTreeSet<&'static str>,
}

impl Module<'_, '_> {
    fn text(&self) -> String {
        let mut parts = vec![self.head()];
        let raw = |code: &str| lines(code.trim().lines().map(text));
        if self.has_waiters() {
            parts.push(raw(support::SETTINGS));
        }
        parts.extend(self.types.code.iter().map(|code| raw(code)));
        parts.extend(self.request_types());
        parts.extend(self.waits.iter().map(|function| function.print(0)));
        parts.extend(self.mix_in());
        parts.extend(self.pages.iter().map(|function| function.print(0)));
        parts.extend(self.operation());
        let helpers = support::HELPERS.iter();
        let helpers = helpers.filter(|(name, _)| self.helpers.contains(name));
        parts.extend(helpers.map(|(_, code)| raw(code)));
        let space = || {
            Doc::hardline()
                .append(Doc::hardline())
                .append(Doc::hardline())
        };
        print(&Doc::intersperse(parts, space()))
    }

    const fn has_waiters(&self) -> bool {
        !self.waits.is_empty()
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
            mappings: functions().any(Function::has_mapping),
            outcomes: outcomes.collect(),
            helpers: &self.helpers,
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
        let methods = names.map(|name| Statement::Let(name.to_owned(), Py::name(name)));
        let methods = methods.map(|method| statement(&method));
        let body = [docs, Doc::nil()].into_iter().chain(methods);
        Some(block(text("class Waiters:"), body))
    }

    fn operation(&self) -> Vec<Doc> {
        if !self.service.has_metadata() {
            return Vec::new();
        }
        let read = Py::name("Operation")
            .method("from_model", vec![Py::name("_REQUESTS"), Py::name("name")]);
        let function = Function {
            is_cached: true,
            name: "operation".to_owned(),
            parameters: vec!["name: str".to_owned()],
            returns: "Operation".to_owned(),
            docs: vec![
                "Return the behavior traits of an operation, by its name in the model.".to_owned(),
                "They cover idempotency, retryable errors, the idempotency token and request compression."
                    .to_owned(),
                "Raises:\n    DefinitionError: The model doesn't contain the operation.".to_owned(),
            ],
            body: vec![Statement::Return(read)],
            ..Function::default()
        };
        let requests = format!(
            "_REQUESTS = {}",
            tree::string_literal(&request_model::to_json(self.service))
        );
        vec![function.print(0), text(requests)]
    }
}
