//! Python, over boto3's clients, and those of aiobotocore.

mod function;
mod lower;
mod method;
mod names;
mod support;
mod tree;
mod types;
mod untyped;
mod waiter;

use std::collections::BTreeSet;

use crate::backend::{Backend, File};
use crate::error::GenerateError;
use crate::facts;
use crate::ir::{Definition, Operation, Pagination, Service};
use function::{Function, docstring};
use lower::Lower;
use method::method_name;
use names::{Given, Names};
use tree::{Doc, Py, Statement, block, lines, print, text};

/// The backend for Python.
///
/// A module has a function for each waiter, `wait_until_table_exists(client, TableName=…, max_wait=…)`, the same for asyncio, a
/// mix-in with them as methods, and the types of what they take and give.
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
        let (mut functions, mut methods) = (Vec::new(), Vec::new());
        for (waiter, named) in service.waiters().zip(&names.waiters) {
            let parts = waiter::parts(&mut lower, waiter, named, names.given(waiter.0));
            functions.extend(parts.functions);
            methods.extend(parts.methods);
        }
        let helpers = helpers(&functions);
        let module = Module {
            service,
            names,
            functions,
            methods,
            helpers,
        };
        Ok(vec![File::new(
            self,
            format!("{}.py", file_name(service)),
            &module.text(),
        )])
    }

    fn untyped(&self, definitions: &[Definition]) -> Result<Vec<File>, GenerateError> {
        Ok(vec![File::new(
            self,
            "waiters.py",
            &untyped::text_of(definitions)?,
        )])
    }
}

/// A module that can be imported.
fn file_name(service: &Service<'_>) -> String {
    let name = match service.sdk_id {
        Some(id) => id.to_lowercase().replace([' ', '-'], "_"),
        None => crate::names::snake(service.name),
    };
    if types::is_keyword(&name) {
        return format!("{name}_");
    }
    name
}

/// The type of an operation's input.
fn input(operation: &Operation<'_>) -> String {
    operation
        .input
        .map_or_else(|| "Mapping[str, Any]".to_owned(), types::name)
}

/// The type of an operation's output.
fn output(operation: &Operation<'_>) -> String {
    operation
        .output
        .map_or_else(|| "Mapping[str, Any]".to_owned(), types::name)
}

/// The helpers that functions call.
fn helpers(functions: &[Function]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for statement in functions.iter().flat_map(|function| &function.body) {
        statement.names(&mut names);
    }
    let helpers = support::HELPERS.iter().map(|(name, _)| *name);
    helpers.filter(|name| names.contains(name)).collect()
}

struct Module<'s, 'm> {
    service: &'s Service<'m>,
    names: Names<'m>,
    functions: Vec<Function>,
    methods: Vec<Function>,
    helpers: BTreeSet<&'static str>,
}

impl Module<'_, '_> {
    fn text(&self) -> String {
        let has_waiters = !self.functions.is_empty();
        let mut parts = vec![self.head()];
        let raw = |code: &str| lines(code.trim().lines().map(text));
        if has_waiters {
            parts.push(raw(support::SETTINGS));
        }
        let called: Vec<&Operation<'_>> = self.service.called().collect();
        parts.extend(
            types::items(self.service, &called)
                .iter()
                .map(|code| raw(code)),
        );
        parts.extend(self.given_types());
        parts.extend(self.functions.iter().map(|function| function.print(0)));
        parts.extend(self.mix_in());
        for (pages, names) in self.service.paginated().zip(&self.names.pages) {
            let [name, name_async] = names;
            let named = [(name.as_str(), false), (name_async.as_str(), true)];
            parts.extend(named.map(|named| paginator(pages, named).print(0)));
        }
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

    fn head(&self) -> Doc {
        let about = format!(
            "Waiters, pages and what is known of requests of {}.",
            self.service.title()
        );
        let docs = docstring(&[about], 0).unwrap_or_else(Doc::nil);
        let imports = self.imports();
        docs.append(Doc::hardline())
            .append(Doc::hardline())
            .append(lines(imports.lines().map(text)))
    }

    fn imports(&self) -> String {
        let has_waiters = !self.functions.is_empty();
        let has_pages = self.service.paginated().next().is_some();
        let mut text = String::from("from __future__ import annotations\n\n");
        if self.helpers.contains("_ordered") {
            text.push_str("import operator\n");
        }
        if has_waiters {
            text.push_str("import warnings\n");
        }
        let mappings = if self.helpers.contains("_member") || self.helpers.contains("_values") {
            text.push_str("from collections.abc import Mapping\n");
            ""
        } else {
            "Mapping, "
        };
        text.push_str("from functools import cache\nfrom typing import TYPE_CHECKING, Any, TypedDict, cast\n\n");
        let interpreted = self.helpers.contains("_interpreted");
        if interpreted {
            text.push_str("from smithy_waiters import ExpressionError, Waiter, search\n");
        } else if has_waiters {
            text.push_str("from smithy_waiters import Waiter\n");
        }
        text.push_str("from smithy_waiters.operation import Operation\n");
        if has_pages {
            text.push_str("from smithy_waiters.pagination import Paginator\n");
        }
        if self.functions.iter().any(|function| {
            function
                .decorator
                .is_some_and(|one| one.starts_with("@dep"))
        }) {
            text = text.replacen("import warnings\n", "import sys\nimport warnings\n", 1);
            text.push_str(support::DEPRECATED);
        }
        text.push_str("\nif TYPE_CHECKING:\n");
        let iterators = if has_pages { "AsyncIterator, " } else { "" };
        let iterator = if has_pages { "Iterator, " } else { "" };
        let abc = format!("{iterators}Callable, {iterator}{mappings}");
        text.push_str(&format!(
            "    from collections.abc import {}\n",
            abc.trim_end_matches(", ")
        ));
        text.push_str(
            "    from datetime import datetime, timedelta\n    from typing import Literal\n\n",
        );
        if has_waiters {
            text.push_str(
                "    from smithy_waiters import ErrorOutcome, Outcome, Progress, ResponseOutcome\n",
            );
        }
        if has_pages {
            text.push_str("    from smithy_waiters.pagination import PageOptions\n");
        }
        if has_waiters {
            text.push_str("    from smithy_waiters.retry.strategy import RetryStrategy\n");
        }
        text.push_str("    from typing_extensions import NotRequired, Unpack\n");
        text
    }

    /// What functions take: the request, and how to wait.
    fn given_types(&self) -> Vec<Doc> {
        let operations = self.service.operations.iter();
        let operations = operations.filter(|operation| !operation.waiters.is_empty());
        let named = operations.filter_map(|operation| {
            let Given::Members(name) = self.names.given(operation) else {
                return None;
            };
            let docs = format!(
                "The request of `{}`, and how to wait.",
                method_name(operation.name)
            );
            let head = text(format!("class {name}({}, Settings):", input(operation)));
            Some(block(head, docstring(&[docs], 4)))
        });
        named.collect()
    }

    fn mix_in(&self) -> Option<Doc> {
        if self.methods.is_empty() {
            return None;
        }
        let about = "The waiters as methods of a client: a mix-in.".to_owned();
        let how = format!(
            "session.events.register(\"creating-client-class.{}\", lambda base_classes, **_: base_classes.insert(0, Waiters))",
            self.service
                .sdk_id
                .unwrap_or(self.service.name)
                .to_lowercase()
                .replace(' ', "-")
        );
        let docs = docstring(&[about, how], 4)?;
        let methods = self
            .methods
            .iter()
            .map(|method| Doc::hardline().append(method.print(4)));
        let body = std::iter::once(docs).chain(methods);
        Some(block(text("class Waiters:"), body))
    }

    fn operation(&self) -> Vec<Doc> {
        if self.service.operations.is_empty() {
            return Vec::new();
        }
        let read = Py::name("Operation")
            .method("from_model", vec![Py::name("_REQUESTS"), Py::name("name")]);
        let function = Function {
            decorator: Some("@cache"),
            name: "operation".to_owned(),
            parameters: vec!["name: str".to_owned()],
            returns: "Operation".to_owned(),
            docs: vec![
                "Give what is known of an operation's requests, by its name in the model.".to_owned(),
                "Whether they may be made again, after which errors, with which token, and how they may be compressed."
                    .to_owned(),
            ],
            body: vec![Statement::Return(read)],
            ..Function::default()
        };
        let requests = format!("_REQUESTS = {}", tree::quoted(&facts::text(self.service)));
        vec![function.print(0), text(requests)]
    }
}

fn paginator(
    (operation, pages): (&Operation<'_>, &Pagination<'_>),
    (name, is_async): (&str, bool),
) -> Function {
    let (walk, returns) = if is_async {
        ("pages_async", "AsyncIterator")
    } else {
        ("pages", "Iterator")
    };
    let method = method_name(operation.name);
    let mut trait_members = vec![
        ("inputToken", pages.input_token),
        ("outputToken", pages.output_token_path),
    ];
    trait_members.extend(pages.items_path.map(|path| ("items", path)));
    trait_members.extend(pages.page_size.map(|name| ("pageSize", name)));
    let members = trait_members.into_iter();
    let members = members.map(|(name, value)| Py::keyword(name, Py::string(value)));
    let definition = Py::call("dict", members.collect());
    let paginator = Py::call("Paginator", vec![definition]);
    let options = Py::name("paging").binary("or", Py::name("{}"));
    let arguments = vec![
        method::bound_method(operation),
        Py::name("request"),
        Py::keyword("", options),
    ];
    Function {
        is_async: false,
        name: name.to_owned(),
        parameters: page_parameters(operation),
        returns: format!("{returns}[{}]", output(operation)),
        docs: vec![format!(
            "Give the pages of `{method}`, each when it is asked for."
        )],
        body: vec![
            Statement::Assign("paginator".to_owned(), paginator),
            Statement::Return(Py::name("paginator").method(walk, arguments)),
        ],
        ..Function::default()
    }
}

/// A request that has a member called like the option is one argument.
fn page_parameters(operation: &Operation<'_>) -> Vec<String> {
    let paging = "paging: PageOptions | None = None".to_owned();
    let (first, rest) = match operation.input {
        None => (None, Some("**request: Any".to_owned())),
        Some(shape) if shape.member("paging").is_some() => {
            (Some(format!("request: {}", input(operation))), None)
        }
        Some(_) => (
            None,
            Some(format!("**request: Unpack[{}]", input(operation))),
        ),
    };
    let start = ["client: Any", "/", "*"].map(str::to_owned);
    let parameters = start.into_iter().chain(first);
    parameters.chain([paging]).chain(rest).collect()
}
