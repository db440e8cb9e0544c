//! A wait as text: saved by one process, resumed by another.

use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde::Serialize;
use serde_json::Value as Json;

use super::{Phase, Wait, restored};
use crate::ending::{AttemptRecord, Ending};
use crate::error::StateError;
use crate::options::Settings;
use crate::value::read_json;
use crate::waiter::Waiter;

/// The version of the format; a later one is refused, not guessed at.
const VERSION: u32 = 1;

/// The longest text that is looked at: a wait with its history is a few kilobytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// What is saved. The checksum is against damage, not against intent.
#[derive(Serialize)]
struct Saved {
    version: u32,
    fingerprint: String,
    checksum: String,
    state: Body,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Body {
    pub(super) settings: Settings,
    pub(super) attempts: u64,
    pub(super) elapsed_ms: u64,
    pub(super) phase: SavedPhase,
    pub(super) history: Vec<AttemptRecord>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(super) enum SavedPhase {
    Done {
        ending: Ending,
    },
    #[serde(rename_all = "camelCase")]
    Pause {
        until_ms: u64,
        last: bool,
    },
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
        let saved = Saved {
            version: VERSION,
            fingerprint: self.waiter.fingerprint(),
            checksum: checksum(&body),
            state: body,
        };
        // INVARIANT: strings, numbers and lists of them always serialise.
        serde_json::to_string(&saved).unwrap_or_default()
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
    pub fn resume(&self, json: &str, elapsed: u64) -> Result<Wait, StateError> {
        let body = unsealed(self, json)?;
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

fn unsealed(waiter: &Waiter, json: &str) -> Result<Body, StateError> {
    if json.len() > MAX_BYTES {
        return Err(StateError::Damaged);
    }
    let saved = read_json(json).map_err(|_| StateError::Damaged)?;
    let version = saved.get("version").and_then(Json::as_u64);
    match version.and_then(|version| u32::try_from(version).ok()) {
        Some(VERSION) => {}
        Some(version) if version > VERSION => return Err(StateError::NewerVersion { version }),
        _ => return Err(StateError::Damaged),
    }
    let names = ["version", "fingerprint", "checksum", "state"];
    let [_, fingerprint, sum, state] =
        restored::members(&saved, names).ok_or(StateError::Damaged)?;
    let body = restored::body(state).ok_or(StateError::Damaged)?;
    if *sum != checksum(&body) {
        return Err(StateError::Damaged);
    }
    if *fingerprint != waiter.fingerprint() {
        return Err(StateError::OtherDefinition);
    }
    Ok(body)
}

/// Of the content: a text that was only formatted anew is not damaged.
fn checksum(body: &Body) -> String {
    let mut hasher = FnvHasher::default();
    hasher.write(serde_json::to_string(body).unwrap_or_default().as_bytes());
    format!("{:016x}", hasher.finish())
}
