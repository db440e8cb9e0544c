//! Waits that an engine for durable programs stores between their attempts: their seed, their identity and their end.

use std::hash::Hasher;
use std::time::Duration;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::snapshot::hash_of;
use super::{Phase, Step, Wait};
use crate::delay::mix;
use crate::error::{OptionsError, StateError};
use crate::millis::TEN_YEARS_MS;
use crate::options::{FromHost, IntegerSpec, OptionSpec, RawOptions, Seeded, WaitOptions};
use crate::value::Value;
use crate::waiter::Waiter;

/// The default of the maximum size of a snapshot with its history, and of a report, in bytes.
const DEFAULT_REPORT_LIMIT: usize = 1 << 20;

const REPORT_LIMIT: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("reportLimit", "must be from 1 to 4294967295 bytes"),
    least: 1,
    // 32 bits, because a stored wait may be resumed on a platform with 32-bit integers.
    greatest: u32::MAX as u64,
};

/// The start of a wait that an engine for durable programs stores between its attempts, such as a workflow engine.
///
/// The [`Snapshot`](crate::Snapshot) of such a wait also contains its history, its input and its latest summary, so that
/// its report is complete whichever processes made its attempts. See [docs/rules.md#stored-waits](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#stored-waits).
///
/// # Example: a wait whose attempts run in different processes
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{Event, Snapshot, Step, StoredOptions, WaitOptions, Waiter};
///
/// let waiter = Waiter::until("status", "DONE").build()?;
/// let stored = StoredOptions::new("job-17", 1_700_000_000_000);
/// let text = waiter.start_stored(&WaitOptions::new(Duration::from_secs(60)), stored)?.snapshot()?.to_json();
///
/// // Another process, when the attempt is due:
/// let snapshot = Snapshot::from_json(&text)?;
/// let now_ms = snapshot.due_elapsed_ms(Some(1_700_000_000_250));
/// let mut wait = waiter.resume(snapshot, now_ms)?;
/// assert_eq!(wait.poll(now_ms), Step::Call { attempt: 1, deadline_ms: Some(60_000) });
/// wait.handle(Event::response(&json!({"status": "BUSY"})), now_ms + 30)?;
///
/// let next = wait.snapshot()?;
/// assert!(next.due_at_ms() > Some(1_700_000_002_000));
/// assert!(next.progress_json().is_some_and(|json| json.starts_with(r#"{"attempt":1,"#)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredOptions {
    /// The ID of the wait. The seed is derived from it, unless the options of the wait have one.
    pub id: String,
    /// The wall-clock time of the start, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// The wall-clock time of a shared deadline, in milliseconds since 1970. It replaces the deadline of the options.
    pub deadline_at_ms: Option<u64>,
    /// The operation's input, which `inputOutput` matchers read.
    pub input: Json,
    /// The maximum size of the snapshot with its history, and of the report, in bytes; 1 MiB by default. The oldest
    /// attempts are omitted.
    pub report_limit: usize,
}

impl StoredOptions {
    /// Creates the start of a wait at a wall-clock time in milliseconds since 1970, without an input.
    #[must_use]
    pub fn new(id: impl Into<String>, started_at_ms: u64) -> Self {
        Self {
            id: id.into(),
            started_at_ms,
            deadline_at_ms: None,
            input: Json::Null,
            report_limit: DEFAULT_REPORT_LIMIT,
        }
    }

    /// Creates the start from the values of a host: times in milliseconds since 1970, and the input as JSON text.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for an input that is not JSON.
    #[doc(hidden)]
    pub fn from_host(
        id: &str,
        started_at_ms: u64,
        deadline_at_ms: Option<f64>,
        input: &str,
        report_limit: usize,
    ) -> Result<Self, StateError> {
        let input = serde_json::from_str(input).map_err(|_| StateError::Damaged)?;
        Ok(Self {
            input,
            report_limit,
            ..Self::fleet_from_host(id, started_at_ms, deadline_at_ms)
        })
    }

    /// Creates the start of a fleet from the values of a host, as [`from_host`](Self::from_host).
    #[doc(hidden)]
    #[must_use]
    pub fn fleet_from_host(id: &str, started_at_ms: u64, deadline_at_ms: Option<f64>) -> Self {
        Self {
            // A time before 1970 has passed, as 1970 has. The cast saturates.
            deadline_at_ms: deadline_at_ms.map(|time| time.round() as u64),
            ..Self::new(id, started_at_ms)
        }
    }

    /// Returns the seed of 53 bits for the ID, so that a repeated start has the same delays.
    #[must_use]
    pub fn seed(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        hasher.write(self.id.as_bytes());
        // The hashes of similar IDs differ in few bits.
        mix(hasher.finish(), 1) >> 11
    }

    /// Returns the seed of these options or of the ID. It is not random: an engine may run the start again after a crash and
    /// must get the same delays.
    pub(crate) fn seed_of(&self, options: &WaitOptions) -> u64 {
        options.seed_option().unwrap_or_else(|| self.seed())
    }

    /// Returns the options with the shared deadline.
    pub(crate) fn limited(&self, options: &WaitOptions) -> WaitOptions {
        let options = options.clone();
        match self.deadline_at_ms {
            Some(at) => {
                // A deadline that has passed leaves 0, with which the wait times out without a call.
                let left = at.saturating_sub(self.started_at_ms);
                options.deadline_in(Duration::from_millis(left))
            }
            None => options,
        }
    }
}

/// What the snapshot of a stored wait contains beside the state of the wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stored {
    /// The fingerprint of the start.
    pub(super) start: String,
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub(super) input: Json,
    #[serde(default = "default_limit", skip_serializing_if = "is_default_limit")]
    pub(super) report_limit: usize,
}

const fn default_limit() -> usize {
    DEFAULT_REPORT_LIMIT
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_default_limit(limit: &usize) -> bool {
    *limit == DEFAULT_REPORT_LIMIT
}

/// The option `reportLimit` of a host.
#[derive(Clone, Copy, Debug)]
pub struct ReportLimit(pub usize);

impl FromHost for ReportLimit {
    const NAMES: &'static [&'static str] = &["reportLimit"];

    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        let limit = raw.integer(&REPORT_LIMIT)?;
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(Self(limit.unwrap_or(DEFAULT_REPORT_LIMIT)))
    }
}

impl Waiter {
    /// Returns the fingerprint of the definition, which a stored wait must have to be resumed.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Predicate`] if the waiter has a predicate, because a function cannot be stored.
    pub fn stored_fingerprint(&self) -> Result<String, StateError> {
        if self.is_predicate() {
            return Err(StateError::Predicate);
        }
        Ok(self.fingerprint())
    }

    /// Starts a wait that an engine for durable programs stores between its attempts.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start), and `invalid_option` if the limit of the report is 0.
    pub fn start_stored(
        &self,
        options: &WaitOptions,
        stored: StoredOptions,
    ) -> Result<Wait, OptionsError> {
        REPORT_LIMIT.checked(u64::try_from(stored.report_limit).unwrap_or(u64::MAX))?;
        let seed = stored.seed_of(options);
        let start = self.start_fingerprint(options, &stored, seed)?;
        let mut wait = self
            .start(&stored.limited(options), seed)?
            .started_at(stored.started_at_ms);
        wait.stored = Some(
            Stored {
                start,
                input: stored.input,
                report_limit: stored.report_limit,
            }
            .into(),
        );
        Ok(wait)
    }

    /// Returns a hash that is equal for two starts of the same wait, at any time. It depends on the moment of a deadline
    /// instead of on the time that is left.
    pub(crate) fn start_fingerprint(
        &self,
        options: &WaitOptions,
        stored: &StoredOptions,
        seed: u64,
    ) -> Result<String, OptionsError> {
        let options = match stored.deadline_at_ms {
            // Without a limit of its own, the wait must be valid without the deadline, too.
            Some(_) => options.without_deadline(Duration::from_millis(TEN_YEARS_MS)),
            None => options.clone(),
        };
        let resolved = options.resolve(self.delays(), self.defaults(), seed)?;
        // As text, because a second serializer for the options would make the wasm larger.
        let resolved = serde_json::to_string(&resolved).unwrap_or_default();
        let facts = json!([
            self.fingerprint(),
            resolved,
            stored.deadline_at_ms,
            stored.input
        ]);
        Ok(hash_of(&facts))
    }
}

/// Returns the identity of a start with this fingerprint and these arguments of the host.
pub(crate) fn identity_of(start: &str, arguments: &str) -> String {
    let mut hasher = FnvHasher::default();
    // Of fixed length, so that no other start and arguments join to the same bytes.
    hasher.write(start.as_bytes());
    hasher.write(arguments.as_bytes());
    format!("{:016x}", hasher.finish())
}

impl Wait {
    /// Returns this wait with the wall-clock time of its start, in milliseconds since 1970. A resumed wait then includes
    /// the time during which no process ran it.
    #[must_use]
    pub const fn started_at(mut self, started_at_ms: u64) -> Self {
        self.started_at = Some(started_at_ms);
        self
    }

    /// Returns the identity of a stored wait's start: equal for two starts with the same definition, options, input and
    /// `arguments`. The text describes what the host passes to the call. Returns `None` for other waits.
    #[must_use]
    pub fn start_identity(&self, arguments: &str) -> Option<String> {
        let stored = self.stored.as_ref()?;
        Some(identity_of(&stored.start, arguments))
    }

    /// Returns the operation's input of a stored wait.
    #[must_use]
    pub fn stored_input(&self) -> Option<&Json> {
        self.stored.as_ref().map(|stored| &stored.input)
    }

    /// Returns the maximum size of the report of a stored wait in bytes, or `None` for other waits.
    #[must_use]
    pub fn report_limit(&self) -> Option<usize> {
        self.stored.as_ref().map(|stored| stored.report_limit)
    }

    /// Ends the wait without another attempt: as timed out if its deadline has passed, otherwise as cancelled.
    pub fn conclude(&mut self, now_ms: u64) -> Step {
        if self.now.max(now_ms) < self.deadline() {
            return self.cancel(now_ms);
        }
        self.advance(now_ms);
        match &self.phase {
            // The call has no result any more.
            Phase::InFlight(call) => {
                let call = *call;
                self.expire(call)
            }
            _ => self.poll(now_ms),
        }
    }
}

/// What an engine has recorded when it runs a poll of a stored wait: one workflow or task for each attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "hosts create it")]
pub struct PollRecord {
    /// `true` if the next poll exists: it is the record of this attempt.
    pub next_exists: bool,
    /// The record of the wait itself.
    pub wait: WaitRecord,
    /// `true` for the first poll, which can create the wait.
    pub is_first: bool,
    /// `true` if this poll has stored the report of the wait.
    pub is_reported: bool,
}

/// The record of a stored wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts create it")]
pub enum WaitRecord {
    /// The wait does not exist.
    Missing,
    /// The wait exists and has not ended.
    Waiting,
    /// The wait was cancelled, or has ended.
    Ended,
}

/// The action of a poll that an engine runs, maybe again after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every action")]
pub enum PollAction {
    /// Make the attempt.
    Attempt,
    /// Create the wait, then make the attempt.
    Create,
    /// Do nothing.
    Ignore,
    /// Wake the wait, which returns the report.
    WakeUp,
}

impl PollRecord {
    /// Returns the action, so that no crash loses a wait or repeats an attempt whose result is stored. See
    /// [docs/rules.md#stored-waits](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#stored-waits).
    #[must_use]
    pub const fn action(&self) -> PollAction {
        match self.wait {
            // The process died after it had stored the result of the attempt.
            _ if self.next_exists => PollAction::Ignore,
            // The process that started the wait died in between, or has not created the wait yet.
            WaitRecord::Missing if self.is_first => PollAction::Create,
            WaitRecord::Missing | WaitRecord::Ended => PollAction::Ignore,
            // The process died between the report and the wake-up.
            WaitRecord::Waiting if self.is_reported => PollAction::WakeUp,
            WaitRecord::Waiting => PollAction::Attempt,
        }
    }
}

impl WaitRecord {
    /// Returns the record of a name: `missing`, `waiting` or `ended`. Any other name is that of a wait that has ended.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        match name {
            "missing" => Self::Missing,
            "waiting" => Self::Waiting,
            // Engines have many states that are neither missing nor waiting, and none of them needs a further
            // attempt.
            _ => Self::Ended,
        }
    }
}

impl PollAction {
    /// Returns the name of the action: `attempt`, `create`, `ignore` or `wake_up`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Attempt => "attempt",
            Self::Create => "create",
            Self::Ignore => "ignore",
            Self::WakeUp => "wake_up",
        }
    }
}
