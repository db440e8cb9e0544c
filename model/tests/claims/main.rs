//! What the analysis says of waiters is held against the engine: on random paths and random answers of the service, as it is
//! modeled, nothing that is said to be always, or never, so is otherwise, and everything a path gives is of its type.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

mod answers;
mod chance;
mod comparisons;
mod fits;
mod paths;
mod waiters;

use serde_json::Value as Json;
use smithy_waiters::{CompiledExpression, Found};
use smithy_waiters_model::{Model, Sources, read};

use answers::Answers;
use chance::Chance;
use comparisons::Comparison;
use paths::Paths;
use waiters::Waiters;

pub(crate) const MODEL: &str = include_str!("model.smithy");
const OPERATION: &str = "ns#GetThings";
/// How many answers everything is held against.
const ANSWERS: u64 = 100;
/// How many waiters are in one model.
const TOGETHER: usize = 50;
/// How many mistakes are shown.
const SHOWN: usize = 10;

/// How many are made. More of them, and the same, in `cargo xtask deep`.
fn cases() -> u64 {
    let given = std::env::var("CLAIMS_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

fn sources(text: impl Into<String>) -> Sources {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text.into()));
    sources
}

/// What an expression gives, as JSON.
fn json(found: Found<&Json>) -> Json {
    match found {
        Found::Array(items) => items.into_iter().map(json).collect(),
        Found::Boolean(value) => value.into(),
        Found::Host(value) => value.clone(),
        Found::Number(number) => number.into(),
        Found::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(name, value)| (name.to_string(), json(value)))
                .collect()
        }
        Found::String(text) => (*text).into(),
        _ => Json::Null,
    }
}

/// How a path gives what its type does not have, if it does.
fn broken_type(model: &Model<'_>, path: &str, answers: &Answers) -> Option<String> {
    let operation = model.shape(OPERATION).unwrap();
    let expression = model.output_path(operation, path).unwrap();
    let compiled = CompiledExpression::new(path).unwrap();
    answers.outputs().find_map(|output| {
        let found = json(compiled.search(output).ok()?);
        let of = &expression.gives;
        let fits = fits::fits(model, of, &found);
        (!fits).then(|| format!("`{path}` gives {found}, which is no {of:?}, of {output}"))
    })
}

#[test]
fn what_a_path_gives_is_of_its_type() {
    let sources = sources(MODEL);
    let model = read(&sources);
    assert_eq!(model.events(), []);
    let answers = Answers::of(&model, ANSWERS);
    let broken =
        (0..cases()).filter_map(|seed| broken_type(&model, &Paths::of(seed).any(), &answers));
    let broken: Vec<String> = broken.take(SHOWN).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn what_is_said_of_acceptors_is_so() {
    let sources = sources(MODEL);
    let model = read(&sources);
    let answers = Answers::of(&model, ANSWERS);
    let (mut said, mut broken) = (0, Vec::new());
    for first in (0..cases()).step_by(TOGETHER) {
        let seeds = first..first + TOGETHER as u64;
        let waiters: Vec<Waiters> = seeds
            .map(|seed| Waiters::of(&mut Chance::of(seed)))
            .collect();
        for (place, claim) in waiters::claims(&waiters) {
            said += 1;
            broken.extend(waiters[place].broken(&claim, &answers));
        }
    }
    broken.truncate(SHOWN);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    // A test of claims that meets none would say nothing.
    assert!(said > cases() / 20, "{said} claims");
}

#[test]
fn what_is_said_of_comparisons_is_so() {
    let sources = sources(MODEL);
    let model = read(&sources);
    let answers = Answers::of(&model, ANSWERS);
    let (mut said, mut broken) = (0, Vec::new());
    for first in (0..cases()).step_by(TOGETHER) {
        let seeds = first..first + TOGETHER as u64;
        let comparisons: Vec<Comparison> = seeds
            .map(|seed| Comparison::of(&mut Chance::of(seed)))
            .collect();
        for (place, claim) in comparisons::claims(&comparisons) {
            said += 1;
            broken.extend(comparisons[place].broken(claim, &answers));
        }
    }
    broken.truncate(SHOWN);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(said > cases() / 20, "{said} claims");
}
