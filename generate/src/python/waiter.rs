//! A waiter: the matcher of its acceptors, and the functions that wait.

use super::function::{Function, deprecated};
use super::lower::{Lower, NotPlain};
use super::method::{client_method, method_name};
use super::names::{RequestParameter, WaiterNames};
use super::tree::{Py, Statement};
use super::types::{input, output};
use crate::ir::{Operation, Success, Waiter};

/// A waiter with all that its functions are written with.
#[derive(Clone, Copy)]
struct WaiterFunctions<'s, 'm> {
    operation: &'s Operation<'m>,
    waiter: &'s Waiter<'m>,
    names: &'s WaiterNames,
    given: &'s RequestParameter,
}

/// Its matcher, what holds its definition, and the functions that wait.
pub(super) fn functions<'m>(
    lower: &mut Lower<'_, 'm>,
    (operation, waiter): (&Operation<'m>, &Waiter<'m>),
    names: &WaiterNames,
    given: &RequestParameter,
) -> Vec<Function> {
    let written = WaiterFunctions {
        operation,
        waiter,
        names,
        given,
    };
    let compiled = compile(lower, waiter);
    let is_compiled = waiter.looks_at_responses() && compiled.is_ok();
    let mut functions = Vec::new();
    if waiter.looks_at_responses() {
        let body = compiled.unwrap_or_else(|NotPlain| matcher_body(waiter, names));
        functions.push(matcher(written, body));
    }
    functions.push(Function::waiter_holder(
        &names.holder,
        &waiter.definition,
        waiter.name,
    ));
    functions.extend([false, true].map(|is_async| wait(written, is_compiled, is_async)));
    functions
}

/// The acceptors as plain code.
fn compile<'m>(lower: &mut Lower<'_, 'm>, waiter: &Waiter<'m>) -> Result<Vec<Statement>, NotPlain> {
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let found = Statement::Return(Py::name(index.to_string()));
        body.push(match path {
            None => found,
            Some(path) => Statement::If(lower.condition(path)?, vec![found]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Py::none()));
    }
    Ok(body)
}

/// The engine's verdict, where plain code does not say it all.
fn matcher_body(waiter: &Waiter<'_>, names: &WaiterNames) -> Vec<Statement> {
    let mut seen = vec![Py::keyword("response", Py::name("output"))];
    if waiter.looks_at_input() {
        seen.push(Py::keyword("input", Py::name("input")));
    }
    let verdict = Py::call(&names.holder, Vec::new()).method("evaluate", seen);
    vec![Statement::Return(Py::Attribute(
        Box::new(verdict),
        "acceptor".to_owned(),
    ))]
}

fn matcher(written: WaiterFunctions<'_, '_>, body: Vec<Statement>) -> Function {
    let WaiterFunctions {
        operation,
        waiter,
        names,
        ..
    } = written;
    let mut parameters = vec![format!("output: {}", output(operation))];
    if waiter.looks_at_input() {
        parameters.push(format!("input: {}", input(operation)));
    }
    Function {
        name: names.matcher.clone(),
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

fn wait(written: WaiterFunctions<'_, '_>, is_compiled: bool, is_async: bool) -> Function {
    let WaiterFunctions {
        operation,
        waiter,
        names,
        given,
    } = written;
    let request = Py::keyword("", Py::name("request"));
    let mut arguments = vec![
        Py::lambda("", client_method(operation, vec![request])),
        Py::keyword("input", Py::name("request")),
        Py::keyword("max_wait", Py::name("max_wait")),
    ];
    if is_compiled {
        arguments.push(Py::keyword("matcher", matcher_argument(waiter, names)));
    }
    arguments.push(Py::keyword("", Py::name("settings")));
    let method = if is_async { "wait_async" } else { "wait" };
    let waited = Py::call(&names.holder, Vec::new()).method(method, arguments);
    let returns = outcome(operation, waiter);
    let cast = Py::call("cast", vec![Py::string(&returns), Py::name("outcome")]);
    let mut body = Vec::new();
    if !matches!(given, RequestParameter::Whole) {
        let parted = Py::call("_parted", vec![Py::name("given")]);
        body.push(Statement::Let("settings, request".to_owned(), parted));
    }
    body.push(Statement::Let(
        "outcome".to_owned(),
        await_if(waited, is_async),
    ));
    body.push(Statement::Return(cast));
    Function {
        deprecated: deprecation(operation, waiter),
        is_async,
        name: names.wait(is_async).to_owned(),
        parameters: parameters(operation, given),
        returns,
        docs: documentation(operation, waiter, is_async),
        body,
        ..Function::default()
    }
}

fn await_if(value: Py, is_async: bool) -> Py {
    if is_async {
        Py::Await(Box::new(value))
    } else {
        value
    }
}

fn matcher_argument(waiter: &Waiter<'_>, names: &WaiterNames) -> Py {
    let function = &names.matcher;
    if !waiter.looks_at_input() {
        return Py::name(function);
    }
    let input = Py::call("cast", vec![Py::string("Any"), Py::name("request")]);
    Py::lambda(
        "output",
        Py::call(function, vec![Py::name("output"), input]),
    )
}

fn parameters(operation: &Operation<'_>, given: &RequestParameter) -> Vec<String> {
    let mut parameters = ["client: Any", "/", "*"].map(str::to_owned).to_vec();
    if let RequestParameter::Whole = given {
        parameters.push(format!("request: {}", input(operation)));
    }
    parameters.push("max_wait: float | timedelta".to_owned());
    parameters.push(match given {
        RequestParameter::Members(name) => format!("**given: Unpack[{name}]"),
        RequestParameter::None => "**given: Unpack[Settings]".to_owned(),
        RequestParameter::Whole => "**settings: Unpack[Settings]".to_owned(),
    });
    parameters
}

fn deprecation(operation: &Operation<'_>, waiter: &Waiter<'_>) -> Option<String> {
    match operation.deprecated {
        Some(said) => Some(deprecated("operation", said.message)),
        None => waiter.deprecated.then(|| deprecated("waiter", None)),
    }
}

/// What success can be: a response, an error, or either.
fn outcome(operation: &Operation<'_>, waiter: &Waiter<'_>) -> String {
    match waiter.success() {
        Success::Either => format!("Outcome[{}]", output(operation)),
        Success::Error => "ErrorOutcome".to_owned(),
        Success::Response => format!("ResponseOutcome[{}]", output(operation)),
    }
}

fn documentation(operation: &Operation<'_>, waiter: &Waiter<'_>, is_async: bool) -> Vec<String> {
    let said = crate::names::words(waiter.name).join(" ");
    let own = waiter.summary();
    let method = method_name(operation.name);
    let mut docs = vec![own.unwrap_or_else(|| format!("Wait until `{method}` says {said}."))];
    let (least, most) = (waiter.min_delay, waiter.max_delay);
    let client = if is_async {
        "an async client"
    } else {
        "the client"
    };
    docs.push(format!(
        "Calls `{method}` of {client}, {least} to {most} seconds apart if not said otherwise."
    ));
    docs
}
