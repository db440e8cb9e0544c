//! A waiter: the matcher of its acceptors, and the functions that wait.

use super::function::Function;
use super::lower::Lower;
use super::tree::{Py, Statement};
use super::{input, method_name, output};
use crate::docs;
use crate::ir::{Acceptor, Matcher, Operation, State, Waiter};
use crate::names;

/// The functions of a waiter, and what holds its definition.
pub(super) struct Parts {
    pub(super) functions: Vec<Function>,
    /// The methods of the mix-in.
    pub(super) methods: Vec<Function>,
}

pub(super) fn parts<'m>(
    lower: &mut Lower<'_, 'm>,
    operation: &Operation<'m>,
    waiter: &Waiter<'m>,
) -> Parts {
    let has_matcher = waiter.acceptors.iter().any(looks_at_responses);
    let mut functions = Vec::new();
    if has_matcher {
        functions.push(matcher(lower, operation, waiter));
    }
    functions.push(definition(waiter));
    functions.push(wait(operation, waiter, has_matcher, false));
    functions.push(wait(operation, waiter, has_matcher, true));
    let methods = vec![
        method(operation, waiter, false),
        method(operation, waiter, true),
    ];
    Parts { functions, methods }
}

/// The type that takes the request and how to wait, and what it extends.
pub(super) fn given_type(operation: &Operation<'_>) -> Option<String> {
    operation
        .input
        .map(|_| format!("{}Wait", names::capital(operation.name)))
}

fn looks_at_responses(acceptor: &Acceptor<'_>) -> bool {
    !matches!(
        acceptor.matcher,
        Matcher::ErrorType(_) | Matcher::Success(false)
    )
}

fn matcher<'m>(
    lower: &mut Lower<'_, 'm>,
    operation: &Operation<'m>,
    waiter: &Waiter<'m>,
) -> Function {
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let found = Statement::Return(Py::name(index.to_string()));
        body.push(match path {
            None => found,
            Some(path) => Statement::If(lower.condition(path), vec![found]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Py::none()));
    }
    let mut parameters = vec![format!("output: {}", output(operation))];
    if waiter.looks_at_input() {
        parameters.push(format!("input: {}", input(operation)));
    }
    Function {
        name: format!("match_{}", names::snake(waiter.name)),
        parameters,
        returns: "int | None".to_owned(),
        docs: vec![format!(
            "Give the index of the acceptor of `{}` that matches.",
            waiter.name
        )],
        body,
        ..Function::default()
    }
}

fn holder(waiter: &Waiter<'_>) -> String {
    format!("_{}", names::snake(waiter.name))
}

fn definition(waiter: &Waiter<'_>) -> Function {
    let name = Py::keyword("name", Py::string(waiter.name));
    let made = Py::call("Waiter", vec![Py::string(&waiter.definition), name]);
    Function {
        decorator: Some("@cache"),
        name: holder(waiter),
        returns: "Waiter".to_owned(),
        body: vec![Statement::Return(made)],
        ..Function::default()
    }
}

fn wait(
    operation: &Operation<'_>,
    waiter: &Waiter<'_>,
    has_matcher: bool,
    is_async: bool,
) -> Function {
    let request = Py::keyword("", Py::name("request"));
    let call = Py::name("client").method(&method_name(operation.name), vec![request]);
    let mut arguments = vec![
        Py::lambda("", call),
        Py::keyword("input", Py::name("request")),
        Py::keyword("max_wait", Py::name("max_wait")),
    ];
    if has_matcher {
        arguments.push(Py::keyword("matcher", matching(waiter)));
    }
    arguments.push(Py::keyword("", Py::name("settings")));
    let wait = if is_async { "wait_async" } else { "wait" };
    let waited = Py::call(&holder(waiter), Vec::new()).method(wait, arguments);
    let waited = if is_async {
        Py::Await(Box::new(waited))
    } else {
        waited
    };
    let returns = outcome(operation, waiter);
    let parted = Py::call("_parted", vec![Py::name("client"), Py::name("given")]);
    let cast = Py::call("cast", vec![Py::string(&returns), Py::name("outcome")]);
    Function {
        decorator: deprecated(waiter),
        is_async,
        name: function_name(waiter, is_async),
        parameters: parameters("client: Any", operation),
        returns,
        docs: documentation(operation, waiter, is_async),
        body: vec![
            Statement::Assign("settings, request".to_owned(), parted),
            Statement::Assign("outcome".to_owned(), waited),
            Statement::Return(cast),
        ],
    }
}

fn matching(waiter: &Waiter<'_>) -> Py {
    let function = format!("match_{}", names::snake(waiter.name));
    if !waiter.looks_at_input() {
        return Py::name(function);
    }
    let input = Py::call("cast", vec![Py::string("Any"), Py::name("request")]);
    Py::lambda(
        "output",
        Py::call(&function, vec![Py::name("output"), input]),
    )
}

fn method(operation: &Operation<'_>, waiter: &Waiter<'_>, is_async: bool) -> Function {
    let name = function_name(waiter, is_async);
    let arguments = vec![
        Py::name("self"),
        Py::keyword("max_wait", Py::name("max_wait")),
        Py::keyword("", Py::name("given")),
    ];
    let called = Py::call(&name, arguments);
    let called = if is_async {
        Py::Await(Box::new(called))
    } else {
        called
    };
    Function {
        decorator: deprecated(waiter),
        is_async,
        parameters: parameters("self", operation),
        returns: outcome(operation, waiter),
        docs: vec![format!("Do the same as `{name}`.")],
        body: vec![Statement::Return(called)],
        name,
    }
}

fn parameters(first: &str, operation: &Operation<'_>) -> Vec<String> {
    let given = given_type(operation).unwrap_or_else(|| "Settings".to_owned());
    vec![
        first.to_owned(),
        "/".to_owned(),
        "*".to_owned(),
        "max_wait: float | timedelta".to_owned(),
        format!("**given: Unpack[{given}]"),
    ]
}

fn function_name(waiter: &Waiter<'_>, is_async: bool) -> String {
    let end = if is_async { "_async" } else { "" };
    format!("wait_until_{}{end}", names::snake(waiter.name))
}

fn deprecated(waiter: &Waiter<'_>) -> Option<&'static str> {
    waiter
        .deprecated
        .then_some("@deprecated(\"the model calls this waiter deprecated\")")
}

/// What success can be: a response, an error, or either.
fn outcome(operation: &Operation<'_>, waiter: &Waiter<'_>) -> String {
    let success = || {
        waiter
            .acceptors
            .iter()
            .filter(|acceptor| acceptor.state == State::Success)
    };
    let is_of_errors = |acceptor: &Acceptor<'_>| {
        matches!(
            acceptor.matcher,
            Matcher::ErrorType(_) | Matcher::Success(false)
        )
    };
    match (success().any(is_of_errors), success().all(is_of_errors)) {
        (false, _) => format!("ResponseOutcome[{}]", output(operation)),
        (true, true) => "ErrorOutcome".to_owned(),
        (true, false) => format!("Outcome[{}]", output(operation)),
    }
}

fn documentation(operation: &Operation<'_>, waiter: &Waiter<'_>, is_async: bool) -> Vec<String> {
    let said = names::words(waiter.name).join(" ");
    let own = waiter.documentation.map(docs::summary);
    let method = method_name(operation.name);
    let mut docs = vec![own.unwrap_or_else(|| format!("Wait until `{method}` says {said}."))];
    let (least, most) = (waiter.min_delay, waiter.max_delay);
    let client = if is_async {
        "an async client"
    } else {
        "the client"
    };
    docs.push(format!(
        "Calls `{method}` of {client}, {least} to {most} seconds apart if not said otherwise. Build the client with \
         `Config(retries={{\"total_max_attempts\": 1}})`: its own retries cannot be switched off later."
    ));
    docs
}
