//! The functions of a waiter: one returns the engine's waiter, and one waits.

use super::client::Client;
use super::names::WaiterNames;
use super::print::{Function, Type, escape_tags, json, list, object, property};
use super::types;
use crate::document::{Doc, text};
use crate::ir::{Operation, Success, Waiter};

/// Returns the function that returns the engine's waiter, below the variable that caches it.
///
/// The waiter is created on the first call, which keeps the import of the module fast.
pub(super) fn accessor(
    names: &WaiterNames,
    waiter: &str,
    definition: &str,
    returns: Type,
) -> [Doc; 2] {
    let instance = &names.instance;
    let definition = serde_json::from_str(definition).unwrap_or_default();
    // The defaults of waiters that replace those of an SDK. Rule: docs/rules.md#defaults
    let defaults = serde_json::json!({"finalPoll": "late"});
    let options = object(
        [
            property("name", &waiter.into()),
            property("defaults", &defaults),
        ]
        .into_iter(),
    );
    let new = list("new Waiter(", vec![json(&definition), options], ")");
    let function = Function {
        docs: vec![format!(
            "Returns the waiter `{waiter}`, for example to evaluate a response."
        )],
        is_async: false,
        name: names.waiter.clone(),
        parameters: Vec::new(),
        returns,
        body: vec![
            text(format!("{instance} ??= ")).append(new).append(";"),
            text(format!("return {instance};")),
        ],
    };
    let variable = text(format!("let {instance}: Waiter | undefined;"));
    [variable, function.print()]
}

/// Returns the functions of a service's waiter.
pub(super) fn functions(
    client: &Client,
    (operation, waiter): (&Operation<'_>, &Waiter<'_>),
    names: &WaiterNames,
) -> Vec<Doc> {
    let types = vec![client.input(operation), client.output(operation)];
    let returns = Type::Name("Waiter".to_owned(), types);
    let mut functions = accessor(names, waiter.name, &waiter.definition, returns).to_vec();
    functions.push(wait(client, (operation, waiter), names).print());
    functions
}

fn wait(
    client: &Client,
    (operation, waiter): (&Operation<'_>, &Waiter<'_>),
    names: &WaiterNames,
) -> Function {
    let outcome = outcome(client, operation, waiter);
    Function {
        docs: documentation(client, operation, waiter),
        is_async: true,
        name: names.wait.clone(),
        parameters: vec![
            client.wait_parameter(operation),
            ("input".to_owned(), client.input(operation)),
        ],
        body: client.wait(operation, names, &outcome),
        returns: Type::of("Promise", client.result(outcome)),
    }
}

/// Returns the type of a successful wait's outcome.
fn outcome(client: &Client, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Type {
    let errors: Vec<Type> = client
        .errors(operation, waiter)
        .into_iter()
        .map(Type::name)
        .collect();
    let error = (!errors.is_empty()).then_some(Type::Or(errors));
    let success = waiter.success();
    let response = (success != Success::Error).then(|| client.output(operation));
    let arguments = response.into_iter().chain(error).collect();
    Type::Name(outcome_name(success).to_owned(), arguments)
}

/// Returns the engine's type of a successful wait's outcome.
pub(super) const fn outcome_name(success: Success) -> &'static str {
    match success {
        Success::Either => "Outcome",
        Success::Error => "ErrorOutcome",
        Success::Response => "ResponseOutcome",
    }
}

fn documentation(client: &Client, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Vec<String> {
    let calls = format!(
        "Calls `{}` with delays of {} to {} seconds by default.",
        operation.name, waiter.min_delay, waiter.max_delay
    );
    let mut docs = vec![
        summary(waiter.summary(), waiter.name),
        calls,
        wait_tags(client),
    ];
    let deprecated = operation.deprecated.map(types::deprecated);
    docs.extend(deprecated.or_else(|| waiter.deprecated.then(|| "@deprecated".to_owned())));
    docs
}

/// Returns the summary of a function that waits: the model's documentation, or a default without it.
pub(super) fn summary(documentation: Option<String>, waiter: &str) -> String {
    let summary = documentation.map(|text| escape_tags(&text));
    summary.unwrap_or_else(|| format!("Waits until the waiter `{waiter}` succeeds."))
}

/// Returns the documentation tags of a function that waits.
pub(super) fn wait_tags(client: &Client) -> String {
    format!(
        "@param configuration {}, `maxWaitTime` in seconds, and other options.\n\
         @param input The input of the operation.\n\
         @returns The outcome, with the response or the error that ended the wait.\n\
         @throws `WaiterError` if the waiter fails, the time is up or the wait is cancelled.\n\
         @throws `OptionsError` if an option is invalid.",
        client.summary()
    )
}
