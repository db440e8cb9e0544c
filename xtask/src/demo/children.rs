//! Starts and stops child programs, each in a separate process group.
//!
//! A program is stopped by killing its process group. If this program is killed, the standard input of its children
//! ends, and they exit.

use std::io::{BufRead, BufReader, Lines, PipeWriter, Read, Write};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::{Result, bail};
use duct::{Expression, ReaderHandle};

/// The time to wait for killed programs to exit.
const KILL_TIMEOUT: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The running programs.
#[derive(Debug, Default)]
pub(crate) struct Children(Mutex<Registry>);

#[derive(Debug, Default)]
struct Registry {
    running: Vec<Arc<ReaderHandle>>,
    stopped: bool,
}

impl Children {
    /// Starts a program with pipes for its standard input and output.
    ///
    /// # Errors
    ///
    /// Fails if the program does not start, or after [`stop`](Self::stop).
    pub(crate) fn start(&self, command: &Expression) -> Result<Child> {
        let (reader, writer) = io::pipe()?;
        let command = command
            .stdin_file(reader)
            .unchecked()
            .before_spawn(own_group);
        let mut registry = self.lock();
        if registry.stopped {
            bail!("stopped");
        }
        let output = Arc::new(command.reader()?);
        registry.running.retain(|child| is_running(child));
        registry.running.push(Arc::clone(&output));
        Ok(Child {
            input: writer,
            output,
        })
    }

    /// Kills all programs, and prevents the start of new ones.
    pub(crate) fn stop(&self) {
        let mut registry = self.lock();
        registry.stopped = true;
        registry.running.iter().for_each(|child| kill(child));
        let begun = Instant::now();
        while registry.running.iter().any(|child| is_running(child))
            && begun.elapsed() < KILL_TIMEOUT
        {
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Returns `true` after [`stop`](Self::stop).
    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running program. Its standard input ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Child {
    input: PipeWriter,
    output: Arc<ReaderHandle>,
}

impl Child {
    /// Writes a line to the program's standard input.
    pub(crate) fn send_line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input, "{line}")
    }

    /// Returns the lines of the program's output, until it ends.
    pub(crate) fn lines(&self) -> Lines<BufReader<Output>> {
        BufReader::new(Output(Arc::clone(&self.output))).lines()
    }

    /// Waits for the end of the program. Returns `true` if it succeeded, and its output.
    pub(crate) fn finish(&self) -> Result<(bool, String)> {
        let mut text = Vec::new();
        Output(Arc::clone(&self.output)).read_to_end(&mut text)?;
        let end = self.output.try_wait()?;
        let succeeded = end.is_some_and(|end| end.status.success());
        Ok((succeeded, String::from_utf8_lossy(&text).into_owned()))
    }
}

/// A program's standard output.
#[derive(Debug)]
pub(crate) struct Output(Arc<ReaderHandle>);

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.0).read(buffer)
    }
}

/// Kills the process group of this program when its parent exits. Has no effect unless it leads a group.
pub(crate) fn end_with_parent() {
    if !leads_a_group() {
        return;
    }
    thread::spawn(|| {
        // An error has the same meaning as the end: the parent has exited.
        let _result = io::copy(&mut io::stdin().lock(), &mut io::sink());
        kill_own_group();
    });
}

fn is_running(child: &ReaderHandle) -> bool {
    matches!(child.try_wait(), Ok(None))
}

fn kill(child: &ReaderHandle) {
    if is_running(child) {
        child.pids().into_iter().for_each(kill_group);
        // Killing fails if the program has ended.
        let _result = child.kill();
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "duct's signature")]
fn own_group(command: &mut Command) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    Ok(())
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // Killing fails if the group has ended.
        let _result = kill_process_group(leader, Signal::KILL);
    }
}

#[cfg(unix)]
fn leads_a_group() -> bool {
    use rustix::process::{getpgrp, getpid};
    getpgrp() == getpid()
}

#[cfg(unix)]
fn kill_own_group() {
    use rustix::process::{Signal, kill_current_process_group};
    let _never_returns = kill_current_process_group(Signal::KILL);
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "duct's signature")]
fn own_group(_: &mut Command) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(not(unix))]
fn leads_a_group() -> bool {
    false
}

#[cfg(not(unix))]
fn kill_own_group() {}
