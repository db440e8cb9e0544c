//! `smithy-waiters conformance run` and `serve`: plays conformance tests to SDKs.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use smithy_waiters_player::{Expected, Kit, Results};

use super::{failures, ids};
use crate::outcome::Outcome;
use crate::output::{self, count};

/// How often the progress is shown.
const PROGRESS: Duration = Duration::from_secs(10);

/// The folders of a kit with suites.
const SUITES: [&str; 3] = ["core", "aws", "behaviour"];

/// Plays tests to the client of an SDK and its own waiters, and judges what they do
///
/// The runner is a program that reads a task in JSON on each line of standard input, lets the SDK's own waiter wait for the service at the
/// task's endpoint, and writes how the wait ended. `conformance/RUNNERS.md` describes it. Exits with 1 after a failure that is not
/// expected, or an expected failure that did not happen.
#[derive(clap::Args, Debug)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    cases: Cases,
    /// A file with the ids of the cases that may fail, one on each line; `*` stands for any text
    #[arg(long, value_name = "FILE")]
    expected_failures: Option<PathBuf>,
    /// The file for the results in JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The longest time of the run, in seconds; a run that takes longer fails
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<u64>,
    /// The command of the runner
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Serves tests to clients that a test framework runs
///
/// `GET /tasks` returns the tasks in JSON, each with its own endpoint. Run the SDK's waiter with a client for that endpoint, and send
/// how the wait ended to `POST /ends`, which judges it: {"id": "…", "end": "success"}.
#[derive(clap::Args, Debug)]
pub(crate) struct ServeOptions {
    #[command(flatten)]
    cases: Cases,
}

/// The files of tests.
#[derive(clap::Args, Debug)]
pub(super) struct Suites {
    /// The folder of the tests: a kit, or one with the files of suites
    #[arg(long, value_name = "FOLDER", default_value = "conformance")]
    kit: PathBuf,
    /// The suites, which are folders of the tests: `core`, `aws`, `behaviour`; by default all that exist
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    suite: Vec<String>,
}

/// The cases of a run.
#[derive(clap::Args, Debug)]
struct Cases {
    #[command(flatten)]
    suites: Suites,
    /// The ids of the cases, with `*` for any text; all by default
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    only: Vec<String>,
    /// The port of the server; any free port by default
    #[arg(long, default_value = "0", hide_default_value = true)]
    port: u16,
}

/// Runs the verb `conformance run`.
pub(crate) fn run(options: &RunOptions) -> Result<Outcome> {
    let expected = options
        .expected_failures
        .as_deref()
        .map(Expected::read)
        .transpose()?
        .unwrap_or_default();
    let kit = options.cases.read()?;
    let mut run = smithy_waiters_player::RunOptions::default();
    run.command.clone_from(&options.command);
    run.patterns.clone_from(&options.cases.only);
    run.port = options.cases.port;
    run.longest = options.time_limit.map(Duration::from_secs);
    let mut shown = Instant::now();
    let results = smithy_waiters_player::run(&kit, &run, |ended, total| {
        if shown.elapsed() > PROGRESS {
            output::note(&format!("{ended} of {total}"));
            shown = Instant::now();
        }
    })?;
    if let Some(file) = &options.out {
        let text = serde_json::to_string_pretty(&results)?;
        fs::write(file, format!("{text}\n"))
            .with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(report(&results, &expected))
}

/// Runs the verb `conformance serve`.
pub(crate) fn serve(options: &ServeOptions) -> Result<Outcome> {
    let tasks = options.cases.read()?.tasks(None, None, &options.cases.only);
    let cases = count(tasks.len(), "case");
    smithy_waiters_player::serve(options.cases.port, tasks, |address| {
        output::note(&format!("serves {cases}: http://{address}/tasks"));
    })?;
    Ok(Outcome::Clean)
}

fn report(results: &Results, expected: &Expected) -> Outcome {
    let surprises = results.surprises(expected);
    for lines in failures::render(&surprises) {
        output::note(&lines);
    }
    let sdk = &results.announcement;
    let counts = results.counts.iter();
    let counts = counts.map(|(outcome, count)| format!("{count} {outcome}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    output::note(&format!(
        "{} {}: {counts}, {} s",
        sdk.sdk, sdk.version, results.seconds
    ));
    if results.is_nothing_played() {
        let reasons = failures::unsupported(results);
        output::note(&format!(
            "error: nothing was played, because the runner supports none of the cases: {reasons}"
        ));
        return Outcome::Findings;
    }
    if surprises.is_empty() {
        Outcome::Clean
    } else {
        Outcome::Findings
    }
}

impl Cases {
    /// Reads the files, and checks that each pattern matches a case and that there is a task.
    fn read(&self) -> Result<Kit> {
        let kit = self.suites.read()?;
        if let Some(pattern) = kit.unmatched(&self.only) {
            let mut end = ids::did_you_mean(pattern, kit.ids().map(|(id, _)| id));
            let aws = self.suites.kit.join("aws");
            if end.is_empty() && !aws.is_dir() {
                let aws = aws.display();
                end = format!(
                    "; for the waiters of AWS run `smithy-waiters conformance --out {aws}`"
                );
            }
            bail!("`--only`: no case has an id that `{pattern}` matches{end}");
        }
        if kit.tasks(None, None, &self.only).is_empty() {
            bail!(
                "none of the cases can be played: a verdict needs an HTTP response, which a model without a protocol lacks, and a whole wait needs the waiters of another suite, such as `core`"
            );
        }
        Ok(kit)
    }
}

impl Suites {
    pub(super) fn read(&self) -> Result<Kit> {
        let named = self.suite.iter().map(String::as_str);
        let mut folders: Vec<PathBuf> = named.map(|name| self.kit.join(name)).collect();
        if folders.is_empty() {
            let all = SUITES.iter().map(|name| self.kit.join(name));
            folders = all.filter(|folder| folder.is_dir()).collect();
        }
        if folders.is_empty() && self.kit.is_dir() {
            folders.push(self.kit.clone());
        }
        if folders.is_empty() {
            bail!(
                "there is no folder `{}`: choose the folder of the tests with `--kit`",
                self.kit.display()
            );
        }
        Kit::read(&folders)
    }
}
