//! Removes the waiters of services, suggests waiters, and compares both: one line of JSON for each service.
//!
//! `cargo run -p smithy-waiters-model --example suggest -- target/data/botocore-all dynamodb eks`

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::Path;
use std::{env, fs};

use serde_json::{Value as Json, json};
use smithy_waiters_model::suggest::{Acceptor, Matcher, Options, Outcome, Proposal, suggest};
use smithy_waiters_model::{Entry, Kind, Model, Node, Sources, read};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, services @ ..] = arguments.as_slice() else {
        return Err("usage: suggest FOLDER SERVICE...".into());
    };
    for service in services {
        let mut sources = Sources::default();
        for file in fs::read_dir(Path::new(folder).join(service))? {
            let path = file?.path();
            sources.add(path.display().to_string(), fs::read_to_string(&path)?);
        }
        let line = compare(service, &sources);
        writeln!(stdout(), "{line}")?;
    }
    Ok(())
}

fn compare(service: &str, sources: &Sources) -> Json {
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
            "name": found.iter().any(|proposal| proposal.waiter == waiter.name),
            "success": found.iter().any(|proposal| waiter.success == conditions(proposal, Outcome::Success)),
            "failure": found.iter().any(|proposal| waiter.failure == conditions(proposal, Outcome::Failure)),
            "acceptors": waiter.success,
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
    success: BTreeSet<String>,
    failure: BTreeSet<String>,
}

impl Published {
    /// Returns `true` if a proposal shares a wanted value, or also its path.
    fn has_target(&self, proposal: &Proposal, with_path: bool) -> bool {
        let own = conditions(proposal, Outcome::Success);
        if with_path {
            let part = |condition: &String| {
                condition
                    .rsplit_once(" # ")
                    .map_or_else(|| condition.clone(), |(part, _)| part.to_owned())
            };
            let own: BTreeSet<String> = own.iter().map(part).collect();
            return self
                .success
                .iter()
                .any(|condition| own.contains(&part(condition)));
        }
        let value = |condition: &String| match condition.split_once(" = ") {
            Some((_, value)) => value.split(" # ").next().unwrap_or_default().to_owned(),
            None if condition.starts_with("error ") => "error".to_owned(),
            None => condition.clone(),
        };
        let own: BTreeSet<String> = own.iter().map(value).collect();
        self.success
            .iter()
            .any(|condition| own.contains(&value(condition)))
    }
}

fn published(model: &Model<'_>) -> Vec<Published> {
    let mut published = Vec::new();
    for operation in model.of_kind(Kind::Operation) {
        let applied = operation.find_trait("smithy.waiters#waitable");
        for entry in applied.map_or(&[][..], |applied| applied.value.entries()) {
            let acceptors = acceptors(entry);
            let of = |state: &str| {
                let same = acceptors.iter().filter(|(found, _)| *found == state);
                same.map(|(_, condition)| condition.clone()).collect()
            };
            let (success, failure): (BTreeSet<String>, BTreeSet<String>) =
                (of("success"), of("failure"));
            let failure = failure
                .into_iter()
                .filter(|condition| condition.contains(" = "))
                .collect();
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

fn kind(success: &BTreeSet<String>) -> &'static str {
    let any = |part: &str| success.iter().any(|condition| condition.contains(part));
    let is_plain = |condition: &String| {
        let path = condition.split(" = ").next().unwrap_or_default();
        !condition.contains(" = ")
            || path
                .chars()
                .all(|part| part.is_alphanumeric() || "_.[]".contains(part))
    };
    let is_expression = !success.iter().all(is_plain);
    let is_gone = any("error ");
    match () {
        () if any("response") => "exists",
        () if is_gone && success.len() > 1 => "gone: error or value",
        () if is_gone => "gone: error",
        () if is_expression => "expression",
        () if any("allStringEquals") => "state, list (allStringEquals)",
        () if any("anyStringEquals") => "state, list (anyStringEquals)",
        () => "state, scalar (stringEquals)",
    }
}

/// Returns the states and conditions of a waiter's acceptors.
fn acceptors<'a>(waiter: &Entry<'a>) -> Vec<(&'a str, String)> {
    let acceptors = waiter.value.member("acceptors");
    let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
    let read = |acceptor: &Node<'a>| {
        let state = acceptor.member("state")?.as_str()?;
        let entry = acceptor.member("matcher")?.entries().first()?;
        let text = |name: &str| entry.value.member(name)?.as_str();
        let condition = match entry.key {
            "errorType" => error(entry.value.as_str()?),
            "success" => {
                if entry.value.as_bool()? {
                    "response".to_owned()
                } else {
                    "error".to_owned()
                }
            }
            _ => output(text("path")?, text("expected")?, text("comparator")?),
        };
        Some((state, condition))
    };
    acceptors.iter().filter_map(read).collect()
}

/// Returns the conditions of a proposal's acceptors, as [`acceptors`] writes them.
fn conditions(proposal: &Proposal, outcome: Outcome) -> BTreeSet<String> {
    let own = proposal.acceptors.iter();
    let own = own.filter(|acceptor| acceptor.state == outcome);
    own.map(|acceptor: &Acceptor| match &acceptor.matcher {
        Matcher::Output {
            path,
            expected,
            comparator,
        } => output(path, expected, comparator),
        Matcher::ErrorType(code) => error(code),
        _ => "response".to_owned(),
    })
    .collect()
}

fn output(path: &str, expected: &str, comparator: &str) -> String {
    let path = path.replace("[*]", "[]").replace(' ', "");
    format!("{path} = {expected} # {comparator}")
}

/// Removes the suffix of an error's name, which codes often lack.
fn error(code: &str) -> String {
    let code = ["Exception", "Fault", "Error"]
        .iter()
        .fold(code, |code, end| code.strip_suffix(end).unwrap_or(code));
    format!("error {code}")
}
