//! Tests for the parts of the pages that are not documentation tests.

#![cfg(all(feature = "testing", feature = "tokio"))]

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};

const PAGE: &str = include_str!("../README.md");
const REPOSITORY: &str = include_str!("../../README.md");

#[test]
fn the_example_with_the_aws_sdk_is_the_one_that_is_compiled() {
    let example = include_str!("../../examples/dynamodb/table_exists.rs");
    let (_, program) = example.split_once("\n\n").unwrap();
    let (shown, _) = program.split_once("\n#[expect(").unwrap();
    assert!(PAGE.contains(shown.trim()));
}

#[tokio::test(start_paused = true)]
async fn the_example_of_the_repository_runs() -> Result<(), Box<dyn std::error::Error>> {
    async fn describe_table(_name: &str) -> Result<Value, ErrorMetadata<'static>> {
        Ok(json!({"Table": {"TableStatus": "ACTIVE"}}))
    }

    let table_active = Waiter::until("Table.TableStatus", "ACTIVE")
        .retry_errors(["ResourceNotFoundException"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(300));
    let outcome = table_active
        .wait(|_| describe_table("orders"), options)
        .await?;

    assert_eq!(outcome.report.attempts, 1);
    let (_, example) = REPOSITORY.split_once("```rust,ignore\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (_, code) = example.split_once("\n\n").unwrap();
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    assert!(without_spaces(include_str!("readme.rs")).contains(&without_spaces(code)));
    Ok(())
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
fn an_error_that_main_returns_is_short() {
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
        "Never gave up after 2 s and 2 attempts: no more attempts are allowed; last seen: the call succeeded"
    );
}
