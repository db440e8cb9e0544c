//! The complete example of `core/README.md`. `core/tests/readme.rs` compares the two.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
use aws_sdk_dynamodb::types::TableStatus;
use smithy_waiters::driver::TokioRuntime;
use smithy_waiters::{Driver, WaitOptions};

type Error = Box<dyn std::error::Error>;

async fn table_active(client: &Client, table: &str) -> Result<DescribeTableOutput, Error> {
    let is_active = |output: &DescribeTableOutput| {
        let status = output.table().and_then(|table| table.table_status());
        status == Some(&TableStatus::Active)
    };
    let describe_table = |_| client.describe_table().table_name(table).send();
    let options = WaitOptions::new(Duration::from_secs(300)).label(table);
    let driver = Driver::new(TokioRuntime::new());
    let outcome = driver
        .wait_until(is_active, describe_table, options)
        .await?;
    Ok(outcome.result?)
}

#[expect(clippy::print_stdout, reason = "an example")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_conf(aws_sdk_dynamodb::Config::builder().build()); // with `aws-config`: Client::new(&aws_config::load_from_env().await)
    println!("{:?}", table_active(&client, "orders").await?);
    Ok(())
}
