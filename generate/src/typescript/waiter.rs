//! A waiter: the matcher of its acceptors, and the function that waits.

use std::collections::BTreeSet;

use super::client::Client;
use super::item::{Function, Item};
use super::lower::{Lower, json};
use super::module;
use super::names::WaiterNames;
use super::narrow::widen_statements;
use super::print::type_line;
use super::tree::{Property, Statement, Ts, Type};
use super::types;
use crate::ir::{Operation, Success, Waiter};

/// The items of a waiter.
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
    let looks = match compiled {
        _ if !waiter.looks_at_responses() => Looks::Never,
        Some(_) => Looks::Itself,
        None => Looks::ByEngine,
    };
    if looks == Looks::ByEngine {
        items.push(Item::Function(maker(waiter, names)));
    }
    if looks != Looks::Never {
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
        looks,
    )));
    items
}

/// How responses are looked at.
#[derive(Clone, Copy, PartialEq)]
enum Looks {
    /// By the engine: plain code does not say it all.
    ByEngine,
    /// By the matcher's own code.
    Itself,
    /// All acceptors are of errors.
    Never,
}

/// The acceptors as plain code, where that says them all.
fn compile<'m>(lower: &mut Lower<'_, 'm>, waiter: &Waiter<'m>) -> Option<Vec<Statement>> {
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let found = Statement::Return(Ts::number(index));
        body.push(match path {
            None => found,
            Some(path) => Statement::If(lower.condition(path).ok()?, vec![found]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Ts::undefined()));
    }
    Some(body)
}

/// The engine's verdict.
fn matcher_body(waiter: &Waiter<'_>, names: &WaiterNames) -> Vec<Statement> {
    let is = |name: &str, value| Ts::Object(vec![Property::Is(name.to_owned(), Ts::name(value))]);
    let mut seen = vec![is("response", "output")];
    if waiter.looks_at_input() {
        seen.push(is("input", "input"));
    }
    let evaluate = Ts::name("waiter").dot("evaluate");
    let verdict = Ts::Call(Box::new(evaluate), seen);
    vec![
        Statement::Let("waiter".to_owned(), Ts::call(&names.maker, vec![])),
        Statement::Return(verdict.dot("acceptor")),
    ]
}

/// What makes the waiter for a matcher, too.
fn maker(waiter: &Waiter<'_>, names: &WaiterNames) -> Function {
    Function {
        docs: Vec::new(),
        is_exported: false,
        is_async: false,
        name: names.maker.clone(),
        parameters: Vec::new(),
        returns: Type::name("Waiter"),
        body: vec![
            create_waiter(&names.slot, &waiter.definition, waiter.name),
            Statement::Return(Ts::name(&names.slot)),
        ],
    }
}

/// `slot ??= new Waiter(…)`
pub(super) fn create_waiter(slot: &str, definition: &str, waiter: &str) -> Statement {
    let name = Property::Is("name".to_owned(), Ts::string(waiter));
    let definition = serde_json::from_str(definition).unwrap_or_default();
    let arguments = vec![json(&definition), Ts::Object(vec![name])];
    let made = Ts::New(Type::name("Waiter"), arguments);
    Statement::Do(Ts::name(slot).binary("??=", made))
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
            "The index of the acceptor of `{}` that a response matches, if any.",
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

/// A parameter; one that is not read begins with `_`: compilers ask for that.
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
    looks: Looks,
) -> Function {
    let (made, slot) = match looks {
        Looks::ByEngine => {
            let made = Ts::call(&names.maker, vec![]);
            (Statement::Let("waiter".to_owned(), made), "waiter")
        }
        _ => (
            create_waiter(&names.slot, &waiter.definition, waiter.name),
            &*names.slot,
        ),
    };
    let call = client.call(operation);
    let mut options = vec![
        Property::Spread(Ts::name("options")),
        Property::Is("input".to_owned(), Ts::name("input")),
    ];
    if looks == Looks::Itself {
        let function = &names.matcher;
        let matcher = if waiter.looks_at_input() {
            let parameter = format!("output: {}", client.output(operation));
            Ts::call(function, vec![Ts::name("output"), Ts::name("input")]).of(&parameter)
        } else {
            Ts::name(function)
        };
        options.push(Property::Is("matcher".to_owned(), matcher));
    }
    let waited = Ts::name(slot).dot("wait");
    let waited = Ts::Call(Box::new(waited), vec![call, Ts::name("settings")]);
    let outcome = outcome(client, operation, waiter);
    Function {
        docs: documentation(operation, waiter),
        is_exported: true,
        is_async: true,
        name: names.wait.clone(),
        parameters: vec![
            (
                client.parameter().to_owned(),
                client.configuration(operation),
            ),
            ("input".to_owned(), Type::name(client.input(operation))),
        ],
        body: vec![
            client.presence_check(),
            made,
            Statement::Let("settings".to_owned(), Ts::Object(options)),
            Statement::Let("outcome".to_owned(), Ts::Await(Box::new(waited))),
            Statement::Return(Ts::name("outcome").cast(type_line(&outcome))),
        ],
        returns: Type::of("Promise", outcome),
    }
}

/// What success can be: a response, an error, or either.
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

fn documentation(operation: &Operation<'_>, waiter: &Waiter<'_>) -> Vec<String> {
    let own = waiter.summary().map(|text| module::escape_tags(&text));
    let mut docs = vec![own.unwrap_or_else(|| {
        format!(
            "Waits until `{}` says {}.",
            operation.name,
            name_in_words(waiter)
        )
    })];
    if waiter.summary().is_some() {
        docs.push(format!("Calls `{}`.", operation.name));
    }
    let (least, most) = (waiter.min_delay, waiter.max_delay);
    docs.push(format!(
        "Calls are {least} to {most} seconds apart, if not said otherwise. Throws a `WaiterError` where the wait does not succeed."
    ));
    let deprecated = operation.deprecated.map(types::deprecated);
    docs.extend(deprecated.or_else(|| waiter.deprecated.then(|| "@deprecated".to_owned())));
    docs
}

/// The name as words: `TableExists` is `table exists`.
fn name_in_words(waiter: &Waiter<'_>) -> String {
    crate::names::words(waiter.name).join(" ")
}
