//! A wait as text: saved by one process, resumed by another.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde_json::Value;

use super::{Phase, Wait, restored};
use crate::ending::{AttemptRecord, Ending};
use crate::error::StateError;
use crate::json::{self, Json};
use crate::options::Settings;
use crate::value::read_json;
use crate::waiter::Waiter;

/// The version of the format; a later one is refused, not guessed at.
const VERSION: u64 = 1;

/// The longest text that is looked at: a wait with its history is a few kilobytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What a wait goes on with.
pub(super) struct Body {
    pub(super) settings: Settings,
    pub(super) attempts: u64,
    pub(super) elapsed_ms: u64,
    pub(super) phase: SavedPhase,
    pub(super) history: Vec<AttemptRecord>,
}

pub(super) enum SavedPhase {
    Done { ending: Ending },
    Pause { until_ms: u64, last: bool },
}

impl Wait {
    /// The wait as versioned JSON text.
    ///
    /// It holds no response and no error: of these only the reasons in the history remain. A wait that is saved while a
    /// call is in flight hands out the same attempt again when it is resumed.
    #[must_use]
    pub fn to_json(&self) -> String {
        let phase = match &self.phase {
            Phase::Done(ending) => SavedPhase::Done {
                ending: Ending::clone(ending),
            },
            Phase::InFlight { started, last } => SavedPhase::Pause {
                until_ms: *started,
                last: *last,
            },
            Phase::Pause { until, last } => SavedPhase::Pause {
                until_ms: *until,
                last: *last,
            },
        };
        let in_flight = matches!(self.phase, Phase::InFlight { .. });
        let body = Body {
            settings: self.settings.clone(),
            attempts: self.attempts.saturating_sub(u64::from(in_flight)),
            elapsed_ms: self.elapsed,
            phase,
            history: self.history.iter().cloned().collect(),
        };
        let state = body.to_json();
        json::object(&[
            ("version", VERSION.into()),
            ("fingerprint", (&*self.waiter.fingerprint()).into()),
            ("checksum", (&*checksum(&state)).into()),
            ("state", Json::Text(state)),
        ])
    }
}

impl Waiter {
    /// Goes on with a wait that was saved: the same delays, attempts and history as if it had never stopped.
    ///
    /// `elapsed` is the milliseconds since the wait began, the time away included.
    ///
    /// # Errors
    ///
    /// [`StateError::Damaged`] for a text that is cut short or changed, [`StateError::OtherDefinition`] for one of
    /// another waiter, [`StateError::NewerVersion`] for one of a later release.
    pub fn resume(&self, saved: &str, elapsed: u64) -> Result<Wait, StateError> {
        let body = unsealed(self, saved)?;
        let phase = match body.phase {
            SavedPhase::Done { ending } => Phase::Done(Arc::new(ending)),
            SavedPhase::Pause { until_ms, last } => Phase::Pause {
                until: until_ms,
                last,
            },
        };
        Ok(Wait {
            waiter: self.clone(),
            settings: body.settings,
            attempts: body.attempts,
            elapsed: body.elapsed_ms.max(elapsed),
            phase,
            history: body.history.into(),
        })
    }
}

fn unsealed(waiter: &Waiter, text: &str) -> Result<Body, StateError> {
    if text.len() > MAX_BYTES {
        return Err(StateError::Damaged);
    }
    let saved = read_json(text).map_err(|_| StateError::Damaged)?;
    let version = saved.get("version").and_then(Value::as_u64);
    match version {
        Some(VERSION) => {}
        Some(version) if version > VERSION => return Err(StateError::NewerVersion { version }),
        _ => return Err(StateError::Damaged),
    }
    let names = ["version", "fingerprint", "checksum", "state"];
    let [_, fingerprint, sum, state] =
        restored::members(&saved, names).ok_or(StateError::Damaged)?;
    let body = restored::body(state).ok_or(StateError::Damaged)?;
    if *sum != checksum(&body.to_json()) {
        return Err(StateError::Damaged);
    }
    if *fingerprint != waiter.fingerprint() {
        return Err(StateError::OtherDefinition);
    }
    Ok(body)
}

/// Of the content: a text that was only formatted anew is not damaged. It is against damage, not against intent.
fn checksum(state: &str) -> String {
    let mut hasher = FnvHasher::default();
    hasher.write(state.as_bytes());
    format!("{:016x}", hasher.finish())
}

impl Body {
    fn to_json(&self) -> String {
        json::object(&[
            ("settings", Json::Text(settings(&self.settings))),
            ("attempts", self.attempts.into()),
            ("elapsedMs", self.elapsed_ms.into()),
            ("phase", Json::Text(phase(&self.phase))),
            (
                "history",
                Json::Text(AttemptRecord::list_to_json(&self.history)),
            ),
        ])
    }
}

fn settings(settings: &Settings) -> String {
    let bounds = [
        ("min", settings.bounds.min().into()),
        ("max", settings.bounds.max().into()),
    ];
    json::object(&[
        ("maxWait", settings.max_wait.into()),
        ("grace", settings.grace.into()),
        ("bounds", Json::Text(json::object(&bounds))),
        ("maxAttempts", settings.max_attempts.into()),
        ("initialDelay", settings.initial_delay.into()),
        ("seed", settings.seed.into()),
        ("historyLimit", settings.history_limit.into()),
        ("lastPoll", settings.last_poll.as_str().into()),
    ])
}

fn phase(phase: &SavedPhase) -> String {
    match phase {
        SavedPhase::Done { ending } => json::object(&[
            ("type", "done".into()),
            ("ending", Json::Text(ending.to_json())),
        ]),
        SavedPhase::Pause { until_ms, last } => json::object(&[
            ("type", "pause".into()),
            ("untilMs", (*until_ms).into()),
            ("last", (*last).into()),
        ]),
    }
}
