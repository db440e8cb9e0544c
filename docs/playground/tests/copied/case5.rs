use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::named("TableActive", r#"{
      "acceptors": [
        {
          "state": "failure",
          "matcher": {
            "output": {
              "path": "Table.Replicas[].ReplicaStatus",
              "expected": "CREATION_FAILED",
              "comparator": "anyStringEquals"
            }
          }
        },
        {
          "state": "success",
          "matcher": {
            "output": {
              "path": "Table.TableStatus",
              "expected": "ACTIVE",
              "comparator": "stringEquals"
            }
          }
        },
        {
          "state": "retry",
          "matcher": {
            "errorType": "ResourceNotFoundException"
          }
        }
      ],
      "minDelay": 2
    }"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Err::<Value, _>(ErrorMetadata::of_code("ValidationException").message(r#"it's "wrong""#).status(400));

    let options = WaitOptions::new(Duration::from_secs(600));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
