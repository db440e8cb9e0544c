//! The parsers of IDL and JSON AST, and their errors.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod editions;
mod merging;
mod models;
mod problems;

use serde_json::Value;
use smithy_waiters_model::{Event, Sources, read};

/// Parses texts. Returns their AST, and the events as `file:line:column message`.
fn model(texts: &[(&str, &str)]) -> (Value, Vec<String>) {
    let mut sources = Sources::default();
    for (name, text) in texts {
        assert!(sources.add(*name, *text));
    }
    let model = read(&sources);
    let shown = |event: &Event| {
        let position = sources.position(event.at);
        let place = position.map_or("nowhere".to_owned(), |position| {
            format!("{}:{}:{}", position.file, position.line, position.column)
        });
        format!("{place} {}", event.message)
    };
    let events = model.events().iter().map(shown).collect();
    (serde_json::from_str(&model.to_ast()).unwrap(), events)
}

/// Returns the AST of the shapes in valid IDL, to which the header of version 2 is added.
fn shapes(idl: &str) -> Value {
    let text = format!("$version: \"2.0\"\nnamespace ns\n{idl}");
    let (ast, events) = model(&[("a.smithy", &text)]);
    assert_eq!(events, Vec::<String>::new());
    ast.get("shapes").cloned().unwrap()
}

fn problems(idl: &str) -> Vec<String> {
    model(&[("a.smithy", idl)]).1
}
