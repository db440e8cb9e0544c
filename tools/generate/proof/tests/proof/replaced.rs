//! Code for the SDK's own waiters, with another import.

use std::time::Duration;

use serde_json::json;

use crate::wire::{self, Replies, Reply};

macro_rules! waits {
    ($($test:ident $waiters:path;)+) => {$(
        #[tokio::test]
        async fn $test() -> Result<(), Box<dyn std::error::Error>> {
            use $waiters as _;
            let replies = Replies::default();
            let active = json!({"Table": {"TableStatus": "ACTIVE", "TableName": "orders"}});
            replies.set(vec![Reply::json(&active)]);
            let client = wire::dynamodb(&replies);
            let max_wait = Duration::from_secs(300);
            let ended = client.wait_until_table_exists().table_name("orders").wait(max_wait).await?;
            assert!(ended.as_result().is_ok());
            let table = ended.into_result()?.table;
            assert_eq!(table.unwrap().table_name.as_deref(), Some("orders"));
            Ok(())
        }
    )+};
}

waits! {
    the_sdks_own aws_sdk_dynamodb::client::Waiters;
    ours_of_all_waiters smithy_waiters_generate_proof::dynamodb::WaitUntil;
    ours_of_one_waiter smithy_waiters_generate_proof::only::WaitUntil;
}
