//! The functions of a waiter: its matcher, and the wait.

use std::collections::BTreeSet;

use super::client::Client;
use super::item::{Function, Item};
use super::lower::{Lower, json};
use super::module;
use super::names::WaiterNames;
use super::narrow::widen_statements;
use super::tree::{Property, Statement, Ts, Type};
use super::types;
use crate::ir::{Operation, Success, Waiter};

/// Returns the items of a waiter.
pub(super) fn items<'m>(
    client: &Client,
    lower: &mut Lower<'_, 'm>,
    (operation, waiter): (&Operation<'m>, &Waiter<'m>),
    names: &WaiterNames,
) -> Vec<Item> {
    let slot = Item::Let(
        names.slot.clone(),
        Type::Or(vec![Type::name("Waiter"), Type::name("undefined")]),
    );
    let mut items = vec![slot];
    let compiled = compile(lower, waiter);
    let evaluation = match compiled {
        _ if !waiter.looks_at_responses() => Evaluation::Unused,
        Some(_) => Evaluation::Matcher,
        None => Evaluation::Engine,
    };
    if evaluation == Evaluation::Engine {
        items.push(Item::Function(factory(waiter, names)));
    }
    if evaluation != Evaluation::Unused {
        let body = compiled.map_or_else(|| matcher_body(waiter, names), widen_statements);
        items.push(Item::Function(matcher(
            client,
            (operation, waiter),
            &names.matcher,
            body,
        )));
    }
    items.push(Item::Function(wait(
        client,
        (operation, waiter),
        names,
        evaluation,
    )));
    items
}

/// The evaluation of responses.
#[derive(Clone, Copy, PartialEq)]
enum Evaluation {
    /// The engine evaluates them, because a path has no plain code.
    Engine,
    /// The generated matcher evaluates them.
    Matcher,
    /// No acceptor matches responses.
    Unused,
}

/// Translates the acceptors for responses to plain code. Returns `None` if a path has no plain code.
fn compile<'m>(lower: &mut Lower<'_, 'm>, waiter: &Waiter<'m>) -> Option<Vec<Statement>> {
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let result = Statement::Return(Ts::number(index));
        body.push(match path {
            None => result,
            Some(path) => Statement::If(lower.condition(path).ok()?, vec![result]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Ts::undefined()));
    }
    Some(body)
}

/// Returns the body of a matcher without plain code, which calls the engine.
fn matcher_body(waiter: &Waiter<'_>, names: &WaiterNames) -> Vec<Statement> {
    let is = |name: &str, value| Ts::Object(vec![Property::Is(name.to_owned(), Ts::name(value))]);
    let mut arguments = vec![is("response", "output")];
    if waiter.looks_at_input() {
        arguments.push(is("input", "input"));
    }
    let evaluate = Ts::name("waiter").dot("evaluate");
    let verdict = Ts::Call(Box::new(evaluate), arguments);
    vec![
        Statement::Let("waiter".to_owned(), Ts::call(&names.factory, vec![])),
        Statement::Return(verdict.dot("acceptor")),
    ]
}

/// Returns the function that creates the waiter for both the matcher and the wait.
fn factory(waiter: &Waiter<'_>, names: &WaiterNames) -> Function {
    Function {
        docs: Vec::new(),
        is_exported: false,
        is_async: false,
        name: names.factory.clone(),
        parameters: Vec::new(),
        returns: Type::name("Waiter"),
        body: vec![
            create_waiter(&names.slot, &waiter.definition, waiter.name),
            Statement::Return(Ts::name(&names.slot)),
        ],
    }
}

/// Returns `slot ??= new Waiter(…)`.
pub(super) fn create_waiter(slot: &str, definition: &str, waiter: &str) -> Statement {
    let name = Property::Is("name".to_owned(), Ts::string(waiter));
    let definition = serde_json::from_str(definition).unwrap_or_default();
    let arguments = vec![json(&definition), Ts::Object(vec![name])];
    let waiter = Ts::New(Type::name("Waiter"), arguments);
    Statement::Do(Ts::name(slot).binary("??=", waiter))
}

fn matcher(
    client: &Client,
    (operation, waiter): (&Operation<'_>, &Waiter<'_>),
    name: &str,
    body: Vec<Statement>,
) -> Function {
    let mut sides = vec![("output", client.output(operation))];
    sides.extend(
        waiter
            .looks_at_input()
            .then(|| ("input", client.input(operation))),
    );
    let parameters = sides
        .into_iter()
        .map(|(name, of)| (parameter(name, &body), Type::name(of)))
        .collect();
    Function {
        docs: vec![format!(
            "Returns the index of the acceptor of `{}` that matches a response, or `undefined`.",
            waiter.name
        )],
        is_exported: true,
        is_async: false,
        name: name.to_owned(),
        parameters,
        returns: Type::Or(vec![Type::name("number"), Type::name("undefined")]),
        body,
    }
}

/// Returns the name of a parameter. An unused one begins with `_`, because compilers report unused parameters.
fn parameter(name: &str, body: &[Statement]) -> String {
    let mut read = BTreeSet::new();
    body.iter().for_each(|statement| statement.names(&mut read));
    let unread = if read.contains(name) { "" } else { "_" };
    format!("{unread}{name}")
}

fn wait<'m>(
    client: &Client,
    (operation, waiter): (&Operation<'m>, &Waiter<'m>),
    names: &WaiterNames,
    evaluation: Evaluation,
) -> Function {
    let (create, slot) = match evaluation {
        Evaluation::Engine => {
            let create = Ts::call(&names.factory, vec![]);
            (Statement::Let("waiter".to_owned(), create), "waiter")
        }
        _ => (
            create_waiter(&names.slot, &waiter.definition, waiter.name),
            &*names.slot,
        ),
    };
    let call = client.call(operation);
    let mut options = vec![Property::Spread(Ts::name("options"))];
    options.extend(client.settings());
    let wait = Ts::name(slot).dot("wait");
    let wait = Ts::Call(Box::new(wait), vec![call, Ts::name("settings")]);
    let (result, value) = client.result(outcome(client, operation, waiter));
    Function {
        docs: documentation(client, operation, waiter),
        is_exported: true,
        is_async: true,
        name: names.wait.clone(),
        parameters: vec![
            (
                client.wait_parameter().to_owned(),
                client.configuration(operation),
            ),
            ("input".to_owned(), Type::name(client.input(operation))),
        ],
        body: vec![
            client.presence_check(),
            create,
            Statement::Let("settings".to_owned(), Ts::Object(options)),
            Statement::Let("outcome".to_owned(), Ts::Await(Box::new(wait))),
            Statement::Return(value),
        ],
        returns: Type::of("Promise", result),
    }
}

/// Returns the type of a successful wait's result.
fn outcome(client: &Client, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Type {
    let output = Type::name(client.output(operation));
    let error = client.error(operation, waiter);
    match waiter.success() {
        Success::Either => {
            let arguments = std::iter::once(output).chain(error);
            Type::Name("Outcome".to_owned(), arguments.collect())
        }
        Success::Error => Type::Name("ErrorOutcome".to_owned(), error.into_iter().collect()),
        Success::Response => Type::of("ResponseOutcome", output),
    }
}

fn documentation(client: &Client, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Vec<String> {
    let summary = waiter.summary().map(|text| module::escape_tags(&text));
    let default = || format!("Waits until the waiter `{}` succeeds.", waiter.name);
    let mut docs = vec![
        summary.unwrap_or_else(default),
        format!(
            "Calls `{}` with delays of {} to {} seconds by default.",
            operation.name, waiter.min_delay, waiter.max_delay
        ),
        wait_tags(client),
    ];
    let deprecated = operation.deprecated.map(types::deprecated);
    docs.extend(deprecated.or_else(|| waiter.deprecated.then(|| "@deprecated".to_owned())));
    docs
}

/// Returns the documentation tags of a function that waits.
pub(super) fn wait_tags(client: &Client) -> String {
    format!(
        "@param configuration {}, `maxWaitTime` in seconds, and other options.\n\
         @param input The input of the operation.\n\
         @returns The outcome, with the response or the error that ended the wait.\n\
         @throws `WaiterError` if the waiter fails, the time is up or the wait is cancelled.\n\
         @throws `OptionsError` if an option is invalid.",
        client.caller()
    )
}
