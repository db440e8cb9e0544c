//! The source of requests: a client of the AWS SDK, or a function of the caller.

use super::item::{Interface, Item};
use super::print::type_line;
use super::tree::{Property, Statement, Ts, Type};
use super::{support, types};
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
    pub(super) fn input(&self, operation: &Operation<'_>) -> String {
        match self {
            Self::Sdk { .. } => format!("{}CommandInput", names::capital(operation.name)),
            Self::Function => operation
                .input_name
                .map_or_else(|| "object".to_owned(), types::name),
        }
    }

    /// Returns the type of an operation's output.
    pub(super) fn output(&self, operation: &Operation<'_>) -> String {
        match self {
            Self::Sdk { .. } => format!("{}CommandOutput", names::capital(operation.name)),
            Self::Function => operation
                .output_name
                .map_or_else(|| "object".to_owned(), types::name),
        }
    }

    /// Returns the type of the errors with which a waiter succeeds, if the client has classes for all of them.
    pub(super) fn error(&self, operation: &Operation<'_>, waiter: &Waiter<'_>) -> Option<Type> {
        let Self::Sdk { .. } = self else {
            return None;
        };
        let types = waiter.success_errors()?.into_iter();
        let modeled = types.map(|name| Some(names::capital(operation.error(name)?.name)));
        let mut modeled: Vec<String> = modeled.collect::<Option<_>>()?;
        modeled.sort();
        modeled.dedup();
        (!modeled.is_empty()).then(|| Type::Or(modeled.into_iter().map(Type::name).collect()))
    }

    /// Returns the pattern of the first parameter.
    pub(super) const fn parameter(&self) -> &'static str {
        match self {
            Self::Sdk { .. } => "{ client, ...options }",
            Self::Function => "{ call, ...options }",
        }
    }

    /// Returns the pattern of the first parameter of waits. The SDK's waiters accept a controller beside a signal.
    pub(super) const fn wait_parameter(&self) -> &'static str {
        match self {
            Self::Sdk { .. } => "{ client, abortController, ...options }",
            Self::Function => self.parameter(),
        }
    }

    /// Returns the members of a wait's settings that are not the caller's options.
    pub(super) fn settings(&self) -> Vec<Property> {
        let mut settings = vec![Property::Is("input".to_owned(), Ts::name("input"))];
        if matches!(self, Self::Sdk { .. }) {
            let own = Ts::name("options").dot("abortSignal");
            let signal = Ts::call("anySignal", vec![own, Ts::name("abortController")]);
            settings.push(Property::Is("abortSignal".to_owned(), signal));
        }
        settings
    }

    /// Returns the type of a wait's result with its value. The SDK's results have other members than the engine's.
    pub(super) fn result(&self, outcome: Type) -> (Type, Ts) {
        let value = Ts::name("outcome").cast(type_line(&outcome));
        match self {
            Self::Sdk { .. } => {
                let result = Type::of("WaiterResult", outcome);
                (result, Ts::call("asResult", vec![value]))
            }
            Self::Function => (outcome, value),
        }
    }

    /// Returns a statement that throws a `TypeError` if the client or the function is missing.
    pub(super) fn presence_check(&self) -> Statement {
        let name = match self {
            Self::Sdk { .. } => "client",
            Self::Function => "call",
        };
        Statement::Do(Ts::call(
            "assertPresent",
            vec![Ts::name(name), Ts::string(name)],
        ))
    }

    /// Returns the type of the first parameter of waits.
    pub(super) fn configuration(&self, operation: &Operation<'_>) -> Type {
        self.configuration_type("WaiterConfiguration", operation)
    }

    /// Returns the type of the first parameter of paginators.
    pub(super) fn pages_configuration(&self, operation: &Operation<'_>) -> Type {
        match self {
            Self::Sdk { .. } => Type::name("PaginationConfiguration"),
            Self::Function => self.configuration_type("PaginationConfiguration", operation),
        }
    }

    fn configuration_type(&self, name: &str, operation: &Operation<'_>) -> Type {
        let output = Type::name(self.output(operation));
        let arguments = match self {
            Self::Sdk { .. } => vec![output],
            Self::Function => vec![Type::name(self.input(operation)), output],
        };
        Type::Name(name.to_owned(), arguments)
    }

    /// Returns the call of a wait: `({ signal }) => …`.
    pub(super) fn call(&self, operation: &Operation<'_>) -> Ts {
        let signal = Property::Is("abortSignal".to_owned(), Ts::name("signal"));
        let options = Ts::Object(vec![signal]);
        let call = match self {
            Self::Sdk { .. } => {
                let command = Ts::call("markWaiter", vec![command(operation)]);
                send(vec![command, options])
            }
            Self::Function => Ts::call("call", vec![Ts::name("input"), options]),
        };
        call.of("{ signal }")
    }

    /// Returns the call of a paginator: `(input, { signal }) => …`.
    pub(super) fn page(&self, operation: &Operation<'_>) -> Ts {
        let signal = Property::Is("abortSignal".to_owned(), Ts::name("signal"));
        let options = Ts::Object(vec![signal]);
        let call = match self {
            Self::Sdk { .. } => {
                let options = Ts::name("signal").binary("&&", options);
                send(vec![command(operation), options])
            }
            Self::Function => Ts::call("call", vec![Ts::name("input"), options]),
        };
        let parameters = vec!["input".to_owned(), "{ signal }".to_owned()];
        Ts::Arrow(parameters, Box::new(call))
    }

    /// Returns the interfaces for the first parameters.
    pub(super) fn configurations(&self, waits: bool, pages: bool) -> Vec<Item> {
        let mut items = Vec::new();
        if waits {
            let of = Type::Or(vec![Type::name("\"input\""), Type::name("\"matcher\"")]);
            let options = Type::Name(
                "WaitOptions".to_owned(),
                vec![Type::name("unknown"), Type::name("Output")],
            );
            let extends = Type::Name("Omit".to_owned(), vec![options, of]);
            let docs = format!(
                "{} and the options of a wait. `maxWaitTime` is the maximum total time in seconds.",
                self.caller()
            );
            items.push(self.configuration_interface(
                "WaiterConfiguration",
                &docs,
                extends,
                "Output",
            ));
            if let (Self::Sdk { .. }, Some(Item::Interface(interface))) = (self, items.last_mut()) {
                let docs =
                    "Cancels the wait, as `abortSignal` does.\n\n@deprecated Use `abortSignal`.";
                let of = Type::Or(vec![Type::name("AbortController"), Type::name("undefined")]);
                let name = "abortController".to_owned();
                interface
                    .members
                    .push((vec![docs.to_owned()], name, true, of));
                items.push(Item::Raw(support::WAITER_RESULT.trim_start()));
            }
        }
        if pages {
            let docs = format!("{} and the options of the pagination.", self.caller());
            items.push(self.configuration_interface(
                "PaginationConfiguration",
                &docs,
                Type::name("PagesOptions"),
                "",
            ));
        }
        items
    }

    /// Returns the summary of the object that sends the requests.
    pub(super) const fn caller(&self) -> &'static str {
        match self {
            Self::Sdk { .. } => "The client",
            Self::Function => "The request function",
        }
    }

    fn configuration_interface(&self, name: &str, docs: &str, extends: Type, output: &str) -> Item {
        let (parameters, member) = match self {
            Self::Sdk { class, .. } => {
                let parameters = if output.is_empty() {
                    String::new()
                } else {
                    format!("<{output}>")
                };
                let docs = "Sends the requests.".to_owned();
                (
                    parameters,
                    (vec![docs], "client".to_owned(), false, Type::name(class)),
                )
            }
            Self::Function => {
                let docs = "Sends a request. `abortSignal` cancels it.";
                let signal = Type::name("{ abortSignal: AbortSignal | undefined }");
                let parameters = vec![
                    ("input".to_owned(), Type::name("Input")),
                    ("options".to_owned(), signal),
                ];
                let returns = Type::of("PromiseLike", Type::name("Output"));
                let call = Type::Function(parameters, Box::new(returns));
                let member = (vec![docs.to_owned()], "call".to_owned(), false, call);
                ("<Input, Output>".to_owned(), member)
            }
        };
        Item::Interface(Interface {
            docs: vec![docs.to_owned()],
            name: format!("{name}{parameters}"),
            extends: Some(extends),
            members: vec![member],
        })
    }

    /// Returns the import of the client's package for the given operations.
    pub(super) fn import(&self, operations: &[&Operation<'_>]) -> Option<Item> {
        let Self::Sdk { package, class } = self else {
            return None;
        };
        let mut names = vec![(class.clone(), true)];
        for operation in operations {
            let name = names::capital(operation.name);
            names.push((format!("{name}Command"), false));
            names.push((format!("{name}CommandInput"), true));
            names.push((format!("{name}CommandOutput"), true));
            let waiters = operation.waiters.iter();
            let errors = waiters.filter_map(|waiter| self.error(operation, waiter));
            names.extend(errors.flat_map(Type::names).map(|name| (name, true)));
        }
        names.sort();
        names.dedup();
        let typed = |(name, is_type): (String, bool)| {
            if is_type {
                format!("type {name}")
            } else {
                name
            }
        };
        Some(Item::Import(
            names.into_iter().map(typed).collect(),
            package.clone(),
        ))
    }
}

fn command(operation: &Operation<'_>) -> Ts {
    let name = format!("{}Command", names::capital(operation.name));
    Ts::New(Type::name(name), vec![Ts::name("input")])
}

fn send(arguments: Vec<Ts>) -> Ts {
    Ts::Call(Box::new(Ts::name("client").dot("send")), arguments)
}
