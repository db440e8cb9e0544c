//! `smithy-waiters list`: the waiters, paginators and other behaviours of models.

use std::fmt::Write as _;

use anyhow::Result;
use smithy_waiters_model::{Kind, Model, Shape, read};

use crate::files::Files;
use crate::{Answer, output};

/// Lists what a model's operations do beyond a request and a response.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
}

/// The traits that are listed, and what they are called.
const TRAITS: [(&str, &str); 4] = [
    ("smithy.api#idempotent", "idempotent"),
    ("smithy.api#readonly", "readonly"),
    ("smithy.api#requestCompression", "compressed"),
    ("smithy.api#paginated", "paginated"),
];

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Answer> {
    let mut out = String::new();
    for sources in options.files.models()? {
        let sources = sources?;
        let model = read(&sources);
        list(&model, &mut out);
    }
    output::print(&out)?;
    Ok(Answer::Good)
}

fn list(model: &Model<'_>, out: &mut String) {
    let mut operations: Vec<&Shape<'_>> = model.of_kind(Kind::Operation).collect();
    operations.sort_by_key(|operation| operation.id);
    for operation in operations {
        let behaviours = behaviours(model, operation);
        if !behaviours.is_empty() {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}: {}", operation.id, behaviours.join(", "));
        }
        for waiter in waiters(operation) {
            let _ = writeln!(out, "{}: waiter {waiter}", operation.id);
        }
    }
}

fn waiters<'a>(operation: &Shape<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let applied = operation.find_trait("smithy.waiters#waitable");
    let entries = applied.map_or(&[][..], |applied| applied.value.entries());
    entries.iter().map(|entry| entry.key)
}

fn behaviours(model: &Model<'_>, operation: &Shape<'_>) -> Vec<String> {
    let applied = TRAITS.iter().filter(|(id, _)| operation.has_trait(id));
    let mut behaviours: Vec<String> = applied.map(|(_, name)| (*name).to_owned()).collect();
    let input = model.input_or_output(operation, "input");
    let members = input.map_or(&[][..], |input| &input.members);
    let token = members
        .iter()
        .find(|member| member.has_trait("smithy.api#idempotencyToken"));
    behaviours.extend(token.map(|token| format!("idempotency token `{}`", token.name)));
    behaviours
}
