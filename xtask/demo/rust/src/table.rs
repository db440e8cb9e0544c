//! The polled operation, and the members of its output that the waiters read.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region};
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::describe_table::{DescribeTableError, DescribeTableOutput};
use aws_smithy_http_client::Builder;
use serde_json::json;
use smithy_waiters::Viewed;

pub(crate) type Table = Viewed<DescribeTableOutput>;
pub(crate) type Failure = SdkError<DescribeTableError>;
pub(crate) type DescribeResult = Result<Table, Failure>;

/// Creates a client without retries, so that each attempt of a wait is one request.
pub(crate) fn connect(endpoint: &str) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::v2026_01_12())
        .http_client(Builder::new().build_http())
        .endpoint_url(endpoint)
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("demo", "demo", None, None, "demo"))
        .retry_config(RetryConfig::disabled())
        .build();
    Client::from_conf(config)
}

/// Wraps an output with the members that the table waiters read.
pub(crate) fn view(output: DescribeTableOutput) -> Table {
    Viewed::new(
        output,
        |output| json!({"Table": {"TableStatus": status(output)}}),
    )
}

/// Returns the state of the table.
pub(crate) fn status(output: &DescribeTableOutput) -> Option<&str> {
    Some(output.table()?.table_status()?.as_str())
}
