//! A model with random waiters.

use fastrand::Rng;
use serde_json::{Map, Value as Json, json};
use smithy_waiters_generate::ir;
use smithy_waiters_model::{Kind, Sources, id, read};

use crate::waiters::Waiters;

/// Returns the text of a model with `count` additional waiters on its first operation.
pub(crate) fn with_waiters(text: &str, count: usize, rng: Rng) -> String {
    let plain = sources(text);
    let model = read(&plain);
    let mut shapes = model.shapes().iter();
    let operation = shapes.find(|shape| shape.kind == Kind::Operation).unwrap();
    let sides = ["input", "output"].map(|side| model.input_or_output(operation, side).unwrap());
    let mut random = Waiters { model: &model, rng };
    let name = id::name(operation.id);
    let with = |waiters: &Json| format!("{text}\napply {name} @waitable({waiters:#})");
    let mut waiters = Map::new();
    while waiters.len() < count {
        let waiter = json!({format!("Random{}", waiters.len()): random.waiter(sides)});
        if is_valid(&with(&waiter)) {
            waiters.extend(waiter.as_object().unwrap().clone());
        }
    }
    with(&waiters.into())
}

/// Returns `true` if code can be generated for the model.
fn is_valid(text: &str) -> bool {
    let sources = sources(text);
    let model = read(&sources);
    ir::services(&sources, &model, &[]).is_ok()
}

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("random.smithy", text);
    sources
}
