//! Derives conformance tests for waiters that nobody would write. The engine must agree with each expectation, the file
//! must be read again as it was, and the suite as Smithy must have no errors.
#![no_main]

#[path = "../../tests/engine/mod.rs"]
mod engine;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value as Json, json};
use smithy_waiters_conformance::{Origin, Suite, WAITER_TESTS, smithy, suites};
use smithy_waiters_model::{Model, Severity, Sources, lint, read};

/// A service whose answers have a member of each kind.
const MODEL: &str = include_str!("../model.smithy");

/// What paths consist of.
const PIECES: [&str; 40] = [
    "text",
    "number",
    "flag",
    "kind",
    "time",
    "bytes",
    "items",
    "names",
    "sparse",
    "tags",
    "choice",
    "item",
    "name",
    "parts",
    ".",
    "[]",
    "[*]",
    "[0]",
    "[-1]",
    ".*",
    "[?",
    "]",
    "==",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    "!",
    "(",
    ")",
    "`true`",
    "`1`",
    "'DONE'",
    "'a'",
    "length(",
    "contains(",
    ", ",
    "@",
    "input.id",
];

const PROTOCOLS: [&str; 7] = [
    "aws.protocols#awsJson1_0",
    "aws.protocols#awsJson1_1",
    "aws.protocols#restJson1",
    "aws.protocols#restXml",
    "aws.protocols#awsQuery",
    "aws.protocols#ec2Query",
    "smithy.protocols#rpcv2Cbor",
];

const ERRORS: [&str; 5] = [
    "Gone",
    "example#Gone",
    "Missing",
    "other#Missing",
    "Job.Missing",
];

#[derive(Arbitrary, Debug)]
struct Input {
    protocol: u8,
    acceptors: Vec<(State, Matcher)>,
}

#[derive(Arbitrary, Debug)]
enum State {
    Success,
    Failure,
    Retry,
}

#[derive(Arbitrary, Debug)]
enum Matcher {
    Success(bool),
    Error(u8),
    Output(Path),
    Both(Path),
}

#[derive(Arbitrary, Debug)]
struct Path {
    pieces: Vec<u8>,
    expected: u8,
    comparator: u8,
}

impl Matcher {
    fn json(&self) -> Json {
        match self {
            Self::Success(expected) => json!({"success": expected}),
            Self::Error(name) => json!({"errorType": ERRORS[usize::from(*name) % ERRORS.len()]}),
            Self::Output(path) => json!({"output": path.json("")}),
            Self::Both(path) => json!({"inputOutput": path.json("output.")}),
        }
    }
}

impl Path {
    fn json(&self, before: &str) -> Json {
        let pieces = self
            .pieces
            .iter()
            .map(|piece| PIECES[usize::from(*piece) % PIECES.len()]);
        let expected = ["DONE", "true", "false", "", "a", "1"][usize::from(self.expected) % 6];
        let comparators = [
            "stringEquals",
            "booleanEquals",
            "allStringEquals",
            "anyStringEquals",
        ];
        let comparator = comparators[usize::from(self.comparator) % 4];
        json!({"path": format!("{before}{}", pieces.collect::<String>()), "expected": expected, "comparator": comparator})
    }
}

/// Returns the traits of a waiter and a protocol as a second source. Values are JSON, which is also valid in the IDL.
fn traits(input: &Input) -> String {
    let acceptors = input.acceptors.iter().map(|(state, matcher)| {
        let state = format!("{state:?}").to_lowercase();
        json!({"state": state, "matcher": matcher.json()})
    });
    let waiters = json!({"Random": {"acceptors": acceptors.collect::<Vec<_>>()}});
    let protocol = PROTOCOLS[usize::from(input.protocol) % PROTOCOLS.len()];
    format!(
        "$version: \"2\"\nnamespace example\napply Jobs @{protocol}\napply GetJob @smithy.waiters#waitable({waiters})\n"
    )
}

fn errors(model: &Model<'_>) -> Vec<String> {
    let events = lint(model);
    let errors = events
        .iter()
        .filter(|event| event.severity >= Severity::Error);
    errors.map(|event| event.message.clone()).collect()
}

fuzz_target!(|input: Input| {
    let mut sources = Sources::default();
    assert!(sources.add("model.smithy", MODEL) && sources.add("traits.smithy", traits(&input)));
    let model = read(&sources);
    if !errors(&model).is_empty() {
        return;
    }
    for suite in suites(&model, &Origin::default()) {
        // The engine refuses expressions beyond its limits.
        let Ok(differences) = engine::differences(&suite) else {
            return;
        };
        assert!(
            differences.is_empty(),
            "{differences:#?} {}",
            traits(&input)
        );
        let text = suite.to_text().expect("a suite is JSON");
        let again: Suite = serde_json::from_str(&text).expect("a suite can be read");
        assert_eq!(again.to_text().ok(), Some(text));
        let mut with_tests = Sources::default();
        let files = [
            MODEL,
            &traits(&input),
            WAITER_TESTS,
            &smithy(&model, &suite),
        ];
        for (number, text) in files.into_iter().enumerate() {
            assert!(with_tests.add(format!("{number}.smithy"), text));
        }
        let with_tests = read(&with_tests);
        assert!(with_tests.events().is_empty(), "{:?}", with_tests.events());
    }
});
