use std::time::Duration;

use serde_json::Value;
use smithy_waiters::driver::TokioRuntime;
use smithy_waiters::{Driver, ErrorMetadata, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::named("TableActive", r#"{
      "acceptors": [
        {
          "state": "success",
          "matcher": {
            "inputOutput": {
              "path": "length(output.items) == length(input.ids)",
              "expected": "true",
              "comparator": "booleanEquals"
            }
          }
        }
      ]
    }"#)?;
    let response: Value = serde_json::from_str(r#"{"items":[1,2]}"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Ok::<_, ErrorMetadata>(response.clone());

    let options = WaitOptions::new(Duration::from_secs(600));
    let input: Value = serde_json::from_str(r#"{"ids":["a","b"]}"#)?;
    let driver = Driver::new(TokioRuntime::new()).input(&input);
    let outcome = driver.wait(&waiter, call, options).await?;
    println!("{outcome}");
    Ok(())
}
