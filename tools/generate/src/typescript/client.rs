//! The source of requests: a client of the AWS SDK, or a function of the caller.

use super::names::WaiterNames;
use super::print::{Type, list};
use super::{support, types};
use crate::document::{Doc, raw, text};
use crate::error::GenerateError;
use crate::ir::{Operation, Service, Waiter};
use crate::names;

/// The source of requests.
#[derive(Debug)]
pub(super) enum Client {
    /// A function of the caller, over generated types.
    Function,
    /// A client of the AWS SDK for JavaScript v3, or of another package with the same interface.
    Sdk {
        /// The package: `@aws-sdk/client-dynamodb`.
        package: String,
        /// The class: `DynamoDBClient`.
        class: String,
    },
}

impl Client {
    /// Returns the client of the given package, or else of the service's `sdkId`, or else [`Self::Function`].
    ///
    /// # Errors
    ///
    /// [`GenerateError::Client`] if `package` is neither a package name nor a file path.
    pub(super) fn of(
        service: &Service<'_>,
        package: Option<&str>,
        plain: bool,
    ) -> Result<Self, GenerateError> {
        let is_invalid =
            |char: char| char.is_whitespace() || char.is_control() || "\"'`\\".contains(char);
        if let Some(name) = package.filter(|name| name.is_empty() || name.contains(is_invalid)) {
            let what = "a package or a file, such as `@aws-sdk/client-dynamodb`";
            let name = name.to_owned();
            return Err(GenerateError::Client { name, what });
        }
        let sdk_id = service.sdk_id.filter(|_| !plain);
        let own =
            sdk_id.map(|id| format!("@aws-sdk/client-{}", id.to_lowercase().replace(' ', "-")));
        Ok(match package.map(str::to_owned).or(own) {
            Some(package) => {
                let words = sdk_id.unwrap_or(service.name).split(' ');
                let name: String = words.map(names::capital).collect();
                let class = format!("{name}Client");
                Self::Sdk { package, class }
            }
            None => Self::Function,
        })
    }

    /// Returns the type of an operation's input.
    pub(super) fn input(&self, operation: &Operation<'_>) -> Type {
        Type::name(match self {
            Self::Sdk { .. } => command(operation) + "Input",
            Self::Function => operation
                .input_name
                .map_or_else(|| "object".to_owned(), types::name),
        })
    }

    /// Returns the type of an operation's output.
    pub(super) fn output(&self, operation: &Operation<'_>) -> Type {
        Type::name(match self {
            Self::Sdk { .. } => command(operation) + "Output",
            Self::Function => operation
                .output_name
                .map_or_else(|| "object".to_owned(), types::name),
        })
    }

    /// Returns the classes of the errors with which a waiter succeeds, or an empty list if the client doesn't have a
    /// class for each of them.
    pub(super) fn errors(&self, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Vec<String> {
        let class = |name| Some(names::capital(operation.error(name)?.name));
        let classes = match self {
            Self::Sdk { .. } => waiter.success_errors(),
            Self::Function => None,
        };
        let classes = classes.and_then(|names| names.into_iter().map(class).collect());
        let mut classes: Vec<String> = classes.unwrap_or_default();
        classes.sort();
        classes.dedup();
        classes
    }

    /// Returns the summary of the object that sends the requests.
    pub(super) const fn summary(&self) -> &'static str {
        match self {
            Self::Sdk { .. } => "The client",
            Self::Function => "The request function",
        }
    }

    /// Returns the first parameter of waits, which contains the client and the options.
    pub(super) fn wait_parameter(&self, operation: &Operation<'_>) -> (String, Type) {
        let name = "WaiterConfiguration";
        match self {
            // The SDK's waiters accept a controller beside a signal.
            Self::Sdk { .. } => {
                let pattern = "{ client, abortController, ...options }";
                (pattern.to_owned(), Type::of(name, self.output(operation)))
            }
            Self::Function => self.function_parameter(name, operation),
        }
    }

    /// Returns the first parameter of paginators, which contains the client and the options.
    pub(super) fn pages_parameter(&self, operation: &Operation<'_>) -> (String, Type) {
        let name = "PaginationConfiguration";
        match self {
            Self::Sdk { .. } => ("{ client, ...options }".to_owned(), Type::name(name)),
            Self::Function => self.function_parameter(name, operation),
        }
    }

    fn function_parameter(&self, name: &str, operation: &Operation<'_>) -> (String, Type) {
        let types = vec![self.input(operation), self.output(operation)];
        let of = Type::Name(name.to_owned(), types);
        ("{ call, ...options }".to_owned(), of)
    }

    /// Returns the type of a wait's result. The SDK's results have other members than the engine's.
    pub(super) fn result(&self, outcome: Type) -> Type {
        match self {
            Self::Sdk { .. } => Type::of("WaiterResult", outcome),
            Self::Function => outcome,
        }
    }

    /// Returns the statements of a function that waits.
    pub(super) fn wait(
        &self,
        operation: &Operation<'_>,
        names: &WaiterNames,
        outcome: &Type,
    ) -> Vec<Doc> {
        match self {
            Self::Sdk { .. } => sdk_wait(operation, names, outcome),
            Self::Function => function_wait(names, outcome),
        }
    }

    /// Returns the statement that throws an error if the client or the function is missing. Untyped callers may omit it.
    pub(super) fn presence_check(&self) -> Doc {
        text(match self {
            Self::Sdk { .. } => CLIENT_CHECK,
            Self::Function => CALL_CHECK,
        })
    }

    /// Returns the call of a paginator: `(input, { signal }) => …`.
    pub(super) fn page_call(&self, operation: &Operation<'_>) -> Doc {
        let call = match self {
            Self::Sdk { .. } => {
                let command = format!("new {}(input)", command(operation));
                let options = "signal && { abortSignal: signal }";
                list("client.send(", vec![text(command), text(options)], ")")
            }
            Self::Function => text("call(input, { abortSignal: signal })"),
        };
        let body = Doc::line().append(call).nest(2).group();
        text("(input, { signal }) =>").append(body)
    }

    /// Returns the names to import from the client's package for the given operations.
    pub(super) fn imports(&self, operations: &[&Operation<'_>]) -> Option<Doc> {
        let Self::Sdk { package, class } = self else {
            return None;
        };
        let mut names = vec![format!("type {class}")];
        for operation in operations {
            names.push(command(operation));
            names.push(format!("type {}Input", command(operation)));
            names.push(format!("type {}Output", command(operation)));
            for waiter in &operation.waiters {
                let errors = self.errors(operation, waiter).into_iter();
                names.extend(errors.map(|name| format!("type {name}")));
            }
        }
        Some(super::print::import(names, package))
    }

    /// Returns the types of the first parameters and of the results.
    pub(super) fn types(&self, has_waits: bool, has_pages: bool) -> Vec<Doc> {
        let (waits, pages) = match self {
            Self::Sdk { .. } => (support::SDK_WAITS, support::SDK_PAGES),
            Self::Function => (support::FUNCTION_WAITS, support::FUNCTION_PAGES),
        };
        let waits = has_waits.then_some(waits);
        let types = waits.into_iter().chain(has_pages.then_some(pages));
        let types = types.map(|code| match self {
            Self::Sdk { class, .. } => raw(&code.replace(support::CLIENT, class)),
            Self::Function => raw(code),
        });
        types.collect()
    }

    /// Returns the helpers that the functions call.
    pub(super) fn helpers(&self, has_waits: bool) -> Vec<Doc> {
        let helpers = match self {
            Self::Sdk { .. } if has_waits => support::HELPERS.as_slice(),
            _ => &[],
        };
        helpers.iter().map(|code| raw(code)).collect()
    }
}

/// Returns the class of an operation's command.
fn command(operation: &Operation<'_>) -> String {
    format!("{}Command", names::capital(operation.name))
}

const CLIENT_CHECK: &str = r#"if (!client) throw new TypeError("`client` is missing");"#;

const CALL_CHECK: &str = r#"if (!call) throw new TypeError("`call` is missing");"#;

/// Returns the statements of a function that waits with a client of the AWS SDK.
fn sdk_wait(operation: &Operation<'_>, names: &WaiterNames, outcome: &Type) -> Vec<Doc> {
    let new = text(format!("new {}(input)", command(operation)));
    let mark = list("mark(", vec![new], ")").append(";");
    let command = text("const command = () =>").append(Doc::line().append(mark).nest(2).group());
    let wait = format!(
        "
const outcome = await {}().wait(
  ({{ signal }}) => client.send(command(), {{ abortSignal: signal }}),
  settings,
);",
        names.waiter
    );
    let outcome = text("outcome as ").append(outcome.print());
    let result = list("return asResult(", vec![outcome], ");");
    vec![
        text(CLIENT_CHECK),
        text("const abortSignal = anySignal(options.abortSignal, abortController);"),
        text("const settings = { ...options, input, abortSignal };"),
        command,
        raw(&wait),
        result,
    ]
}

/// Returns the statements of a function that waits with a function of the caller.
pub(super) fn function_wait(names: &WaiterNames, outcome: &Type) -> Vec<Doc> {
    let wait = format!(
        "
const outcome = await {}().wait(
  ({{ signal }}) => call(input, {{ abortSignal: signal }}),
  settings,
);
return outcome as {};",
        names.waiter,
        outcome.line()
    );
    vec![
        text(CALL_CHECK),
        text("const settings = { ...options, input };"),
        raw(&wait),
    ]
}
