//! What the page shows beside the examples that are documentation tests.

#![cfg(feature = "testing")]

use std::time::Duration;

use serde_json::Value;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};

const PAGE: &str = include_str!("../README.md");

#[test]
fn the_example_with_the_aws_sdk_is_the_one_that_is_compiled() {
    let example = include_str!("../../xtask/demo/rust/examples/table_exists.rs");
    let (_, program) = example.split_once("\n\n").unwrap();
    let (shown, _) = program.split_once("\n#[expect(").unwrap();
    assert!(PAGE.contains(shown.trim()));
}

#[test]
fn the_explanation_is_what_the_failure_says() {
    let exists = r#"{"acceptors": [
        {"state": "success", "matcher": {"success": true}},
        {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}}]}"#;
    assert!(PAGE.contains(exists.split_once('[').unwrap().1));
    let waiter = Waiter::named("TableExists", exists).unwrap();
    let denied = ErrorMetadata::of_code("AccessDeniedException").message("not yours");
    let call = |_| Err::<Value, _>(denied.clone());
    let options = WaitOptions::new(Duration::from_secs(300));
    let driver = Driver::new(FakeClock::new());
    let error = driver.wait_blocking(&waiter, call, options).unwrap_err();
    assert!(
        PAGE.contains(&format!("```text\n{}\n```", error.explain())),
        "{}",
        error.explain()
    );
}

#[test]
fn an_error_that_main_returns_is_a_few_words() {
    let waiter = Waiter::named(
        "Never",
        r#"{"acceptors": [{"state": "success", "matcher": {"success": false}}]}"#,
    );
    let call = |_| Ok::<_, ErrorMetadata>(Value::Null);
    let options = WaitOptions::new(Duration::from_secs(300)).max_attempts(2);
    let driver = Driver::new(FakeClock::new());
    let error = driver
        .wait_blocking(&waiter.unwrap(), call, options)
        .unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "WaitFailure { kind: TooManyAttempts, message: \"Never gave up after 2 s and 2 attempts: no more attempts are allowed; \
         last seen: the call succeeded\", error: None, .. }"
    );
}
