//! Reads any text as JSON AST, lints it, and checks that the written model reads back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use smithy_waiters_model::{Sources, lint, read};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    assert!(sources.add("a.json", text));
    let model = read(&sources);
    for event in lint(&model) {
        let _ = sources.span(&event);
        let _ = sources.edit(&model, &event);
    }
    if model.events().is_empty() {
        let written = model.to_ast();
        let mut again = Sources::default();
        assert!(again.add("a.json", written.clone()));
        assert_eq!(read(&again).to_ast(), written);
    }
});
