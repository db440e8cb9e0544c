//! Fleets that an engine for durable programs stores between their rounds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::snapshot::FleetSnapshot;
use super::{Fleet, Tally, TallyState};
use crate::error::{OptionsError, StateError};
use crate::millis::TEN_YEARS_MS;
use crate::options::{WaitOptions, is_default};
use crate::wait::{EndValues, StoredOptions, WaitReport, hash_of, identity_of};

/// The time after which a round starts no further call: the resources that are due then are due at once in the next round.
const ROUND_MS: u64 = 10_000;

/// The members of a snapshot that only a stored fleet has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Start {
    /// The fingerprint of the start.
    start: String,
    /// The time of the next round, in milliseconds since the start.
    pub(super) due_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quorum: Option<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    fail_fast: bool,
}

/// The only list of a stored fleet. Its tickets begin at 0.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    start: Start,
    started_at_ms: u64,
    tally: Tally,
    ids: Vec<String>,
    ends: Vec<Option<Arc<WaitReport>>>,
    /// The time at which the round began.
    begun: u64,
}

impl Stored {
    fn new(start: Start, started_at_ms: u64, ids: Vec<String>) -> Result<Self, OptionsError> {
        Ok(Self {
            tally: Tally::new(ids.len(), start.quorum, start.fail_fast)?,
            ends: vec![None; ids.len()],
            start,
            started_at_ms,
            ids,
            begun: 0,
        })
    }

    /// Counts the end of a wait.
    pub(super) fn note_end(&mut self, ticket: u64, report: &Arc<WaitReport>) {
        let place = usize::try_from(ticket).ok();
        if let Some(end) = place.and_then(|place| self.ends.get_mut(place)) {
            *end = Some(Arc::clone(report));
            self.tally.count(report.kind.is_none());
        }
    }

    /// Returns `true` if the waits that are left are not needed.
    pub(super) fn is_over(&self) -> bool {
        self.tally.state() != TallyState::Open
    }

    /// Returns `true` if the round takes so long that it must not start another call.
    pub(super) const fn is_round_over(&self, now: u64) -> bool {
        now.saturating_sub(self.begun) >= ROUND_MS
    }
}

/// Fleets that an engine for durable programs stores between their rounds, such as a workflow engine. In a round, a process
/// makes the calls that are due, one after another and one for each resource, until the step is not a call. The rate of the calls is that of the
/// engine. See [docs/rules.md#stored-fleets](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#stored-fleets).
impl Fleet {
    /// Starts waits for identifiers in a fleet without other callers. The seed is derived from the ID of the start, whose
    /// input and report limit are not used. `whole` decides when the whole has ended.
    ///
    /// # Errors
    ///
    /// As [`join_each`](Self::join_each), and `invalid_option` if there are no identifiers.
    ///
    /// # Example: a round
    ///
    /// ```
    /// use std::time::Duration;
    /// use serde_json::json;
    /// use smithy_waiters::{FleetOptions, FleetSnapshot, FleetStep, RateLimit, StoredOptions, Tally, WaitOptions, Waiter};
    ///
    /// let available = Waiter::until("Volumes[].State", "available").build()?;
    /// let shape = FleetOptions::new("Volumes[]", "VolumeId");
    /// let mut fleet = available.fleet(&shape)?;
    /// let options = WaitOptions::new(Duration::from_secs(600));
    /// let start = StoredOptions::new("restore-17", 1_700_000_000_000);
    /// fleet.start_stored(&["vol-1", "vol-2"], &options, Tally::new(2, None, false)?, start)?;
    /// let text = fleet.stored_snapshot().map(|snapshot| snapshot.to_json()).unwrap_or_default();
    ///
    /// // Another process, when the round is due:
    /// let snapshot = FleetSnapshot::from_json(&text)?;
    /// assert_eq!(snapshot.due_at_ms(), Some(1_700_000_000_100));
    /// let mut fleet = available.fleet(&shape)?;
    /// let now_ms = fleet.resume_stored(snapshot, Some(1_700_000_000_120), true)?;
    /// let mut limit = RateLimit::new(5.0)?;
    /// while let FleetStep::Call { call, .. } = fleet.poll(now_ms, &mut limit) {
    ///     let answer = json!({"Volumes": [{"VolumeId": "vol-1", "State": "available"}, {"VolumeId": "vol-2", "State": "available"}]});
    ///     fleet.respond(call, &[&answer], now_ms + 30)?;
    /// }
    /// assert!(fleet.stored_report().is_some_and(|report| report.starts_with(r#"{"succeeded":true,"#)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start_stored<I: AsRef<str>>(
        &mut self,
        ids: &[I],
        options: &WaitOptions,
        whole: Tally,
        stored: StoredOptions,
    ) -> Result<(), OptionsError> {
        if ids.is_empty() {
            return Err(OptionsError::invalid("ids", "must not be empty", "[]"));
        }
        let options = options.or_history_limit(1);
        let seed = stored.seed_of(&options);
        let ids: Vec<String> = ids.iter().map(|id| id.as_ref().to_owned()).collect();
        let start = Start {
            start: hash_of(&json!([
                self.waiter.start_fingerprint(&options, &stored, seed)?,
                self.fingerprint(),
                self.batch,
                ids,
                whole.quorum,
                whole.fail_fast,
            ])),
            due_ms: 0,
            quorum: whole.quorum,
            fail_fast: whole.fail_fast,
        };
        let record = Stored::new(start, stored.started_at_ms, ids.clone())?;
        self.join_each(&ids, &stored.limited(&options), seed, 0)?;
        self.stored = Some(record.into());
        Ok(())
    }

    /// Resumes a stored fleet in one without other callers, and returns the time, in milliseconds since its start. With
    /// `is_due`, a round begins: the clock that scheduled it may be ahead of this one.
    ///
    /// # Errors
    ///
    /// As [`resume_each`](Self::resume_each), and [`StateError::Damaged`] for the state of other waits.
    pub fn resume_stored(
        &mut self,
        snapshot: FleetSnapshot,
        wall_clock_ms: Option<u64>,
        is_due: bool,
    ) -> Result<u64, StateError> {
        let body = &snapshot.0;
        let (Some(start), Some(started_at)) = (body.stored.clone(), body.started_at_ms) else {
            return Err(StateError::Damaged);
        };
        let (saved, due) = (body.elapsed_ms, start.due_ms);
        let elapsed = snapshot.elapsed_ms(wall_clock_ms);
        let now = if is_due { elapsed.max(due) } else { elapsed };
        // The pause between two rounds is not lost time: only that by which the round is late.
        let late = now.saturating_sub(due.max(saved));
        let stored = Stored::new(start, started_at, body.ids.clone());
        let stored = stored.map_err(|_| StateError::Damaged)?;
        self.stored = Some(
            Stored {
                begun: now,
                ..stored
            }
            .into(),
        );
        let resumed_at = saved.saturating_add(late);
        if let Err(error) = self.resume_each(snapshot, resumed_at, resumed_at) {
            self.stored = None;
            return Err(error);
        }
        Ok(self.advance(now))
    }

    /// Returns the state of a stored fleet, or `None` if it has ended.
    #[must_use]
    pub fn stored_snapshot(&self) -> Option<FleetSnapshot> {
        let stored = self.stored.as_ref().filter(|stored| !stored.is_over())?;
        let now = stored.started_at_ms.saturating_add(self.now);
        let mut snapshot = self.snapshot(0, Some(now))?;
        snapshot.0.stored = Some(Start {
            due_ms: self.next_ms(),
            ..stored.start.clone()
        });
        Some(snapshot)
    }

    /// Returns the ends of a stored fleet as JSON text, or `None` if it has not ended: whether the whole has `succeeded`,
    /// the `ids`, the `ends` in their order, each a report without its history, and the `progress`: the counts of the ends.
    #[must_use]
    pub fn stored_report(&self) -> Option<String> {
        let stored = self.stored.as_ref()?;
        let reports: Option<Vec<String>> = stored.ends.iter().map(end_json).collect();
        let succeeded = stored.tally.state() == TallyState::Succeeded;
        let (ids, ends) = (json!(stored.ids), reports?.join(","));
        let progress = stored.tally.to_json();
        Some(format!(
            r#"{{"succeeded":{succeeded},"ids":{ids},"ends":[{ends}],"progress":{progress}}}"#
        ))
    }

    /// Returns the identity of a stored fleet's start: equal for two starts with the same definition, options,
    /// identifiers and `arguments`, a text of the values that the host passes to the call. Returns `None` for other fleets.
    #[must_use]
    pub fn start_identity(&self, arguments: &str) -> Option<String> {
        let stored = self.stored.as_ref()?;
        Some(identity_of(&stored.start.start, arguments))
    }

    /// Ends the waits without another call: as timed out if their deadline has passed, otherwise as cancelled.
    pub fn conclude(&mut self, now_ms: u64) {
        self.expire(now_ms);
        self.end_rest();
    }

    /// Ends a call that has not ended before its deadline. It is repeated for the waits that have not ended.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::NotInFlight`] for another call.
    pub fn cut(&mut self, call: u64, now_ms: u64) -> Result<(), StateError> {
        self.expire(now_ms);
        self.abandon(call, now_ms)
    }

    /// Ends all waits as cancelled.
    pub(super) fn end_rest(&mut self) {
        let tickets: Vec<u64> = self.tickets.keys().copied().collect();
        for ticket in tickets {
            self.end_early(ticket, true);
        }
    }
}

impl FleetSnapshot {
    /// Returns the wall-clock time of the next round of a stored fleet in milliseconds since 1970; `None` for other waits.
    #[must_use]
    pub fn due_at_ms(&self) -> Option<u64> {
        let due = self.0.stored.as_ref()?.due_ms;
        Some(self.0.started_at_ms?.saturating_add(due))
    }

    /// Returns the wall-clock time of the deadline in milliseconds since 1970, if the snapshot contains the start. Waits
    /// that only limit their attempts end after ten years.
    #[must_use]
    pub fn ends_at_ms(&self) -> Option<u64> {
        let limit = self.0.options.max_wait.min(TEN_YEARS_MS);
        Some(self.0.started_at_ms?.saturating_add(limit))
    }

    /// Returns the times of a stored fleet and its progress as JSON text.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for the snapshot of other waits.
    #[doc(hidden)]
    pub fn stored_facts(&self) -> Result<String, StateError> {
        let (Some(due_at), Some(ends_at)) = (self.due_at_ms(), self.ends_at_ms()) else {
            return Err(StateError::Damaged);
        };
        let progress = Tally::of_counts(self.0.ids.len(), self.0.counts()).to_json();
        Ok(format!(
            r#"{{"dueAtMs":{due_at},"endsAtMs":{ends_at},"progress":{progress}}}"#
        ))
    }
}

/// Returns a report as JSON text, equal whichever process made the last attempt.
fn end_json(end: &Option<Arc<WaitReport>>) -> Option<String> {
    let report = WaitReport {
        history: Vec::new(),
        ..end.as_deref()?.clone()
    };
    Some(report.to_json(&EndValues::default()))
}
