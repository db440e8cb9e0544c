//! The functions of a waiter: one returns the engine's waiter, and the others wait.

use super::function::{Function, deprecation_message};
use super::method::{bound_method, method_name};
use super::names::{RequestParameter, WaiterNames};
use super::print::{call, list, string_literal};
use super::types::{input, output};
use crate::document::text;
use crate::ir::{Operation, Success, Waiter};

/// A waiter with the data for its functions.
#[derive(Clone, Copy)]
struct WaiterFunctions<'s, 'm> {
    operation: &'s Operation<'m>,
    waiter: &'s Waiter<'m>,
    names: &'s WaiterNames,
    parameter: &'s RequestParameter,
}

/// Returns the function that returns the engine's waiter, and the functions that wait.
pub(super) fn functions(
    (operation, waiter): (&Operation<'_>, &Waiter<'_>),
    names: &WaiterNames,
    parameter: &RequestParameter,
) -> [Function; 3] {
    let context = WaiterFunctions {
        operation,
        waiter,
        names,
        parameter,
    };
    [
        Function::waiter(&names.waiter, &waiter.definition, waiter.name),
        wait(context, false),
        wait(context, true),
    ]
}

fn wait(context: WaiterFunctions<'_, '_>, is_async: bool) -> Function {
    let WaiterFunctions {
        operation,
        waiter,
        names,
        parameter,
    } = context;
    let returns = outcome(operation, waiter);
    let request = list(
        format!("lambda: {}(", bound_method(operation)),
        vec![text("**request")],
        ")",
    );
    let keywords = ["input=request", "max_wait=max_wait", "**settings"];
    let arguments = std::iter::once(request).chain(keywords.map(text));
    let mut body = Vec::new();
    if !matches!(parameter, RequestParameter::Whole) {
        body.push(text("settings, request = _split_arguments(arguments)"));
    }
    let wait = format!("outcome = {}", names.engine_wait(is_async));
    body.push(list(wait, arguments.collect(), ")"));
    let cast = [string_literal(&returns), "outcome".to_owned()];
    body.push(call("return cast", cast));
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

/// Returns the summary of a function that waits: the model's documentation, or a default without it.
pub(super) fn summary(documentation: Option<String>, waiter: &str) -> String {
    documentation.unwrap_or_else(|| format!("Wait until the waiter `{waiter}` succeeds."))
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
        summary(waiter.summary(), waiter.name),
        format!("Calls `{method}` with delays of {least} to {most} seconds by default."),
        arguments,
        RAISES.to_owned(),
    ]
}
