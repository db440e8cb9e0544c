//! Saved waits: data that one process saves and another resumes, in any language.

use std::collections::VecDeque;
use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

use super::report::{AttemptResult, FailureKind, WaitReport};
use super::{Call, Pause, Phase, Wait};
use crate::error::StateError;
use crate::options::{ResolvedOptions, is_default};
use crate::waiter::Waiter;

/// The version of the format. Later versions are rejected.
const VERSION: u64 = 1;

/// The maximum length of a text to read. A typical snapshot has about 300 bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// The saved state of a wait, without its history.
///
/// The seed and the number of attempts determine the delays, so the resumed wait continues with the same delays. The
/// text of [`to_json`](Self::to_json) is the same in every language.
///
/// # Example: resuming a wait after half a minute
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Snapshot, Step, WaitOptions, Waiter};
///
/// let waiter = Waiter::from_json(r#"{"acceptors": [{"state": "success", "matcher": {"output": {
///     "path": "status", "comparator": "stringEquals", "expected": "ready"}}}]}"#)?;
/// let mut wait = waiter.start(&WaitOptions::new(Duration::from_secs(60)).seed(7), 0)?;
/// wait.poll(0);
/// wait.handle(Event::response(&json!({"status": "pending"})), 30)?;
/// let started_at_ms = 1_700_000_000_000;
/// let text = wait.snapshot(Some(started_at_ms))?.to_json();
///
/// let snapshot = Snapshot::from_json(&text)?;
/// let now_ms = snapshot.elapsed_ms(Some(started_at_ms + 30_000));
/// let mut resumed = waiter.resume(snapshot, now_ms)?;
/// assert_eq!(resumed.poll(now_ms), Step::Call { attempt: 2, deadline_ms: Some(60_000) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot(Body);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    version: u64,
    fingerprint: String,
    options: ResolvedOptions,
    attempts: u64,
    elapsed_ms: u64,
    /// The start of the first call since the latest response of the service, if a call since then got none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unanswered_ms: Option<u64>,
    /// The longest duration of a call to which the service responded.
    #[serde(default, skip_serializing_if = "is_default")]
    slowest_ms: u64,
    /// The start of the latest attempt whose result was evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_ms: Option<u64>,
    /// The wall-clock time of the start, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_at_ms: Option<u64>,
    pending: Pending,
    /// The checksum of all other members. It detects damage but not manipulation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    checksum: String,
}

/// The next step of the saved wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub(crate) enum Pending {
    Call {
        started_ms: u64,
        last: bool,
    },
    /// The parts of the report that cannot be derived from the waiter and the other members.
    Done {
        code: Option<FailureKind>,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        noticed_within_ms: Option<u64>,
        acceptor: Option<usize>,
        last_result: Option<AttemptResult>,
    },
    Sleep {
        until_ms: u64,
        last: bool,
    },
}

/// Only the version, so that a later format is rejected as such and not as damaged.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

impl Snapshot {
    fn sign(mut body: Body) -> Self {
        body.checksum = body.expected_checksum();
        Self(body)
    }

    /// Returns the snapshot as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Parses the text of [`to_json`](Self::to_json). The formatting of the JSON may have changed.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for a text that is not a snapshot or was changed, and
    /// [`StateError::NewerVersion`] for a snapshot of a later release.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        if text.len() > MAX_BYTES {
            return Err(StateError::Damaged);
        }
        let damaged = |_| StateError::Damaged;
        let Version { version } = serde_json::from_str(text).map_err(damaged)?;
        if version > VERSION {
            return Err(StateError::NewerVersion { version });
        }
        let body: Body = serde_json::from_str(text).map_err(damaged)?;
        if body.version != VERSION || body.checksum != body.expected_checksum() {
            return Err(StateError::Damaged);
        }
        Ok(Self(body))
    }

    /// Returns the time to resume at, in milliseconds since the wait started. It includes the time since the snapshot
    /// if both the wall-clock time of the start and the current wall-clock time, in milliseconds since 1970, are
    /// available.
    #[must_use]
    pub fn elapsed_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        let away = wall_clock_ms.zip(self.0.started_at_ms);
        let elapsed = away.map_or(0, |(now, started)| now.saturating_sub(started));
        elapsed.max(self.0.elapsed_ms)
    }

    /// Returns the wall-clock time of the wait's start in milliseconds since 1970, if the snapshot contains it.
    #[must_use]
    pub const fn started_at_ms(&self) -> Option<u64> {
        self.0.started_at_ms
    }
}

impl Body {
    fn to_json(&self) -> String {
        // Serializing strings, numbers and booleans never fails.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn expected_checksum(&self) -> String {
        let unsigned = Self {
            checksum: String::new(),
            ..self.clone()
        };
        let mut hasher = FnvHasher::default();
        hasher.write(unsigned.to_json().as_bytes());
        format!("{:016x}", hasher.finish())
    }
}

impl Wait {
    /// Returns the state of the wait, to resume it in this process or another one. It contains no history and no
    /// values. A call in flight is repeated after resuming.
    ///
    /// `started_at_ms` is the wall-clock time of the start in milliseconds since 1970. With it, a resumed wait includes
    /// the time in between.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Predicate`] if the host evaluates a predicate.
    pub fn snapshot(&self, started_at_ms: Option<u64>) -> Result<Snapshot, StateError> {
        if self.waiter.is_predicate() {
            return Err(StateError::Predicate);
        }
        let pending = match &self.phase {
            Phase::Done(report) => Pending::Done {
                code: report.kind,
                message: report.message.clone(),
                noticed_within_ms: report.noticed_within_ms,
                acceptor: report.acceptor,
                last_result: report.last_result,
            },
            Phase::InFlight(Call { started, last }) => Pending::Call {
                started_ms: *started,
                last: *last,
            },
            Phase::Pause(Pause {
                until,
                last,
                started: false,
            }) => Pending::Sleep {
                until_ms: *until,
                last: *last,
            },
            Phase::Pause(Pause { until, last, .. }) => Pending::Call {
                started_ms: *until,
                last: *last,
            },
        };
        Ok(Snapshot::sign(Body {
            version: VERSION,
            fingerprint: self.waiter.fingerprint(),
            options: self.settings.clone(),
            attempts: self.attempts,
            elapsed_ms: self.now,
            unanswered_ms: self.outage_start,
            slowest_ms: self.max_latency,
            seen_ms: self.observation_start,
            started_at_ms,
            pending,
            checksum: String::new(),
        }))
    }

    /// Creates the wait of a snapshot whose fingerprint matches the waiter.
    fn from_snapshot(waiter: Waiter, snapshot: Snapshot, now: u64) -> Self {
        let Body {
            options: settings,
            attempts,
            elapsed_ms: elapsed,
            unanswered_ms,
            slowest_ms,
            seen_ms,
            pending,
            ..
        } = snapshot.0;
        let phase = match pending {
            Pending::Done {
                code,
                message,
                noticed_within_ms,
                acceptor,
                last_result,
            } => {
                let found = acceptor.and_then(|index| waiter.acceptor(index));
                let report = WaitReport {
                    waiter: waiter.name().map(ToOwned::to_owned),
                    label: settings.label.clone(),
                    kind: code,
                    message,
                    acceptor,
                    acceptor_text: found.map(|acceptor| acceptor.text().to_owned()),
                    attempts,
                    elapsed_ms: elapsed,
                    noticed_within_ms,
                    last_result,
                    history: Vec::new(),
                };
                Phase::Done(Arc::new(report))
            }
            Pending::Sleep { until_ms, last } => Phase::Pause(Pause {
                until: until_ms,
                last,
                started: false,
            }),
            Pending::Call { started_ms, last } => Phase::Pause(Pause {
                until: started_ms,
                last,
                started: true,
            }),
        };
        // No time passes after the end of a wait.
        let now = match phase {
            Phase::Done(_) => elapsed,
            _ => elapsed.max(now),
        };
        Self {
            waiter,
            settings,
            attempts,
            now,
            // The service had no chance to respond while no process polled it.
            outage_start: unanswered_ms
                .map(|since| since.saturating_add(now.saturating_sub(elapsed))),
            max_latency: slowest_ms,
            observation_start: seen_ms,
            phase,
            history: VecDeque::new(),
        }
    }
}

impl Waiter {
    /// Resumes a wait at `now_ms` milliseconds since its start (see [`Snapshot::elapsed_ms`]), with the same delays and
    /// the same number of attempts as without the interruption.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::OtherDefinition`] if the snapshot belongs to another definition, and
    /// [`StateError::Damaged`] if its options are invalid.
    pub fn resume(&self, snapshot: Snapshot, now_ms: u64) -> Result<Wait, StateError> {
        if snapshot.0.fingerprint != self.fingerprint() {
            return Err(StateError::OtherDefinition);
        }
        let options = &snapshot.0.options;
        let waiter = self.for_wait(&options.redact, &options.show);
        let waiter = waiter.map_err(|_| StateError::Damaged)?;
        Ok(Wait::from_snapshot(waiter, snapshot, now_ms))
    }
}
