//! Runs hundreds of waits at once behind a proxy with faults, for a time (`faults.json`), with the AWS SDK. Each must end as its
//! table does, and in time. Prints a line with the latest end and with what is left: sockets, tasks and memory. Reads
//! `/proc`, as Linux has it.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for tests"
)]

#[expect(dead_code, reason = "the tests use all of it")]
mod services;

use std::cell::RefCell;
use std::fs;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
use serde_json::{Value, json};
use smithy_waiters::{Viewed, WaitOptions, Waiter};
use tokio::runtime::Handle;
use tokio::task::LocalSet;

use services::{Services, config};

/// The most by which an end may exceed its deadline beyond a plain timer of the same process.
const OVERRUN: Duration = Duration::from_millis(50);

/// The most by which the memory may grow in the second half, in KiB.
const GROWTH: i64 = 4_096;

const TICK: Duration = Duration::from_millis(20);

/// What the waits of a client came to.
#[derive(Default)]
struct Run {
    waits: usize,
    wrong: Vec<String>,
    overruns: Vec<Duration>,
    timer: Duration,
    /// The memory after half of the time, in KiB.
    middle: Option<i64>,
}

struct Plan {
    json: Value,
    waiter: Waiter,
}

impl Plan {
    fn read() -> Self {
        let json: Value = serde_json::from_str(include_str!("../faults.json")).unwrap();
        let waiter = Waiter::from_value(&json["definition"], None).unwrap();
        Self { json, waiter }
    }

    /// Returns the last state of a table.
    fn end(&self, number: usize) -> &str {
        let ends = self.json["faults"]["ends"].as_array().unwrap();
        ends[number % ends.len()].as_str().unwrap()
    }

    fn duration(&self, member: &str) -> Duration {
        Duration::from_secs_f64(self.json.pointer(member).unwrap().as_f64().unwrap())
    }

    fn seconds(&self) -> Duration {
        let seconds = std::env::var("SMITHY_WAITERS_FAULTS_SECONDS").ok();
        seconds.map_or_else(
            || self.duration("/seconds"),
            |seconds| Duration::from_secs_f64(seconds.parse().unwrap()),
        )
    }

    fn waits(&self) -> usize {
        usize::try_from(self.json["waits"].as_u64().unwrap()).unwrap()
    }

    fn options(&self, number: usize) -> WaitOptions {
        let end = self.end(number);
        let options = WaitOptions::new(self.duration(&format!("/maxWait/{end}")))
            .min_delay(self.duration("/minDelay"))
            .max_delay(self.duration("/maxDelay"));
        // A call of a wait that ends at its deadline has no timeout of its own.
        if end == "CREATING" {
            options
        } else {
            options.attempt_timeout(self.duration("/attemptTimeout"))
        }
    }
}

fn view(output: DescribeTableOutput) -> Viewed<DescribeTableOutput> {
    let status = |output: &DescribeTableOutput| {
        let status = output.table().and_then(|table| table.table_status());
        json!({"Table": {"TableStatus": status.map(|status| status.as_str())}})
    };
    Viewed::new(output, status)
}

/// Waits for a table again and again.
async fn work(plan: Rc<Plan>, client: Client, number: usize, run: Rc<RefCell<Run>>) {
    let (began, seconds) = (Instant::now(), plan.seconds());
    let options = plan.options(number);
    let limit = plan.duration(&format!("/maxWait/{}", plan.end(number)));
    let call = |_| {
        let request = client
            .describe_table()
            .table_name(format!("table-{number}"));
        async { request.send().await.map(view) }
    };
    while began.elapsed() < seconds {
        let started = Instant::now();
        let ended = plan.waiter.wait(call, options.clone()).await;
        let code = ended.err().map(|error| error.code());
        let mut run = run.borrow_mut();
        run.waits += 1;
        if json!(code) != plan.json["codes"][plan.end(number)] {
            run.wrong.push(format!("table-{number}: {code:?}"));
        }
        if code == Some("timed_out") {
            run.overruns.push(started.elapsed().saturating_sub(limit));
        }
        if run.middle.is_none() && began.elapsed() > seconds / 2 {
            run.middle = Some(memory());
        }
    }
}

/// Measures how late a plain timer is.
async fn measure_timer(run: Rc<RefCell<Run>>) {
    loop {
        let started = Instant::now();
        tokio::time::sleep(TICK).await;
        let late = started.elapsed().saturating_sub(TICK);
        let mut run = run.borrow_mut();
        run.timer = run.timer.max(late);
    }
}

/// Returns the number of open sockets.
fn sockets() -> usize {
    let links = fs::read_dir("/proc/self/fd").unwrap();
    let links = links.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    links
        .filter(|link| link.to_string_lossy().starts_with("socket:"))
        .count()
}

/// Returns the memory of the process in KiB.
fn memory() -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.unwrap().trim_end_matches("kB").trim().parse().unwrap()
}

/// Runs the waits, and returns a line and whether all is right.
async fn measure(plan: &Rc<Plan>, services: &Services, retries: bool) -> (String, bool) {
    services.send("/-/seed", &plan.json);
    let retry = if retries {
        RetryConfig::standard()
    } else {
        RetryConfig::disabled()
    };
    let before = (sockets(), Handle::current().metrics().num_alive_tasks());
    let client = Client::from_conf(
        config(services.address("proxy"))
            .retry_config(retry)
            .build(),
    );
    let run = Rc::new(RefCell::new(Run::default()));
    let local = LocalSet::new();
    let timer = local.spawn_local(measure_timer(Rc::clone(&run)));
    let workers: Vec<_> = (0..plan.waits())
        .map(|number| work(Rc::clone(plan), client.clone(), number, Rc::clone(&run)))
        .map(|work| local.spawn_local(work))
        .collect();
    local
        .run_until(async {
            for worker in workers {
                worker.await.unwrap();
            }
            timer.abort();
        })
        .await;
    drop((client, local));
    // The tasks of connections end after the client.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let run = run.borrow();
    let left = sockets().saturating_sub(before.0);
    let tasks = Handle::current()
        .metrics()
        .num_alive_tasks()
        .saturating_sub(before.1);
    let growth = memory() - run.middle.unwrap();
    let latest = run.overruns.iter().max().copied().unwrap();
    for wrong in run.wrong.iter().take(10) {
        println!("{wrong}");
    }
    let line = format!(
        "its retries {}: {} waits, {} wrong, {} timeouts at most {} ms late, a plain timer {} ms; sockets left: {left}, tasks: {tasks}, \
         memory: {growth:+} KiB",
        if retries { "on" } else { "off" },
        run.waits,
        run.wrong.len(),
        run.overruns.len(),
        latest.as_millis(),
        run.timer.as_millis(),
    );
    let in_time = latest <= OVERRUN + run.timer;
    let is_right = run.wrong.is_empty() && in_time && left == 0 && tasks == 0 && growth <= GROWTH;
    (line, is_right)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let plan = Rc::new(Plan::read());
    let services = Services::start(plan.waits());
    let (on, off) = (
        measure(&plan, &services, true).await,
        measure(&plan, &services, false).await,
    );
    println!("Rust: {}; {}", on.0, off.0);
    ExitCode::from(u8::from(!(on.1 && off.1)))
}
