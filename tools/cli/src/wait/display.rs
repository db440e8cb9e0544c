//! The messages of a wait, on standard error.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use smithy_waiters::internal::Spelling;
use smithy_waiters::{Level, Outcome, Progress, WaiterError};

use super::call::{CallError, Class};
use super::end::{End, WaitResult};
use super::time;

/// The longest silence: systems that run jobs kill a silent one.
const SILENCE: Duration = Duration::from_secs(30);

/// Writes the messages. Errors of writing are ignored, because a terminal that goes away must not end the wait.
pub(super) struct Display {
    quiet: bool,
    state: Mutex<State>,
    finished: Condvar,
}

struct State {
    started: Instant,
    written: Instant,
    is_finished: bool,
    /// The latest message about a wait, for the heartbeat.
    latest: String,
    /// The reasons of the latest attempt, by the label of the wait.
    reasons: BTreeMap<String, String>,
}
impl Display {
    pub(super) fn new(quiet: bool) -> Self {
        let now = Instant::now();
        let state = State {
            started: now,
            written: now,
            is_finished: false,
            latest: "no answer yet".to_owned(),
            reasons: BTreeMap::new(),
        };
        Self {
            quiet,
            state: Mutex::new(state),
            finished: Condvar::new(),
        }
    }

    /// Writes the first line.
    pub(super) fn begin(&self, headline: &str) {
        self.line(&mut self.state(), headline);
    }

    /// Runs a wait, and writes a line after 30 s without another one.
    pub(super) fn with_heartbeat<T>(&self, wait: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            scope.spawn(|| self.beat());
            let result = wait();
            self.state().is_finished = true;
            self.finished.notify_all();
            result
        })
    }

    fn beat(&self) {
        let mut state = self.state();
        while !state.is_finished {
            let silence = SILENCE.saturating_sub(state.written.elapsed());
            if silence.is_zero() {
                let waited = time::display(state.started.elapsed());
                let line = format!("still waiting after {waited}; {}", state.latest);
                self.line(&mut state, &line);
                continue;
            }
            let waited = self.finished.wait_timeout(state, silence);
            state = waited.map_or_else(|error| error.into_inner().0, |(state, _)| state);
        }
    }

    /// Writes a line if the attempt shows something new.
    pub(super) fn attempt(&self, label: &str, progress: Progress<'_>) {
        let mut state = self.state();
        for hint in progress.hints() {
            let hint = hint.message(|name| Spelling::Command.name(name));
            self.line(&mut state, &format!("{label}: hint: {hint}"));
        }
        state.latest = progress.summary();
        let reasons = progress.attempt.reasons.iter().map(|reason| &*reason.text);
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        let is_new = state.reasons.get(label) != Some(&reasons);
        state.reasons.insert(label.to_owned(), reasons);
        // The end has its own line, and so has silence.
        if is_new && progress.level() == Level::Info && progress.attempt.delay_ms.is_some() {
            let line = state.latest.clone();
            self.line(&mut state, &line);
        }
    }

    /// Writes the end of a wait. Its last line has the exit code, unless it is 0.
    pub(super) fn end(&self, label: &str, result: &WaitResult, end: End) {
        let mut state = self.state();
        match result {
            Ok(outcome) => self.line(&mut state, &format!("{label}: {}", success(outcome))),
            Err(error) => {
                let explanation = match error {
                    WaiterError::Failure(_) => error.explain(),
                    _ => format!("error: {error}"),
                };
                write_line(&explanation);
                write_line(&format!("{label}: {} (exit {})", end.code, end.exit));
            }
        }
    }

    /// Writes the end of several waits.
    pub(super) fn finish(&self, successes: usize, all: usize, exit: u8) {
        let text = format!("{successes} of {all} succeeded");
        match exit {
            0 => self.line(&mut self.state(), &text),
            _ => write_line(&format!("{text} (exit {exit})")),
        }
    }

    fn line(&self, state: &mut State, text: &str) {
        state.written = Instant::now();
        if !self.quiet {
            write_line(text);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_line(text: &str) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "{text}");
}

/// Returns the value that was reached, the time and the number of calls.
fn success(outcome: &Outcome<Json, CallError>) -> String {
    let report = &outcome.report;
    let last = report.history.last();
    let values = last.map_or(&[][..], |attempt| &attempt.values);
    let values: Vec<&str> = values
        .iter()
        .map(|value| value.text.trim_matches('"'))
        .collect();
    let error = outcome.as_result().err();
    let value = if error.is_some_and(|error| error.class == Class::NotFound) {
        "gone".to_owned()
    } else if values.is_empty() {
        "done".to_owned()
    } else {
        values.join(", ")
    };
    if report.attempts == 1 {
        return format!("was already {value}");
    }
    let elapsed = time::display(Duration::from_millis(report.elapsed_ms));
    format!("{value} after {elapsed}, {} calls", report.attempts)
}
