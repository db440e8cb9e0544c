//! The programs that this one has started: each in a process group of its own, all of them gone when this one is.
//!
//! A program that is to end is killed with everything that it started. Where this program itself is killed, the programs see
//! the end of their standard input and end by themselves.

use std::io::{BufRead, BufReader, Lines, PipeWriter, Read, Write};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::{Result, bail};
use duct::{Expression, ReaderHandle};

/// How long a program that was killed may take to be gone.
const PATIENCE: Duration = Duration::from_millis(500);
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// All programs that may still run.
#[derive(Debug, Default)]
pub(crate) struct Children(Mutex<Registry>);

#[derive(Debug, Default)]
struct Registry {
    running: Vec<Arc<ReaderHandle>>,
    stopped: bool,
}

impl Children {
    /// Starts a program, with pipes from and to it.
    ///
    /// # Errors
    ///
    /// When it does not start, or when everything has been stopped.
    pub(crate) fn start(&self, command: &Expression) -> Result<Child> {
        let (theirs, ours) = io::pipe()?;
        let command = command
            .stdin_file(theirs)
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
            input: ours,
            output,
        })
    }

    /// Ends every program, and starts none any more.
    pub(crate) fn stop(&self) {
        let mut registry = self.lock();
        registry.stopped = true;
        registry.running.iter().for_each(|child| kill(child));
        let begun = Instant::now();
        while registry.running.iter().any(|child| is_running(child)) && begun.elapsed() < PATIENCE {
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Whether [`stop`](Self::stop) was called.
    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program that was started; once this value is gone, its standard input ends.
#[derive(Debug)]
pub(crate) struct Child {
    input: PipeWriter,
    output: Arc<ReaderHandle>,
}

impl Child {
    /// Writes a line to the program.
    pub(crate) fn tell(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input, "{line}")
    }

    /// The lines that it writes, until it ends.
    pub(crate) fn lines(&self) -> Lines<BufReader<Output>> {
        BufReader::new(Output(Arc::clone(&self.output))).lines()
    }

    /// All that it writes, and whether it succeeded.
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

/// In a program that was started: ends it, with all that it has started, once its parent is gone.
pub(crate) fn end_with_parent() {
    if !leads_a_group() {
        return;
    }
    thread::spawn(|| {
        // An error means that there is nobody to read from either.
        let _ended = io::copy(&mut io::stdin().lock(), &mut io::sink());
        kill_own_group();
    });
}

fn is_running(child: &ReaderHandle) -> bool {
    matches!(child.try_wait(), Ok(None))
}

fn kill(child: &ReaderHandle) {
    if is_running(child) {
        child.pids().into_iter().for_each(kill_group);
        // What cannot be killed has ended.
        let _ended = child.kill();
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
        // A group that is not there has ended.
        let _ended = kill_process_group(leader, Signal::KILL);
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
