//! Reads any text as IDL, lints it and writes it as JSON AST.
#![no_main]

use libfuzzer_sys::fuzz_target;
use smithy_waiters_model::{Sources, lint, read};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    for event in lint(&model) {
        let _ = sources.span(&event);
        let _ = sources.edit(&model, &event);
    }
    let _ = model.to_ast();
});
