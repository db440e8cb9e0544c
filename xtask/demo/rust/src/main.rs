//! The Rust client of the demo: `smithy-waiters-demo about | wait <job> | replay <job>`. A job is JSON.

mod control;
mod job;
mod journal;
mod replay;
mod table;
mod wait;

use std::env;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde_json::json;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let verb = arguments.next().unwrap_or_default();
    let job = arguments.next();
    match &*verb {
        "about" => about(),
        "wait" => wait::run(&parse(job)?)?,
        "replay" => replay::run(&parse(job)?)?,
        _ => bail!("unknown verb `{verb}`: use `about`, `wait` or `replay`"),
    }
    Ok(())
}

fn about() {
    let sdk = format!("aws-sdk-dynamodb {}", aws_sdk_dynamodb::meta::PKG_VERSION);
    control::send(&json!({"event": "about", "sdk": sdk}));
}

fn parse<T: DeserializeOwned>(job: Option<String>) -> Result<T> {
    serde_json::from_str(&job.context("missing job")?).context("invalid job")
}
