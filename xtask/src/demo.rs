//! `cargo xtask demo`: waits in a shell, runs the programs of `examples/dynamodb`, and compares their results.

use std::io::{self, BufRead, BufReader, PipeWriter};
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};
use std::{env, iter, thread};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use duct::{Expression, ReaderHandle, cmd};
use serde::Deserialize;

use crate::packages::{wasm, wheel};
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::test::rust as rust_tests;
use crate::tools::node;
use crate::tools::python::Environment;

const PROGRAMS: &str = "examples/dynamodb";

const SUCCESS: &str = "success by acceptor 0";
const ACTIVE: &str = "\"ACTIVE\"";
const NOT_FOUND: &str = "ResourceNotFoundException";

/// The expected end of a wait: its name, the verdict, the beginnings of what the first and the last attempt saw, and the
/// number of attempts if it does not depend on the times of the service.
type Expected = (&'static str, &'static str, [&'static str; 2], Option<usize>);

const WAITS: [Expected; 6] = [
    ("created", SUCCESS, [NOT_FOUND, ACTIVE], None),
    ("deleted", SUCCESS, [ACTIVE, NOT_FOUND], None),
    ("hanging", "timed_out", ["", ""], Some(1)),
    ("denied", "unmatched_error", ["", ""], Some(1)),
    ("created, replayed", SUCCESS, [NOT_FOUND, ACTIVE], Some(4)),
    ("deleted, replayed", SUCCESS, [ACTIVE, NOT_FOUND], Some(3)),
];

/// The end of the names of waits on a fake clock, whose times must be equal in all languages.
const REPLAYED: &str = ", replayed";

/// Waits for a service in a shell, and for a DynamoDB table in Rust, JavaScript and Python.
///
/// First runs `examples/shell`, where the command waits for a program that starts. Then builds the packages, starts a
/// local service that is compatible with DynamoDB, and runs the three programs of `examples/dynamodb` with the AWS SDK of
/// each language. A table is created and deleted, a service hangs, and a permission is missing. Then the waits are
/// replayed on a fake clock, where all times must be equal to the millisecond.
///
/// Exits with status 1 if the languages disagree.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Use the Rust program and the wheel of `cargo xtask test`
    #[arg(long, hide = true)]
    tested: bool,
    /// Only build and install the program of a language
    #[arg(long, value_name = "LANGUAGE", hide = true)]
    prepare: Option<Language>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Rust,
    #[value(name = "javascript")]
    JavaScript,
    Python,
}

const LANGUAGES: [Language; 3] = [Language::Rust, Language::JavaScript, Language::Python];

/// The end of a wait, as a program prints it.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct End {
    wait: String,
    /// `success`, or the code of the failure.
    code: String,
    acceptor: Option<usize>,
    attempts: usize,
    elapsed_ms: u64,
    history: Vec<Attempt>,
    /// The explanation of a failure.
    text: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Attempt {
    started_ms: u64,
    ended_ms: u64,
    /// The status of the table as JSON, or the error; `None` if the call did not end in time.
    saw: Option<String>,
    state: Option<String>,
    acceptor: Option<usize>,
    delay_ms: Option<u64>,
    next_is_last: bool,
}

/// Runs the verb.
pub(crate) fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(language) = options.prepare {
        return language.prepare(project, options.tested);
    }
    let begun = Instant::now();
    thread::scope(|scope| {
        // The packages take minutes the first time, and the wait in a shell needs none of them.
        let packages = scope.spawn(|| prepare(project, options.tested));
        in_shell(project, options.tested)?;
        join(packages)
    })?;
    let ends = run_programs(project)?;
    compare(&ends, begun.elapsed())
}

/// Runs the script of `examples/shell` with the command.
fn in_shell(project: &Project, tested: bool) -> Result<()> {
    if cfg!(windows) {
        report::note("skipped on Windows: the wait in a shell");
        return Ok(());
    }
    if !tested {
        process::command_alone(project)?;
    }
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = iter::once(project.target("debug")).chain(env::split_paths(&others));
    let script = cmd!("sh", "examples/shell/start.sh", port.to_string())
        .dir(project.root())
        .env("PATH", env::join_paths(folders)?);
    process::run("sh examples/shell/start.sh", &script)?;
    report::note("");
    Ok(())
}

/// Prepares the languages in parallel, each in a separate process whose output is printed only if it fails.
fn prepare(project: &Project, tested: bool) -> Result<()> {
    report::note("building the packages and fetching the AWS SDKs: some minutes the first time");
    let prepare = |language: Language| {
        let name = format!("{language:?}").to_lowercase();
        let mut arguments = vec!["demo", "--prepare", &name];
        arguments.extend(tested.then_some("--tested"));
        let begun = Instant::now();
        let program = process::this_program(&arguments)?.dir(project.root());
        let output = output(&program.stderr_to_stdout());
        output.with_context(|| format!("cannot prepare {language:?}"))?;
        report::note(&format!(
            "{language:?}: ready after {}",
            seconds(begun.elapsed())
        ));
        Ok(())
    };
    in_parallel(prepare).map(drop)
}

/// Starts the service, runs the programs in parallel, and returns the ends of their waits.
fn run_programs(project: &Project) -> Result<Vec<Vec<End>>> {
    report::note("three programs wait for a table in a local DynamoDB (dynalite)");
    let service = Service::start(project)?;
    in_parallel(|language| {
        let program = language.program(project, &service.address)?;
        let program = process::without_aws_settings(project, &program);
        let lines = output(&program.stderr_capture());
        let lines = lines.with_context(|| format!("the program in {language:?} failed"))?;
        let ends = lines.lines().map(serde_json::from_str);
        ends.collect::<Result<_, _>>()
            .with_context(|| format!("{language:?} printed an invalid line"))
    })
}

fn in_parallel<T: Send>(run: impl Fn(Language) -> Result<T> + Sync) -> Result<Vec<T>> {
    let run = &run;
    thread::scope(|scope| {
        let threads = LANGUAGES.map(|language| scope.spawn(move || run(language)));
        threads.map(join).into_iter().collect()
    })
}

fn join<T>(thread: ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|_| bail!("a thread panicked"))
}

/// Runs a program and returns its standard output.
///
/// # Errors
///
/// Fails if the program fails. The error contains its output.
fn output(program: &Expression) -> Result<String> {
    let output = program.stdin_null().stdout_capture().unchecked().run()?;
    let [out, err] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    ensure!(output.status.success(), "{out}{err}");
    Ok(out)
}

impl Language {
    fn prepare(self, project: &Project, tested: bool) -> Result<()> {
        match self {
            Self::Rust if tested => rust_tests::build_sdk_users(project),
            Self::Rust => {
                process::example(project, "smithy-waiters-examples", "dynamodb").map(drop)
            }
            Self::JavaScript => {
                wasm::make(project, false, !tested)?;
                let folder = folder(project);
                project::copy_files(&project.path(PROGRAMS), &folder)?;
                node::install(&folder)?;
                node::install_own_package(project, &folder)
            }
            Self::Python => {
                let environment = Environment::open(project, "demo")?;
                let requirements = project.path(PROGRAMS).join("requirements.txt");
                environment.install_requirements(&requirements)?;
                let wheel = if tested {
                    wheel::latest(project)?
                } else {
                    wheel::unoptimised(project)?
                };
                environment.install_wheel(&wheel)
            }
        }
    }

    fn program(self, project: &Project, endpoint: &str) -> Result<Expression> {
        Ok(match self {
            Self::Rust => cmd!(project.target("debug/examples/dynamodb"), endpoint),
            Self::JavaScript => cmd!("node", "wait.mjs", endpoint).dir(folder(project)),
            Self::Python => {
                let program = project.path(PROGRAMS).join("wait.py");
                let program = program.to_string_lossy();
                Environment::open(project, "demo")?.python(&[&program, endpoint])
            }
        })
    }
}

/// Returns the folder with the copy of the programs in which the packages for Node are installed.
fn folder(project: &Project) -> PathBuf {
    project.target("demo")
}

/// The service, which ends when this value is dropped, or when its standard input ends with this process.
struct Service {
    address: String,
    _program: ReaderHandle,
    _input: PipeWriter,
}

impl Service {
    fn start(project: &Project) -> Result<Self> {
        let (reader, input) = io::pipe()?;
        let service = cmd!("node", "service.mjs").dir(folder(project));
        let program = service.stdin_file(reader).unchecked().reader()?;
        let mut address = String::new();
        BufReader::new(&program).read_line(&mut address)?;
        ensure!(!address.is_empty(), "the service did not start");
        Ok(Self {
            address: address.trim().to_owned(),
            _program: program,
            _input: input,
        })
    }
}

/// Compares the ends of a wait in all languages, and returns the differences.
fn differences(expected: &Expected, ends: &[&End]) -> Vec<String> {
    let (wait, verdict, [first, last], attempts) = expected;
    let mut differences = Vec::new();
    for (language, end) in LANGUAGES.into_iter().zip(ends) {
        let saw = [end.history.first(), end.history.last()];
        let [saw_first, saw_last] =
            saw.map(|attempt| attempt.and_then(|it| it.saw.as_deref()).unwrap_or_default());
        let is_like_rust = !wait.ends_with(REPLAYED) || ends.first() == Some(end);
        let checks = [
            end.verdict() == *verdict,
            saw_first.starts_with(first) && saw_last.starts_with(last),
            attempts.is_none_or(|attempts| attempts == end.attempts),
            is_like_rust,
        ];
        if checks.contains(&false) {
            differences.push(format!(
                "{wait}, {language:?}: expected {expected:?}, got {end:?}"
            ));
        }
    }
    differences
}

impl End {
    fn verdict(&self) -> String {
        match self.acceptor {
            Some(acceptor) => format!("{} by acceptor {acceptor}", self.code),
            None => self.code.clone(),
        }
    }

    fn summary(&self) -> String {
        let calls = if self.attempts == 1 { "call" } else { "calls" };
        let time = Duration::from_millis(self.elapsed_ms);
        format!("{} {calls}, {:.3} s", self.attempts, time.as_secs_f64())
    }
}

/// Prints a table of all waits and the explanations of the failures, and compares the languages.
fn compare(programs: &[Vec<End>], time: Duration) -> Result<()> {
    let mut rows = vec![["wait", "result", "Rust", "JavaScript", "Python"].map(str::to_owned)];
    let (mut texts, mut differences) = (Vec::new(), Vec::new());
    for expected in &WAITS {
        let (wait, ..) = expected;
        let ends = programs
            .iter()
            .map(|ends| ends.iter().find(|end| end.wait == *wait));
        let ends: Option<Vec<&End>> = ends.collect();
        let ends = ends.with_context(|| format!("`{wait}` was not reported"))?;
        differences.extend(self::differences(expected, &ends));
        if let [rust, javascript, python] = ends[..] {
            let [a, b, c] = [rust, javascript, python].map(End::summary);
            rows.push([(*wait).to_owned(), rust.verdict(), a, b, c]);
            texts.extend(&rust.text);
        }
    }
    report::note(&format!("\n{}\n", report::table(&rows)));
    for text in texts {
        report::note(&format!("{text}\n"));
    }
    for difference in &differences {
        report::note(difference);
    }
    let (waits, count) = (WAITS.len(), differences.len());
    ensure!(
        count == 0,
        "Rust, JavaScript and Python do not agree: {count} differences"
    );
    report::note(&format!(
        "Rust, JavaScript and Python agree on {waits} waits, after {}",
        seconds(time)
    ));
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
