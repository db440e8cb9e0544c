//! The events that a display shows.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value as Json, json};
use smithy_waiters::internal::Spelling;
use smithy_waiters::{Hint, Outcome, Progress, WaiterError};

use super::shown_values;
use crate::wait::call::{CallError, Class};
use crate::wait::end::{End, WaitResult};
use crate::wait::plan::Plan;
use crate::wait::time;

/// The most failures in the last line. Each has its own line before.
const MOST_FAILED: usize = 10;

/// Something that people or programs see.
#[derive(Clone, Copy)]
pub(in crate::wait) enum Event<'a> {
    /// The waits begin.
    Start(&'a Plan),
    /// The call of a wait begins.
    Call { label: &'a str, attempt: u64 },
    /// A mistake that an answer shows.
    Hint { label: &'a str, hint: &'a Hint },
    /// A call ended. `is_news` if its reasons differ from those of the call before.
    Attempt {
        label: &'a str,
        progress: &'a Progress<'a>,
        is_news: bool,
    },
    /// The state of waits that share their calls. `next` is the time until the next call, or `None` during one.
    Counts {
        text: &'a str,
        calls: u64,
        next: Option<Duration>,
        is_news: bool,
    },
    /// Nothing was shown for a time.
    Silence { waited: Duration, latest: &'a str },
    /// A wait ended.
    End {
        label: &'a str,
        result: &'a WaitResult,
        end: End,
    },
    /// All waits ended.
    Finish(Totals<'a>),
    /// The waits cannot begin, or an answer does not fit their options.
    Error(&'a anyhow::Error),
}

/// The ends of all waits.
#[derive(Clone, Copy)]
pub(in crate::wait) struct Totals<'a> {
    pub(in crate::wait) succeeded: usize,
    /// The labels of the waits that failed.
    pub(in crate::wait) failed: &'a [&'a str],
    pub(in crate::wait) waits: usize,
    pub(in crate::wait) exit: u8,
}

impl Event<'_> {
    /// Returns `true` if the event tells why the exit code isn't 0. The option `--quiet` shows only these.
    pub(super) const fn is_failure(&self) -> bool {
        match self {
            Self::End { result, .. } => result.is_err(),
            Self::Finish(totals) => totals.exit != 0,
            Self::Error(_) => true,
            _ => false,
        }
    }

    /// Returns the text for people. The one of a failure has several lines, the last with its exit code.
    pub(super) fn text(&self) -> String {
        match *self {
            Self::Start(plan) => plan.headline.clone(),
            Self::Call { label, attempt } => format!("{label}: call {attempt}"),
            // The text begins with the label.
            Self::Hint { hint, .. } => format!("hint: {}", message(hint)),
            Self::Attempt { progress, .. } => progress.summary(),
            Self::Counts { text, .. } => text.to_owned(),
            Self::Silence { waited, latest } => {
                format!("still waiting after {}; {latest}", time::display(waited))
            }
            Self::End { label, result, end } => match result {
                Ok(outcome) => format!("{label}: {}", success(outcome)),
                Err(error) => format!("{}\n{}", explanation(error), failure(label, end)),
            },
            Self::Finish(Totals {
                succeeded,
                failed,
                waits,
                exit,
            }) => {
                let text = format!("{succeeded} of {waits} succeeded{}", listed(failed));
                match exit {
                    0 => text,
                    exit => format!("{text} (exit {exit})"),
                }
            }
            Self::Error(error) => format!("error: {error:#}"),
        }
    }

    /// Returns the JSON of `--format json`, or `None` for an event that only people see. `events.schema.json` describes
    /// it.
    pub(super) fn json(&self) -> Option<Json> {
        let (name, members) = match *self {
            Self::Start(plan) => {
                let labels = plan.targets.iter().map(|target| &target.label);
                let limit = (plan.limit < time::TEN_YEARS).then(|| millis(plan.limit));
                let labels: Vec<_> = labels.collect();
                ("start", json!({"labels": labels, "limitMs": limit}))
            }
            Self::Call { .. } | Self::Counts { .. } => return None,
            Self::Hint { label, hint } => (
                "hint",
                json!({"label": label, "code": hint.code().as_str()}),
            ),
            Self::Attempt {
                label, progress, ..
            } => {
                let remaining = millis(progress.remaining);
                let record = serde_json::to_value(progress.attempt).ok()?;
                let members = json!({"label": label, "remainingMs": remaining, "record": record});
                ("attempt", members)
            }
            Self::Silence { waited, .. } => ("silence", json!({"elapsedMs": millis(waited)})),
            Self::End { label, result, end } => {
                // The response and the error may contain secrets, and `--query` prints what is asked for.
                let report = match result {
                    Ok(outcome) => Some(&outcome.report),
                    Err(error) => error.failure().map(|failure| &failure.report),
                };
                let report = serde_json::to_value(report).ok()?;
                let (code, exit) = (end.code, end.exit);
                let members = json!({"label": label, "code": code, "exit": exit, "report": report});
                ("end", members)
            }
            Self::Finish(Totals {
                succeeded,
                failed,
                waits,
                exit,
            }) => {
                let members =
                    json!({"succeeded": succeeded, "failed": failed, "waits": waits, "exit": exit});
                ("finish", members)
            }
            Self::Error(_) => ("error", json!({"exit": 2})),
        };
        let mut event = Map::new();
        event.insert("event".to_owned(), name.into());
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        event.insert("time".to_owned(), now.to_string().into());
        event.insert("message".to_owned(), self.text().into());
        if let Json::Object(members) = members {
            event.extend(members);
        }
        Some(event.into())
    }
}

/// Returns the text of a hint, with the options of the command.
pub(super) fn message(hint: &Hint) -> String {
    hint.message(|name| Spelling::Command.name(name))
}

/// Returns the explanation of the engine.
pub(super) fn explanation(error: &WaiterError<Json, CallError>) -> String {
    match error {
        WaiterError::Failure(_) => error.explain(),
        _ => format!("error: {error}"),
    }
}

/// Returns the last line of a failure.
pub(super) fn failure(label: &str, end: End) -> String {
    format!("{label}: {} (exit {})", end.words(), end.exit)
}

/// Returns the value that was reached, the time and the number of calls.
fn success(outcome: &Outcome<Json, CallError>) -> String {
    let report = &outcome.report;
    let last = report.history.last();
    let values = last.map_or(&[][..], |attempt| &attempt.values);
    let values: Vec<String> = shown_values(values)
        .map(|value| match value {
            text if text.is_empty() => "an empty text".to_owned(),
            text => text,
        })
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

/// Returns the labels of the waits that failed, for the end of a line.
fn listed(failed: &[&str]) -> String {
    if failed.is_empty() {
        return String::new();
    }
    let labels = failed.iter().take(MOST_FAILED).copied();
    let mut labels = labels.collect::<Vec<_>>().join(", ");
    if let Some(more) = failed
        .len()
        .checked_sub(MOST_FAILED)
        .filter(|more| *more > 0)
    {
        labels.push_str(&format!(" and {more} more"));
    }
    format!("; failed: {labels}")
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
