//! Saved waits: data that one process saves and another resumes, in any language.

mod digest;
mod version_1;

use std::fmt::Write as _;
use std::sync::Arc;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use self::digest::{Digest, checksum_of, digest, digest_of_member, digest_of_text};
use super::condition::Seen;
use super::json::{partition, without_fractions};
use super::report::{AttemptRecord, AttemptResult, FailureKind, WaitReport, success_message};
use super::stored::Stored;
use super::{Call, Pause, Phase, Plan, Wait};
use crate::error::StateError;
use crate::millis::TEN_YEARS_MS;
use crate::options::{ResolvedOptions, is_default};
use crate::text::quote;
use crate::waiter::Waiter;

/// The version of the format. It rises only if an earlier release would decide wrongly: unknown members are ignored.
pub(crate) const VERSION: u64 = 2;

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
pub(crate) struct SavedWait {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) attempts: u64,
    /// The start of the first call since the latest response of the service, if a call since then got none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unanswered_ms: Option<u64>,
    /// The longest duration of a call to which the service responded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) slowest_ms: u64,
    /// The start of the latest attempt whose result was evaluated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seen_ms: Option<u64>,
    /// `true` if the latest attempt ended with an error that is transient only once in a row.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) repetition: bool,
    /// `true` if the service has returned a response.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) found: bool,
    /// The start of the first call since the latest response that did not find the resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) missing_ms: Option<u64>,
    /// What the responses showed of the options' conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) conditions: Option<Box<Seen>>,
    pub(crate) pending: Pending,
    /// The latest attempts of a stored wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) history: Vec<AttemptRecord>,
    /// The latest attempt of a stored wait as one line, for readers that don't have the waiter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
}

/// The next step of the saved wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Pending {
    Call { started_ms: u64, last: bool },
    Done(SavedEnd),
    Sleep { until_ms: u64, last: bool },
}

/// The parts of a report that cannot be derived from the waiter and the other members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavedEnd {
    pub(crate) code: Option<FailureKind>,
    /// Empty for a success in a fleet: it follows from the other members.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) noticed_within_ms: Option<u64>,
    pub(crate) acceptor: Option<usize>,
    pub(crate) last_result: Option<AttemptResult>,
}

impl SavedEnd {
    pub(crate) fn of(report: &WaitReport) -> Self {
        Self {
            code: report.kind,
            message: report.message.clone(),
            noticed_within_ms: report.noticed_within_ms,
            acceptor: report.acceptor,
            last_result: report.last_result,
        }
    }

    /// Returns the end without a message that follows from the other members.
    pub(crate) fn without_message_of_success(self) -> Self {
        match self.code {
            Some(_) => self,
            None => Self {
                message: String::new(),
                ..self
            },
        }
    }

    /// Returns the report of a wait that ended so.
    pub(crate) fn report(
        self,
        plan: &Plan,
        attempts: u64,
        elapsed_ms: u64,
        history: Vec<AttemptRecord>,
    ) -> WaitReport {
        let found = self.acceptor.and_then(|index| plan.waiter.acceptor(index));
        let message = if self.code.is_none() && self.message.is_empty() {
            success_message(&plan.waiter, &plan.settings, attempts, elapsed_ms)
        } else {
            self.message
        };
        WaitReport {
            waiter: plan.waiter.name().map(ToOwned::to_owned),
            label: plan.settings.label.clone(),
            kind: self.code,
            message,
            acceptor: self.acceptor,
            acceptor_text: found.map(|acceptor| acceptor.text().to_owned()),
            attempts,
            elapsed_ms,
            noticed_within_ms: self.noticed_within_ms,
            last_result: self.last_result,
            history,
            redact: plan.waiter.redact().to_vec(),
        }
    }
}

impl Snapshot {
    /// Returns the snapshot as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = seal(&self.0);
        match &self.0.stored {
            Some(stored) if text.len() > stored.report_limit => self.within(stored.report_limit),
            _ => text,
        }
    }

    /// Parses the text of [`to_json`](Self::to_json). White space and the order of the members may have changed, and a
    /// later release may have added members.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for a text that is not a snapshot or was changed, and
    /// [`StateError::NewerVersion`] for a snapshot that this release would resume wrongly.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        unseal(text).map(Self)
    }

    /// Returns the time to resume at, in milliseconds since the wait started. It includes the time since the snapshot
    /// if both the wall-clock time of the start and the current wall-clock time, in milliseconds since 1970, are
    /// available.
    #[must_use]
    pub fn elapsed_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        elapsed_ms(self.0.elapsed_ms, self.0.started_at_ms, wall_clock_ms)
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

    /// Returns the time until the next attempt in milliseconds: at most what it was when the snapshot was made, because
    /// another computer's clock, which may be ahead, has determined the due time. Without the current wall-clock time in
    /// milliseconds since 1970, it is what it was then.
    #[must_use]
    pub fn pause_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        let pause = self.due_ms().saturating_sub(self.0.elapsed_ms);
        let due_and_now = self.due_at_ms().zip(wall_clock_ms);
        due_and_now.map_or(pause, |(due, now)| pause.min(due.saturating_sub(now)))
    }

    /// Returns the time until the next attempt in whole seconds, for an engine that counts in them and asks when an
    /// attempt has just ended. It is rounded up and at least 1; before the last attempt, which must not miss the
    /// deadline, it is rounded down. The wall-clock time counts only before the first attempt: afterwards, the clock of
    /// this computer may be behind that of the one before.
    #[must_use]
    pub fn pause_seconds(&self, wall_clock_ms: Option<u64>) -> u64 {
        let [wait] = &self.0.waits;
        let pause = self.pause_ms(wall_clock_ms.filter(|_| wait.attempts == 0));
        let seconds = match wait.pending {
            Pending::Sleep { last: true, .. } => pause / 1000,
            _ => pause.div_ceil(1000),
        };
        seconds.max(1)
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

/// Returns a saved state as JSON text with its checksum.
pub(crate) fn seal(body: &impl Serialize) -> String {
    // Serializing strings, numbers and booleans never fails. The checksum comes last, and the text is an object.
    let mut text = serde_json::to_string(body).unwrap_or_default();
    let checksum = checksum_of(digest(&text).unwrap_or_default());
    text.truncate(text.len().saturating_sub(1));
    let _ = write!(text, r#","{CHECKSUM}":"{checksum}"}}"#);
    text
}

/// The members of each version of the format.
#[derive(Deserialize)]
struct Header {
    // A store such as PostgreSQL's `jsonb` may return `1` as `1.0`, which is not an integer for serde.
    version: f64,
    // Of any type, because a later version may have another one.
    #[serde(default)]
    checksum: Json,
}

/// Parses the text of [`seal`], and checks its version and its checksum.
pub(crate) fn unseal<B: DeserializeOwned>(text: &str) -> Result<B, StateError> {
    // The text may come from outside: limit the memory before it is parsed.
    if text.len() > MAX_BYTES {
        return Err(StateError::Damaged);
    }
    let damaged = |_| StateError::Damaged;
    let Header { version, checksum } = serde_json::from_str(text).map_err(damaged)?;
    // No release has written version 0. The cast saturates.
    match version as u64 {
        0 => return Err(StateError::Damaged),
        1 => {
            let json = serde_json::from_str(text).map_err(damaged)?;
            let upgraded = version_1::upgrade(json).ok_or(StateError::Damaged)?;
            return serde_json::from_str(&upgraded.to_string()).map_err(damaged);
        }
        VERSION => {}
        version => return Err(StateError::NewerVersion { version }),
    }
    let checksum = checksum.as_str().ok_or(StateError::Damaged)?;
    let of_checksum = digest_of_member(digest_of_text(CHECKSUM), digest_of_text(checksum));
    let of_body = digest(text).map_err(damaged)?.wrapping_sub(of_checksum);
    if checksum != checksum_of(of_body) {
        return Err(StateError::Damaged);
    }
    serde_json::from_str(text).or_else(|_| {
        let mut json = serde_json::from_str(text).map_err(damaged)?;
        without_fractions(&mut json);
        // As text, because a second deserializer for all types would make the wasm larger.
        serde_json::from_str(&json.to_string()).map_err(damaged)
    })
}

/// Compares the fingerprint of a saved state with that of what resumes it.
pub(crate) fn check_fingerprint(saved: &str, own: &str) -> Result<(), StateError> {
    if saved == own {
        return Ok(());
    }
    // The error has numbers and not the text of the state, which may come from outside.
    let number = |digits: &str| u64::from_str_radix(digits, 16).map_err(|_| StateError::Damaged);
    Err(StateError::OtherDefinition {
        saved: number(saved)?,
        waiter: number(own)?,
    })
}

/// Returns the time since the start of saved waits. It includes the time since they were saved if both times of the wall
/// clock are available.
pub(crate) fn elapsed_ms(elapsed: u64, started_at: Option<u64>, wall_clock: Option<u64>) -> u64 {
    let away = wall_clock.zip(started_at);
    let since_start = away.map_or(0, |(now, started)| now.saturating_sub(started));
    // The clock of another computer may be behind.
    since_start.max(elapsed)
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

/// Returns a hash of a value, as that of a saved state.
pub(crate) fn hash_of(json: &Json) -> String {
    // Reading a value never fails.
    checksum_of(Digest.deserialize(json).unwrap_or_default())
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
        if self.plan.waiter.is_predicate() {
            return Err(StateError::Predicate);
        }
        let stored = self.stored.as_deref();
        let body = Body {
            version: VERSION,
            fingerprint: self.plan.waiter.fingerprint(),
            options: self.plan.settings.clone(),
            elapsed_ms: self.now,
            started_at_ms: self.started_at,
            stored: stored.cloned(),
            waits: [SavedWait {
                // Other saved waits have no history: attempts can contain secrets. Rule: docs/rules.md#saved-waits
                history: stored.map_or_else(Vec::new, |_| self.records()),
                summary: stored.and_then(|_| self.summary()),
                ..self.saved()
            }],
        };
        Ok(Snapshot(body))
    }

    /// Returns the state without the attempts.
    pub(crate) fn saved(&self) -> SavedWait {
        let pending = match &self.phase {
            Phase::Done(report) => Pending::Done(SavedEnd::of(report)),
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
        SavedWait {
            attempts: self.attempts,
            unanswered_ms: self.outage_start,
            slowest_ms: self.max_latency,
            seen_ms: self.observation_start,
            repetition: self.is_repetition,
            // Only this option reads them.
            found: self.is_found && self.plan.settings.not_found_for.is_some(),
            missing_ms: self.missing_since,
            conditions: self.seen.clone(),
            pending,
            history: Vec::new(),
            summary: None,
        }
    }

    /// Creates a wait that was saved `elapsed` after its start, and that is resumed `now` after it.
    pub(crate) fn restore(plan: Arc<Plan>, saved: SavedWait, elapsed: u64, now: u64) -> Self {
        let phase = match saved.pending {
            Pending::Done(end) => {
                let report = end.report(&plan, saved.attempts, elapsed, saved.history.clone());
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
        Self {
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
            restored: saved.history.into(),
            // The first process reported them.
            hinted: (!plan.settings.hides_hints && saved.attempts == 0).then(Vec::new),
            ..Self::new(plan)
        }
    }
}

impl Snapshot {
    /// Returns a text without the oldest attempts, which exceed the limit.
    fn within(&self, limit: usize) -> String {
        let [wait] = &self.0.waits;
        let with_newest = |count: usize| {
            let mut body = self.0.clone();
            let [wait] = &mut body.waits;
            wait.history
                .drain(..wait.history.len().saturating_sub(count));
            seal(&body)
        };
        let kept = partition(wait.history.len(), |count| {
            with_newest(count).len() <= limit
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
        check_fingerprint(&snapshot.0.fingerprint, &self.fingerprint())?;
        let Body {
            options,
            elapsed_ms,
            started_at_ms,
            stored,
            waits: [saved],
            ..
        } = snapshot.0;
        let plan = self.restored_plan(options)?;
        Ok(Wait {
            started_at: started_at_ms,
            stored: stored.map(Arc::new),
            ..Wait::restore(plan, saved, elapsed_ms, now_ms)
        })
    }

    /// Creates the plan of saved waits.
    pub(crate) fn restored_plan(&self, settings: ResolvedOptions) -> Result<Arc<Plan>, StateError> {
        // The paths were valid when the waits started, and the fingerprint is that of the same definition.
        let waiter = self.for_wait(&settings).map_err(|_| StateError::Damaged)?;
        Ok(Arc::new(Plan { waiter, settings }))
    }
}
