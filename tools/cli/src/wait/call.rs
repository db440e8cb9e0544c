//! The calls of a wait and their errors.

use std::error::Error;
use std::fmt;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::goal::Goal;
use crate::output;
use regex_lite::Regex;
use serde_json::{Map, Value as Json};
use smithy_waiters::ErrorMetadata;
use smithy_waiters::driver::{CancelToken, OperationError};
use smithy_waiters::retry::{RequestFailure, Transport};

/// The code of a missing resource.
pub(super) const NOT_FOUND: &str = "NotFound";

/// A name of each exit code that no rule recognises. Messages do not show a name with `=`.
pub(super) const UNRECOGNISED: &str = "exit code=any";

/// The code of a service that does not answer.
pub(super) const UNREACHABLE: &str = "Unreachable";

/// An operation of a wait: a command, a request or a connection.
pub(super) trait Call: Send + Sync {
    /// Calls the operation, at most for `limit` or until the token is cancelled.
    fn call(&self, limit: Duration, cancel: &CancelToken) -> Result<Json, CallError>;
}

/// An operation that answers for several names.
pub(super) trait SharedCall: Send + Sync {
    /// Returns the call for these names.
    fn of(&self, names: &[&str]) -> anyhow::Result<Box<dyn Call>>;
}

/// The class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    /// The command cannot be run.
    CannotRun,
    /// Denied, expired or wrong usage.
    Permanent,
    /// The resource is missing.
    NotFound,
    /// The service did not answer.
    Unanswered,
    /// The service answered that it is busy or broken.
    Busy,
    /// The engine classifies the code or the status.
    Coded,
}

/// An error of a call. The engine decides what follows from it.
#[derive(Clone, Debug)]
pub(super) struct CallError {
    pub(super) code: String,
    pub(super) message: String,
    pub(super) class: Class,
    pub(super) status: Option<u16>,
    /// Further names, which acceptors may have.
    pub(super) names: Vec<String>,
    /// The exit code of the whole wait, if the error ends it.
    pub(super) exit: Option<u8>,
}

impl CallError {
    pub(super) fn new(class: Class, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            class,
            status: None,
            names: Vec::new(),
            exit: None,
        }
    }

    /// Returns the error of a call that was ended. The engine doesn't read it if the wait ended as well.
    pub(super) fn stopped() -> Self {
        let message = "the call was ended (`--attempt-timeout` is its longest time)";
        Self::new(Class::Unanswered, "no answer in time", message)
    }
}

impl OperationError for CallError {
    fn metadata(&self) -> ErrorMetadata<'_> {
        if self.class == Class::CannotRun {
            // Not a code of a service: it says nothing about the resources of a call, and is not searched for them.
            return ErrorMetadata::of_class(&*self.code).message(&*self.message);
        }
        // The engine reads the first name. The service's own one of a missing resource may not say that it is missing.
        let missing = (self.class == Class::NotFound).then_some(NOT_FOUND);
        let others = self.names.iter().filter(|name| **name != self.code);
        let names = [&*self.code].into_iter().chain(others.map(|name| &**name));
        let codes = missing
            .into_iter()
            .chain(names.filter(|name| Some(*name) != missing));
        ErrorMetadata::of_codes(codes).message(&*self.message)
    }

    fn failure(&self) -> RequestFailure<'_> {
        let failure = RequestFailure::default().code(&*self.code);
        match self.class {
            Class::CannotRun | Class::Permanent | Class::NotFound => failure,
            Class::Unanswered => failure.transport(Transport::Connection),
            Class::Busy => failure.status(503),
            Class::Coded => match self.status {
                Some(status) => failure.status(status),
                None => failure,
            },
        }
    }

    fn as_error(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

impl Error for CallError {}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

/// How a command ended: its code, such as `exit code 1`, and its last words.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    pub(super) code: String,
    pub(super) words: String,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.words.is_empty() { "" } else { ": " };
        write!(f, "{}{separator}{}", self.code, self.words)
    }
}

/// The most characters of the last words of an output.
const WORDS: usize = 300;

/// Returns the last words of an output: at most three lines. The last one is the first to be kept, and is cut if it is too long.
pub(super) fn last_words(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    // A progress meter overwrites its line, and has only numbers.
    let is_word = |line: &&str| line.chars().any(char::is_alphabetic);
    let mut lines = text.split(['\n', '\r']).filter(is_word).rev();
    let mut words = output::excerpt(lines.next().unwrap_or_default(), WORDS);
    for line in lines.take(2) {
        let longer = format!("{line} / {words}");
        if longer.chars().count() > WORDS {
            break;
        }
        words = longer;
    }
    words
}

/// Returns the error for an output that is not JSON: its beginning, where it stops to be JSON, and the likely remedy.
pub(super) fn not_json(
    what: &str,
    output: &[u8],
    error: &serde_json::Error,
    remedy: &str,
) -> CallError {
    const LONGEST: usize = 80;
    let text = String::from_utf8_lossy(output);
    let text = text.trim();
    let begin: String = text.chars().take(LONGEST).collect();
    let (problem, message) = match text.chars().next() {
        None => ("is empty", format!("a path needs JSON{remedy}")),
        Some('{' | '[') => ("is not JSON", format!("{error}: {begin:?}")),
        Some(_) => ("is not JSON", format!("{begin:?}{remedy}")),
    };
    CallError::new(Class::Unanswered, format!("the {what} {problem}"), message)
}

/// The member of a response with the line that a pattern matches, or else with the last line.
pub(super) const LINE: &str = "output line";

/// The value of a pattern that matches.
pub(super) const MATCHES: &str = "yes";

/// The patterns of `--until-text` and `--fail-text`, by the names of their members in a response.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(pub(super) Vec<(String, Regex)>);

impl Patterns {
    /// Returns `true` if the goal is one of these patterns.
    pub(super) fn has(&self, goal: &Goal) -> bool {
        let name = goal.path().and_then(unquoted);
        name.is_some_and(|goal| self.0.iter().any(|(name, _)| *name == goal))
    }

    /// Adds to a response whether each pattern matches its text, and the line to show.
    pub(super) fn add(&self, text: &str, members: &mut Map<String, Json>) {
        let Self(patterns) = self;
        let is_word = |line: &&str| line.chars().any(char::is_alphanumeric);
        let mut line = text.lines().rfind(is_word);
        for (name, pattern) in patterns {
            let found = pattern.find(text);
            let answer = if found.is_some() { MATCHES } else { "no" };
            members.insert(name.clone(), answer.into());
            // The last pattern is that of a failure, which comes before a success.
            line = found.map_or(line, |found| Some(line_at(text, found.start())));
        }
        if !patterns.is_empty() {
            members.insert(LINE.to_owned(), line.map(excerpt).into());
        }
    }
}

/// Returns the text of a quoted name of JMESPath, which is a JSON string.
pub(super) fn unquoted(path: &str) -> Option<String> {
    serde_json::from_str(path).ok()
}

/// Returns the line that contains this place.
fn line_at(text: &str, place: usize) -> &str {
    let (before, after) = text.split_at_checked(place).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
    let rest = after.lines().next().unwrap_or_default();
    let end = place.saturating_add(rest.len());
    text.get(start..end).unwrap_or_default()
}

fn excerpt(line: &str) -> String {
    output::excerpt(line.trim(), 120)
}

/// Runs a call that cannot be interrupted on another thread, and abandons it after `limit` or a cancellation.
pub(super) fn in_background<T: Send + 'static>(
    limit: Duration,
    cancel: &CancelToken,
    call: impl FnOnce() -> Result<T, CallError> + Send + 'static,
) -> Result<T, CallError> {
    const TICK: Duration = Duration::from_millis(50);
    let deadline = Instant::now().checked_add(limit);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(call()));
    while !cancel.is_cancelled() {
        let rest = deadline.map_or(TICK, |deadline| {
            deadline.saturating_duration_since(Instant::now())
        });
        if rest.is_zero() {
            break;
        }
        match receiver.recv_timeout(rest.min(TICK)) {
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            result => return result.unwrap_or_else(|_| Err(CallError::stopped())),
        }
    }
    Err(CallError::stopped())
}

#[cfg(test)]
mod tests {
    use super::last_words;

    #[test]
    fn the_last_line_is_kept() {
        let [long, line] = ["x".repeat(250), "the connection was refused".to_owned()];
        for (output, words) in [
            (format!("a\nb\n1\nc\n{line}\n"), format!("b / c / {line}")),
            (
                format!("{long}\n{long}\n{line}\n"),
                format!("{long} / {line}"),
            ),
            (format!("{long}\n{long}\n"), long.clone()),
            ("y".repeat(400), "y".repeat(300) + "…"),
            (String::new(), String::new()),
        ] {
            assert_eq!(last_words(output.as_bytes()), words);
        }
    }
}
