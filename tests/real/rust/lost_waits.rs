//! Tests with the SDK behind a proxy that fails most requests: no wait is lost, and waits that cannot succeed end
//! early.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::client::Waiters as _;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{AsyncSleep, Sleep, StalledStreamProtectionConfig};
use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
use serde_json::json;
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, Viewed, WaitOptions, Waiter};
use tokio::task::LocalSet;

use crate::services::{Services, config};

const SEED: u32 = 7;
const CONCURRENT: usize = 32;
const MAX_WAIT: Duration = Duration::from_secs(300);

/// A host name with an invalid label, which fails without a DNS query.
const MISSPELT: &str =
    "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.invalid";

/// An address at which no service listens.
const REFUSED: &str = "http://127.0.0.1:1";

fn waits() -> usize {
    env::var("SMITHY_WAITERS_LOST_WAITS").map_or(30, |waits| waits.parse().unwrap())
}

fn table_exists() -> Waiter {
    let definition = r#"{"acceptors": [
        {"state": "success", "matcher": {"output": {
            "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}},
        {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}}]}"#;
    Waiter::named("TableExists", definition).unwrap()
}

fn view(output: DescribeTableOutput) -> Viewed<DescribeTableOutput> {
    let status = |output: &DescribeTableOutput| {
        let status = output.table().and_then(|table| table.table_status());
        json!({"Table": {"TableStatus": status.map(|status| status.as_str())}})
    };
    Viewed::new(output, status)
}

fn retry_config(retries: bool) -> RetryConfig {
    if retries {
        RetryConfig::standard()
    } else {
        RetryConfig::disabled()
    }
}

/// Creates a client whose requests time out, because the proxy does not respond to some of them.
fn faulty(endpoint: &str, retries: bool, timeout: Duration) -> Client {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(timeout)
        .read_timeout(timeout);
    let config = config(endpoint)
        .retry_config(retry_config(retries))
        .timeout_config(timeouts.build());
    Client::from_conf(config.build())
}

/// The speed-up of time for the SDK's own waiter, whose delays are 20 to 120 seconds.
const SPEED: u32 = 1_000;

#[derive(Debug)]
struct Accelerated;

impl AsyncSleep for Accelerated {
    fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(tokio::time::sleep(duration / SPEED))
    }
}

/// Creates a client with an accelerated clock. Its timeouts and backoffs take as long as those of the other clients.
fn accelerated(endpoint: &str, retries: bool) -> Client {
    let second = Duration::from_secs(1) * SPEED;
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(second)
        .read_timeout(second);
    let config = config(endpoint)
        .sleep_impl(Accelerated)
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .retry_config(
            retry_config(retries)
                .with_initial_backoff(second)
                .with_max_backoff(20 * second),
        )
        .timeout_config(timeouts.build());
    Client::from_conf(config.build())
}

/// Runs the waits for half of the tables, and returns the errors of those that fail.
async fn lost<W>(services: &Services, (own, retries): (bool, bool), wait: W) -> Vec<String>
where
    W: AsyncFn(String) -> Result<(), String> + 'static,
{
    services.send("/-/seed", &json!(SEED));
    let numbers = (0..waits()).filter(|number| number.is_multiple_of(2) == retries);
    let tables: Vec<String> = numbers.map(|number| format!("table-{number}")).collect();
    let count = tables.len();
    let (left, wait) = (Rc::new(RefCell::new(tables)), Rc::new(wait));
    let local = LocalSet::new();
    let workers: Vec<_> = (0..CONCURRENT)
        .map(|_| {
            let (left, wait) = (Rc::clone(&left), Rc::clone(&wait));
            local.spawn_local(async move {
                let mut errors = Vec::new();
                let next = || left.borrow_mut().pop();
                while let Some(table) = next() {
                    errors.extend(wait(table).await.err());
                }
                errors
            })
        })
        .collect();
    local.await;
    let mut errors = Vec::new();
    for worker in workers {
        errors.extend(worker.await.unwrap());
    }
    if let Some(reports) = reports() {
        let calls = services.send("/-/count", &json!({}));
        let report = json!({"client": "AWS SDK for Rust", "retries": retries, "own": own,
            "waits": count, "lost": errors.len(), "calls": calls});
        let file = Path::new(&reports).join(format!("rust-{own}-{retries}.json"));
        fs::write(file, report.to_string()).unwrap();
    }
    errors
}

/// Returns the folder for reports. Without a folder, the SDK's own waiter does not run.
fn reports() -> Option<String> {
    env::var("SMITHY_WAITERS_LOST_WAITS_REPORTS").ok()
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn no_wait_is_lost() {
    let services = Services::start(waits());
    let mut errors = Vec::new();
    for retries in [true, false] {
        errors.extend(lost_by_our_waiter(&services, retries).await);
        if reports().is_some() {
            lost_by_own_waiter(&services, retries).await;
        }
    }
    assert!(errors.is_empty(), "{} lost: {errors:#?}", errors.len());
}

async fn lost_by_our_waiter(services: &Services, retries: bool) -> Vec<String> {
    let client = faulty(services.address("proxy"), retries, Duration::from_secs(1));
    let mut options = WaitOptions::new(MAX_WAIT)
        .min_delay(Duration::from_millis(20))
        .max_delay(Duration::from_millis(200));
    if !retries {
        options = options.attempt_timeout(Duration::from_millis(500));
    }
    let waiter = table_exists();
    let wait = async move |table: String| {
        let call = |_| {
            let request = client.describe_table().table_name(&table);
            async { request.send().await.map(view) }
        };
        let ended = waiter.wait(call, options.clone()).await;
        ended
            .map(drop)
            .map_err(|error| format!("{table}: {error:?}"))
    };
    lost(services, (false, retries), wait).await
}

async fn lost_by_own_waiter(services: &Services, retries: bool) -> Vec<String> {
    let client = accelerated(services.address("proxy"), retries);
    let wait = async move |table: String| {
        let waiting = client.wait_until_table_exists().table_name(table);
        let ended = waiting.wait(MAX_WAIT * SPEED).await;
        ended.map(drop).map_err(|error| format!("{error:?}"))
    };
    lost(services, (true, retries), wait).await
}

/// Runs a wait, and returns the code of its failure, its attempts, and its time in seconds.
async fn ended(client: &Client) -> (&'static str, u64, u64) {
    let clock = FakeClock::new();
    let call = |_| async {
        let request = client.describe_table().table_name("orders");
        request.send().await.map(view)
    };
    let options = WaitOptions::new(Duration::from_secs(3_600));
    let driver = Driver::new(clock.clone());
    let error = driver
        .wait(&table_exists(), call, options)
        .await
        .unwrap_err();
    let attempts = error.failure().unwrap().report.attempts;
    (error.code(), attempts, clock.now().as_secs())
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn a_service_that_does_not_answer_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    for endpoint in [REFUSED, &silent] {
        let client = faulty(endpoint, false, Duration::from_millis(100));
        let (code, _, time) = ended(&client).await;
        assert_eq!(code, "unreachable", "{endpoint}");
        assert!((120..=130).contains(&time), "{endpoint}: {time}");
    }
    let client = faulty(&silent, false, Duration::from_secs(9));
    let options = WaitOptions::new(Duration::from_secs(60))
        .min_delay(Duration::from_millis(10))
        .attempt_timeout(Duration::from_millis(100))
        .transient_window(Duration::from_millis(500));
    let call = |_| async {
        let request = client.describe_table().table_name("orders");
        request.send().await.map(view)
    };
    let error = table_exists().wait(call, options).await.unwrap_err();
    assert_eq!(error.code(), "unreachable", "every call times out");
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn a_revoked_key_ends_a_wait_at_once() {
    let services = Services::start(0);
    for (status, code) in [
        (400, "UnrecognizedClientException"),
        (403, "InvalidSignatureException"),
    ] {
        for retries in [true, false] {
            let kind = format!("com.amazon.coral.service#{code}");
            let fault = json!({"status": status, "body": {"__type": kind, "message": "invalid"}});
            services.send("/-/script", &json!([fault, fault]));
            let client = faulty(services.address("proxy"), retries, Duration::from_secs(9));
            assert_eq!(ended(&client).await, ("unmatched_error", 1, 0), "{code}");
            assert_eq!(services.send("/-/count", &json!({})), 1, "{code}");
        }
    }
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn a_misspelt_host_name_ends_a_wait_at_once() {
    let client = faulty(MISSPELT, false, Duration::from_secs(9));
    assert_eq!(ended(&client).await, ("unmatched_error", 1, 0));
}
