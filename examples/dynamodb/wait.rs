//! Waits for a DynamoDB table with the AWS SDK for Rust: `cargo run --example dynamodb http://127.0.0.1:8000`.
//!
//! Prints each attempt to standard error, and the end of each wait as JSON to standard output.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "the output of the program"
)]

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
};
use serde_json::{Value, json};
use smithy_waiters::driver::TokioRuntime;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{
    AttemptRecord, Driver, ErrorMetadata, FailureKind, Outcome, Viewed, WaitOptions, Waiter,
    WaiterError,
};
use tokio::time::sleep;

type Error = Box<dyn std::error::Error>;

const TABLE: &str = "orders-rust";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let endpoint = std::env::args().nth(1).ok_or("missing the endpoint")?;
    let client = connect(&endpoint);
    // AWS's waiters, as in its Smithy model.
    let definitions: Value = serde_json::from_str(include_str!("waiters.json"))?;
    let waiter = |name: &str| -> Result<Waiter, Error> {
        let definition = definitions.get(name).ok_or("missing definition")?;
        Ok(Waiter::from_value(definition, Some(name))?)
    };
    let (exists, not_exists) = (waiter("TableExists")?, waiter("TableNotExists")?);

    // Normally, another program creates and deletes the table.
    let (ended, created) = tokio::join!(wait("created", &exists, &client, 20), create(&client));
    ended.and(created)?;
    let (ended, deleted) = tokio::join!(wait("deleted", &not_exists, &client, 20), delete(&client));
    ended.and(deleted)?;

    // Two waits that cannot succeed.
    wait("hanging", &exists, &connect(&format!("{endpoint}/hang")), 3).await?;
    wait("denied", &exists, &connect(&format!("{endpoint}/deny")), 3).await?;

    // The same waiters in a test: AWS's delays of 20 to 120 seconds, without waiting.
    let created = [None, Some("CREATING"), Some("CREATING"), Some("ACTIVE")];
    replay("created, replayed", &exists, &created)?;
    let deleted = [Some("ACTIVE"), Some("DELETING"), None];
    replay("deleted, replayed", &not_exists, &deleted)
}

fn connect(endpoint: &str) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(endpoint)
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("demo", "demo", None, None, "demo"))
        .retry_config(RetryConfig::disabled()) // each attempt of a wait is one request
        .build();
    Client::from_conf(config)
}

async fn wait(name: &str, waiter: &Waiter, client: &Client, max_wait: u64) -> Result<(), Error> {
    let describe = async || {
        let output = client.describe_table().table_name(TABLE).send().await;
        output.map(|output| Viewed::new(output, view))
    };
    let options = observed(WaitOptions::new(Duration::from_secs(max_wait)))
        .min_delay(Duration::from_millis(300))
        .max_delay(Duration::from_secs(1));
    let result = Driver::new(TokioRuntime::new())
        .on_attempt(|progress| eprintln!("{}", progress.summary()))
        .wait(waiter, |_| describe(), options)
        .await;
    report(name, result)
}

/// Returns the members that the waiters read.
fn view(output: &DescribeTableOutput) -> Value {
    let status = output.table().and_then(|table| table.table_status());
    json!({"Table": {"TableStatus": status.map(|status| status.as_str())}})
}

/// Waits on a fake clock. A status of `None` is a table that does not exist.
fn replay(name: &str, waiter: &Waiter, statuses: &[Option<&str>]) -> Result<(), Error> {
    let clock = FakeClock::new();
    let mut statuses = statuses.iter();
    let describe = |_| {
        clock.advance(Duration::from_millis(40));
        match statuses.next() {
            Some(Some(status)) => Ok(json!({"Table": {"TableStatus": status}})),
            _ => Err(ErrorMetadata::of_code("ResourceNotFoundException")
                .message("the table does not exist")),
        }
    };
    let options = observed(WaitOptions::new(Duration::from_secs(3600))).seed(2026);
    let result = Driver::new(clock.clone())
        .on_attempt(|progress| eprintln!("{}", progress.summary()))
        .wait_blocking(waiter, describe, options);
    report(name, result)
}

fn observed(options: WaitOptions) -> WaitOptions {
    options.show(["Table.TableStatus"]).history_limit(100)
}

fn report<T, E>(name: &str, result: Result<Outcome<T, E>, WaiterError<T, E>>) -> Result<(), Error> {
    let report = match result {
        Ok(outcome) => outcome.report,
        Err(WaiterError::Failure(failure)) => failure.report,
        Err(other) => return Err(other.to_string().into()),
    };
    println!(
        "{}",
        json!({
            "wait": name,
            "code": report.kind.map_or("success", FailureKind::code),
            "acceptor": report.acceptor,
            "attempts": report.attempts,
            "elapsedMs": report.elapsed_ms,
            "history": report.history.iter().map(attempt).collect::<Value>(),
            "text": report.kind.map(|_| report.explain()),
        })
    );
    Ok(())
}

fn attempt(record: &AttemptRecord) -> Value {
    let value = record.values.first().map(|value| &value.text);
    json!({
        "startedMs": record.started_ms,
        "endedMs": record.ended_ms,
        "saw": value.or(record.error.as_ref()),
        "state": record.state,
        "acceptor": record.acceptor,
        "delayMs": record.delay_ms,
        "nextIsLast": record.next_is_last,
    })
}

async fn create(client: &Client) -> Result<(), Error> {
    sleep(Duration::from_millis(1500)).await;
    let id = AttributeDefinition::builder()
        .attribute_name("id")
        .attribute_type(ScalarAttributeType::S);
    let key = KeySchemaElement::builder()
        .attribute_name("id")
        .key_type(KeyType::Hash);
    let request = client
        .create_table()
        .table_name(TABLE)
        .attribute_definitions(id.build()?)
        .key_schema(key.build()?)
        .billing_mode(BillingMode::PayPerRequest);
    request.send().await?;
    Ok(())
}

async fn delete(client: &Client) -> Result<(), Error> {
    sleep(Duration::from_millis(500)).await;
    client.delete_table().table_name(TABLE).send().await?;
    Ok(())
}
