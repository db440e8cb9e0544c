//! Plain paths are walked by a loop of their own: on random paths and values it says what the evaluator says.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use proptest::prelude::*;
use serde_json::{Value, json};
use smithy_waiters::{ReasonCode, Seen, Waiter};

/// Steps of a path as they are written, each of them after another.
fn step() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        ".a", ".b", "[]", "[*]", ".*", "[0]", " | [0]", " | [].a",
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
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(vec!["a", "b"]), inner, 0..3)
                .prop_map(|members| json!(members)),
        ]
    })
}

/// The code of a waiter with this one matcher; nothing where the path does not parse.
fn code(matcher: &str, path: &str, comparator: &str, output: &Value) -> Option<ReasonCode> {
    let matcher = json!({matcher: {"path": path, "comparator": comparator, "expected": "x"}});
    let definition = json!({"acceptors": [{"state": "success", "matcher": matcher}]});
    let waiter = Waiter::from_value(&definition, None).ok()?;
    let verdict = waiter.evaluate(&Value::Null, Seen::Response(output));
    verdict.codes().next()
}

/// A path from the output itself, as an `output` matcher has it.
fn from_output(path: &str) -> String {
    let rest = path.strip_prefix("output").unwrap();
    match rest.strip_prefix('.') {
        Some(members) => members.to_owned(),
        None if rest.is_empty() || rest.starts_with(' ') => format!("@{rest}"),
        None => rest.to_owned(),
    }
}

/// More of them in `cargo xtask deep`.
fn cases() -> u32 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(4_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plain_path_and_the_evaluator_agree(path in path(), output in value()) {
        for comparator in ["stringEquals", "allStringEquals", "anyStringEquals"] {
            // Beside an input the path begins in an object of the two: the evaluator's part.
            let evaluated = code("inputOutput", &path, comparator, &output);
            let walked = code("output", &from_output(&path), comparator, &output);
            prop_assert_eq!(walked, evaluated, "{} of {}", path, output);
        }
    }
}

#[test]
fn most_paths_of_the_test_are_plain_ones() {
    let waiter = |path: &str| {
        let output = json!({"path": path, "comparator": "stringEquals", "expected": "x"});
        let definition =
            json!({"acceptors": [{"state": "success", "matcher": {"output": output}}]});
        Waiter::from_value(&definition, None).unwrap()
    };
    for plain in [
        "@",
        "a.b",
        "a[]",
        "a[].b[].a",
        "a[*].b",
        "a.*",
        "*.a",
        "a[][]",
        "a | [].b",
        "a[*].b[]",
    ] {
        assert_eq!(waiter(plain).path_tests().count(), 1, "{plain}");
    }
    for other in ["a[0]", "a[*].b[*]", "a[?b]", "length(a)", "a[] | [0]"] {
        assert_eq!(waiter(other).path_tests().count(), 0, "{other}");
    }
}

/// What a walk gives up is the evaluator's, which counts: both say the same of a list of any length.
#[test]
fn long_lists_are_too_much_on_both_ways() {
    for (items, expected) in [
        (90_000, ReasonCode::Matched),
        (150_000, ReasonCode::Matched),
        (2_100_000, ReasonCode::LimitExceeded),
    ] {
        let output = Value::from(vec!["x"; items]);
        for path in ["output", "output[]", "output[*]"] {
            let evaluated = code("inputOutput", path, "allStringEquals", &output);
            let walked = code("output", &from_output(path), "allStringEquals", &output);
            assert_eq!(walked, evaluated, "{path} of {items}");
            assert_eq!(walked, Some(expected), "{path} of {items}");
        }
    }
}
