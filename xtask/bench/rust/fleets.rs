//! Waits for 1,000 instances of the fake of EC2 in `tests/real`: one wait for each, and a fleet.
//!
//! The client is small: it sends requests over plain HTTP and reads only the states from the answers. The environment variable
//! `SMITHY_WAITERS_REAL` is the folder of the fake. Prints one JSON object a case. See docs/many-resources.md.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a benchmark on data of its own"
)]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use smithy_waiters::driver::{EachOptions, SharedRateLimit, TokioRuntime, WaitersError};
use smithy_waiters::{Driver, ErrorMetadata, FleetOptions, Pace, WaitOptions, Waiter};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::task::{JoinSet, LocalSet};

/// The ends of the waits that succeeded.
type Ends = BTreeMap<String, Duration>;

/// The fake of EC2. It exits when its standard input ends.
struct Ec2 {
    program: Child,
    address: String,
    idle: Mutex<Vec<TcpStream>>,
}

impl Ec2 {
    fn start() -> Self {
        let mut program = Command::new("node")
            .args(["--no-warnings", "ec2.mjs"])
            .current_dir(env::var_os("SMITHY_WAITERS_REAL").unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(program.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        Self {
            program,
            address: line.trim().trim_start_matches("http://").to_owned(),
            idle: Mutex::default(),
        }
    }

    /// Sends a request over a connection of its own or an idle one, and returns the body of the answer.
    async fn send(&self, path: &str, body: &str) -> String {
        let idle = self.idle.lock().unwrap().pop();
        let mut stream = match idle {
            Some(stream) => stream,
            None => TcpStream::connect(&self.address).await.unwrap(),
        };
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nHost: ec2\r\nContent-Length: {length}\r\n\r\n");
        let request = format!("{head}{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        loop {
            stream.read_buf(&mut answer).await.unwrap();
            let text = str::from_utf8(&answer).unwrap();
            let Some((head, content)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let head = format!("{}\r\n", head.to_ascii_lowercase());
            let length = between(&head, "content-length: ", "\r\n");
            if content.len() == length.unwrap().parse::<usize>().unwrap() {
                self.idle.lock().unwrap().push(stream);
                return content.to_owned();
            }
        }
    }

    async fn describe(&self, ids: &[String]) -> Result<Value, ErrorMetadata<'static>> {
        let mut form = "Action=DescribeInstances&Version=2016-11-15".to_owned();
        for (index, id) in ids.iter().enumerate() {
            form += &format!("&InstanceId.{}={id}", index + 1);
        }
        let answer = self.send("/", &form).await;
        if let Some(code) = between(&answer, "<Code>", "</Code>") {
            let message = between(&answer, "<Message>", "</Message>").unwrap();
            return Err(ErrorMetadata::of_code(code.to_owned()).message(message.to_owned()));
        }
        let instances = answer.split("<instanceId>").skip(1).map(|text| {
            let state = between(text, "<name>", "</name>");
            json!({"InstanceId": text.split_once('<').unwrap().0, "State": {"Name": state}})
        });
        Ok(json!({"Reservations": [{"Instances": instances.collect::<Vec<_>>()}]}))
    }
}

impl Drop for Ec2 {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        let _result = self.program.wait();
    }
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    let length = text[from..].find(end)?;
    Some(&text[from..from + length])
}

/// What `tests/real/fleets.json` contains.
struct Load {
    options: Value,
    waiter: Waiter,
    changes: BTreeMap<String, Duration>,
}

impl Load {
    fn read() -> Self {
        let file: Value =
            serde_json::from_str(include_str!("../../../tests/real/fleets.json")).unwrap();
        let options = file["load"].clone();
        let (count, from, to) = (
            options["instances"].as_u64().unwrap(),
            options["from"].as_f64().unwrap(),
            options["to"].as_f64().unwrap(),
        );
        let change = |number: u64| {
            let part = (number * 37 % count) as f64 / count as f64;
            let at = Duration::from_secs_f64(from + (to - from) * part);
            (format!("i-{number:017x}"), at)
        };
        let until = Waiter::until("Reservations[].Instances[].State.Name", "running");
        Self {
            changes: (0..count).map(change).collect(),
            waiter: until
                .fail(["shutting-down", "terminated", "stopping"])
                .build()
                .unwrap(),
            options,
        }
    }

    fn wait_options(&self) -> WaitOptions {
        WaitOptions::new(Duration::from_secs(
            self.options["maxWait"].as_u64().unwrap(),
        ))
    }

    /// Runs a wait for each instance.
    async fn separate(self: Rc<Self>, ec2: Rc<Ec2>, start: Instant) -> Ends {
        let mut waits = JoinSet::new();
        for id in self.changes.keys().cloned() {
            let (load, ec2) = (Rc::clone(&self), Rc::clone(&ec2));
            waits.spawn_local(async move {
                let ids = [id];
                let call = |_| ec2.describe(&ids);
                let outcome = load.waiter.wait(call, load.wait_options()).await;
                let [id] = ids.clone();
                outcome.is_ok().then(|| (id, start.elapsed()))
            });
        }
        waits.join_all().await.into_iter().flatten().collect()
    }

    async fn fleet(&self, ec2: &Ec2, start: Instant, options: WaitOptions) -> Ends {
        let batch = self.options["batch"].as_u64().unwrap();
        let shape = FleetOptions::new("Reservations[].Instances[]", "InstanceId").batch(batch);
        let rate = self.options["rate"].as_f64().unwrap();
        let begun = start.elapsed();
        let call = |ids: Vec<String>| async move { ec2.describe(&ids).await };
        let driver =
            Driver::new(TokioRuntime::new()).rate_limit(&SharedRateLimit::new(rate).unwrap());
        let fleet = driver.fleet(&self.waiter, &shape, call).unwrap();
        let each = fleet.wait_each(self.changes.keys(), &options, EachOptions::new());
        let outcomes = match each.await {
            Ok(outcomes) => outcomes,
            Err(WaitersError::Failed { outcomes, .. }) => outcomes,
            Err(error) => panic!("{error}"),
        };
        let ends = outcomes.into_iter();
        ends.map(|(id, report)| (id, begun + Duration::from_millis(report.elapsed_ms)))
            .collect()
    }

    /// Runs the waits of a case, and prints their ends beside the changes of their instances.
    async fn measure(self: &Rc<Self>, ec2: &Rc<Ec2>, case: &str) {
        let seconds = |time: &Duration| time.as_secs_f64();
        let changes = self.changes.iter();
        let resources: Vec<_> = changes
            .map(|(id, at)| json!([id, 0, seconds(at)]))
            .collect();
        let begin = json!({"resources": resources, "limit": self.options["limit"]});
        // Before the start of the fake's clock, so that no end can seem early.
        let (start, before) = (Instant::now(), processor_seconds());
        ec2.send("/-/begin", &begin.to_string()).await;
        let ends = match case {
            "our waiter" => Rc::clone(self).separate(Rc::clone(ec2), start).await,
            "a fleet" => self.fleet(ec2, start, self.wait_options()).await,
            _ => {
                let part = self.options["proportional"].as_f64().unwrap();
                let least = Duration::from_secs_f64(self.options["minDelay"].as_f64().unwrap());
                let options = self
                    .wait_options()
                    .pace(Pace::Proportional(part))
                    .min_delay(least);
                self.fleet(ec2, start, options).await
            }
        };
        let (duration, processor) = (start.elapsed(), processor_seconds() - before);
        let report: Value = serde_json::from_str(&ec2.send("/-/report", "").await).unwrap();
        let pair = |(id, end): (&String, &Duration)| [seconds(&self.changes[id]), seconds(end)];
        println!(
            "{}",
            json!({
                "case": case,
                "client": "Rust",
                "ends": ends.iter().map(pair).collect::<Vec<_>>(),
                "failed": self.changes.len() - ends.len(),
                "report": report,
                "processor": processor,
                "duration": seconds(&duration),
            })
        );
    }
}

/// Returns the processor time of this process, on Linux.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat
        .split(' ')
        .next()
        .and_then(|text| text.parse::<f64>().ok());
    nanoseconds.unwrap_or_default() / 1e9
}

fn main() {
    let mut builder = runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    let (load, ec2) = (Rc::new(Load::read()), Rc::new(Ec2::start()));
    for case in ["our waiter", "a fleet", "a fleet, in proportion"] {
        LocalSet::new().block_on(&runtime, load.measure(&ec2, case));
    }
}
