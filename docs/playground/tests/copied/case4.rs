use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, Pace, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::named("TableActive", r#"{
      "acceptors": [
        {
          "state": "failure",
          "matcher": {
            "output": {
              "path": "a.\"b c\"",
              "expected": "it's \\ over",
              "comparator": "stringEquals"
            }
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
    let response: Value = serde_json::from_str(r#"{"a":{"b c":"it's \\ over"}}"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Ok::<_, ErrorMetadata>(response.clone());

    let options = WaitOptions::new(Duration::from_secs(600)).pace(Pace::Proportional(0.1));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
