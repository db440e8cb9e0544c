//! `smithy-waiters list`: lists the waiters, paginators and other behaviours of models.

use std::collections::BTreeMap;

use anyhow::Result;
use smithy_waiters::internal::escape_control_char;
use smithy_waiters_model::{Kind, Member, Model, Shape, id, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;

/// Lists the waiters, paginators and other behaviours of a model's operations.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
}

/// The traits to list, with their labels.
const TRAITS: [(&str, &str); 3] = [
    ("smithy.api#idempotent", "idempotent"),
    ("smithy.api#readonly", "readonly"),
    ("smithy.api#requestCompression", "compressed"),
];

const PAGINATED: &str = "smithy.api#paginated";

/// The members of the trait `paginated` to list.
const PAGINATOR: [&str; 4] = ["inputToken", "outputToken", "items", "pageSize"];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut out = String::new();
    for sources in options.files.models()? {
        let sources = sources?;
        let model = read(&sources);
        output::note_incomplete_model(&model);
        list(&model, &mut out);
    }
    output::print(&out)?;
    Ok(Outcome::Clean)
}

fn list(model: &Model<'_>, out: &mut String) {
    let is_own = |operation: &&Shape<'_>| !operation.has_trait("smithy.api#mixin");
    let mut operations: Vec<&Shape<'_>> = model.of_kind(Kind::Operation).filter(is_own).collect();
    operations.sort_by_key(|operation| operation.id);
    let services = services(model);
    for operation in operations {
        let behaviours = behaviours(model, &services, operation);
        let behaviours = (!behaviours.is_empty()).then(|| behaviours.join(", "));
        let waiters = waiters(operation).map(|waiter| format!("waiter {waiter}"));
        for item in behaviours.into_iter().chain(waiters) {
            let line = format!("{}: {item}", operation.id);
            out.extend(line.chars().map(escape_control_char));
            out.push('\n');
        }
    }
}

/// The first service that has each operation.
type Services<'m, 'a> = BTreeMap<&'a str, &'m Shape<'a>>;

fn services<'m, 'a>(model: &'m Model<'a>) -> Services<'m, 'a> {
    let mut services = Services::new();
    for service in model.of_kind(Kind::Service) {
        for operation in model.operations(service) {
            services.entry(operation.id).or_insert(service);
        }
    }
    services
}

fn waiters<'a>(operation: &Shape<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let applied = operation.find_trait(id::WAITABLE);
    let entries = applied.map_or(&[][..], |applied| applied.value.entries());
    entries.iter().map(|entry| entry.key)
}

fn behaviours<'a>(
    model: &Model<'a>,
    services: &Services<'_, 'a>,
    operation: &Shape<'a>,
) -> Vec<String> {
    let applied = TRAITS.iter().filter(|(id, _)| operation.has_trait(id));
    let mut behaviours: Vec<String> = applied.map(|(_, name)| (*name).to_owned()).collect();
    behaviours.extend(paginator(services, operation));
    behaviours.extend(token(model, operation));
    behaviours.extend(retryable(model, operation));
    behaviours
}

/// Describes an operation's pagination. The service's trait provides the defaults.
fn paginator(services: &Services<'_, '_>, operation: &Shape<'_>) -> Option<String> {
    let applied = &operation.find_trait(PAGINATED)?.value;
    let service = services.get(operation.id);
    let shared = service.and_then(|service| service.find_trait(PAGINATED));
    let shared = shared.map(|shared| &shared.value);
    let parts = PAGINATOR.iter().filter_map(|name| {
        let service_default = || shared.and_then(|shared| shared.member(name));
        let path = applied.member(name).or_else(service_default)?.as_str()?;
        Some(format!("{name} `{path}`"))
    });
    let parts: Vec<String> = parts.collect();
    Some(format!("paginated ({})", parts.join(", ")))
}

fn token(model: &Model<'_>, operation: &Shape<'_>) -> Option<String> {
    let input = model.input_or_output(operation, "input")?;
    let is_token = |member: &&Member<'_>| member.has_trait("smithy.api#idempotencyToken");
    let token = input.members.iter().find(is_token)?;
    Some(format!("idempotency token `{}`", token.name))
}

/// Lists the operation's errors that have the trait `retryable`.
fn retryable(model: &Model<'_>, operation: &Shape<'_>) -> Option<String> {
    let errors = model.errors(operation).into_iter();
    let errors = errors.filter_map(|id| model.shape(id));
    let named = errors.filter_map(|error| {
        let applied = error.find_trait("smithy.api#retryable")?;
        let throttling = applied.value.member("throttling");
        let throttles = throttling.and_then(|throttling| throttling.as_bool());
        let more = match throttles {
            Some(true) => " (throttling)",
            _ => "",
        };
        Some(format!("`{}`{more}", id::name(error.id)))
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("retryable errors {}", named.join(", ")))
}
