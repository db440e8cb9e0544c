//! Excerpts of values in reasons, values that cannot be read, and redaction.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::{Event, Observation, ReasonCode, WaitOptions, Waiter};

use crate::broken::Broken;
use crate::reasons::{codes, compare, texts, waiter};

/// Returns the text of the only reason for a response.
fn text(path: &str, comparator: &str, response: &Json) -> String {
    let expected = match comparator {
        "booleanEquals" => "true",
        _ => "READY",
    };
    let waiter = waiter(&compare(&[(path, comparator, expected)]));
    texts(&waiter, response).remove(0)
}

#[test]
fn a_slice_ends_with_the_item_that_decides() {
    let waiter = waiter(&compare(&[("[0:9]", "anyStringEquals", "READY")]));
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
        let text = text("V", "stringEquals", &response);
        assert!(text.starts_with(shown), "{text}");
    }
    let response = json!({"V": "!text"});
    assert_eq!(
        text("V", "booleanEquals", &response),
        "V gave …, expected true"
    );
}

#[test]
fn the_place_of_a_null_names_the_members_beside_it() {
    let many: serde_json::Map<_, _> = (0..3_000)
        .map(|index| (format!("Member{index:04}"), json!(1)))
        .collect();
    let text_of_many = text("A.S", "stringEquals", &json!(many));
    let start = "A.S gave null, expected \"READY\" (the response has no value for A, only for Member0000, Member0001, ";
    assert!(text_of_many.starts_with(start), "{text_of_many}");
    assert!(text_of_many.ends_with(", …)"), "{text_of_many}");
    assert!((250..350).contains(&text_of_many.len()), "{text_of_many}");
    // A member that cannot be read does not hide the reason.
    let response = json!({"A": {"T": "!kind"}});
    let text_of_broken = text("A.S", "stringEquals", &response);
    assert_eq!(text_of_broken, "A.S gave null, expected \"READY\"");
}

#[test]
fn a_warning_of_the_response_explains_a_null() {
    let response = json!({"Warning": "is this the body?"});
    let warned = text("S", "stringEquals", &response);
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
        let text = text("S", "stringEquals", &response);
        assert_eq!(text.ends_with("(is this the body?)"), warns, "{text}");
    }
    // Beside a comparator that never matches a text.
    let both = waiter(&compare(&[
        ("S", "stringEquals", "READY"),
        ("S", "booleanEquals", "true"),
    ]));
    let response = json!({"S": "BUSY", "Warning": "is this the body?"});
    let warns = texts(&both, &response).into_iter();
    let warns = warns.map(|text| text.ends_with("(is this the body?)"));
    assert_eq!(warns.collect::<Vec<_>>(), [false, true]);
}

#[test]
fn many_acceptors_have_a_reason_each() {
    let expected: Vec<_> = (0..20).map(|index| format!("s{index}")).collect();
    let acceptors = expected.iter().map(|text| ("S", "stringEquals", &**text));
    let waiter = waiter(&compare(&acceptors.collect::<Vec<_>>()));
    for (matched, text) in expected.iter().enumerate() {
        let mut expected = vec![ReasonCode::NotEqual; matched];
        expected.push(ReasonCode::Matched);
        assert_eq!(codes(&waiter, &json!({ "S": text })), expected);
    }
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

/// Returns the reason of a wait that redacts `Secret` and the keys of users and items.
fn redacted(definition: &Json, response: &Json) -> String {
    let waiter = waiter(definition);
    let options =
        WaitOptions::new(Duration::from_secs(60)).redact(["Secret", "Users.*.Key", "Items[*].Key"]);
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
        "Items": [{"Name": "hunter3", "Key": "hunter2"}],
    });
    for (root, path, expected) in [
        ("output", "Secret", HIDDEN),
        ("output", "Open", SHOWN),
        ("output", "values(@)[2]", HIDDEN),
        ("output", "keys(@)[0]", r#""Items""#),
        ("output", "values(Users)[0].Name", SHOWN),
        ("output", "values(Users)[0].Key", HIDDEN),
        ("output", "map(&Name, Items) | [0]", SHOWN),
        ("output", "map(&Key, Items) | [0]", HIDDEN),
        ("output", "map(&@, Items) | [0].Name", SHOWN),
        ("output", "map(&@, Items) | [0].Key", HIDDEN),
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
