//! The process of a runner, which reads and writes lines of JSON.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
#[cfg(unix)]
use process_wrap::std::ProcessSession;
use process_wrap::std::{ChildWrapper, CommandWrap};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::case::Task;

/// The longest time until a runner announces its SDK.
const START: Duration = Duration::from_secs(120);

/// The longest part of a line in a message.
const EXCERPT: usize = 200;

/// The rule for the first line.
const FIRST: &str = "the runner's first line must be like {\"sdk\": \"…\", \"version\": \"…\"}";

/// The first line of a runner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Announcement {
    /// The name of the SDK.
    pub sdk: String,
    /// Its version.
    pub version: String,
    /// The contract that its waiters declare: `smithy` for the specification of Smithy waiters, or another name, whose
    /// differences from that specification are no defects.
    #[serde(default = "smithy")]
    pub contract: String,
    /// The suites that it can play, such as `acm`; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suites: Option<Vec<String>>,
    /// The waiter for whole waits, such as `acm.CertificateValidated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behaviours: Option<String>,
    /// The number of tasks that it plays at a time.
    #[serde(default = "one")]
    pub parallel: usize,
}

/// How a wait ended.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct End {
    /// The id of the case.
    pub id: String,
    /// `success`, `failure`, `timeout`, `cancelled`, `unsupported`, or `error` for an error that is not of the waiter and
    /// not of the service.
    pub end: String,
    /// The text of the error, or the reason that a case is not supported.
    #[serde(default)]
    pub message: Option<String>,
    /// What the result contains: `lastOutput`, `lastError`.
    #[serde(default)]
    pub carries: Vec<String>,
}

/// A line of a runner, or its end.
pub(crate) enum Heard {
    End(End),
    Nothing,
    Died,
}

/// A runner's process. It is killed on drop, on Unix with its children.
#[derive(Debug)]
pub(crate) struct Runner {
    child: Box<dyn ChildWrapper>,
    input: ChildStdin,
    lines: Receiver<String>,
}

fn smithy() -> String {
    "smithy".to_owned()
}

fn one() -> usize {
    1
}

impl Task {
    /// Returns the line for a runner.
    pub(crate) fn message(&self, endpoint: &str) -> Json {
        let mut message = json!(self);
        if let Some(members) = message.as_object_mut() {
            members.insert("endpoint".to_owned(), endpoint.into());
        }
        message
    }
}

impl Runner {
    /// Starts a runner and reads its announcement.
    pub(crate) fn start(command: &[String]) -> Result<(Self, Announcement)> {
        let (program, arguments) = command
            .split_first()
            .context("a runner's command is missing")?;
        let mut command = CommandWrap::with_new(program, |command| {
            command
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
        });
        #[cfg(unix)]
        command.wrap(ProcessSession);
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start the runner `{program}`"))?;
        let (input, output) = (child.stdin().take(), child.stdout().take());
        let (input, output) = (
            input.context("standard input of the runner")?,
            output.context("standard output of the runner")?,
        );
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                let Ok(line) = line else { break };
                if sender
                    .send(String::from_utf8_lossy(&line).into_owned())
                    .is_err()
                {
                    break;
                }
            }
        });
        let mut runner = Self {
            child,
            input,
            lines,
        };
        let line = match runner.lines.recv_timeout(START) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => bail!(
                "the runner `{program}` wrote nothing in {} s: {FIRST}",
                START.as_secs()
            ),
            Err(RecvTimeoutError::Disconnected) => {
                // It may have closed its output only.
                drop(runner.child.start_kill());
                let status = runner.child.wait()?;
                bail!("the runner `{program}` ended before its first line: {status}")
            }
        };
        let announcement: Announcement = parse(&line, FIRST)?;
        Ok((runner, announcement))
    }

    /// Sends a task. Returns `false` if the runner has died.
    pub(crate) fn send(&mut self, task: &Task, endpoint: &str) -> bool {
        let line = format!("{}\n", task.message(endpoint));
        self.input
            .write_all(line.as_bytes())
            .and_then(|()| self.input.flush())
            .is_ok()
    }

    /// Returns the next line.
    ///
    /// # Errors
    ///
    /// Fails if it is not an end.
    pub(crate) fn hear(&self, longest: Duration) -> Result<Heard> {
        match self.lines.recv_timeout(longest) {
            Ok(line) => Ok(Heard::End(parse(
                &line,
                "a runner's standard output is for lines like {\"id\": \"…\", \"end\": \"success\"}",
            )?)),
            Err(RecvTimeoutError::Timeout) => Ok(Heard::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Heard::Died),
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn parse<'l, T: Deserialize<'l>>(line: &'l str, rule: &str) -> Result<T> {
    let excerpt = || line.chars().take(EXCERPT).collect::<String>();
    serde_json::from_str(line).with_context(|| format!("{rule}, got `{}`", excerpt()))
}
