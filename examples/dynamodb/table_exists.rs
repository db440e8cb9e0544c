//! The complete example of `core/README.md`. `core/tests/readme.rs` compares the two.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Config, retry::RetryConfig};
use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
use serde_json::json;
use smithy_waiters::{Viewed, WaitOptions, Waiter};

type Error = Box<dyn std::error::Error>;

async fn table_exists(client: &Client, table: &str) -> Result<DescribeTableOutput, Error> {
    let waiter = Waiter::named(
        "TableExists",
        r#"{"acceptors": [
            {"state": "success", "matcher": {"output": {
                "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}},
            {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}}]}"#,
    )?;
    let describe_table = async || {
        // One attempt is one request: the wait retries, not the SDK.
        let once = Config::builder().retry_config(RetryConfig::disabled());
        let request = client.describe_table().table_name(table).customize();
        let output = request.config_override(once).send().await;
        output.map(|output| Viewed::new(output, status))
    };
    let options = WaitOptions::new(Duration::from_secs(300));
    let outcome = waiter.wait(|_| describe_table(), options).await?;
    Ok(outcome.result?.into_inner())
}

/// Returns the members that the waiter's paths read.
fn status(output: &DescribeTableOutput) -> serde_json::Value {
    let status = output.table().and_then(|table| table.table_status());
    json!({"Table": {"TableStatus": status.map(|status| status.as_str())}})
}

#[expect(clippy::print_stdout, reason = "an example")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_conf(Config::builder().build()); // with `aws-config`: Client::new(&aws_config::load_from_env().await)
    println!("{:?}", table_exists(&client, "orders").await?);
    Ok(())
}
