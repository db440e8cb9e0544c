use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, Goal, Pace, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::until_all([Goal::equals("Table.TableStatus", ["ACTIVE", "READY"])])
        .fail(["ARCHIVED"])
        .retry_errors(["ResourceNotFoundException"])
        .name("TableActive")
        .build()?;
    let response: Value = serde_json::from_str(r#"{"Table":{"TableName":"orders","TableStatus":"ACTIVE","ItemCount":0,"Replicas":[{"RegionName":"eu-west-1","ReplicaStatus":"ACTIVE"},{"RegionName":"us-east-1","ReplicaStatus":"CREATING"}]}}"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Ok::<_, ErrorMetadata>(response.clone());

    let options = WaitOptions::new(Duration::from_secs(600)).pace(Pace::Every(Duration::from_secs(5)));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
