//! Random test data for the shapes of a model.
//!
//! - `random responses MODEL COUNT SEED` prints a line of JSON for each waiter: its name, and `COUNT` responses with
//!   the acceptor that the interpreter returns for them. Every other response violates the model. Bytes and times are
//!   texts such as `bytes:GONE` and `time:1`.
//! - `random waiters MODEL COUNT SEED` prints the model with `COUNT` additional waiters on its first operation.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for tests"
)]

mod host;
mod model;
mod random;
mod variation;
mod waiters;

use std::env;
use std::fs;

use fastrand::Rng;
use random::Random;
use serde_json::{Value as Json, json};
use smithy_waiters::{Observation, Waiter};
use smithy_waiters_generate::ir::{self, Matcher, Operation};
use smithy_waiters_model::{Shape, Sources, read};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [what, path, count, seed] = &arguments[..] else {
        panic!("usage: random responses|waiters MODEL COUNT SEED");
    };
    let mut sources = Sources::default();
    sources.add(path.clone(), fs::read_to_string(path).unwrap());
    let (count, rng) = (
        count.parse().unwrap(),
        Rng::with_seed(seed.parse().unwrap()),
    );
    match &**what {
        "responses" => print_responses(&sources, count, &rng),
        "waiters" => {
            let text = fs::read_to_string(path).unwrap();
            println!("{}", model::with_waiters(&text, count, rng));
        }
        what => panic!("`{what}` is neither `responses` nor `waiters`"),
    }
}

fn print_responses(sources: &Sources, count: usize, rng: &Rng) {
    let model = read(sources);
    for service in ir::services(sources, &model, &[]).unwrap() {
        for (operation, waiter) in service.waiters() {
            let mut random = Random {
                model: &model,
                rng: rng.clone(),
                texts: texts(waiter),
            };
            let engine = Waiter::named(waiter.name, &waiter.definition).unwrap();
            let cases = (0..count).map(|at| case(&mut random, operation, &engine, at % 2 == 1));
            let cases: Json = cases.collect();
            println!("{}", json!({"waiter": waiter.name, "cases": cases}));
        }
    }
}

fn case(
    random: &mut Random<'_>,
    operation: &Operation<'_>,
    waiter: &Waiter,
    is_broken: bool,
) -> Json {
    let mut side = |shape: Option<&Shape<'_>>| {
        let value = shape.map_or_else(|| json!({}), |shape| random.value(shape, 0));
        if is_broken { random.vary(value) } else { value }
    };
    let (input, output) = (side(operation.input), side(operation.output));
    let verdict = waiter.evaluate(
        &host::visible(&input),
        Observation::Response(&host::visible(&output)),
    );
    json!({"input": input, "output": output, "acceptor": verdict.acceptor()})
}

/// Returns the strings that the acceptors of a waiter compare with.
fn texts(waiter: &ir::Waiter<'_>) -> Vec<String> {
    let matchers = waiter.acceptors.iter().map(|acceptor| &acceptor.matcher);
    let expected = matchers.filter_map(|matcher| match matcher {
        Matcher::Path(path) => Some(path.expected.to_owned()),
        _ => None,
    });
    expected.collect()
}
