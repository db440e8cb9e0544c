use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::until("Table.Replicas[].ReplicaStatus", "ACTIVE")
        .fail(["ARCHIVED"])
        .pending(["CREATING", "UPDATING"])
        .retry_errors(["ResourceNotFoundException"])
        .success_errors(["Gone"])
        .any()
        .name("TableActive")
        .build()?;
    let response: Value = serde_json::from_str(r#"{"Table":{"Replicas":[{"ReplicaStatus":"CREATING"},{"ReplicaStatus":"ACTIVE"}],"it's":"\"quoted\" \\ and 'quoted'","none":null,"yes":true}}"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Ok::<_, ErrorMetadata>(response.clone());

    let options = WaitOptions::new(Duration::from_secs(600));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
