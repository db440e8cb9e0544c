//! Ends 500 waits whose service accepts connections and never answers. Prints the time by which the last end exceeds the
//! deadline.
#![expect(clippy::print_stdout, reason = "a program")]

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use smithy_waiters::{WaitOptions, Waiter};
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

const WAITS: usize = 500;
const MAX_WAIT: Duration = Duration::from_secs(2);

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        let mut connections = Vec::new();
        while let Ok(connection) = listener.accept().await {
            connections.push(connection);
        }
    });
    let waiter = Waiter::until("Status", "READY").build()?;
    let mut waits = JoinSet::new();
    for _ in 0..WAITS {
        let waiter = waiter.clone();
        waits.spawn(async move {
            let start = Instant::now();
            let call = async |_| {
                let mut stream = TcpStream::connect(address).await?;
                let mut answer = [0];
                stream.read_exact(&mut answer).await?;
                Ok::<_, std::io::Error>(Value::Null)
            };
            let ended = waiter.wait(call, WaitOptions::new(MAX_WAIT)).await;
            let is_timeout = ended.is_err_and(|error| error.code() == "timed_out");
            is_timeout.then(|| start.elapsed().saturating_sub(MAX_WAIT))
        });
    }
    let overruns = waits
        .join_all()
        .await
        .into_iter()
        .collect::<Option<Vec<_>>>();
    let overruns = overruns.ok_or("a wait ended without its timeout")?;
    let latest = overruns.into_iter().max().unwrap_or_default();
    println!(
        "rust: {WAITS} waits end at most {} ms late",
        latest.as_millis()
    );
    Ok(ExitCode::from(u8::from(latest > Duration::from_millis(50))))
}
