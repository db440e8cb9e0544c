//! The codes and the texts of reasons, in addition to the vectors.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::{ErrorMetadata, Goal, Left, Observation, ReasonCode, WaitOptions, Waiter};

use crate::broken::Broken;

const NULL: &Json = &Json::Null;

/// Returns a waiter whose acceptors compare `path` with `expected`, each by a comparator.
pub(crate) fn compare(acceptors: &[(&str, &str, &str)]) -> Json {
    let acceptors = acceptors.iter().map(|(path, comparator, expected)| {
        let matcher = json!({"path": path, "comparator": comparator, "expected": expected});
        json!({"state": "success", "matcher": {"output": matcher}})
    });
    json!({"acceptors": acceptors.collect::<Vec<_>>()})
}

pub(crate) fn waiter(definition: &Json) -> Waiter {
    Waiter::from_value(definition, None).unwrap()
}

/// Returns the codes and the texts of the reasons. The verdict must not depend on them.
fn reasons(waiter: &Waiter, response: &Json) -> Vec<(ReasonCode, String)> {
    let seen = || Observation::Response(Broken(response));
    let reasons = waiter.reasons(Broken(NULL), seen());
    let matched = reasons.iter().find(|reason| reason.code.is_match());
    let verdict = waiter.evaluate(Broken(NULL), seen());
    assert_eq!(
        verdict.acceptor(),
        matched.and_then(|reason| reason.acceptor)
    );
    let reasons = reasons.into_iter();
    reasons.map(|reason| (reason.code, reason.text)).collect()
}

pub(crate) fn codes(waiter: &Waiter, response: &Json) -> Vec<ReasonCode> {
    let reasons = reasons(waiter, response).into_iter();
    reasons.map(|(code, _)| code).collect()
}

pub(crate) fn texts(waiter: &Waiter, response: &Json) -> Vec<String> {
    let reasons = reasons(waiter, response).into_iter();
    reasons.map(|(_, text)| text).collect()
}

#[test]
fn the_code_of_a_goal_is_that_of_its_value() {
    let values = Waiter::until_all([Goal::equals("s", ["a", "b"])]).build();
    let present = Waiter::until_all([Goal::present("s")]).build();
    let (values, present) = (values.unwrap(), present.unwrap());
    for (value, of_values, of_present) in [
        (json!(null), ReasonCode::Null, ReasonCode::Null),
        (json!([]), ReasonCode::Empty, ReasonCode::NotEqual),
        (json!(["a", "c"]), ReasonCode::NotEqual, ReasonCode::Matched),
        (json!("c"), ReasonCode::NotEqual, ReasonCode::Matched),
        (json!(""), ReasonCode::NotEqual, ReasonCode::NotEqual),
        (json!(["a", "b"]), ReasonCode::Matched, ReasonCode::Matched),
    ] {
        let response = json!({ "s": value });
        assert_eq!(codes(&values, &response), [of_values], "{response}");
        assert_eq!(codes(&present, &response), [of_present], "{response}");
    }
}

#[test]
fn a_goal_without_text_compares_strings_only() {
    let goal = || Waiter::until_all([Goal::equals("s", ["3", "true"])]);
    let (strings, by_text) = (goal().build().unwrap(), goal().text().build().unwrap());
    for (value, by_string, expected) in [
        (json!("3"), true, true),
        (json!(3), false, true),
        (json!(4), false, false),
        (json!("true"), true, true),
        (json!(true), false, true),
        (json!(false), false, false),
    ] {
        let response = json!({ "s": value });
        let is_match = |waiter| codes(waiter, &response) == [ReasonCode::Matched];
        assert_eq!(is_match(&strings), by_string, "{response}");
        assert_eq!(is_match(&by_text), expected, "{response}");
    }
}

#[test]
fn the_first_five_items_of_a_list_are_shown() {
    let goal = Waiter::until_all([Goal::equals("s", ["a", "b"]).any()]).build();
    let goal = goal.unwrap();
    let five = r#"s gave ["c","c","c","c","c"], expected any item to be "a" or "b""#;
    assert_eq!(texts(&goal, &json!({"s": (vec!["c"; 5])})), [five]);
    let six = r#"s gave ["c","c","c","c","c",…] (6 items), expected any item to be "a" or "b""#;
    assert_eq!(texts(&goal, &json!({"s": (vec!["c"; 6])})), [six]);
    // Without a comparator of items, the list is only read for the reasons.
    let string = waiter(&compare(&[("s", "stringEquals", "a")]));
    let five = r#"s gave ["c","c","c","c","c"], expected "a""#;
    assert_eq!(texts(&string, &json!({"s": (vec!["c"; 5])})), [five]);
    let more = r#"s gave ["c","c","c","c","c",…], expected "a""#;
    assert_eq!(texts(&string, &json!({"s": (vec!["c"; 7])})), [more]);
}

/// Items before one that cannot be read can decide. Rule: docs/rules.md#evaluation-errors
#[test]
fn an_unreadable_item_changes_no_decision_before_it() {
    use ReasonCode::{EvaluationError, Matched, NotEqual, WrongType};
    let both = waiter(&compare(&[
        ("s", "allStringEquals", "a"),
        ("s", "anyStringEquals", "a"),
        ("s", "stringEquals", "a"),
    ]));
    let unreadable = |first: &str| json!({"s": [first, "!kind"]});
    assert_eq!(
        reasons(&both, &unreadable("c")),
        [
            (
                NotEqual,
                r#"s gave ["c",…], expected every item of an array to be "a""#.to_owned()
            ),
            (
                EvaluationError,
                "s could not be evaluated: the getter failed".to_owned()
            ),
            (WrongType, r#"s gave ["c",…], expected "a""#.to_owned()),
        ]
    );
    // A text that cannot be read is like any item that cannot be read. Without an item before it, it is unknown that the
    // value is a list.
    for (items, expected) in [
        (json!(["a", "!kind"]), vec![EvaluationError, Matched]),
        (json!(["c", "a"]), vec![NotEqual, Matched]),
        (
            json!(["c", "!text"]),
            vec![NotEqual, EvaluationError, WrongType],
        ),
        (json!(["!kind"]), vec![EvaluationError; 3]),
        (json!(["!kind", "a"]), vec![EvaluationError; 3]),
    ] {
        assert_eq!(codes(&both, &json!({ "s": items })), expected, "{items}");
    }
    let string = waiter(&compare(&[("s", "stringEquals", "a")]));
    assert_eq!(codes(&string, &json!({"s": ["!kind"]})), [EvaluationError]);
    let mut redacted = compare(&[("s", "allStringEquals", "a"), ("s", "anyStringEquals", "b")]);
    redacted["redact"] = json!(["s"]);
    let redacted = waiter(&redacted);
    assert_eq!(
        texts(&redacted, &unreadable("c")),
        [
            r#"s, expected every item of an array to be "a""#,
            "s could not be evaluated: the problem is redacted"
        ]
    );
}

/// All acceptors share one limit of work. Items that decide nothing do not count.
#[test]
fn a_list_that_is_decided_leaves_the_work_to_later_acceptors() {
    for (comparator, expected) in [
        ("allStringEquals", "a"),
        ("stringEquals", "a"),
        ("anyStringEquals", "b"),
    ] {
        let acceptors = [("s", comparator, expected), ("t", "stringEquals", "x")];
        let waiter = waiter(&compare(&acceptors));
        let response = json!({"s": ["b", "!endless"], "t": "x"});
        let codes = codes(&waiter, &response);
        assert_eq!(codes.last(), Some(&ReasonCode::Matched), "{comparator}");
    }
}

#[test]
fn each_acceptor_has_the_value_of_its_path() {
    let waiter = waiter(&compare(&[
        ("a", "stringEquals", "x"),
        ("b", "stringEquals", "x"),
        ("b", "stringEquals", "y"),
    ]));
    assert_eq!(
        texts(&waiter, &json!({"a": "p", "b": "q"})),
        [
            r#"a gave "p", expected "x""#,
            r#"b gave "q", expected "x""#,
            r#"b gave "q", expected "y""#
        ]
    );
}

#[test]
fn the_names_beside_a_missing_member_take_200_bytes() {
    let waiter = waiter(&compare(&[("a.missing", "stringEquals", "x")]));
    let text = |name: &str| {
        let texts = texts(&waiter, &json!({"a": {name: 1, "z": 1}}));
        let (_, names) = texts[0].split_once("only for ").unwrap();
        names.to_owned()
    };
    let longest = "n".repeat(187);
    assert_eq!(text(&longest), format!("{longest}, z)"));
    let longer = "n".repeat(188);
    assert_eq!(text(&longer), format!("{longer}, …)"));
}

#[test]
fn a_missing_member_is_named_in_any_path() {
    for path in ["a.b", "a[0].b", "a[*].b | [0]", "a | b"] {
        let waiter = waiter(&compare(&[(path, "stringEquals", "x")]));
        let expected = format!(
            r#"{path} gave null, expected "x" (the response has no value for a, only for z)"#
        );
        assert_eq!(texts(&waiter, &json!({"z": 1})), [expected]);
    }
}

#[test]
fn deep_values_are_shown_to_32_levels() {
    let waiter = waiter(&compare(&[("a.b", "stringEquals", "x")]));
    let deep = (0..40).fold(json!(1), |value, _| json!([value]));
    let texts = texts(&waiter, &json!({"a": {"b": {"c": deep}}}));
    let shown = format!("{{\"c\":{}…{}}}", "[".repeat(31), "]".repeat(31));
    assert_eq!(texts, [format!(r#"a.b gave {shown}, expected "x""#)]);
}

#[test]
fn an_error_type_is_compared_with_codes_and_classes() {
    let matcher = json!({"errorType": "Busy"});
    let waiter = waiter(&json!({"acceptors": [{"state": "success", "matcher": matcher}]}));
    let code = ErrorMetadata::of_code;
    for (error, matched, text) in [
        (
            ErrorMetadata::of_codes(["Gone", "Idle"]),
            false,
            "got Gone or Idle, expected Busy",
        ),
        (
            ErrorMetadata::of_codes(["Gone", "ns#Busy"]),
            true,
            "got Gone or ns#Busy",
        ),
        (
            code("Gone").with_classes(["Idle", "Busy"]),
            true,
            "got Gone, by its class",
        ),
        (
            code("Gone").with_classes(["Idle"]),
            false,
            "got Gone, expected Busy",
        ),
        (
            ErrorMetadata::of_class("Busy").service_errors_only(),
            false,
            "got Busy, expected Busy, but it has no service code",
        ),
    ] {
        assert_eq!(error.is("Busy"), matched, "{text}");
        let reasons = waiter.reasons(NULL, Observation::Error(&error));
        assert_eq!(reasons[0].text, text);
    }
}

/// The option `left` applies to the path that the successes compare, if there is only one.
#[test]
fn a_value_to_leave_is_one_of_the_compared_path() {
    let goal = |path| Goal::equals(path, ["x", "y"]);
    let until = |goals: Vec<Goal>| Waiter::until_all(goals).build().unwrap();
    let of_paths =
        |paths: [&str; 2]| waiter(&compare(&paths.map(|path| (path, "stringEquals", "x"))));
    let matcher = |name: &str, comparator: &str, expected: &str| {
        let matcher = json!({"path": "output.s", "comparator": comparator, "expected": expected});
        let acceptor = json!({"state": "success", "matcher": {name: matcher}});
        waiter(&json!({ "acceptors": [acceptor] }))
    };
    for (waiter, is_compared) in [
        (Waiter::until("s", "x").build().unwrap(), true),
        (until(vec![goal("s")]), true),
        (until(vec![goal("s"), goal("t")]), false),
        (until(vec![Goal::present("s")]), false),
        (Waiter::until_true("s == 'x'").build().unwrap(), false),
        (matcher("output", "stringEquals", "x"), true),
        (matcher("output", "booleanEquals", "true"), false),
        (matcher("inputOutput", "stringEquals", "x"), false),
        (of_paths(["s", "s"]), true),
        (of_paths(["s", "t"]), false),
    ] {
        let options = WaitOptions::new(Duration::from_secs(9)).left(Left::new("p"));
        assert_eq!(waiter.start(&options, 0).is_ok(), is_compared, "{waiter:?}");
    }
}

#[test]
fn a_redacted_path_has_at_most_64_members() {
    let redact = |members: usize| {
        let mut definition = compare(&[("s", "stringEquals", "x")]);
        definition["redact"] = json!([vec!["a"; members].join(".")]);
        Waiter::from_value(&definition, None).map(drop)
    };
    assert!(redact(64).is_ok());
    assert_eq!(redact(65).unwrap_err().code, "invalid_redact");
}

#[test]
fn a_short_form_compares_the_items_of_functions_that_return_lists() {
    let comparator = |path: &str| {
        let definition = Waiter::until(path, "x").build().unwrap().definition();
        definition["acceptors"][0]["matcher"]["output"]["comparator"].clone()
    };
    assert_eq!(comparator("sort(a)"), "allStringEquals");
    assert_eq!(comparator("[a, b]"), "allStringEquals");
    assert_eq!(comparator("max(a)"), "stringEquals");
    assert!(Waiter::until_true("contains(a, 'x')").build().is_ok());
    assert!(Waiter::until_true("length(a)").build().is_err());
}
