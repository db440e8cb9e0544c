//! Acceptors that share a path are compared in one evaluation. On random paths and values, each has the same reason as
//! on its own.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::cell::Cell;
use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::{Value, json};
use smithy_waiters::value::{Kind, ReadError};
use smithy_waiters::{Event, Observation, Reason, ReasonCode, WaitOptions, Waiter};

/// Returns a step of a path, to append to another one.
fn step() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        ".a", ".b", "[]", "[*]", ".*", "[0]", " | [0]", " | [].a", "[?a]", "[:2]",
    ])
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(step(), 0..7).prop_map(|steps| format!("output{}", steps.concat()))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => Just(json!("x")),
        1 => Just(json!("y")),
        1 => Just(Value::Null),
        1 => Just(json!(1)),
        1 => Just(json!(true)),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(vec!["a", "b"]), inner, 0..3)
                .prop_map(|members| json!(members)),
        ]
    })
}

/// Returns a comparator and its expected value.
fn expectation() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![
        ("stringEquals", "x"),
        ("stringEquals", "y"),
        ("allStringEquals", "x"),
        ("allStringEquals", "y"),
        ("anyStringEquals", "x"),
        ("anyStringEquals", "y"),
        ("booleanEquals", "true"),
    ])
}

/// Creates a waiter with matchers, or returns `None` if the path is invalid.
fn waiter(matcher: &str, path: &str, expectations: &[(&str, &str)]) -> Option<Waiter> {
    let acceptor = |(comparator, expected): &(&str, &str)| {
        json!({"state": "success", "matcher": {
            matcher: {"path": path, "comparator": comparator, "expected": expected}}})
    };
    let acceptors: Vec<Value> = expectations.iter().map(acceptor).collect();
    Waiter::from_value(&json!({"acceptors": acceptors}), None).ok()
}

fn reasons(waiter: &Waiter, output: &Value) -> Vec<Reason> {
    waiter.reasons(&Value::Null, Observation::Response(output))
}

/// Returns the path relative to the output, for an `output` matcher.
fn from_output(path: &str) -> String {
    let rest = path.strip_prefix("output").unwrap();
    match rest.strip_prefix('.') {
        Some(members) => members.to_owned(),
        None if rest.is_empty() || rest.starts_with(' ') => format!("@{rest}"),
        None => rest.to_owned(),
    }
}

/// Returns the number of cases, which `cargo xtask deep` increases.
fn cases() -> u32 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(4_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_acceptor_gets_the_reason_that_it_gets_alone(
        path in path(),
        output in value(),
        expectations in prop::collection::vec(expectation(), 1..5),
    ) {
        for (matcher, path) in [("inputOutput", path.clone()), ("output", from_output(&path))] {
            let Some(together) = waiter(matcher, &path, &expectations) else { continue };
            let together = reasons(&together, &output);
            prop_assert!(!together.is_empty());
            for (reason, expectation) in together.iter().zip(&expectations) {
                let alone = waiter(matcher, &path, &[*expectation]).unwrap();
                let alone = reasons(&alone, &output).remove(0);
                prop_assert_eq!(reason.code, alone.code, "{} of {}", path, output);
            }
            let verdict = waiter(matcher, &path, &expectations).unwrap();
            let verdict = verdict.evaluate(&Value::Null, Observation::Response(&output));
            let matched = together.iter().position(|reason| reason.code.is_match());
            prop_assert_eq!(verdict.acceptor(), matched, "{} of {}", path, output);
        }
    }
}

#[test]
fn a_long_list_shows_its_first_items_and_its_length() {
    let text = |path, comparator, expected| {
        let items: Vec<String> = (0..9).map(|index| format!("s{index}")).collect();
        let waiter = waiter("output", path, &[(comparator, expected)]).unwrap();
        reasons(&waiter, &json!({ "a": items })).remove(0).text
    };
    assert_eq!(
        text("a[]", "anyStringEquals", "x"),
        r#"a[] gave ["s0","s1","s2","s3","s4",…] (9 items), expected any item of an array to be "x""#
    );
    // The second item decides, and the others are read to count those that differ.
    assert_eq!(
        text("a", "allStringEquals", "s0"),
        r#"a: 8 of 9 differ, the first is "s1", at index 1, expected every item of an array to be "s0""#
    );
}

#[test]
fn a_list_of_long_texts_is_cut_as_a_whole() {
    let waiter = waiter("output", "a[]", &[("allStringEquals", "A")]).unwrap();
    let reason = reasons(&waiter, &json!({"a": vec!["x".repeat(300); 5]})).remove(0);
    let shown = reason.text.strip_prefix("a[] gave ").unwrap();
    let shown = shown.split_once("…, expected").unwrap().0;
    assert_eq!(shown.chars().count(), 200, "{}", reason.text);
}

/// Items before an error decide. If functions are called, an error at any position counts.
#[test]
fn an_error_among_the_items_contradicts_no_code() {
    let codes = |items: Value, expectations: &[(&str, &str)], path| {
        let waiter = waiter("output", path, expectations).unwrap();
        let reasons = reasons(&waiter, &json!({ "a": items }));
        reasons.into_iter().map(|reason| (reason.code, reason.text))
    };
    for items in [json!(["ab", 5]), json!([5, "ab"])] {
        let path = "a[].to_string(length(@))";
        for (code, _) in codes(
            items,
            &[("allStringEquals", "9"), ("anyStringEquals", "2")],
            path,
        ) {
            assert_eq!(code, ReasonCode::EvaluationError);
        }
    }
    let many = Value::from(vec!["A"; 60_000]);
    let expectations = [("allStringEquals", "A"), ("anyStringEquals", "A")];
    let found: Vec<_> = codes(many, &expectations, "a[].{s: @}.s").collect();
    assert_eq!(found[0].0, ReasonCode::LimitExceeded);
    assert_eq!(found[1].0, ReasonCode::Matched);
    assert!(
        found[1].1.starts_with(r#"a[].{s: @}.s gave ["A","A","#),
        "{}",
        found[1].1
    );
}

/// A value that counts the reads of its members and items.
#[derive(Clone)]
struct Counted<'a> {
    value: &'a Value,
    reads: &'a Cell<u32>,
}

impl<'a> Counted<'a> {
    fn read(&self, value: Option<&'a Value>) -> Option<Self> {
        self.reads.set(self.reads.get().saturating_add(1));
        value.map(|value| Self {
            value,
            reads: self.reads,
        })
    }
}

impl smithy_waiters::value::Value for Counted<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        self.value.kind()
    }

    fn text(&self) -> Result<std::borrow::Cow<'_, str>, ReadError> {
        Ok(self.value.as_str().unwrap_or_default().into())
    }

    fn len(&self) -> Result<usize, ReadError> {
        self.value.len()
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(self.read(self.value.get(index)))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(self.read(self.value.get(name)))
    }

    fn members(&self, _: &mut dyn FnMut(&str, Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        Ok(())
    }
}

#[test]
fn an_attempt_reads_a_shared_path_once_reasons_included() {
    let expectations = [
        ("allStringEquals", "x"),
        ("anyStringEquals", "y"),
        ("anyStringEquals", "z"),
    ];
    let waiter = waiter("output", "list[].status", &expectations).unwrap();
    let response = json!({"list": [{"status": "x"}, {"status": "w"}, {"status": "v"}]});
    let reads = Cell::new(0);
    let value = Counted {
        value: &response,
        reads: &reads,
    };
    // Hints look for names near those of a path.
    let options = WaitOptions::new(std::time::Duration::from_secs(60)).hints(false);
    let mut wait = waiter.start(&options, 1).unwrap();
    wait.poll(0);
    wait.handle(Event::response(value), 10).unwrap();
    let latest = wait.latest().unwrap();
    assert_eq!(latest.reasons.len(), 3);
    // The list, its three items, and the status of each.
    assert_eq!(reads.get(), 7);
}
