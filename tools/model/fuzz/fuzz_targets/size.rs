//! Looks for a megabyte of text that keeps an entry point busy for more than a second: pieces of the entry's language, repeated until the text is
//! that long.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use cpu_time::ThreadTime;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use smithy_waiters::{
    CompiledExpression, ErrorMetadata, Event, FleetSnapshot, Snapshot, WaitOptions, Waiter,
};
use smithy_waiters_model::{Sources, lint, read};

const MEGABYTE: usize = 1 << 20;

/// The processor time that a megabyte may take. The promise is a second, without the fuzzer's instrumentation, with which everything
/// takes at least three times as long.
const LIMIT: Duration = Duration::from_secs(3);

/// What is written between other pieces.
const PIECES: [&str; 64] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "`",
    "\\",
    ",",
    ":",
    ".",
    "|",
    "||",
    "&&",
    "&",
    "!",
    "*",
    "[]",
    "[*]",
    "[?",
    "@",
    "$",
    "#",
    "=",
    "==",
    "-",
    "1",
    "1e9",
    "null",
    "true",
    "\n",
    " ",
    "\"a\"",
    "a",
    "a.",
    "{\"a\":",
    "[{",
    "length(",
    "\"acceptors\":[",
    "\"state\":\"retry\"",
    "\"matcher\":{",
    "\"output\":",
    "\"path\":\"a\"",
    "\"shapes\":",
    "\"traits\":",
    "\"smithy\":\"2.0\"",
    "\"version\":1",
    "$version: \"2\"\n",
    "namespace a\n",
    "use a#b\n",
    "structure A {",
    "member: B",
    "operation A {",
    "apply A @b\n",
    "@waitable(",
    "@documentation(\"\"\"",
    "\"\"\"",
    "//",
    "///",
    "é",
    "\u{1F600}",
    "\u{0}",
];

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    entry: Entry,
    before: Vec<u8>,
    unit: Vec<u8>,
    after: Vec<u8>,
    text: &'a str,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Entry {
    Definition,
    Expression,
    Saved,
    Value,
    Error,
    Ast,
    Idl,
}

/// Writes pieces by their numbers, and the input's own text for numbers beyond them.
fn write(numbers: &[u8], own: &str) -> String {
    let piece = |number: &u8| {
        PIECES
            .get(usize::from(*number) % 72)
            .copied()
            .unwrap_or(own)
    };
    numbers.iter().map(piece).collect()
}

fn enter(entry: Entry, text: &str, own: &str) {
    match entry {
        Entry::Definition => drop(Waiter::from_json(text)),
        Entry::Expression => drop(CompiledExpression::new(text)),
        Entry::Saved => {
            drop(Snapshot::from_json(text));
            drop(FleetSnapshot::from_json(text));
        }
        Entry::Value => {
            let value: Value = serde_json::from_str(text).unwrap_or_else(|_| json!({"a": [text]}));
            if let Ok(expression) = CompiledExpression::new(own) {
                drop(format!("{:?}", expression.search(&value)));
            }
        }
        Entry::Error => {
            let until = Waiter::until("a", "b").build();
            let wait = until.map(|waiter| waiter.start(&WaitOptions::new(LIMIT), 1));
            if let Ok(Ok(mut wait)) = wait {
                wait.poll(0);
                let error = ErrorMetadata::of_code(text);
                drop(wait.handle(Event::<&Value>::error(&error), 1));
            }
        }
        Entry::Ast => model("a.json", text),
        Entry::Idl => model("a.smithy", text),
    }
}

fn model(name: &str, text: &str) {
    let mut sources = Sources::default();
    assert!(sources.add(name, text));
    drop(lint(&read(&sources)));
}

fuzz_target!(|input: Input<'_>| {
    let [before, unit, after] =
        [&input.before, &input.unit, &input.after].map(|numbers| write(numbers, input.text));
    let count = MEGABYTE.saturating_sub(before.len() + after.len()) / unit.len().max(1);
    let text = [before, unit.repeat(count), after].concat();
    let start = ThreadTime::now();
    enter(input.entry, &text, input.text);
    let (entry, taken) = (input.entry, start.elapsed());
    assert!(
        taken < LIMIT,
        "{entry:?} took {taken:?} for {} bytes of {:.100}…",
        text.len(),
        text
    );
});
