//! Definitions with mistakes, and texts that are not definitions.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::time::Duration;

use serde_json::{Value as Json, json};
use smithy_waiters::{Until, WaitOptions, Waiter};

/// Returns the code, the path and the message of a definition's error.
fn problem(definition: &Json) -> (&'static str, String, String) {
    let error = Waiter::from_value(definition, None).unwrap_err();
    (error.code, error.path, error.message)
}

fn acceptor(state: &str, unexpected: Json) -> Json {
    let matcher = json!({"path": "S", "comparator": "stringEquals", "expected": "x"});
    let acceptor =
        json!({"state": state, "matcher": {"output": matcher}, "unexpected": unexpected});
    json!({ "acceptors": [
        {"state": "success", "matcher": {"success": true}},
        acceptor,
    ]})
}

#[test]
fn only_a_failure_is_unexpected() {
    for (state, unexpected) in [("failure", true), ("failure", false), ("retry", false)] {
        let definition = acceptor(state, json!(unexpected));
        assert!(
            Waiter::from_value(&definition, None).is_ok(),
            "{definition}"
        );
    }
    let at = "acceptors[1].unexpected".to_owned();
    for state in ["success", "retry"] {
        let message = format!("`unexpected` requires the state `failure`, got `{state}`");
        let expected = ("misplaced_unexpected", at.clone(), message);
        assert_eq!(problem(&acceptor(state, json!(true))), expected);
    }
    let message = "`unexpected` must be a boolean, got a string".to_owned();
    let expected = ("wrong_type", at, message);
    assert_eq!(problem(&acceptor("failure", json!("true"))), expected);
}

#[test]
fn the_path_of_a_file_is_not_a_definition() {
    let message = |text: &str| Waiter::from_json(text).unwrap_err().message;
    assert!(message("waiter.json").ends_with("; pass the text of the definition, not its path"));
    assert!(!message("{\"acceptors\"").contains("path"));
    assert_eq!(
        message(" \n"),
        "the definition is not JSON: the text is empty"
    );
    let error = Waiter::from_model("model.json", "Ready", None).unwrap_err();
    assert!(
        error
            .message
            .ends_with("; pass the text of the model, not its path")
    );
    // Other texts have no files.
    let error = Until::from_json("until.json").unwrap_err();
    assert_eq!(error.code, "invalid_json");
    assert!(!error.message.contains("path"), "{}", error.message);
}

#[test]
fn a_short_form_is_an_object() {
    for (text, got) in [
        ("[]", "an array"),
        ("1", "1"),
        ("\"S\"", "a string"),
        ("null", "null"),
    ] {
        let error = Until::from_json(text).unwrap_err();
        assert_eq!((error.code, &*error.path), ("wrong_type", ""));
        assert_eq!(
            error.message,
            format!("the short form of a waiter must be an object, got {got}")
        );
    }
}

#[test]
fn a_waiter_has_the_names_that_it_reads_and_the_errors_that_it_matches() {
    let waiter = Waiter::until("S.T", "READY")
        .retry_errors(["Busy"])
        .success_errors(["Gone"])
        .build()
        .unwrap();
    let names = |waiter: &Waiter| {
        let mut names: Vec<String> = waiter.names().map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(names(&waiter), ["READY", "S", "T"]);
    let mut errors: Vec<&str> = waiter.error_types().collect();
    errors.sort_unstable();
    assert_eq!(errors, ["Busy", "Gone"]);
    let options = WaitOptions::new(Duration::from_secs(60)).show(["Progress"]);
    let wait = waiter.start(&options, 1).unwrap();
    assert_eq!(names(wait.waiter()), ["Progress", "READY", "S", "T"]);
}
