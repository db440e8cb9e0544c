//! Random texts do not make parsing or validation panic, recurse infinitely or report wrong positions.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use proptest::prelude::*;
use smithy_waiters_model::{Sources, lint, read, validate};

const IDL: &str = include_str!("robust/model.smithy");

/// Pieces of IDL, which are combined in any order.
const PIECES: [&str; 40] = [
    "$version: \"2\"\n",
    "namespace ns\n",
    "use a#B\n",
    "metadata x = ",
    "apply ",
    "structure ",
    "operation ",
    "service ",
    "resource ",
    "enum ",
    "list ",
    "string ",
    "S",
    "T",
    " with ",
    " for ",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ":",
    ":=",
    "=",
    "$",
    "@t",
    "@t(",
    "@smithy.waiters#waitable(",
    "\"a\"",
    "\"\"\"\n a\n\"\"\"",
    "1",
    "-2.5e3",
    "true",
    "null",
    "// c\n",
    "/// d\n",
    "\n",
    ",",
    "é",
];

fn check(name: &str, text: String) {
    let mut sources = Sources::default();
    assert!(sources.add(name, text));
    let model = read(&sources);
    for event in lint(&model) {
        let has_place = sources.position(event.at).is_some();
        assert!(has_place, "{event:?} has no place");
    }
    let written = model.to_ast();
    let value: Result<serde_json::Value, _> = serde_json::from_str(&written);
    // Numbers that doubles cannot represent are written unchanged.
    assert!(
        value.is_ok() || value.unwrap_err().to_string().contains("number"),
        "{written}"
    );
}

/// Returns a text with some characters replaced, removed or repeated.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((0..text.len(), 0_usize..8, any::<char>()), 1..6);
    edits.prop_map(move |edits| {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, length, char) in edits {
            let start = place.min(chars.len());
            let end = start.saturating_add(length).min(chars.len());
            let new = match length {
                0 => vec![char],
                1 => chars.get(start..end).unwrap_or_default().repeat(2),
                _ => Vec::new(),
            };
            chars.splice(start..end, new);
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn idl_with_mistakes_is_read(text in mutated(IDL)) {
        check("a.smithy", text);
    }

    #[test]
    fn pieces_of_idl_are_read(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        check("a.smithy", pieces.concat());
        check("b.smithy", format!("$version: \"2\"\nnamespace ns\n{}", pieces.concat()));
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check("a.smithy", text.clone());
        check("a.json", text);
    }
}

proptest! {
    #[test]
    fn json_with_mistakes_is_read(text in json()) {
        check("a.json", text);
    }
}

/// Returns the text of the model's AST, with mistakes.
fn json() -> impl Strategy<Value = String> {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", IDL));
    let ast: &'static str = String::leak(read(&sources).to_ast());
    mutated(ast)
}

#[test]
fn what_the_mistakes_are_made_in_has_none() {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", IDL));
    assert_eq!(validate(&read(&sources)), []);
}

#[test]
fn nesting_has_an_end() {
    let many = 200_000;
    for open in [
        "[",
        "{a:",
        "@t(",
        "@t(a: ",
        "@t([",
        "(",
        "\"\"\"",
        "structure S {",
        "$a: [",
    ] {
        check(
            "a.smithy",
            format!("$version: \"2\"\nnamespace ns\n{}", open.repeat(many)),
        );
        check("b.smithy", format!("metadata a = {}", open.repeat(many)));
    }
    for open in ["[", "{\"a\":"] {
        check("a.json", open.repeat(many));
    }
}

#[test]
fn a_chain_of_mixins_can_be_long() {
    let mixin = |number: usize| {
        format!(
            "@mixin\nstructure M{number} with [M{}] {{}}\n",
            number.saturating_add(1)
        )
    };
    let chain: String = (0..5_000).map(mixin).collect();
    check(
        "a.smithy",
        format!("$version: \"2\"\nnamespace ns\n{chain}@mixin\nstructure M5000 {{ m: String }}"),
    );
}
