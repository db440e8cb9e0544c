//! Plays the synthetic service and whole waits with the waiters of this project, without a client. See `../../RUNNERS.md`.

use std::io;
use std::time::Duration;

use serde_json::{Map, Value, json};
use smithy_waiters::driver::{CancelToken, OperationError, TokioRuntime};
use smithy_waiters::retry::RequestFailure;
use smithy_waiters::{Driver, ErrorMetadata, FailureKind, WaitOptions, Waiter, WaiterError};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

const PARALLEL: usize = 64;

/// Has the version of the crate.
const MANIFEST: &str = include_str!("../../../../Cargo.toml");

/// The error of a call.
#[derive(Debug)]
enum CallError {
    Service(RequestFailure<'static>),
    Connection(io::Error),
}

impl OperationError for CallError {
    fn metadata(&self) -> ErrorMetadata<'_> {
        match self {
            Self::Service(failure) => failure.metadata(),
            Self::Connection(error) => error.metadata(),
        }
    }

    fn failure(&self) -> RequestFailure<'_> {
        match self {
            Self::Service(failure) => failure.clone(),
            Self::Connection(error) => error.failure(),
        }
    }
}

async fn play(task: &Value) -> Value {
    let seconds = |name: &str| task["options"][name].as_f64().map(Duration::from_secs_f64);
    let waiter = match Waiter::named(text(&task["waiter"]), &task["definition"].to_string()) {
        Ok(waiter) => waiter,
        Err(error) => return json!({"end": "error", "message": error.to_string()}),
    };
    let [longest, least, most] = ["maxWait", "minDelay", "maxDelay"].map(|name| seconds(name).unwrap_or_default());
    let mut wait = WaitOptions::new(longest).min_delay(least).max_delay(most);
    if !text(&task["id"]).starts_with("behaviour.") {
        // Two requests are enough for a verdict.
        wait = wait.max_attempts(2);
    }
    let token = CancelToken::new();
    if let Some(at) = seconds("cancelAt") {
        let token = token.clone();
        if at.is_zero() {
            token.cancel();
        }
        tokio::spawn(async move {
            tokio::time::sleep(at).await;
            token.cancel();
        });
    }
    let driver = Driver::new(TokioRuntime::new())
        .input(&task["params"])
        .cancelled_by(&token);
    let ended = driver.wait(&waiter, async |_| call(task).await, wait).await;
    match ended {
        Ok(outcome) => {
            let carried = if outcome.result.is_ok() { "lastOutput" } else { "lastError" };
            json!({"end": "success", "carries": [carried]})
        }
        Err(WaiterError::Failure(failure)) => {
            let end = match failure.kind {
                FailureKind::TimedOut | FailureKind::TooManyAttempts => "timeout",
                FailureKind::Cancelled => "cancelled",
                _ => "failure",
            };
            let carried = [(failure.response.is_some(), "lastOutput"), (failure.error.is_some(), "lastError")];
            let carried: Vec<&str> = carried.into_iter().filter_map(|(has, name)| has.then_some(name)).collect();
            json!({"end": end, "message": failure.to_string(), "carries": carried})
        }
        Err(error) => json!({"end": "error", "message": error.to_string()}),
    }
}

/// Calls the operation of a task, and reads its answer as a client of the protocol does.
async fn call(task: &Value) -> Result<Value, CallError> {
    let (status, headers, body) = exchange(task).await.map_err(CallError::Connection)?;
    let mut output: Map<String, Value> = serde_json::from_str(&body).unwrap_or_default();
    if (200..300).contains(&status) {
        if let Some(kind) = output.remove("job_kind") {
            output.insert("kind".to_owned(), kind);
        }
        return Ok(output.into());
    }
    let header = |name: &str| {
        let mut found = headers.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        Some(found.next()?.1.as_str())
    };
    let in_body = || output.get("__type").or(output.get("code"))?.as_str();
    let failure = RequestFailure::of_response(status, |_| None);
    // A colon and a URI can follow the name, and a namespace precede it.
    let name = header("x-amzn-errortype").or_else(in_body);
    let name = name.and_then(|name| name.split(':').next()?.rsplit('#').next());
    Err(CallError::Service(match name {
        Some(name) => failure.code(name.to_owned()),
        None => failure,
    }))
}

/// Sends a request, and returns the status, the headers and the body of the answer.
async fn exchange(task: &Value) -> io::Result<(u16, Vec<(String, String)>, String)> {
    let bad = || io::Error::from(io::ErrorKind::InvalidData);
    let (host, path) = text(&task["endpoint"]).trim_start_matches("http://").split_once('/').ok_or_else(bad)?;
    let mut stream = TcpStream::connect(host).await?;
    let body = task["params"].to_string();
    let head = format!("POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::ConnectionReset)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(bad)?;
    let headers = head.lines().filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Ok((status, headers.collect(), body.to_owned()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let version = MANIFEST.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.unwrap_or_default().trim_matches('"');
    let sdk = json!({"sdk": "smithy-waiters for Rust", "version": version, "suites": ["core"], "behaviours": "core.JobDone",
        "parallel": PARALLEL});
    println!("{sdk}");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let task: Value = serde_json::from_str(&line)?;
        tokio::spawn(async move {
            let mut end = play(&task).await;
            end["id"] = task["id"].clone();
            println!("{end}");
        });
    }
    Ok(())
}
