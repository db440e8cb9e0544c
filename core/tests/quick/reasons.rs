//! The codes and the texts of reasons, in addition to the vectors.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde_json::{Value as Json, json};
use smithy_waiters::value::{Kind, ReadError, Value};
use smithy_waiters::{ErrorMetadata, Goal, Left, Observation, ReasonCode, WaitOptions, Waiter};

/// A response whose texts `unreadable` cannot be read, and whose lists `[…, "endless"]` repeat their first item without
/// end.
#[derive(Clone, Copy, Debug)]
struct Host<'v>(&'v Json);

impl Host<'_> {
    fn is_endless(self) -> bool {
        let last = self.0.as_array().and_then(|items| items.last());
        last.and_then(Json::as_str) == Some("endless")
    }
}

impl Value for Host<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        match self.0.as_str() {
            Some("unreadable") => Err(ReadError::new("the getter failed")),
            _ => self.0.kind(),
        }
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(self.0.as_str().unwrap_or_default().into())
    }

    fn len(&self) -> Result<usize, ReadError> {
        if self.is_endless() {
            return Ok(usize::MAX);
        }
        self.0.len()
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        let index = if self.is_endless() { 0 } else { index };
        Ok(self.0.get(index).map(Self))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(self.0.get(name).map(Self))
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        self.0
            .members(&mut |name, member| visit(name, Host(member)))
    }

    fn warning(&self) -> Option<String> {
        self.0.get("status").map(|_| "an HTTP message".to_owned())
    }
}

const NULL: &Json = &Json::Null;

/// Returns a waiter whose acceptors compare `path` with `expected`, each by a comparator.
fn compare(acceptors: &[(&str, &str, &str)]) -> Json {
    let acceptors = acceptors.iter().map(|(path, comparator, expected)| {
        let matcher = json!({"path": path, "comparator": comparator, "expected": expected});
        json!({"state": "success", "matcher": {"output": matcher}})
    });
    json!({"acceptors": acceptors.collect::<Vec<_>>()})
}

fn waiter(definition: &Json) -> Waiter {
    Waiter::from_value(definition, None).unwrap()
}

/// Returns the codes and the texts of the reasons. The verdict must not depend on them.
fn reasons(waiter: &Waiter, response: &Json) -> Vec<(ReasonCode, String)> {
    let seen = || Observation::Response(Host(response));
    let reasons = waiter.reasons(Host(NULL), seen());
    let matched = reasons.iter().find(|reason| reason.code.is_match());
    let verdict = waiter.evaluate(Host(NULL), seen());
    assert_eq!(
        verdict.acceptor(),
        matched.and_then(|reason| reason.acceptor)
    );
    let reasons = reasons.into_iter();
    reasons.map(|reason| (reason.code, reason.text)).collect()
}

fn codes(waiter: &Waiter, response: &Json) -> Vec<ReasonCode> {
    let reasons = reasons(waiter, response).into_iter();
    reasons.map(|(code, _)| code).collect()
}

fn texts(waiter: &Waiter, response: &Json) -> Vec<String> {
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
    let unreadable = |first: &str| json!({"s": [first, "unreadable"]});
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
    assert_eq!(codes(&both, &unreadable("a")), [EvaluationError, Matched]);
    // Without an item it is unknown that the value is a list.
    assert_eq!(
        codes(&both, &json!({"s": ["unreadable"]})),
        [EvaluationError; 3]
    );
    let string = waiter(&compare(&[("s", "stringEquals", "a")]));
    assert_eq!(
        codes(&string, &json!({"s": ["unreadable"]})),
        [EvaluationError]
    );
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
        let response = json!({"s": ["b", "endless"], "t": "x"});
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
fn twenty_acceptors_have_twenty_reasons() {
    let acceptors = [("a", "stringEquals", "x"); 20];
    let waiter = waiter(&compare(&acceptors));
    assert_eq!(
        codes(&waiter, &json!({"a": "p"})),
        [ReasonCode::NotEqual; 20]
    );
}

#[test]
fn a_warning_explains_nulls_and_wrong_types_only() {
    let waiter = waiter(&compare(&[
        ("status", "stringEquals", "x"),
        ("missing", "stringEquals", "x"),
        ("text", "stringEquals", "x"),
    ]));
    assert_eq!(
        texts(&waiter, &json!({"status": 200, "text": "y"})),
        [
            r#"status gave 200, expected "x" (an HTTP message)"#,
            r#"missing gave null, expected "x" (an HTTP message)"#,
            r#"text gave "y", expected "x""#
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
    let class = ErrorMetadata::of_class;
    let code = ErrorMetadata::of_code;
    for (error, matched, text) in [
        (code("Busy"), true, "got Busy"),
        (code("Gone"), false, "got Gone, expected Busy"),
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
            class("ns#Busy"),
            true,
            "got ns#Busy, by its class: it has no service code",
        ),
        (class("Gone"), false, "got Gone, expected Busy"),
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
            class("Busy").service_errors_only(),
            false,
            "got Busy, expected Busy, but it has no service code",
        ),
        (
            ErrorMetadata::unnamed(),
            false,
            "got an unnamed error, expected Busy",
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
        (
            waiter(&compare(&[
                ("s", "stringEquals", "x"),
                ("t", "stringEquals", "x"),
            ])),
            false,
        ),
    ] {
        let options = WaitOptions::new(std::time::Duration::from_secs(9)).left(Left::new("p"));
        assert_eq!(waiter.start(&options, 0).is_ok(), is_compared, "{waiter:?}");
    }
}

/// A path that only reads beside a redacted member is not hidden.
#[test]
fn values_beside_redacted_ones_are_shown() {
    let response =
        json!({"a": {"b": {"secret": "s", "name": "n"}}, "c": [{"secret": "s", "name": "n"}]});
    let text = |redact: &str, path: &str| {
        let mut definition = compare(&[(path, "stringEquals", "x")]);
        definition["redact"] = json!([redact]);
        texts(&waiter(&definition), &response).remove(0)
    };
    for (redact, path, is_shown) in [
        ("c[*].secret", "map(&name, c) | [0]", true),
        ("c[*].secret", "map(&secret, c) | [0]", false),
        ("c[*].secret", "map(&@, c) | [0].name", true),
        ("c[*].secret", "map(&@, c) | [0].secret", false),
        ("a.b.secret", "values(a) | [0].name", true),
        ("a.b.secret", "values(a) | [0].secret", false),
    ] {
        let text = text(redact, path);
        assert_eq!(text.contains(r#"gave "n""#), is_shown, "{text}");
        assert_eq!(text.contains("redacted"), !is_shown, "{text}");
    }
}

/// Of the root of an `inputOutput` path, only the input and the output have the redacted members.
#[test]
fn a_misspelled_root_is_not_redacted() {
    let matcher = json!({"path": "result.s", "comparator": "stringEquals", "expected": "x"});
    let acceptor = json!({"state": "success", "matcher": {"inputOutput": matcher}});
    let waiter = waiter(&json!({"acceptors": [acceptor], "redact": ["s"]}));
    assert_eq!(
        texts(&waiter, &json!({"s": 1})),
        [
            r#"result.s gave null, expected "x" (the response has no value for result, only for output)"#
        ]
    );
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
fn mistakes_in_definitions_are_named() {
    let code = |text: &str| Waiter::from_json(text).unwrap_err();
    let error = code("waiters/ready.json");
    assert_eq!(error.code, "invalid_json");
    assert!(
        error
            .to_string()
            .ends_with("; pass the text of the definition, not its path"),
        "{error}"
    );
    assert!(!code(r#"{"acceptors""#).to_string().contains("its path"));
    let success = json!({"state": "success", "matcher": {"success": true}, "unexpected": true});
    let error = code(&json!({ "acceptors": [success] }).to_string());
    assert_eq!(error.code, "misplaced_unexpected");
}

#[test]
fn codes_have_the_names_of_their_json() {
    for code in ReasonCode::ALL {
        assert_eq!(json!(code), json!(code.as_str()));
    }
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
