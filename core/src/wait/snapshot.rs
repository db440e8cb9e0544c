//! Saved waits: data that one process saves and another resumes, in any language.

mod version_1;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::hash::Hasher;
use std::sync::Arc;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::condition::Seen;
use super::json::{partition, without_fractions};
use super::report::{AttemptRecord, AttemptResult, FailureKind, WaitReport};
use super::stored::Stored;
use super::{Call, Pause, Phase, Wait};
use crate::error::{Spelling, StateError};
use crate::millis::TEN_YEARS_MS;
use crate::options::{ResolvedOptions, is_default};
use crate::text::quote;
use crate::value::display_number;
use crate::waiter::Waiter;

/// The version of the format. It rises only if an earlier release would decide wrongly: unknown members are ignored.
const VERSION: u64 = 2;

/// The maximum length of a text to read: the default limit of a stored wait, and room for its input.
const MAX_BYTES: usize = 16 << 20;

/// The saved state of a wait: about 300 bytes, or with its history if it is a [stored](crate::StoredOptions) wait.
///
/// The seed and the number of attempts determine the delays, so the resumed wait continues with the same delays. The
/// text of [`to_json`](Self::to_json) is the same in every language. See docs/rules.md#saved-waits.
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
/// let started_at_ms = 1_700_000_000_000;
/// let options = WaitOptions::new(Duration::from_secs(60)).seed(7);
/// let mut wait = waiter.start(&options, 0)?.started_at(started_at_ms);
/// wait.poll(0);
/// wait.handle(Event::response(&json!({"status": "pending"})), 30)?;
/// let text = wait.snapshot()?.to_json();
///
/// let snapshot = Snapshot::from_json(&text)?;
/// let now_ms = snapshot.elapsed_ms(Some(started_at_ms + 30_000));
/// let mut resumed = waiter.resume(snapshot, now_ms)?;
/// assert_eq!(resumed.poll(now_ms), Step::Call { attempt: 2, deadline_ms: Some(60_000) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot(Body);

/// Members at their defaults are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    version: u64,
    fingerprint: String,
    options: ResolvedOptions,
    #[serde(default, skip_serializing_if = "is_default")]
    elapsed_ms: u64,
    /// The wall-clock time of the start, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_at_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stored: Option<Stored>,
    /// Waits that share everything above. A list, so that the format can hold several.
    waits: [SavedWait; 1],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SavedWait {
    #[serde(default, skip_serializing_if = "is_default")]
    attempts: u64,
    /// The start of the first call since the latest response of the service, if a call since then got none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unanswered_ms: Option<u64>,
    /// The longest duration of a call to which the service responded.
    #[serde(default, skip_serializing_if = "is_default")]
    slowest_ms: u64,
    /// The start of the latest attempt whose result was evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_ms: Option<u64>,
    /// `true` if the latest attempt ended with an error that is transient only once in a row.
    #[serde(default, skip_serializing_if = "is_default")]
    repetition: bool,
    /// `true` if the service has returned a response.
    #[serde(default, skip_serializing_if = "is_default")]
    found: bool,
    /// The start of the first call since the latest response that did not find the resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing_ms: Option<u64>,
    /// What the responses showed of the options' conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conditions: Option<Box<Seen>>,
    pending: Pending,
    /// The latest attempts of a stored wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    history: Vec<AttemptRecord>,
    /// The latest attempt of a stored wait as one line, for readers that don't have the waiter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
}

/// The next step of the saved wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
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

impl Snapshot {
    /// Returns the snapshot as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serializing strings, numbers and booleans never fails. The text is parsed again because a second serializer for
        // all types would make the wasm larger.
        let mut text = serde_json::to_string(&self.0).unwrap_or_default();
        let checksum = hash_of(&serde_json::from_str(&text).unwrap_or_default());
        // The checksum comes last, and the text is an object.
        text.truncate(text.len().saturating_sub(1));
        let _ = write!(text, r#","{CHECKSUM}":"{checksum}"}}"#);
        text
    }

    /// Parses the text of [`to_json`](Self::to_json). White space and the order of the members may have changed, and a
    /// later release may have added members.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for a text that is not a snapshot or was changed, and
    /// [`StateError::NewerVersion`] for a snapshot that this release would resume wrongly.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        // The text may come from outside: limit the memory before it is parsed.
        if text.len() > MAX_BYTES {
            return Err(StateError::Damaged);
        }
        let damaged = |_| StateError::Damaged;
        let mut json: Json = serde_json::from_str(text).map_err(damaged)?;
        let json = match json.get("version").and_then(Json::as_u64) {
            Some(1) => version_1::upgrade(json).ok_or(StateError::Damaged)?,
            Some(VERSION) => {
                let stated = json.as_object_mut().and_then(|body| body.remove(CHECKSUM));
                if stated != Some(hash_of(&json).into()) {
                    return Err(StateError::Damaged);
                }
                // A store such as PostgreSQL's `jsonb` may return `1` as `1.0`, which is not an integer for serde.
                without_fractions(&mut json);
                json
            }
            // No release has written version 0.
            None | Some(0) => return Err(StateError::Damaged),
            Some(version) => return Err(StateError::NewerVersion { version }),
        };
        // As text, because a second deserializer for all types would make the wasm larger.
        serde_json::from_str(&json.to_string())
            .map(Self)
            .map_err(damaged)
    }

    /// Returns the time to resume at, in milliseconds since the wait started. It includes the time since the snapshot
    /// if both the wall-clock time of the start and the current wall-clock time, in milliseconds since 1970, are
    /// available.
    #[must_use]
    pub fn elapsed_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        let away = wall_clock_ms.zip(self.0.started_at_ms);
        let elapsed = away.map_or(0, |(now, started)| now.saturating_sub(started));
        // The clock of another computer may be behind.
        elapsed.max(self.0.elapsed_ms)
    }

    /// Returns the time to resume at as [`elapsed_ms`](Self::elapsed_ms), but not before the attempt that is due: an
    /// engine that schedules the attempt may run it on a computer whose clock is behind.
    #[must_use]
    pub fn due_elapsed_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        self.elapsed_ms(wall_clock_ms).max(self.due_ms())
    }

    /// Returns the wall-clock time of the wait's start in milliseconds since 1970, if the snapshot contains it.
    #[must_use]
    pub const fn started_at_ms(&self) -> Option<u64> {
        self.0.started_at_ms
    }

    /// Returns the number of attempts that were started.
    #[must_use]
    pub const fn attempts(&self) -> u64 {
        let [wait] = &self.0.waits;
        wait.attempts
    }

    /// Returns the wall-clock time of the next attempt in milliseconds since 1970, if the snapshot contains the start.
    #[must_use]
    pub fn due_at_ms(&self) -> Option<u64> {
        let started_at = self.0.started_at_ms?;
        Some(started_at.saturating_add(self.due_ms()))
    }

    /// Returns the wall-clock time of the deadline in milliseconds since 1970, if the snapshot contains the start. A
    /// wait that only limits its attempts ends after ten years.
    #[must_use]
    pub fn ends_at_ms(&self) -> Option<u64> {
        let started_at = self.0.started_at_ms?;
        Some(started_at.saturating_add(self.0.options.max_wait.min(TEN_YEARS_MS)))
    }

    /// Returns the fingerprint of a stored wait's start, which all its snapshots have in common.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.0.stored.as_ref().map(|stored| &*stored.start)
    }

    /// Returns the operation's input of a stored wait.
    #[must_use]
    pub fn input(&self) -> Option<&Json> {
        self.0.stored.as_ref().map(|stored| &stored.input)
    }

    /// Returns the latest attempt of a stored wait as [`Wait::progress_json`] does; `None` before the first one has ended.
    #[must_use]
    pub fn progress_json(&self) -> Option<String> {
        let [wait] = &self.0.waits;
        let (latest, summary) = (wait.history.last()?, wait.summary.as_deref()?);
        Some(progress_json(
            latest,
            summary,
            self.0.options.label.as_deref(),
        ))
    }

    /// Returns the time of the next attempt in milliseconds since the start.
    const fn due_ms(&self) -> u64 {
        let [wait] = &self.0.waits;
        match wait.pending {
            Pending::Sleep { until_ms, .. } => until_ms,
            // The result of the call was lost, so that the attempt is due at once.
            Pending::Call { started_ms, .. } => started_ms,
            Pending::Done { .. } => self.0.elapsed_ms,
        }
    }
}

/// Returns the members of an attempt as JSON text, followed by `summary` and `label`.
fn progress_json(attempt: &AttemptRecord, summary: &str, label: Option<&str>) -> String {
    // Serializing strings and numbers never fails, and the text is an object.
    let mut text = serde_json::to_string(attempt).unwrap_or_default();
    text.truncate(text.len().saturating_sub(1));
    let label = label.map_or_else(|| "null".to_owned(), quote);
    let _ = write!(text, r#","summary":{},"label":{label}}}"#, quote(summary));
    text
}

/// The member that contains the checksum of all others. It detects damage but not manipulation.
const CHECKSUM: &str = "checksum";

/// Returns a hash that does not depend on white space, on the order of members, or on how numbers are written: a store
/// such as PostgreSQL's `jsonb` changes them.
pub(super) fn hash_of(json: &Json) -> String {
    let mut hasher = FnvHasher::default();
    hash(json, &mut hasher);
    format!("{:016x}", hasher.finish())
}

fn hash(json: &Json, hasher: &mut FnvHasher) {
    match json {
        Json::Null => hasher.write(b"null"),
        Json::Bool(value) => hasher.write(if *value { b"true" } else { b"false" }),
        Json::Number(number) => {
            // As a double, because JavaScript's parser reads each number as one.
            let number = number.as_f64().unwrap_or_default();
            hasher.write(display_number(number).as_bytes());
        }
        Json::String(text) => hash_text(text, hasher),
        Json::Array(items) => {
            hasher.write(b"[");
            for item in items {
                hash(item, hasher);
                hasher.write(b",");
            }
        }
        Json::Object(members) => {
            hasher.write(b"{");
            // Sorted here, because the order of a `serde_json` map depends on a feature that another crate can
            // enable.
            let sorted: BTreeMap<_, _> = members.iter().collect();
            for (name, member) in sorted {
                hash_text(name, hasher);
                hash(member, hasher);
            }
        }
    }
}

/// Hashes a text with its length, so that two texts in a row cannot equal two others.
fn hash_text(text: &str, hasher: &mut FnvHasher) {
    hasher.write(format!("\"{}:", text.len()).as_bytes());
    hasher.write(text.as_bytes());
}

impl Wait {
    /// Returns the latest attempt that ended as JSON text: the members of its [`AttemptRecord`], then `summary` and
    /// `label`; `None` before the first one has ended.
    #[must_use]
    pub fn progress_json(&self) -> Option<String> {
        let (latest, summary) = (self.latest()?, self.summary()?);
        Some(progress_json(&latest, &summary, self.label()))
    }

    /// Returns the state of the wait, to resume it in this process or another one. Unless the wait is
    /// [stored](crate::StoredOptions), it contains no history and no values. A call in flight is repeated after resuming.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Predicate`] if the host evaluates a predicate.
    pub fn snapshot(&self) -> Result<Snapshot, StateError> {
        // A function cannot be saved, and another one could not be told from it. Rule: docs/rules.md#saved-waits
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
                // Absolute times, so that the pause continues and does not start again after the wait is resumed.
            }) => Pending::Sleep {
                until_ms: *until,
                last: *last,
            },
            Phase::Pause(Pause { until, last, .. }) => Pending::Call {
                started_ms: *until,
                last: *last,
            },
        };
        let stored = self.stored.as_deref();
        let body = Body {
            version: VERSION,
            fingerprint: self.waiter.fingerprint(),
            options: self.settings.clone(),
            elapsed_ms: self.now,
            started_at_ms: self.started_at,
            stored: stored.cloned(),
            waits: [SavedWait {
                attempts: self.attempts,
                unanswered_ms: self.outage_start,
                slowest_ms: self.max_latency,
                seen_ms: self.observation_start,
                repetition: self.is_repetition,
                // Only this option reads them.
                found: self.is_found && self.settings.not_found_for.is_some(),
                missing_ms: self.missing_since,
                conditions: self.seen.clone(),
                pending,
                // Other saved waits have no history: attempts can contain secrets. Rule: docs/rules.md#saved-waits
                history: stored.map_or_else(Vec::new, |_| self.records()),
                summary: stored.and_then(|_| self.summary()),
            }],
        };
        let snapshot = Snapshot(body);
        Ok(match stored {
            Some(stored) => snapshot.within(stored.report_limit),
            None => snapshot,
        })
    }

    /// Creates the wait of a snapshot whose fingerprint matches the waiter.
    fn from_snapshot(waiter: Waiter, snapshot: Snapshot, now: u64) -> Self {
        let Body {
            options: settings,
            elapsed_ms: elapsed,
            started_at_ms,
            stored,
            waits: [saved],
            ..
        } = snapshot.0;
        let phase = match saved.pending {
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
                    attempts: saved.attempts,
                    elapsed_ms: elapsed,
                    noticed_within_ms,
                    last_result,
                    history: saved.history.clone(),
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
            // The clock of the resuming computer may be behind.
            _ => elapsed.max(now),
        };
        // The first process reported them.
        let hinted = (!settings.hides_hints && saved.attempts == 0).then(Vec::new);
        Self {
            waiter,
            settings,
            attempts: saved.attempts,
            now,
            // The service had no chance to respond while no process polled it.
            outage_start: saved
                .unanswered_ms
                .map(|since| since.saturating_add(now.saturating_sub(elapsed))),
            max_latency: saved.slowest_ms,
            observation_start: saved.seen_ms,
            is_repetition: saved.repetition,
            is_found: saved.found,
            missing_since: saved.missing_ms,
            seen: saved.conditions,
            phase,
            started_at: started_at_ms,
            stored: stored.map(Arc::new),
            restored: saved.history.into(),
            history: VecDeque::new(),
            hinted,
            has_slot: false,
            is_throttled: false,
            logged_at: None,
            spelling: Spelling::default(),
        }
    }
}

impl Snapshot {
    /// Omits the oldest attempts of a text that is longer than the limit.
    fn within(self, limit: usize) -> Self {
        // The usual case. The search below serializes the state several times.
        if self.to_json().len() <= limit {
            return self;
        }
        let [wait] = &self.0.waits;
        let with_newest = |count: usize| {
            let mut body = self.0.clone();
            let [wait] = &mut body.waits;
            wait.history
                .drain(..wait.history.len().saturating_sub(count));
            Self(body)
        };
        let kept = partition(wait.history.len(), |count| {
            with_newest(count).to_json().len() <= limit
        });
        // Progress needs the latest attempt, which is small.
        with_newest(kept.max(1))
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
        let fingerprint = self.fingerprint();
        if snapshot.0.fingerprint != fingerprint {
            // The error has numbers and not the text of the state, which may come from outside.
            let number = |digits: &str| u64::from_str_radix(digits, 16);
            let saved = number(&snapshot.0.fingerprint).map_err(|_| StateError::Damaged)?;
            let waiter = number(&fingerprint).map_err(|_| StateError::Damaged)?;
            return Err(StateError::OtherDefinition { saved, waiter });
        }
        let options = &snapshot.0.options;
        let waiter = self.for_wait(options);
        // The paths were valid when the wait started, and the fingerprint is that of the same definition.
        let waiter = waiter.map_err(|_| StateError::Damaged)?;
        Ok(Wait::from_snapshot(waiter, snapshot, now_ms))
    }
}
