use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{ErrorMetadata, WaitOptions, Waiter};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let waiter = Waiter::until("n", "3")
        .fail(["-1", "--help"])
        .retry_errors(["ResourceNotFoundException"])
        .text()
        .name("TableActive")
        .build()?;
    let response: Value = serde_json::from_str(r#"{"n":3}"#)?;

    // Replace this closure by a call of your client.
    let call = async |_| Ok::<_, ErrorMetadata>(response.clone());

    let options = WaitOptions::new(Duration::from_secs(600));
    let outcome = waiter.wait(call, options).await?;
    println!("{outcome}");
    Ok(())
}
