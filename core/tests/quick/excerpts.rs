//! Excerpts of values in reasons, values that cannot be read, redaction, names of errors, and hints.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::value::Value;
use smithy_waiters::{
    ErrorMetadata, Event, Goal, Hint, Observation, ReasonCode, Same, WaitOptions, Waiter,
};

use crate::broken::Broken;

/// Returns a waiter that compares a path in these ways.
fn waiter(path: &str, matchers: &[(&str, &str)]) -> Waiter {
    let acceptor = |&(comparator, expected): &(&str, &str)| {
        let expected = match comparator {
            "booleanEquals" => "true",
            _ => expected,
        };
        let matcher = json!({"path": path, "comparator": comparator, "expected": expected});
        json!({"state": "success", "matcher": {"output": matcher}})
    };
    let acceptors: Json = matchers.iter().map(acceptor).collect();
    Waiter::from_value(&json!({ "acceptors": acceptors }), None).unwrap()
}

/// Returns the codes and the texts of the reasons for a response.
fn reasons<V: Value>(waiter: &Waiter, response: V) -> Vec<(ReasonCode, String)> {
    let reasons = waiter.reasons(response.clone(), Observation::Response(response));
    let reasons = reasons.into_iter().map(|reason| (reason.code, reason.text));
    reasons.collect()
}

/// Returns the text of the only reason for a response.
fn text<V: Value>(path: &str, comparator: &str, response: V) -> String {
    let mut reasons = reasons(&waiter(path, &[(comparator, "READY")]), response);
    reasons.remove(0).1
}

#[test]
fn items_before_one_that_cannot_be_read_count() {
    const ALL: &str = "allStringEquals";
    const ANY: &str = "anyStringEquals";
    let waiter = waiter("L[]", &[(ALL, "a"), (ANY, "b"), ("stringEquals", "a")]);
    let codes = |items: &Json| {
        let response = json!({ "L": items });
        let reasons = reasons(&waiter, Broken(&response));
        reasons
            .into_iter()
            .map(|(code, _)| code)
            .collect::<Vec<_>>()
    };
    use ReasonCode::{EvaluationError, Matched, NotEqual, WrongType};
    for (items, expected) in [
        (json!(["a", "a"]), vec![Matched]),
        (json!(["a", "x"]), vec![NotEqual, NotEqual, WrongType]),
        (json!(["x", "b"]), vec![NotEqual, Matched]),
        (
            json!(["x", "!kind"]),
            vec![NotEqual, EvaluationError, WrongType],
        ),
        (
            json!(["a", "!kind"]),
            vec![EvaluationError, EvaluationError, WrongType],
        ),
        (json!(["b", "!kind"]), vec![NotEqual, Matched]),
        (json!(["!kind", "b"]), vec![EvaluationError; 3]),
        // A text that cannot be read is like any item that cannot be read.
        (
            json!(["x", "!text"]),
            vec![NotEqual, EvaluationError, WrongType],
        ),
    ] {
        assert_eq!(codes(&items), expected, "{items}");
    }
}

#[test]
fn a_slice_ends_with_the_item_that_decides() {
    let waiter = waiter("[0:9]", &[("anyStringEquals", "READY")]);
    let verdict = |response: &Json| {
        let response = Broken(response);
        waiter
            .evaluate(response, Observation::Response(response))
            .acceptor()
    };
    assert_eq!(verdict(&json!(["x", "READY", "!kind"])), Some(0));
    assert_eq!(verdict(&json!(["x", "!kind", "READY"])), None);
}

/// Cuts a text after 200 characters.
fn cut(text: String) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap()),
        None => text,
    }
}

#[test]
fn values_are_shown_up_to_two_hundred_characters() {
    for pad in 120..260 {
        let value =
            json!({"a": "x".repeat(pad), "b": [1, true, {"c": null}, [[], {}]], "d\n": "é\t"});
        let whole = r#"{"a":"PAD","b":[1,true,{"c":null},[[],{}]],"d\n":"é\t"}"#;
        let whole = whole.replace("PAD", &"x".repeat(pad));
        let expected = cut(whole);
        let response = json!({ "V": value });
        let text = text("V", "stringEquals", &response);
        assert_eq!(
            text,
            format!("V gave {expected}, expected \"READY\""),
            "{pad}"
        );
    }
}

#[test]
fn lists_are_shown_up_to_five_items_and_two_hundred_characters() {
    let list = |items: Vec<String>| {
        let response = json!({ "L": items });
        text("L[]", "anyStringEquals", &response)
    };
    for (length, count) in [(10, 3), (66, 3), (62, 3), (63, 3), (64, 3), (300, 2)] {
        let items = vec!["x".repeat(length); count];
        let shown: Vec<_> = items
            .iter()
            .map(|item| match item.get(..200) {
                Some(start) if item.len() > 200 => format!("\"{start}\"…"),
                _ => format!("\"{item}\""),
            })
            .collect();
        let whole = format!("[{}]", shown.join(","));
        let expected = cut(whole);
        let text = list(items);
        assert!(
            text.starts_with(&format!("L[] gave {expected}, ")),
            "{text}"
        );
    }
}

#[test]
fn a_part_of_a_value_that_cannot_be_read_is_not_shown() {
    for (value, shown) in [
        (
            json!("!text"),
            "V could not be evaluated: the getter failed",
        ),
        (
            json!({"a": "!text"}),
            "V gave a value that cannot be read: the getter failed",
        ),
        (
            json!({"a": ["x", "!kind"]}),
            "V gave a value that cannot be read: the getter failed",
        ),
        (
            json!("!kind"),
            "V could not be evaluated: the getter failed",
        ),
    ] {
        let response = json!({ "V": value });
        let text = text("V", "stringEquals", Broken(&response));
        assert!(text.starts_with(shown), "{text}");
    }
    let response = json!({"V": "!text"});
    assert_eq!(
        text("V", "booleanEquals", Broken(&response)),
        "V gave …, expected true"
    );
}

#[test]
fn the_place_of_a_null_names_the_members_beside_it() {
    let many: serde_json::Map<_, _> = (0..3_000)
        .map(|index| (format!("Member{index:04}"), json!(1)))
        .collect();
    for (response, place) in [
        (json!({}), " (the response has no value for A)"),
        (
            json!({"B": 1, "C": null}),
            " (the response has no value for A, only for B)",
        ),
        (json!({"A": {}}), " (A has no value for S)"),
        (
            json!({"A": {"S": null, "T": 1, "U": 2}}),
            " (A has no value for S, only for T, U)",
        ),
        (json!({"A": "x"}), " (A is a string)"),
    ] {
        let text = text("A.S", "stringEquals", &response);
        assert_eq!(text, format!("A.S gave null, expected \"READY\"{place}"));
    }
    let text_of_many = text("A.S", "stringEquals", &Json::Object(many));
    let start = "A.S gave null, expected \"READY\" (the response has no value for A, only for Member0000, Member0001, ";
    assert!(text_of_many.starts_with(start), "{text_of_many}");
    assert!(text_of_many.ends_with(", …)"), "{text_of_many}");
    assert!((250..350).contains(&text_of_many.len()), "{text_of_many}");
    // A member that cannot be read does not hide the reason.
    let response = json!({"A": {"T": "!kind"}});
    let text_of_broken = text("A.S", "stringEquals", Broken(&response));
    assert_eq!(text_of_broken, "A.S gave null, expected \"READY\"");
}

#[test]
fn a_warning_of_the_response_explains_a_null() {
    let response = json!({"Warning": "is this the body?"});
    let warned = text("S", "stringEquals", Broken(&response));
    assert_eq!(
        warned,
        "S gave null, expected \"READY\" (is this the body?)"
    );
    for (value, warns) in [
        (json!(1), true),
        (json!(null), true),
        (json!("BUSY"), false),
    ] {
        let response = json!({"S": value, "Warning": "is this the body?"});
        let text = text("S", "stringEquals", Broken(&response));
        assert_eq!(text.ends_with("(is this the body?)"), warns, "{text}");
    }
}

#[test]
fn many_acceptors_have_a_reason_each() {
    let acceptors: Vec<_> = (0..20)
        .map(|index| {
            let expected = format!("s{index}");
            json!({"state": "success", "matcher": {"output": {
                "path": "S", "comparator": "stringEquals", "expected": expected}}})
        })
        .collect();
    let waiter = Waiter::from_value(&json!({ "acceptors": acceptors }), None).unwrap();
    for matched in 0..20 {
        let response = json!({"S": format!("s{matched}")});
        let codes: Vec<_> = reasons(&waiter, &response)
            .into_iter()
            .map(|(code, _)| code)
            .collect();
        let mut expected = vec![ReasonCode::NotEqual; matched];
        expected.push(ReasonCode::Matched);
        assert_eq!(codes, expected);
    }
}

#[test]
fn an_error_is_matched_by_its_classes_beside_its_code() {
    let waiter = Waiter::from_value(
        &json!({"acceptors": [
            {"state": "retry", "matcher": {"errorType": "Throttled"}},
            {"state": "success", "matcher": {"errorType": "NotFound"}},
        ]}),
        None,
    )
    .unwrap();
    let find = |error: ErrorMetadata<'_>| {
        let seen: Observation<'_, &Json> = Observation::Error(&error);
        let reasons = waiter.reasons(&Json::Null, seen);
        let last = reasons.into_iter().next_back().unwrap();
        (last.code, last.text)
    };
    let code = || ErrorMetadata::of_code("Gone").message("no such key");
    let expected = (
        ReasonCode::MatchedByClass,
        "got Gone: no such key, by its class".to_owned(),
    );
    assert_eq!(find(code().with_classes(["Base", "NotFound"])), expected);
    assert!(code().with_classes(["NotFound"]).is("x#NotFound"));
    assert!(!code().with_classes(["NotFound"]).is("Found"));
    let (reason, text) = find(code().with_classes(["Base"]));
    assert_eq!(
        (reason, &*text),
        (
            ReasonCode::NotEqual,
            "got Gone: no such key, expected NotFound"
        )
    );
    let (reason, text) = find(ErrorMetadata::of_class("NotFound"));
    assert_eq!(reason, ReasonCode::MatchedByClass);
    assert_eq!(text, "got NotFound, by its class: it has no service code");
}

#[test]
fn long_names_are_cut() {
    let [long, other] = ["a", "b"].map(|name| name.repeat(100_000));
    let path = "b".repeat(1000);
    let beside = "(the response has no value for bbb";
    for (response, part) in [
        (json!({ &long: 1, &other: 2 }), beside),
        (json!([]), "(the response is an array)"),
    ] {
        let text = text(&path, "stringEquals", &response);
        assert!(text.len() < 2000 && text.contains(part), "{text}");
    }
}

#[test]
fn paths_to_redact_are_limited() {
    let waiter = Waiter::until("s", "x").build().unwrap();
    let start = |count: usize| {
        let paths = (0..count).map(|index| format!("k{index}"));
        let options = WaitOptions::new(Duration::from_secs(60)).redact(paths);
        waiter.start(&options, 0).map(drop)
    };
    start(10_000).unwrap();
    assert_eq!(
        start(10_001).unwrap_err().to_string(),
        "`redact[10000]` must not follow 10000 other paths"
    );
}

/// Returns the reason of a wait that redacts `Secret` and the keys of users.
fn redacted(definition: &Json, response: &Json) -> String {
    let waiter = Waiter::from_value(definition, None).unwrap();
    let options = WaitOptions::new(Duration::from_secs(60)).redact(["Secret", "Users.*.Key"]);
    let mut wait = waiter.start(&options, 1).unwrap();
    wait.poll(0);
    wait.handle(Event::response(response), 10).unwrap();
    wait.latest().unwrap().reasons[0].text.clone()
}

#[test]
fn paths_that_read_a_redacted_member_hide_their_values() {
    const HIDDEN: &str = "a string (redacted)";
    const SHOWN: &str = r#""hunter3""#;
    let response = json!({
        "Secret": "hunter2", "Open": "hunter3",
        "Users": {"a": {"Name": "hunter3", "Key": "hunter2"}},
    });
    for (root, path, expected) in [
        ("output", "Secret", HIDDEN),
        ("output", "Open", SHOWN),
        ("output", "values(@)[0]", HIDDEN),
        ("output", "keys(@)[0]", r#""Open""#),
        ("output", "values(Users)[0].Name", SHOWN),
        ("output", "values(Users)[0].Key", HIDDEN),
        ("output", "reverse(Secret)", HIDDEN),
        ("output", "reverse(Open)", r#""3retnuh""#),
        ("output", "{a: Open}.a", SHOWN),
        ("output", "[Open, Secret][0]", HIDDEN),
        ("inputOutput", "output.Secret", HIDDEN),
        ("inputOutput", "output.Open", SHOWN),
        ("inputOutput", "input.Secret", "null"),
        ("inputOutput", "other.Secret", "null"),
        ("inputOutput", "other.Secret || output.Open", SHOWN),
        ("inputOutput", "(@ || @).output.Secret", HIDDEN),
        ("inputOutput", "(@ || @).output.Open", SHOWN),
        ("inputOutput", "(@ || output).output.Open", SHOWN),
        ("inputOutput", "(output || @).Secret", HIDDEN),
        ("inputOutput", "*.Secret | [0]", HIDDEN),
        ("inputOutput", "*.Open | [0]", SHOWN),
    ] {
        let matcher = json!({"path": path, "comparator": "stringEquals", "expected": "-"});
        let acceptors = json!([{"state": "success", "matcher": {root: matcher}}]);
        let text = redacted(&json!({ "acceptors": acceptors }), &response);
        let expected = format!("{path} gave {expected}, expected \"-\"");
        assert!(text.starts_with(&expected), "{root}: {text}");
    }
}

/// Returns the hints for a response.
fn hints(waiter: &Waiter, response: &Json) -> Vec<String> {
    let mut wait = waiter
        .start(&WaitOptions::new(Duration::from_secs(60)), 1)
        .unwrap();
    wait.poll(0);
    wait.handle(Event::response(response), 10).unwrap();
    wait.hints().iter().map(Hint::to_string).collect()
}

#[test]
fn a_list_is_compared_item_by_item() {
    let never = "which `stringEquals` never matches";
    let items = "`allStringEquals` and `anyStringEquals` compare its items";
    for (path, expected) in [
        ("[A, B]", format!("[A, B] gives a list, {never}: {items}")),
        ("L[*]", format!("L[*] gives a list, {never}: {items}")),
        (
            "L",
            format!("L gives a list, {never}: {items}, as does `until` with `L[]`"),
        ),
        ("O", format!("O gives an object, {never}")),
    ] {
        let waiter = waiter(path, &[("stringEquals", "READY")]);
        let response = json!({"A": "x", "B": "y", "L": ["x"], "O": {}});
        assert_eq!(hints(&waiter, &response), [expected]);
    }
}

#[test]
fn an_item_that_differs_in_case_has_a_hint() {
    let waiter = waiter("L[]", &[("anyStringEquals", "READY")]);
    let found = |items: Json| {
        let hints = hints(&waiter, &json!({ "L": items }));
        hints.iter().any(|hint| hint.contains("ready"))
    };
    assert!(found(json!(["BUSY", "ready"])));
    assert!(found(json!([1, null, "ready"])));
    assert!(!found(json!([1, "BUSY"])));
}

#[test]
fn a_comparison_of_two_members_may_lack_quotes() {
    for (path, hints_quotes) in [
        ("S == done", true),
        ("S != done", true),
        ("S > done", false),
        ("S == T", false),
        ("S == 'done'", false),
        ("N == done", false),
    ] {
        let waiter = Waiter::until_true(path).build().unwrap();
        let hints = hints(&waiter, &json!({"S": "busy", "T": "busy2", "N": 1}));
        let found = hints.iter().any(|hint| hint.contains("a text has quotes"));
        assert_eq!(found, hints_quotes, "{path}: {hints:?}");
    }
}

#[test]
fn a_condition_names_any_scalar() {
    for (same, shown) in [
        (json!("a"), r#""a""#),
        (json!(7), "7"),
        (json!(true), "true"),
    ] {
        let waiter = Waiter::until("S", "READY").build().unwrap();
        let options = WaitOptions::new(Duration::from_secs(60)).same(Same::new("V").is(same));
        let mut wait = waiter.start(&options, 1).unwrap();
        wait.poll(0);
        wait.handle(Event::response(&json!({"S": "READY", "V": "other"})), 10)
            .unwrap();
        let latest = wait.latest().unwrap();
        let text = &latest.reasons.last().unwrap().text;
        assert!(text.contains(&format!(" {shown}")), "{text}");
    }
}

#[test]
fn a_path_that_two_acceptors_read_has_one_hint() {
    let goal = |expected: &str| Goal::equals("S", [expected]);
    let never = "which `stringEquals` never matches";
    for (waiter, response, expected) in [
        (
            Waiter::until_all([goal("READY"), Goal::present("T")]).fail_when(goal("FAILED")),
            json!({"S": "ready", "T": 1}),
            vec!["ready"],
        ),
        (
            Waiter::until("S", "READY")
                .fail(["FAILED"])
                .fail_when(goal("LOST")),
            json!({"S": 1}),
            vec![never],
        ),
        (
            Waiter::until("S", "READY").fail_when(goal("LOST")),
            json!({"S": "lost"}),
            vec!["lost"],
        ),
    ] {
        let hints = hints(&waiter.build().unwrap(), &response);
        assert_eq!(hints.len(), expected.len(), "{hints:?}");
        for (hint, part) in hints.iter().zip(expected) {
            assert!(hint.contains(part), "{hint}");
        }
    }
}

#[test]
fn an_error_of_several_names_has_a_hint_for_one() {
    let waiter = Waiter::until("S", "READY")
        .success_errors(["NotFoundException"])
        .build()
        .unwrap();
    let options = WaitOptions::new(Duration::from_secs(60));
    let mut wait = waiter.start(&options, 1).unwrap();
    wait.poll(0);
    let error = ErrorMetadata::of_codes(["Gone", "NotFound"]);
    wait.handle(Event::error(&error), 10).unwrap();
    let hints: Vec<_> = wait.hints().iter().map(Hint::to_string).collect();
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert!(
        hints[0].starts_with("the error is `NotFound` and not `NotFoundException`"),
        "{hints:?}"
    );
}

#[test]
fn a_number_that_is_too_small_does_not_hold_a_retry() {
    let waiter = Waiter::until("S", "READY")
        .fail(["FAILED"])
        .build()
        .unwrap();
    let options = WaitOptions::new(Duration::from_secs(60)).at_least("N", 7);
    for (state, number, is_held) in [
        ("READY", json!(6), true),
        ("READY", json!(7), false),
        ("READY", json!(null), true),
        ("FAILED", json!(6), true),
        ("FAILED", json!(7), false),
        ("FAILED", json!(null), false),
        ("BUSY", json!(6), false),
    ] {
        let mut wait = waiter.start(&options, 1).unwrap();
        wait.poll(0);
        wait.handle(Event::response(&json!({"S": state, "N": number})), 10)
            .unwrap();
        let latest = wait.latest().unwrap();
        let codes: Vec<_> = latest.reasons.iter().map(|reason| reason.code).collect();
        assert_eq!(
            codes.contains(&ReasonCode::TooSmall),
            is_held,
            "{state} {number}: {codes:?}"
        );
    }
}
