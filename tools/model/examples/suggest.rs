//! Removes the waiters of services, suggests waiters, and compares both: one line of JSON for each service.
//!
//! `cargo run -p smithy-waiters-model --example suggest -- target/data/botocore-all dynamodb eks`

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::Path;
use std::{env, fs, io};

use serde_json::{Value as Json, json};
use smithy_waiters::State;
use smithy_waiters_model::suggest::{Acceptor, Matcher, Options, Proposal, suggest};
use smithy_waiters_model::{Kind, Model, Sources, id, read};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, services @ ..] = arguments.as_slice() else {
        return Err("usage: suggest FOLDER SERVICE...".into());
    };
    for service in services {
        let line = compare(service, &sources(&Path::new(folder).join(service))?);
        writeln!(stdout(), "{line}")?;
    }
    Ok(())
}

/// Returns the files of a service.
pub(crate) fn sources(folder: &Path) -> io::Result<Sources> {
    let mut sources = Sources::default();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        sources.add(path.display().to_string(), fs::read_to_string(&path)?);
    }
    Ok(sources)
}

/// Returns the published waiters of a service and the proposals, with their matches.
pub(crate) fn compare(service: &str, sources: &Sources) -> Json {
    let mut model = read(sources);
    let published = published(&model);
    let names: Vec<&str> = published
        .iter()
        .map(|waiter| waiter.name.as_str())
        .collect();
    model.exclude_waiters(sources, &names);
    let proposals = suggest(&model, &Options::default());
    let waited: BTreeSet<&str> = published.iter().map(|waiter| &*waiter.operation).collect();
    let of = |waiter: &Published| {
        let same = proposals
            .iter()
            .filter(|proposal| proposal.operation == waiter.operation);
        let targets = same
            .clone()
            .filter(|proposal| waiter.has_target(proposal, false));
        let found: Vec<&Proposal> = same
            .filter(|proposal| waiter.has_target(proposal, true))
            .collect();
        let best = found.first();
        json!({
            "waiter": waiter.name,
            "operation": waiter.operation,
            "kind": waiter.kind,
            "target": targets.map(|proposal| proposal.confidence).next(),
            "confidence": best.map(|proposal| proposal.confidence),
            "likely": best.is_some_and(|proposal| proposal.is_likely()),
            "name": found.iter().any(|proposal| proposal.waiter == waiter.name),
            "success": found.iter().any(|proposal| waiter.success == conditions(&proposal.acceptors, State::Success)),
            "failure": found.iter().any(|proposal| waiter.failure == conditions(&proposal.acceptors, State::Failure)),
        })
    };
    let proposed = proposals.iter().map(|proposal| {
        let matched = published.iter().any(|waiter| {
            waiter.operation == proposal.operation && waiter.has_target(proposal, true)
        });
        let mut line = json!(proposal);
        if let Some(line) = line.as_object_mut() {
            let counted = waited.contains(&*proposal.operation);
            line.insert("counted".to_owned(), json!(counted));
            line.insert("matched".to_owned(), json!(matched));
            line.insert("likely".to_owned(), json!(proposal.is_likely()));
        }
        line
    });
    json!({
        "service": service,
        "published": published.iter().map(of).collect::<Vec<_>>(),
        "proposals": proposed.collect::<Vec<_>>(),
    })
}

/// A waiter of the service.
struct Published {
    name: String,
    operation: String,
    kind: &'static str,
    success: Vec<Matcher>,
    /// Only comparisons: failures by an error are implicit.
    failure: Vec<Matcher>,
}

impl Published {
    /// Returns `true` if a proposal shares a wanted value, or also its path.
    fn has_target(&self, proposal: &Proposal, with_path: bool) -> bool {
        let own = conditions(&proposal.acceptors, State::Success);
        let is_same = |one: &Matcher, other: &Matcher| match (one, other) {
            (
                Matcher::Output { path, expected, .. },
                Matcher::Output {
                    path: other_path,
                    expected: other_expected,
                    ..
                },
            ) => expected == other_expected && (!with_path || path == other_path),
            (Matcher::ErrorType(code), Matcher::ErrorType(other)) => !with_path || code == other,
            (one, other) => one == other,
        };
        let mut own = own.iter();
        own.any(|own| self.success.iter().any(|success| is_same(own, success)))
    }
}

fn published(model: &Model<'_>) -> Vec<Published> {
    let mut published = Vec::new();
    for operation in model.of_kind(Kind::Operation) {
        let applied = operation.find_trait(id::WAITABLE);
        for entry in applied.map_or(&[][..], |applied| applied.value.entries()) {
            let acceptors: Vec<Acceptor> = Acceptor::of_waiter(entry).flatten().collect();
            let success = conditions(&acceptors, State::Success);
            let mut failure = conditions(&acceptors, State::Failure);
            failure.retain(|matcher| matches!(matcher, Matcher::Output { .. }));
            published.push(Published {
                name: entry.key.to_owned(),
                operation: operation.id.to_owned(),
                kind: kind(&success),
                success,
                failure,
            });
        }
    }
    published
}

fn kind(success: &[Matcher]) -> &'static str {
    let is_plain = |character: char| character.is_alphanumeric() || "_.[]".contains(character);
    let any = |is: &dyn Fn(&Matcher) -> bool| success.iter().any(is);
    let compares = |name: &str| {
        any(&|matcher| matches!(matcher, Matcher::Output { comparator, .. } if comparator == name))
    };
    let is_gone =
        any(&|matcher| matches!(matcher, Matcher::ErrorType(_) | Matcher::Success(false)));
    let is_expression = any(
        &|matcher| matches!(matcher, Matcher::Output { path, .. } if !path.chars().all(is_plain)),
    );
    match () {
        () if success.contains(&Matcher::Success(true)) => "exists",
        () if is_gone && success.len() > 1 => "gone: error or value",
        () if is_gone => "gone: error",
        () if is_expression => "expression",
        () if compares("allStringEquals") => "state, list (allStringEquals)",
        () if compares("anyStringEquals") => "state, list (anyStringEquals)",
        () => "state, scalar (stringEquals)",
    }
}

/// Returns the conditions that lead to a state, in one notation and order.
fn conditions(acceptors: &[Acceptor], state: State) -> Vec<Matcher> {
    let acceptors = acceptors.iter().filter(|acceptor| acceptor.state == state);
    let mut conditions: Vec<Matcher> = acceptors
        .map(|acceptor| normalize(acceptor.matcher.clone()))
        .collect();
    conditions.sort_by_key(|matcher| format!("{matcher:?}"));
    conditions.dedup();
    conditions
}

/// Returns a condition with paths in one notation, and without the suffixes of errors, which codes often lack.
fn normalize(mut matcher: Matcher) -> Matcher {
    match &mut matcher {
        Matcher::Output { path, .. } => *path = path.replace("[*]", "[]").replace(' ', ""),
        Matcher::ErrorType(code) => {
            for end in ["Exception", "Fault", "Error"] {
                *code = code.strip_suffix(end).unwrap_or(code).to_owned();
            }
        }
        _ => {}
    }
    matcher
}
