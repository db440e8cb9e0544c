//! Tests for the parts of the pages that are not documentation tests.

#![cfg(all(feature = "testing", feature = "tokio"))]

use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::driver::TokioRuntime;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};

const PAGE: &str = include_str!("../README.md");
const REPOSITORY: &str = include_str!("../../README.md");
const MIGRATION: &str = include_str!("../../docs/migration.md");

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
    assert!(is_in_this_file(code));
    Ok(())
}

/// Returns `true` if this file contains the code, which it may wrap differently.
fn is_in_this_file(code: &str) -> bool {
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    without_spaces(include_str!("readme.rs")).contains(&without_spaces(code))
}

#[tokio::test(start_paused = true)]
async fn the_examples_of_migration_run() -> Result<(), Box<dyn std::error::Error>> {
    {
        // Stands for: client.describe_table().table_name("orders").send(), as JSON.
        let describe_table =
            async |_| Ok::<_, ErrorMetadata>(json!({"Table": {"TableStatus": "ACTIVE"}}));
        let table_active = Waiter::until("Table.TableStatus", "ACTIVE")
            .retry_errors(["ResourceNotFoundException"])
            .build()?;
        let outcome = table_active
            .wait(describe_table, WaitOptions::new(Duration::from_secs(300)))
            .await?;
        assert_eq!(outcome.report.attempts, 1);
    }
    {
        let get_job = async |_| Ok::<_, ErrorMetadata>("done"); // stands for a client
        let options = WaitOptions::new(Duration::from_secs(300));
        let driver = Driver::new(TokioRuntime::new());
        let outcome = driver
            .wait_until(|job: &&str| *job == "done", get_job, options)
            .await?;
        assert_eq!(outcome.report.attempts, 1);
    }
    let blocks: Vec<_> = MIGRATION.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let (code, _) = block.split_once("```").unwrap();
        let (_, code) = code.split_once("\n\n").unwrap();
        assert!(is_in_this_file(code), "{code}");
    }
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
