//! Hints about mistakes in definitions, in addition to the vectors.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::{ErrorMetadata, Event, Goal, Until, WaitOptions, Waiter};

fn first_hints<'v>(waiter: &Waiter, event: Event<'v, &'v Json>) -> Vec<String> {
    let options = WaitOptions::new(Duration::from_secs(600));
    let mut wait = waiter.start(&options, 0).unwrap();
    wait.poll(0);
    wait.handle(event, 10).unwrap();
    wait.hints().iter().map(ToString::to_string).collect()
}

/// Returns the hints of a response.
fn hints(waiter: &Waiter, response: &Json) -> Vec<String> {
    first_hints(waiter, Event::response(response))
}

fn waiter(acceptors: Json) -> Waiter {
    Waiter::from_value(&json!({ "acceptors": acceptors }), None).unwrap()
}

/// Returns a waiter for a text at a path.
fn of_path(path: &str) -> Waiter {
    Waiter::until(path, "ACTIVE").build().unwrap()
}

#[test]
fn a_near_name_leads_to_the_rest_of_the_path() {
    let table = of_path("Tabel.Status");
    let near = "Tabel.Status: the response has no member `Tabel`, did you mean `Table`?";
    for (response, expected) in [
        (json!({"Table": {"Status": "x"}}), vec![near]),
        (json!({"Table": {"Stauts": "x"}}), vec![near]),
        (json!({"Table": {"Name": "x"}}), vec![]),
        (json!({"Table": "x"}), vec![]),
    ] {
        assert_eq!(hints(&table, &response), expected, "{response}");
    }
}

#[test]
fn a_member_is_described_by_the_one_around_it() {
    let items = json!([{"status": "x"}]);
    for (path, response) in [
        ("items[*].stauts", json!({ "items": items })),
        (
            "lists[*].items[*].stauts",
            json!({"lists": [{ "items": items }]}),
        ),
        (
            "lists[].items[*].stauts",
            json!({"lists": [{ "items": items }]}),
        ),
        (
            "lists[0].items[*].stauts",
            json!({"lists": [{ "items": items }]}),
        ),
        (
            "(lists | [0]).items[].stauts",
            json!({"lists": [{ "items": items }]}),
        ),
    ] {
        let expected = format!("{path}: items has no member `stauts`, did you mean `status`?");
        assert_eq!(hints(&of_path(path), &response), [expected]);
    }
}

#[test]
fn every_expected_text_is_compared_without_case() {
    let until = r#"{"expression": "s", "expected": ["READY", "DONE"], "fail": ["FAILED", {"path": "s", "expected": ["GONE", "LOST"]}]}"#;
    let waiter = Until::from_json(until).unwrap().build().unwrap();
    for text in ["READY", "DONE", "FAILED", "GONE", "LOST"] {
        let lower = text.to_lowercase();
        let expected =
            format!(r#"s gave "{lower}", which differs from the expected "{text}" only in case"#);
        assert_eq!(hints(&waiter, &json!({ "s": lower })), [expected]);
    }
}

#[test]
fn the_first_hundred_items_are_compared() {
    let states = Until::from_json(r#"{"expression": "s[]", "expected": "DONE"}"#);
    let states = states.unwrap().build().unwrap();
    for (others, expected) in [(99, 1), (100, 0)] {
        let mut items = vec!["other"; others];
        items.push("done");
        assert_eq!(hints(&states, &json!({ "s": items })).len(), expected);
    }
}

#[test]
fn a_result_that_matches_has_no_hint() {
    let waiter = waiter(json!([
        {"state": "retry", "matcher": {"errorType": "Busy"}},
        {"state": "failure", "matcher": {"errorType": "BusyException"}},
        {"state": "failure", "matcher": {"output": {"path": "s", "comparator": "stringEquals", "expected": "x"}}},
        {"state": "success", "matcher": {"success": true}},
    ]));
    let of_error = |code: &'static str| {
        let error = ErrorMetadata::of_code(code);
        first_hints(&waiter, Event::error(&error))
    };
    assert!(of_error("Busy").is_empty());
    assert_eq!(of_error("BusyError").len(), 1);
    assert!(hints(&waiter, &Json::Null).is_empty());
}

#[test]
fn a_map_of_up_to_five_waiters_is_named_completely() {
    let names = ["A", "B", "C", "D", "E"].map(|name| (name.to_owned(), json!({"acceptors": []})));
    let map: serde_json::Map<String, Json> = names.into_iter().collect();
    let error = Waiter::from_value(&Json::Object(map), None).unwrap_err();
    let listed = "(`A`, `B`, `C`, `D`, `E`): pass one of them";
    assert!(error.to_string().ends_with(listed), "{error}");
}

#[test]
fn a_list_is_compared_item_by_item() {
    let never = "which `stringEquals` never matches";
    let items = "`allStringEquals` and `anyStringEquals` compare its items";
    for (path, expected) in [
        ("[A, B]", format!("[A, B] gives a list, {never}: {items}")),
        ("O", format!("O gives an object, {never}")),
    ] {
        let matcher = json!({"path": path, "comparator": "stringEquals", "expected": "READY"});
        let waiter = waiter(json!([{"state": "success", "matcher": {"output": matcher}}]));
        let response = json!({"A": "x", "B": "y", "L": ["x"], "O": {}});
        assert_eq!(hints(&waiter, &response), [expected]);
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
    let error = ErrorMetadata::of_codes(["Gone", "NotFound"]);
    let hints = first_hints(&waiter, Event::error(&error));
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert!(
        hints[0].starts_with("the error is `NotFound` and not `NotFoundException`"),
        "{hints:?}"
    );
}
