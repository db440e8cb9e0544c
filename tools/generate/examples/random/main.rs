//! Random inputs and outputs for the waiters of a model. Other interpreters compute the reference verdicts on them.
//!
//! `random MODEL COUNT SEED` prints a line of JSON for each waiter: its name, and `COUNT` cases with an input and an
//! output in the shape of the model.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for tests"
)]

mod values;

use std::env;
use std::fs;

use fastrand::Rng;
use serde_json::{Value as Json, json};
use smithy_waiters_generate::ir::{self, Matcher};
use smithy_waiters_model::{Shape, Sources, read};
use values::Random;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [path, count, seed] = &arguments[..] else {
        panic!("usage: random MODEL COUNT SEED");
    };
    let mut sources = Sources::default();
    sources.add(path.clone(), fs::read_to_string(path).unwrap());
    let count: usize = count.parse().unwrap();
    let rng = Rng::with_seed(seed.parse().unwrap());
    let model = read(&sources);
    for service in ir::services(&sources, &model, &[]).unwrap() {
        for (operation, waiter) in service.waiters() {
            let mut random = Random {
                model: &model,
                rng: rng.clone(),
                texts: texts(waiter),
            };
            let mut side = |shape: Option<&Shape<'_>>| {
                shape.map_or_else(|| json!({}), |shape| random.value(shape, 0))
            };
            let cases = (0..count)
                .map(|_| json!({"input": side(operation.input), "output": side(operation.output)}));
            let cases: Json = cases.collect();
            println!("{}", json!({"waiter": waiter.name, "cases": cases}));
        }
    }
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
