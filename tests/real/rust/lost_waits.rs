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
use serde::Deserialize;
use serde_json::{Value, json};
use smithy_waiters::testing::FakeClock;
use smithy_waiters::{Driver, Viewed, WaitOptions, Waiter};
use tokio::task::LocalSet;

use crate::services::{Services, config};

const SEED: u32 = 7;
const MAX_WAIT: Duration = Duration::from_secs(300);

/// A host name with an invalid label, which fails without a DNS query.
const MISSPELT: &str =
    "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.invalid";

/// An address at which no service listens.
const REFUSED: &str = "http://127.0.0.1:1";

/// The faults of the proxy, the number of waits, how many run at once, and the delays of our waiter in seconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scenario {
    name: String,
    faults: Value,
    waits: usize,
    concurrent: usize,
    min_delay: f64,
    max_delay: f64,
}

impl Scenario {
    /// Returns the scenarios to run: without reports, only the first one.
    fn all() -> Vec<Self> {
        let mut scenarios: Vec<Self> =
            serde_json::from_str(include_str!("../scenarios.json")).unwrap();
        scenarios.truncate(if reports().is_some() { usize::MAX } else { 1 });
        scenarios
    }

    /// Returns `true` if some requests get no response.
    fn is_silent(&self) -> bool {
        self.faults.get("silent").is_some()
    }

    /// Returns the speed-up of time for the SDK's own waiter, whose delays are 20 to 120 seconds.
    fn speed(&self) -> f64 {
        20.0 / self.min_delay
    }
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

/// Returns timeouts of requests, if there are any.
fn timeouts(limit: Option<Duration>) -> TimeoutConfig {
    let builder = TimeoutConfig::builder();
    match limit {
        Some(limit) => builder.connect_timeout(limit).read_timeout(limit).build(),
        None => builder.build(),
    }
}

fn faulty(endpoint: &str, retries: bool, timeout: Option<Duration>) -> Client {
    let config = config(endpoint)
        .retry_config(retry_config(retries))
        .timeout_config(timeouts(timeout));
    Client::from_conf(config.build())
}

#[derive(Debug)]
struct Accelerated(f64);

impl AsyncSleep for Accelerated {
    fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(tokio::time::sleep(duration.div_f64(self.0)))
    }
}

/// Creates a client with an accelerated clock. Its timeouts and backoffs take as long as those of the other clients.
fn accelerated(endpoint: &str, retries: bool, scenario: &Scenario) -> Client {
    let second = Duration::from_secs(1).mul_f64(scenario.speed());
    let config = config(endpoint)
        .sleep_impl(Accelerated(scenario.speed()))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .retry_config(
            retry_config(retries)
                .with_initial_backoff(second)
                .with_max_backoff(20 * second),
        )
        .timeout_config(timeouts(scenario.is_silent().then_some(second)));
    Client::from_conf(config.build())
}

/// Runs the waits of a scenario, and returns the errors of those that fail.
async fn lost<W>(
    services: &Services,
    scenario: &Scenario,
    (own, retries): (bool, bool),
    wait: W,
) -> Vec<String>
where
    W: AsyncFn(String) -> Result<(), String> + 'static,
{
    let Scenario { name, faults, .. } = scenario;
    services.send("/-/seed", &json!({"seed": SEED, "faults": faults}));
    let tables: Vec<String> = (0..scenario.waits)
        .map(|number| format!("table-{number}"))
        .collect();
    let (left, wait) = (Rc::new(RefCell::new(tables)), Rc::new(wait));
    let local = LocalSet::new();
    let workers: Vec<_> = (0..scenario.concurrent)
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
        let report = json!({"client": "AWS SDK for Rust", "scenario": name, "retries": retries, "own": own,
            "waits": scenario.waits, "lost": errors.len(), "calls": calls});
        let file = Path::new(&reports).join(format!("rust-{name}-{own}-{retries}.json"));
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
    let scenarios = Scenario::all();
    let tables = scenarios.iter().map(|scenario| scenario.waits).max();
    let services = Services::start(tables.unwrap());
    let mut errors = Vec::new();
    for (number, scenario) in scenarios.iter().enumerate() {
        for retries in [true, false] {
            errors.extend(lost_by_our_waiter(&services, scenario, retries).await);
            if number > 0 {
                lost_by_own_waiter(&services, scenario, retries).await;
            }
        }
    }
    assert!(errors.is_empty(), "{} lost: {errors:#?}", errors.len());
}

async fn lost_by_our_waiter(
    services: &Services,
    scenario: &Scenario,
    retries: bool,
) -> Vec<String> {
    let timeout = scenario.is_silent().then_some(Duration::from_secs(1));
    let client = faulty(services.address("proxy"), retries, timeout);
    let mut options = WaitOptions::new(MAX_WAIT)
        .min_delay(Duration::from_secs_f64(scenario.min_delay))
        .max_delay(Duration::from_secs_f64(scenario.max_delay));
    if scenario.is_silent() && !retries {
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
    lost(services, scenario, (false, retries), wait).await
}

async fn lost_by_own_waiter(
    services: &Services,
    scenario: &Scenario,
    retries: bool,
) -> Vec<String> {
    let client = accelerated(services.address("proxy"), retries, scenario);
    let limit = MAX_WAIT.mul_f64(scenario.speed());
    let wait = async move |table: String| {
        let waiting = client.wait_until_table_exists().table_name(table);
        let ended = waiting.wait(limit).await;
        ended.map(drop).map_err(|error| format!("{error:?}"))
    };
    lost(services, scenario, (true, retries), wait).await
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
        let client = faulty(endpoint, false, Some(Duration::from_millis(100)));
        let (code, _, time) = ended(&client).await;
        assert_eq!(code, "unreachable", "{endpoint}");
        assert!((120..=130).contains(&time), "{endpoint}: {time}");
    }
    let client = faulty(&silent, false, None);
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
            let client = faulty(services.address("proxy"), retries, None);
            assert_eq!(ended(&client).await, ("unmatched_error", 1, 0), "{code}");
            assert_eq!(services.send("/-/count", &json!({})), 1, "{code}");
        }
    }
}

#[tokio::test]
#[ignore = "the services are real: cargo xtask test --only rust-real-use"]
async fn a_misspelt_host_name_ends_a_wait_at_once() {
    let client = faulty(MISSPELT, false, None);
    assert_eq!(ended(&client).await, ("unmatched_error", 1, 0));
}
