//! The functions of a waiter: its matcher, and the waits.

use super::function::{Function, deprecation_message};
use super::lower::{Lower, NotPlain};
use super::method::{client_method, method_name};
use super::names::{RequestParameter, WaiterNames};
use super::tree::{Py, Statement};
use super::types::{input, output};
use crate::ir::{Operation, Success, Waiter};

/// A waiter with the data for its functions.
#[derive(Clone, Copy)]
struct WaiterFunctions<'s, 'm> {
    operation: &'s Operation<'m>,
    waiter: &'s Waiter<'m>,
    names: &'s WaiterNames,
    parameter: &'s RequestParameter,
}

/// Returns the matcher, the cached factory of the engine's waiter, and the functions that wait.
pub(super) fn functions<'m>(
    lower: &mut Lower<'_, 'm>,
    (operation, waiter): (&Operation<'m>, &Waiter<'m>),
    names: &WaiterNames,
    parameter: &RequestParameter,
) -> Vec<Function> {
    let context = WaiterFunctions {
        operation,
        waiter,
        names,
        parameter,
    };
    let compiled = compile(lower, waiter);
    let mut functions = Vec::new();
    if waiter.looks_at_responses() {
        let body = compiled.unwrap_or_else(|NotPlain| matcher_body(waiter, names));
        functions.push(matcher(context, body));
    }
    functions.push(Function::waiter_factory(
        &names.factory,
        &waiter.definition,
        waiter.name,
    ));
    functions.extend([false, true].map(|is_async| wait(context, is_async)));
    functions
}

/// Translates the acceptors for responses to plain code.
fn compile<'m>(lower: &mut Lower<'_, 'm>, waiter: &Waiter<'m>) -> Result<Vec<Statement>, NotPlain> {
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let result = Statement::Return(Py::name(index.to_string()));
        body.push(match path {
            None => result,
            Some(path) => Statement::If(lower.condition(path)?, vec![result]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Py::none()));
    }
    Ok(body)
}

/// Returns the body of a matcher without plain code, which calls the engine.
fn matcher_body(waiter: &Waiter<'_>, names: &WaiterNames) -> Vec<Statement> {
    let mut arguments = vec![Py::keyword("response", Py::name("output"))];
    if waiter.looks_at_input() {
        arguments.push(Py::keyword("input", Py::name("input")));
    }
    let verdict = Py::call(&names.factory, Vec::new()).method("evaluate", arguments);
    vec![Statement::Return(Py::Attribute(
        Box::new(verdict),
        "acceptor".to_owned(),
    ))]
}

fn matcher(context: WaiterFunctions<'_, '_>, body: Vec<Statement>) -> Function {
    let WaiterFunctions {
        operation,
        waiter,
        names,
        ..
    } = context;
    let mut parameters = vec![format!("output: {}", output(operation))];
    if waiter.looks_at_input() {
        parameters.push(format!("input: {}", input(operation)));
    }
    Function {
        name: names.matcher.clone(),
        parameters,
        returns: "int | None".to_owned(),
        docs: vec![format!(
            "Return the index of the acceptor of `{}` that matches, or `None`.",
            waiter.name
        )],
        body,
        ..Function::default()
    }
}

fn wait(context: WaiterFunctions<'_, '_>, is_async: bool) -> Function {
    let WaiterFunctions {
        operation,
        waiter,
        names,
        parameter,
    } = context;
    let request = Py::keyword("", Py::name("request"));
    let mut arguments = vec![
        Py::lambda("", client_method(operation, vec![request])),
        Py::keyword("input", Py::name("request")),
        Py::keyword("max_wait", Py::name("max_wait")),
    ];
    arguments.push(Py::keyword("", Py::name("settings")));
    let method = if is_async { "wait_async" } else { "wait" };
    let wait = Py::call(&names.factory, Vec::new()).method(method, arguments);
    let returns = outcome(operation, waiter);
    let cast = Py::call("cast", vec![Py::string(&returns), Py::name("outcome")]);
    let mut body = Vec::new();
    if !matches!(parameter, RequestParameter::Whole) {
        let split = Py::call("_split_arguments", vec![Py::name("arguments")]);
        body.push(Statement::Let("settings, request".to_owned(), split));
    }
    body.push(Statement::Let(
        "outcome".to_owned(),
        await_if(wait, is_async),
    ));
    body.push(Statement::Return(cast));
    Function {
        deprecated: deprecation(operation, waiter),
        is_async,
        name: names.wait(is_async).to_owned(),
        parameters: parameters(operation, parameter),
        returns,
        docs: documentation(context, is_async),
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

fn parameters(operation: &Operation<'_>, parameter: &RequestParameter) -> Vec<String> {
    let mut parameters = ["client: Any", "/", "*"].map(str::to_owned).to_vec();
    if let RequestParameter::Whole = parameter {
        parameters.push(format!("request: {}", input(operation)));
    }
    parameters.push("max_wait: float | timedelta".to_owned());
    parameters.push(match parameter {
        RequestParameter::Members(name) => format!("**arguments: Unpack[{name}]"),
        RequestParameter::None => "**arguments: Unpack[Settings]".to_owned(),
        RequestParameter::Whole => "**settings: Unpack[Settings]".to_owned(),
    });
    parameters
}

fn deprecation(operation: &Operation<'_>, waiter: &Waiter<'_>) -> Option<String> {
    match operation.deprecated {
        Some(deprecation) => Some(deprecation_message("operation", deprecation.message)),
        None => waiter
            .deprecated
            .then(|| deprecation_message("waiter", None)),
    }
}

/// Returns the type of a successful wait's result.
fn outcome(operation: &Operation<'_>, waiter: &Waiter<'_>) -> String {
    match waiter.success() {
        Success::Either => format!("Outcome[{}]", output(operation)),
        Success::Error => "ErrorOutcome".to_owned(),
        Success::Response => format!("ResponseOutcome[{}]", output(operation)),
    }
}

pub(super) const MAX_WAIT: &str = "The maximum total time, in seconds or as a `timedelta`.";

pub(super) const SETTINGS: &str = "Optional settings. See `Settings`.";

pub(super) const RAISES: &str = "Raises:\n    \
                                 WaiterError: The waiter fails, the time is up or the wait is cancelled.\n    \
                                 OptionsError: An option is invalid.";

fn documentation(context: WaiterFunctions<'_, '_>, is_async: bool) -> Vec<String> {
    let WaiterFunctions {
        operation,
        waiter,
        parameter,
        ..
    } = context;
    let default = || format!("Wait until the waiter `{}` succeeds.", waiter.name);
    let (method, least, most) = (
        method_name(operation.name),
        waiter.min_delay,
        waiter.max_delay,
    );
    let client = if is_async {
        "An async client, such as aiobotocore's."
    } else {
        "The boto3 client."
    };
    let mut arguments = format!("Args:\n    client: {client}\n");
    if let RequestParameter::Whole = parameter {
        arguments.push_str("    request: The input of the operation.\n");
    }
    arguments.push_str(&format!("    max_wait: {MAX_WAIT}\n"));
    arguments.push_str(&match parameter {
        RequestParameter::Members(_) => {
            "    **arguments: The input of the operation, by member, and optional settings. \
                                         See `Settings`."
                .to_owned()
        }
        RequestParameter::None => format!("    **arguments: {SETTINGS}"),
        RequestParameter::Whole => format!("    **settings: {SETTINGS}"),
    });
    vec![
        waiter.summary().unwrap_or_else(default),
        format!("Calls `{method}` with delays of {least} to {most} seconds by default."),
        arguments,
        RAISES.to_owned(),
    ]
}
