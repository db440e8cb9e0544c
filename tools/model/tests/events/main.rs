//! Events that the recordings of `tests/smithy` don't have: stages, messages, and values of traits.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod stages;
mod traits;
mod waiters;

use smithy_waiters_model::{Sources, read, validate};

/// Returns the events of a text as `line SEVERITY id shape`.
fn events(idl: &str) -> Vec<String> {
    let text = format!("$version: \"2.0\"\nnamespace ns\nuse smithy.waiters#waitable\n{idl}");
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let shown = validate(&model).into_iter().map(|event| {
        let line = sources.position(event.at).unwrap().line;
        let shape = event.shape.unwrap_or_default();
        let shape = shape.strip_prefix("ns#").unwrap_or(&shape).to_owned();
        format!("{line} {} {} {shape}", event.severity, event.id)
    });
    shown.collect()
}

const NONE: [&str; 0] = [];
