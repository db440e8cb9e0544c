//! A waiter: the matcher of its acceptors, and the function that waits.

use super::client::Client;
use super::lower::{Lower, json};
use super::module::{Function, Item, Type};
use super::print;
use super::tree::{Property, Statement, Ts};
use crate::context::Context;
use crate::error::GenerateError;
use crate::ir::{
    Acceptor, Comparator, Expression, Form, Matcher, Operation, PathMatcher, Sides, State, Waiter,
};
use crate::names;

/// The items of a waiter.
pub(super) fn items<'m>(
    client: &Client,
    lower: &mut Lower<'_, 'm>,
    operation: &Operation<'m>,
    waiter: &Waiter<'m>,
) -> Result<Vec<Item>, GenerateError> {
    let slot = Item::Let(
        names::camel(waiter.name),
        Type::Or(vec![Type::name("Waiter"), Type::name("undefined")]),
    );
    let mut items = vec![slot];
    let has_matcher = needs_matcher(waiter);
    if has_matcher {
        items.push(Item::Function(matcher(client, lower, operation, waiter)));
    }
    items.push(Item::Function(wait(
        client,
        lower,
        operation,
        waiter,
        has_matcher,
    )));
    Ok(items)
}

/// Whether a response is looked at at all.
fn needs_matcher(waiter: &Waiter<'_>) -> bool {
    let looks = |acceptor: &Acceptor<'_>| {
        !matches!(
            acceptor.matcher,
            Matcher::ErrorType(_) | Matcher::Success(false)
        )
    };
    waiter.acceptors.iter().any(looks)
}

fn matcher<'m>(
    client: &Client,
    lower: &mut Lower<'_, 'm>,
    operation: &Operation<'m>,
    waiter: &Waiter<'m>,
) -> Function {
    lower.begin();
    let mut body = Vec::new();
    for (index, path) in waiter.of_responses() {
        let found = Statement::Return(Ts::number(index));
        body.push(match path {
            None => found,
            Some(path) => Statement::If(condition(lower, path), vec![found]),
        });
    }
    if !matches!(body.last(), Some(Statement::Return(_))) {
        body.push(Statement::Return(Ts::undefined()));
    }
    // A parameter that is not read begins with `_`: compilers ask for that.
    let is_read = print::print(&print::block(&body)).contains("output");
    let output = if is_read { "output" } else { "_output" };
    let output_type = Type::name(client.output(operation));
    let mut parameters = vec![(output.to_owned(), output_type)];
    if waiter.looks_at_input() {
        parameters.push(("input".to_owned(), Type::name(client.input(operation))));
    }
    Function {
        docs: vec![format!(
            "The index of the acceptor of `{}` that a response matches, if any.",
            waiter.name
        )],
        is_async: false,
        name: format!("match{}", names::capital(waiter.name)),
        parameters,
        returns: Type::Or(vec![Type::name("number"), Type::name("undefined")]),
        body,
    }
}

fn condition<'m>(lower: &mut Lower<'_, 'm>, path: &PathMatcher<'m>) -> Ts {
    match plain(lower, path) {
        Some((condition, false)) => condition,
        Some((condition, true)) => {
            let condition = Ts::Arrow(Vec::new(), Box::new(condition));
            lower.help("holds", vec![condition])
        }
        None => interpreted(lower, path),
    }
}

fn plain<'m>(lower: &mut Lower<'_, 'm>, path: &PathMatcher<'m>) -> Option<(Ts, bool)> {
    let expression = &path.expression;
    let form = &expression.gives.form;
    let end = Context::END;
    let mut lowered = |context| lower.path(path.sides, expression, context).ok();
    match path.comparator {
        Comparator::BooleanEquals
            if path.expected == "true" && matches!(form, Form::Boolean(_)) =>
        {
            lowered(Context::TRUE)
        }
        Comparator::BooleanEquals => {
            let (value, throws) = lowered(end)?;
            let value = if matches!(form, Form::Boolean(_)) {
                value
            } else {
                value.cast("unknown")
            };
            Some((value.binary("===", Ts::name(path.expected)), throws))
        }
        Comparator::StringEquals => {
            let (value, throws) = lowered(end)?;
            Some((lower.equals(value, form, path.expected), throws))
        }
        Comparator::AllStringEquals => {
            is_array(expression)?;
            let (values, throws) = lowered(end)?;
            Some((
                lower.help("all", vec![values, Ts::string(path.expected)]),
                throws,
            ))
        }
        Comparator::AnyStringEquals => {
            is_array(expression)?;
            lower.any(path.sides, expression, path.expected).ok()
        }
    }
}

fn is_array(expression: &Expression<'_>) -> Option<()> {
    matches!(expression.gives.form, Form::Array { .. }).then_some(())
}

/// What plain code does not say, the engine does.
fn interpreted(lower: &Lower<'_, '_>, path: &PathMatcher<'_>) -> Ts {
    let root = match path.sides {
        Sides::Output => Ts::name("output"),
        Sides::InputOutput => {
            let side = |name: &str| Property::Is(name.to_owned(), Ts::name(name));
            Ts::Object(vec![side("input"), side("output")])
        }
    };
    let value = lower.help("interpreted", vec![Ts::string(path.path), root]);
    let expected = Ts::string(path.expected);
    match path.comparator {
        Comparator::BooleanEquals => value.binary("===", Ts::name(path.expected)),
        Comparator::StringEquals => value.binary("===", expected),
        Comparator::AllStringEquals => {
            let value = value.cast("unknown[] | undefined");
            lower.help("all", vec![value, expected])
        }
        Comparator::AnyStringEquals => {
            let value = value.cast("unknown[] | undefined");
            value.method("includes", vec![expected])
        }
    }
}

fn wait<'m>(
    client: &Client,
    lower: &Lower<'_, 'm>,
    operation: &Operation<'m>,
    waiter: &Waiter<'m>,
    has_matcher: bool,
) -> Function {
    let slot = names::camel(waiter.name);
    let name = Ts::Object(vec![Property::Is(
        "name".to_owned(),
        Ts::string(waiter.name),
    )]);
    let definition = serde_json::from_str(&waiter.definition).unwrap_or_default();
    let made = Ts::New(Type::name("Waiter"), vec![json(&definition), name]);
    let call = client.call(lower, operation);
    let mut options = vec![
        Property::Spread(Ts::name("options")),
        Property::Is("input".to_owned(), Ts::name("input")),
    ];
    let function = format!("match{}", names::capital(waiter.name));
    if has_matcher {
        let matcher = if waiter.looks_at_input() {
            Ts::call(&function, vec![Ts::name("output"), Ts::name("input")]).of("output")
        } else {
            Ts::name(function)
        };
        options.push(Property::Is("matcher".to_owned(), matcher));
    }
    let waited = Ts::name(&slot).dot("wait");
    let waited = Ts::Call(Box::new(waited), vec![call, Ts::name("settings")]);
    let outcome = outcome(client, operation, waiter);
    Function {
        docs: documentation(operation, waiter),
        is_async: true,
        name: format!("waitUntil{}", names::capital(waiter.name)),
        parameters: vec![
            (
                client.destructured().to_owned(),
                client.configuration(operation),
            ),
            ("input".to_owned(), Type::name(client.input(operation))),
        ],
        body: vec![
            Statement::Do(Ts::name(slot).binary("??=", made)),
            Statement::Const("settings".to_owned(), Ts::Object(options)),
            Statement::Const("outcome".to_owned(), Ts::Await(Box::new(waited))),
            Statement::Return(Ts::name("outcome").cast(outcome.line())),
        ],
        returns: Type::of("Promise", outcome),
    }
}

/// What success can be: a response, an error, or either.
fn outcome<'m>(client: &Client, operation: &Operation<'m>, waiter: &Waiter<'m>) -> Type {
    let success = || {
        waiter
            .acceptors
            .iter()
            .filter(|acceptor| acceptor.state == State::Success)
    };
    let is_of_errors = |acceptor: &&Acceptor<'_>| {
        matches!(
            acceptor.matcher,
            Matcher::ErrorType(_) | Matcher::Success(false)
        )
    };
    let response = Type::of("ResponseOutcome", Type::name(client.output(operation)));
    match (
        success().any(|acceptor| is_of_errors(&acceptor)),
        success().all(|acceptor| is_of_errors(&acceptor)),
    ) {
        (false, _) => response,
        (true, true) => Type::name("ErrorOutcome"),
        (true, false) => Type::of("Outcome", Type::name(client.output(operation))),
    }
}

fn documentation(operation: &Operation<'_>, waiter: &Waiter<'_>) -> Vec<String> {
    let own = waiter.documentation.map(crate::docs::summary);
    let mut docs = vec![
        own.unwrap_or_else(|| format!("Waits until `{}` says {}.", operation.name, said(waiter))),
    ];
    if waiter.documentation.is_some() {
        docs.push(format!("Calls `{}`.", operation.name));
    }
    let (least, most) = (waiter.min_delay, waiter.max_delay);
    docs.push(format!(
        "Calls are {least} to {most} seconds apart, if not said otherwise. Throws a `WaiterError` where the wait does not succeed."
    ));
    if waiter.deprecated {
        docs.push("@deprecated".to_owned());
    }
    docs
}

/// The name as words: `TableExists` is `table exists`.
fn said(waiter: &Waiter<'_>) -> String {
    names::words(waiter.name).join(" ")
}
