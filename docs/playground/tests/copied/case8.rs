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
            "errorType": "Weird"
          }
        },
        {
          "state": "success",
          "matcher": {
            "success": true
          }
        }
      ]
    }"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Err::<Value, _>(ErrorMetadata::of_code("Weird").message("Requested resource not found").status(503));

    let options = WaitOptions::new(Duration::from_secs(600));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
