//! A command as the operation of a wait.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use serde_json::{Map, Value as Json, json};
use smithy_waiters::driver::CancelToken;
use smithy_waiters::internal::botocore::error_names;

use super::call::{
    Call, CallError, Class, Ending, Patterns, SharedCall, UNRECOGNISED, last_words, not_json,
};
use super::errors::Rules;
use super::fleet::with_names;

/// The longest time between two looks at a child without output.
const TICK: Duration = Duration::from_millis(20);

/// The time between the first and the last signal to a child.
const GRACE: Duration = Duration::from_millis(300);

/// The longest time for output that remains after the end of a child, if a process that it started keeps printing.
const REST: Duration = Duration::from_millis(100);

/// How the output of a command becomes the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Exit code 0 is enough. JSON is read if there is any.
    Any,
    /// Standard output must be JSON.
    Json,
    /// The response is `{"stdout", "stderr", "exitCode"}`, after every exit code.
    Text,
}

/// A command with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) line: Vec<OsString>,
    pub(super) reading: Reading,
    pub(super) patterns: Patterns,
    pub(super) rules: Arc<Rules>,
    pub(super) max_output: usize,
    /// `true` if responses and errors must look as in boto3.
    pub(super) is_botocore: bool,
}

/// The output of a child that ended.
struct Output {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Call for Program {
    fn call(&self, limit: Duration, cancel: &CancelToken) -> Result<Json, CallError> {
        let mut child = Child::spawn(&self.line)?;
        let output = child.read(limit, cancel, self.max_output);
        match &output {
            Ok(_) => child.end_rest(),
            Err(_) => child.end(),
        }
        let response = self.response(&output?);
        if self.is_botocore {
            as_boto3(response)
        } else {
            response
        }
    }
}

impl SharedCall for Program {
    fn of(&self, names: &[&str]) -> anyhow::Result<Box<dyn Call>> {
        let line = with_names(&self.line, names);
        Ok(Box::new(Self {
            line,
            ..self.clone()
        }))
    }
}

impl Program {
    fn response(&self, output: &Output) -> Result<Json, CallError> {
        let code = output.status.code();
        if code != Some(0) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            if let Some(error) = self.rules.find(code, &stderr, &ending(output)) {
                return Err(error);
            }
        }
        let text = || {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            let mut members = Map::new();
            self.patterns.add(&stdout, &mut members);
            members.insert("stdout".to_owned(), stdout.into());
            members.insert("stderr".to_owned(), stderr.into());
            members.insert("exitCode".to_owned(), code.into());
            Json::Object(members)
        };
        let json = || serde_json::from_slice::<Json>(without_mark(&output.stdout));
        match self.reading {
            Reading::Text => Ok(text()),
            _ if code != Some(0) => Err(unrecognised(output)),
            Reading::Any => Ok(json().unwrap_or_else(|_| text())),
            Reading::Json => {
                let mut response = json().map_err(|error| self.not_json(output, &error))?;
                if let Json::Object(members) = &mut response {
                    let text = String::from_utf8_lossy(&output.stdout);
                    self.patterns.add(text.trim_end(), members);
                }
                Ok(response)
            }
        }
    }

    fn not_json(&self, output: &Output, error: &serde_json::Error) -> CallError {
        let remedy = self.rules.json_remedy(&self.line);
        let mut problem = not_json("output", &output.stdout, error, &remedy);
        let words = last_words(&output.stderr);
        if !words.is_empty() {
            problem.message.push_str("; standard error: ");
            problem.message.push_str(&words);
        }
        problem
    }
}

/// Adds what the waiters of botocore read of a response or an error of the AWS CLI.
fn as_boto3(response: Result<Json, CallError>) -> Result<Json, CallError> {
    match response {
        // An operation without output prints nothing.
        Ok(Json::Object(mut members)) => {
            members.insert(
                "ResponseMetadata".to_owned(),
                json!({"HTTPStatusCode": 200}),
            );
            Ok(members.into())
        }
        Err(mut error) if matches!(error.class, Class::Coded | Class::NotFound | Class::Busy) => {
            let status = error.code.parse().ok();
            error.names = error_names(&error.code, status);
            Err(error)
        }
        other => other,
    }
}

/// Removes a byte order mark, which programs on other systems print.
fn without_mark(output: &[u8]) -> &[u8] {
    output.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(output)
}

fn ending(output: &Output) -> Ending {
    let code = match (output.status.code(), output.status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("signal {}", signal.unwrap_or_default()),
    };
    let words = [&output.stderr, &output.stdout].map(|text| last_words(text));
    let words = words.into_iter().find(|text| !text.is_empty());
    Ending {
        code,
        words: words.unwrap_or_default(),
    }
}

fn unrecognised(output: &Output) -> CallError {
    let Ending { code, words } = ending(output);
    let mut error = CallError::new(Class::Unanswered, code, words);
    error.names = vec![UNRECOGNISED.to_owned()];
    error
}

/// A child in a session of its own, without a terminal.
struct Child {
    inner: Box<dyn ChildWrapper>,
    group: Option<Pid>,
}

impl Child {
    fn spawn(line: &[OsString]) -> Result<Self, CallError> {
        let (name, arguments) = line
            .split_first()
            .map_or((OsStr::new(""), line), |(name, rest)| {
                (name.as_os_str(), rest)
            });
        let mut command = CommandWrap::with_new(name, |command: &mut Command| {
            let command = command.args(arguments).stdin(Stdio::null());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        let spawned = command.wrap(ProcessSession).spawn().map_err(|error| {
            let exit = match error.kind() {
                ErrorKind::NotFound => 127,
                _ => 126,
            };
            let (class, remedy) = match error.kind() {
                // The system is short of processes or memory, which passes.
                ErrorKind::WouldBlock | ErrorKind::OutOfMemory => (Class::Unanswered, ""),
                // Fewer names fit.
                ErrorKind::ArgumentListTooLong => {
                    (Class::Permanent, " (`--batch` limits the names of a call)")
                }
                ErrorKind::NotFound if name.as_encoded_bytes().contains(&b' ') => (
                    Class::CannotRun,
                    " (write a command line without quotes around it, or after `sh -c`)",
                ),
                _ => (Class::CannotRun, ""),
            };
            let code = format!("cannot run `{}`", name.display());
            let message = format!("{error}{remedy}");
            let mut error = CallError::new(class, code, message);
            error.exit = Some(exit);
            error
        })?;
        // Only the command itself is waited for: its group may live longer.
        let inner = spawned.into_inner();
        let group = i32::try_from(inner.id()).ok().and_then(Pid::from_raw);
        Ok(Self { inner, group })
    }

    /// Reads the output until the child ends. Fails after `limit`, if the token is cancelled, and if there is too much.
    fn read(
        &mut self,
        limit: Duration,
        cancel: &CancelToken,
        max_output: usize,
    ) -> Result<Output, CallError> {
        let deadline = Instant::now().checked_add(limit);
        let mut stdout = Stream::new(self.inner.stdout().take());
        let mut stderr = Stream::new(self.inner.stderr().take());
        let mut ended: Option<(ExitStatus, Instant)> = None;
        let mut pause = Duration::from_millis(1);
        loop {
            let tick = if ended.is_some() {
                Duration::ZERO
            } else {
                TICK
            };
            let has_output = read_ready(&mut stdout, &mut stderr, tick);
            let size = stdout.bytes.len().saturating_add(stderr.bytes.len());
            if size > max_output {
                let message =
                    format!("the output has more than {max_output} bytes (`--max-output`)");
                return Err(CallError::new(Class::Permanent, "OutputTooLarge", message));
            }
            if let Some((status, at)) = ended {
                if !has_output || at.elapsed() > REST {
                    let (stdout, stderr) = (stdout.bytes, stderr.bytes);
                    return Ok(Output {
                        status,
                        stdout,
                        stderr,
                    });
                }
            } else if let Ok(Some(status)) = self.inner.try_wait() {
                ended = Some((status, Instant::now()));
                continue;
            }
            if cancel.is_cancelled() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                return Err(CallError::stopped());
            }
            if stdout.is_closed() && stderr.is_closed() && ended.is_none() {
                // It usually ends at once.
                thread::sleep(pause);
                pause = pause.saturating_mul(2).min(TICK);
            }
        }
    }

    /// Ends what the child has left in its group: the next call would leave as much again.
    fn end_rest(&self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::TERM);
        }
    }

    /// Ends the child and its group, and reaps the child.
    fn end(&mut self) {
        let Some(group) = self.group else { return };
        let _ = kill_process_group(group, Signal::TERM);
        let started = Instant::now();
        while started.elapsed() < GRACE {
            let is_reaped = matches!(self.inner.try_wait(), Ok(Some(_)));
            if is_reaped && test_kill_process_group(group).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = kill_process_group(group, Signal::KILL);
        // A process in an uninterruptible call does not end, and must not delay the wait.
        while started.elapsed() < GRACE.saturating_mul(2)
            && !matches!(self.inner.try_wait(), Ok(Some(_)))
        {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// One of the two outputs of a child.
struct Stream<R> {
    source: Option<R>,
    bytes: Vec<u8>,
}

impl<R: Read + AsFd> Stream<R> {
    const fn new(source: Option<R>) -> Self {
        let bytes = Vec::new();
        Self { source, bytes }
    }

    const fn is_closed(&self) -> bool {
        self.source.is_none()
    }

    /// Reads once. The source is ready, so that this does not block.
    fn read_once(&mut self) {
        let mut buffer = [0; 64 * 1024];
        let Some(source) = &mut self.source else {
            return;
        };
        match source.read(&mut buffer) {
            Ok(0) => self.source = None,
            Ok(count) => self.bytes.extend(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => self.source = None,
        }
    }
}

/// Reads from the streams that are ready, or become ready within `tick`. Returns `true` if one was ready.
fn read_ready<A: Read + AsFd, B: Read + AsFd>(
    first: &mut Stream<A>,
    second: &mut Stream<B>,
    tick: Duration,
) -> bool {
    let is_ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
    let ready = {
        let first = first
            .source
            .as_ref()
            .map(|source| PollFd::new(source, PollFlags::IN));
        let second = second
            .source
            .as_ref()
            .map(|source| PollFd::new(source, PollFlags::IN));
        let places = [first.is_some(), second.is_some()];
        let mut open: Vec<PollFd<'_>> = first.into_iter().chain(second).collect();
        if open.is_empty() {
            return false;
        }
        let timeout = Timespec::try_from(tick).ok();
        if poll(&mut open, timeout.as_ref()).is_err() {
            return false;
        }
        let mut open = open.iter();
        places.map(|is_open| is_open && open.next().is_some_and(is_ready))
    };
    let [first_ready, second_ready] = ready;
    if first_ready {
        first.read_once();
    }
    if second_ready {
        second.read_once();
    }
    first_ready || second_ready
}
