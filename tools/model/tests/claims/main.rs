//! Compares the claims of the analysis with the engine, on random paths and random responses that conform to the model.
//! A claim that a condition is always or never true must hold, and the result of a path must have the inferred type.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod answers;
mod chance;
mod comparisons;
mod fits;
mod paths;
mod waiters;

use serde_json::Value as Json;
use smithy_waiters::{CompiledExpression, SearchResult};
use smithy_waiters_model::{Model, Sources, read};

use answers::Answers;
use chance::Chance;
use comparisons::Comparison;
use paths::Paths;
use waiters::Waiters;

pub(crate) const MODEL: &str = include_str!("model.smithy");
const OPERATION: &str = "ns#GetThings";
/// The number of responses for each claim.
const ANSWERS: u64 = 100;
/// The number of waiters in a model.
const TOGETHER: usize = 50;
/// The maximum number of mistakes in the output.
const SHOWN: usize = 10;

/// Returns the number of random cases, which `cargo xtask deep` increases.
fn cases() -> u64 {
    let given = std::env::var("CLAIMS_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

fn sources(text: impl Into<String>) -> Sources {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text.into()));
    sources
}

/// Converts the result of an expression to JSON.
fn json(found: SearchResult<&Json>) -> Json {
    match found {
        SearchResult::Array(items) => items.into_iter().map(json).collect(),
        SearchResult::Boolean(value) => value.into(),
        SearchResult::Host(value) => value.clone(),
        SearchResult::Number(number) => number.into(),
        SearchResult::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(name, value)| (name.to_string(), json(value)))
                .collect()
        }
        SearchResult::String(text) => (*text).into(),
        _ => Json::Null,
    }
}

/// Describes a result of a path that does not conform to its type, or returns `None`.
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
    holds(Waiters::of, waiters::claims, Waiters::broken);
}

#[test]
fn what_is_said_of_comparisons_is_so() {
    holds(Comparison::of, comparisons::claims, Comparison::broken);
}

/// Compares the claims about random subjects with the responses. Claims refer to subjects by index.
fn holds<S, C>(
    subject: impl Fn(&mut Chance) -> S,
    claims: impl Fn(&[S]) -> Vec<(usize, C)>,
    broken: impl Fn(&S, &C, &Answers) -> Option<String>,
) {
    let sources = sources(MODEL);
    let model = read(&sources);
    let answers = Answers::of(&model, ANSWERS);
    let seeds: Vec<u64> = (0..cases()).collect();
    let (mut said, mut mistakes) = (Vec::new(), Vec::new());
    for together in seeds.chunks(TOGETHER) {
        let subjects = together.iter().map(|&seed| subject(&mut Chance::of(seed)));
        let subjects: Vec<S> = subjects.collect();
        for (place, claim) in claims(&subjects) {
            let subject = subjects.get(place).unwrap();
            mistakes.extend(broken(subject, &claim, &answers));
            said.push(claim);
        }
    }
    mistakes.truncate(SHOWN);
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    // Without claims, the test would be meaningless.
    assert!(said.len() > seeds.len() / 20, "{} claims", said.len());
}
