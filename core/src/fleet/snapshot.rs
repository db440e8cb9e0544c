//! Saved lists of waits in a fleet: data that one process saves and another resumes, in any language.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::member::{Caller, Group, Standing, signed, unsigned};
use super::stored::Start;
use super::{Fleet, check_ids};
use crate::error::StateError;
use crate::options::{ResolvedOptions, is_default};
use crate::wait::{
    Pending, Plan, SavedEnd, SavedWait, Seen, VERSION, Wait, WaitReport, check_fingerprint,
    elapsed_ms, hash_of, seal, unseal,
};

/// The saved state of a list of waits in a fleet: at most 64 bytes for each member beside its identifier.
///
/// The messages of failures, each distinct one once, and what the conditions of the options have seen come in addition.
/// The text of [`to_json`](Self::to_json) is the same in every language. See docs/rules.md#saved-fleets.
///
/// # Example: a list that another process continues
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{FleetOptions, FleetSnapshot, FleetStep, RateLimit, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let shape = FleetOptions::new("Volumes[]", "VolumeId");
/// let started_at_ms = 1_700_000_000_000;
/// let mut fleet = available.fleet(&shape)?;
/// let options = WaitOptions::new(Duration::from_secs(600));
/// let tickets = fleet.join_each(&["vol-1", "vol-2"], &options, 7, 0)?;
/// let text = fleet.snapshot(tickets[0], Some(started_at_ms)).map(|snapshot| snapshot.to_json());
///
/// let mut fleet = available.fleet(&shape)?;
/// let snapshot = FleetSnapshot::from_json(&text.unwrap_or_default())?;
/// let elapsed_ms = snapshot.elapsed_ms(Some(started_at_ms + 30_000));
/// let resumed = fleet.resume_each(snapshot, elapsed_ms, 0)?;
/// assert_eq!(resumed, [(0, "vol-1".to_owned()), (1, "vol-2".to_owned())]);
/// let FleetStep::Call { deadline_ms, .. } = fleet.poll(100, &mut RateLimit::new(5.0)?) else { unreachable!() };
/// assert_eq!(deadline_ms, Some(570_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FleetSnapshot(pub(super) Body);

/// Members at their defaults are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Body {
    version: u64,
    /// The fingerprint of the definition and of the options that find the resources in an answer.
    fingerprint: String,
    pub(super) options: ResolvedOptions,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) elapsed_ms: u64,
    /// The wall-clock time of the start, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) started_at_ms: Option<u64>,
    /// Present in a stored fleet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stored: Option<Start>,
    pub(super) ids: Vec<String>,
    /// The numbers of each wait, as [`Numbers`] reads them.
    waits: Vec<Vec<u64>>,
    /// The ends of waits, each with the indices of those that ended so. The message of a success is left out.
    #[serde(default, skip_serializing_if = "is_default")]
    ends: Vec<(SavedEnd, Vec<usize>)>,
    /// What waits have seen of the conditions of the options, each with the index of the wait.
    #[serde(default, skip_serializing_if = "is_default")]
    conditions: Vec<(usize, Box<Seen>)>,
}

impl FleetSnapshot {
    /// Returns the snapshot as JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        seal(&self.0)
    }

    /// Parses the text of [`to_json`](Self::to_json). White space and the order of the members may have changed, and a
    /// later release may have added members.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::Damaged`] for a text that is not the snapshot of a fleet or was changed, and
    /// [`StateError::NewerVersion`] for a snapshot that this release would resume wrongly.
    pub fn from_json(text: &str) -> Result<Self, StateError> {
        let body: Body = unseal(text)?;
        let is_whole = body.waits.len() == body.ids.len();
        let are_distinct = check_ids(body.ids.iter().map(|id| &**id)).is_ok();
        let is_valid = is_whole && are_distinct;
        is_valid.then_some(Self(body)).ok_or(StateError::Damaged)
    }

    /// Returns the time to resume at, in milliseconds since the list joined its fleet. It includes the time since the
    /// snapshot if both the wall-clock time of the start and the current wall-clock time, in milliseconds since 1970, are
    /// available.
    #[must_use]
    pub fn elapsed_ms(&self, wall_clock_ms: Option<u64>) -> u64 {
        elapsed_ms(self.0.elapsed_ms, self.0.started_at_ms, wall_clock_ms)
    }
}

/// The waits that joined together, until the last of them has ended.
#[derive(Clone, Debug)]
pub(super) struct List {
    first: u64,
    /// The number of waits that have not ended.
    open: usize,
    /// The ends of the waits, in the order of their tickets.
    ends: Vec<Option<Box<Ended>>>,
}

#[derive(Clone, Debug)]
struct Ended {
    id: Arc<str>,
    attempts: u64,
    elapsed: u64,
    end: SavedEnd,
}

impl Fleet {
    /// Returns the state of the list to which a ticket belongs, or `None` if all of its waits have ended. Calls in flight
    /// are made again after resuming, and a search for unknown identifiers begins again. With the current time of the wall
    /// clock, in milliseconds since 1970, the time until the waits are resumed counts.
    #[must_use]
    pub fn snapshot(&self, ticket: u64, wall_clock_ms: Option<u64>) -> Option<FleetSnapshot> {
        let (list, caller) = self.open_wait(ticket)?;
        let waits = (list.first..).zip(&list.ends);
        let elapsed = caller.wait_time(self.now);
        let mut body = Body {
            version: VERSION,
            fingerprint: self.fingerprint(),
            options: caller.wait.settings().clone(),
            elapsed_ms: elapsed,
            started_at_ms: wall_clock_ms.map(|now| now.saturating_sub(elapsed)),
            stored: None,
            ids: Vec::new(),
            waits: Vec::new(),
            ends: Vec::new(),
            conditions: Vec::new(),
        };
        for (ticket, ended) in waits {
            if let Some(ended) = ended {
                body.add_ended(ended);
            } else if let Some((id, standing, caller)) = self.caller(ticket) {
                let standing = standing.at(|since| since.saturating_sub(caller.started));
                body.add_open(id, caller.wait.saved(), standing);
            }
        }
        Some(FleetSnapshot(body))
    }

    /// Resumes a list of waits `elapsed_ms` after its start (see [`FleetSnapshot::elapsed_ms`]), with the same delays,
    /// limits and ends as without the interruption. Returns the tickets and the identifiers in the order of the list. The
    /// next steps return the waits that have ended.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::OtherDefinition`] if the snapshot belongs to another definition or to a fleet that finds its
    /// resources elsewhere, and [`StateError::Damaged`] if its options are invalid. The fleet is unchanged.
    pub fn resume_each(
        &mut self,
        snapshot: FleetSnapshot,
        elapsed_ms: u64,
        now_ms: u64,
    ) -> Result<Vec<(u64, String)>, StateError> {
        let body = snapshot.0;
        check_fingerprint(&body.fingerprint, &self.fingerprint())?;
        let plan = self.waiter.restored_plan(body.options)?;
        let fleet_now = self.advance(now_ms);
        let now = elapsed_ms.max(body.elapsed_ms);
        // The waits started before the clock of the fleet did.
        let started = signed(fleet_now).saturating_sub(signed(now));
        let count = body.ids.len();
        let ends = body.ends.into_iter().flat_map(|(end, indices)| {
            let pair = move |index| (index, end.clone());
            indices.into_iter().map(pair)
        });
        let mut ends = by_index(ends, count).into_iter();
        let mut conditions = by_index(body.conditions.into_iter(), count).into_iter();
        self.open_list(count);
        let mut tickets = Vec::with_capacity(count);
        for (id, numbers) in body.ids.into_iter().zip(body.waits) {
            let mut numbers = Numbers::new(numbers, body.elapsed_ms);
            let conditions = conditions.next().flatten();
            let ticket = match ends.next().flatten() {
                Some(end) => self.add_ended(&id, numbers.report(end, &plan).into()),
                None => {
                    let (saved, standing) = numbers.open(conditions);
                    let wait = Wait::restore(Arc::clone(&plan), saved, body.elapsed_ms, now);
                    self.add(&id, started, wait, standing)
                }
            };
            tickets.push((ticket, id));
        }
        Ok(tickets)
    }

    /// Returns the fingerprint of the definition and of the options that find the resources in an answer.
    pub(super) fn fingerprint(&self) -> String {
        hash_of(&json!([self.waiter.fingerprint(), self.shape.to_json()]))
    }

    /// Returns the deadline of the list to which a ticket belongs, in the time of the fleet. Returns `None` if only the attempts
    /// of its waits are limited, or if all of them have ended. A host awaits functions of the caller at most until then.
    #[must_use]
    pub fn deadline_ms(&self, ticket: u64) -> Option<u64> {
        let (_, caller) = self.open_wait(ticket)?;
        caller.wait_deadline()
    }

    /// Returns the list to which a ticket belongs, with one of its waits that have not ended.
    fn open_wait(&self, ticket: u64) -> Option<(&List, &Caller)> {
        let list = self.lists.get(self.place_of_list(ticket)?)?;
        let mut tickets = (list.first..).zip(&list.ends);
        let (_, _, caller) = tickets.find_map(|(ticket, _)| self.caller(ticket))?;
        Some((list, caller))
    }

    /// Begins a list of the next tickets.
    pub(super) fn open_list(&mut self, len: usize) {
        if len > 0 {
            self.lists.push(List {
                first: self.next_ticket,
                open: len,
                ends: vec![None; len],
            });
        }
    }

    /// Notes the end of a wait in its list.
    pub(super) fn note_end(&mut self, ticket: u64, id: &Arc<str>, report: &Arc<WaitReport>) {
        if let Some(stored) = &mut self.stored {
            stored.note_end(ticket, report);
        }
        let Some(place) = self.place_of_list(ticket) else {
            return;
        };
        let Some(list) = self.lists.get_mut(place) else {
            return;
        };
        list.open = list.open.saturating_sub(1);
        if list.open == 0 {
            self.lists.remove(place);
        } else if let Some(end) = list.end_mut(ticket) {
            *end = Some(Box::new(Ended {
                id: Arc::clone(id),
                attempts: report.attempts,
                elapsed: report.elapsed_ms,
                end: SavedEnd::of(report).without_message_of_success(),
            }));
        }
    }

    /// Returns the index of the list of a ticket.
    fn place_of_list(&self, ticket: u64) -> Option<usize> {
        // The first tickets rise.
        let place = self.lists.partition_point(|list| list.first <= ticket);
        let place = place.checked_sub(1)?;
        let list = self.lists.get(place)?;
        list.index(ticket).map(|_| place)
    }
}

impl List {
    fn index(&self, ticket: u64) -> Option<usize> {
        let index = usize::try_from(ticket.checked_sub(self.first)?).ok()?;
        (index < self.ends.len()).then_some(index)
    }

    fn end_mut(&mut self, ticket: u64) -> Option<&mut Option<Box<Ended>>> {
        let index = self.index(ticket)?;
        self.ends.get_mut(index)
    }
}

impl Body {
    /// Returns the numbers of the waits that succeeded and of those that failed.
    pub(super) fn counts(&self) -> [usize; 2] {
        let count = |is_failure: bool| {
            let ends = self.ends.iter();
            let ends = ends.filter(|(end, _)| end.code.is_some() == is_failure);
            ends.map(|(_, waits)| waits.len()).sum()
        };
        [count(false), count(true)]
    }

    fn add_ended(&mut self, ended: &Ended) {
        let index = self.ids.len();
        self.ids.push(ended.id.to_string());
        let noticed = optional(ended.end.noticed_within_ms);
        self.waits
            .push(trimmed(vec![ended.attempts, ended.elapsed, 0, noticed]));
        let end = SavedEnd {
            noticed_within_ms: None,
            ..ended.end.clone()
        };
        match self.ends.iter_mut().find(|(other, _)| *other == end) {
            Some((_, indices)) => indices.push(index),
            None => self.ends.push((end, vec![index])),
        }
    }

    fn add_open(&mut self, id: &Arc<str>, saved: SavedWait, standing: Standing) {
        let numbers = Numbers::of(&saved, standing, self.elapsed_ms);
        if let Some(seen) = saved.conditions {
            self.conditions.push((self.ids.len(), seen));
        }
        self.ids.push(id.to_string());
        self.waits.push(numbers);
    }
}

/// The numbers of a wait, without zeros at the end: the attempts, a time and its flags.
///
/// - If the wait has ended, the time is its duration, it has no flags, and 1 more than the time within which its end was
///   noticed follows.
/// - Otherwise the time is that of the next call or the call in flight. The latest observation, the slowest call, and the
///   times since which the resource is missing, unanswered and a suspect follow. They are ages at the time of the snapshot,
///   which are shorter than times, plus 1.
struct Numbers {
    numbers: std::vec::IntoIter<u64>,
    elapsed: u64,
}

impl Numbers {
    fn new(numbers: Vec<u64>, elapsed: u64) -> Self {
        Self {
            numbers: numbers.into_iter(),
            elapsed,
        }
    }

    /// Returns the numbers of a wait that has not ended.
    fn of(saved: &SavedWait, standing: Standing, elapsed: u64) -> Vec<u64> {
        let (time, last, is_call) = match saved.pending {
            Pending::Call { started_ms, last } => (started_ms, last, true),
            Pending::Sleep { until_ms, last } => (until_ms, last, false),
            // A wait that has ended is no longer in its fleet.
            Pending::Done(_) => (0, false, false),
        };
        let age = |time: Option<u64>| optional(time.map(|time| elapsed.saturating_sub(time)));
        let flags = [
            is_call,
            last,
            saved.repetition,
            saved.found,
            standing.group == Group::Missing,
            standing.group == Group::Suspect,
            standing.is_unknown,
        ];
        let bits = flags.iter().rev();
        trimmed(vec![
            saved.attempts,
            time,
            bits.fold(0, |bits, flag| (bits << 1) | u64::from(*flag)),
            age(saved.seen_ms),
            saved.slowest_ms,
            age(saved.missing_ms),
            age(saved.unanswered_ms),
            age(standing.suspect_since.map(unsigned)),
        ])
    }

    /// Reads the report of a wait that has ended.
    fn report(&mut self, end: SavedEnd, plan: &Plan) -> WaitReport {
        let [attempts, elapsed, _] = std::array::from_fn(|_| self.next());
        let end = SavedEnd {
            noticed_within_ms: self.next_optional(),
            ..end
        };
        end.report(plan, attempts, elapsed, Vec::new())
    }

    /// Reads a wait that has not ended.
    fn open(&mut self, conditions: Option<Box<Seen>>) -> (SavedWait, Standing) {
        let [attempts, time, bits] = std::array::from_fn(|_| self.next());
        let [
            is_call,
            last,
            repetition,
            found,
            is_missing,
            is_suspect,
            is_unknown,
        ] = std::array::from_fn(|index| (bits >> index) & 1 == 1);
        let pending = if is_call {
            let started_ms = time;
            Pending::Call { started_ms, last }
        } else {
            let until_ms = time;
            Pending::Sleep { until_ms, last }
        };
        let saved = SavedWait {
            attempts,
            seen_ms: self.next_past(),
            slowest_ms: self.next(),
            missing_ms: self.next_past(),
            unanswered_ms: self.next_past(),
            repetition,
            found,
            conditions,
            pending,
            history: Vec::new(),
            summary: None,
        };
        let standing = Standing {
            group: match (is_missing, is_suspect) {
                (true, _) => Group::Missing,
                (_, true) => Group::Suspect,
                _ => Group::Known,
            },
            suspect_since: self.next_past().map(signed),
            is_unknown,
        };
        (saved, standing)
    }

    fn next(&mut self) -> u64 {
        self.numbers.next().unwrap_or_default()
    }

    fn next_optional(&mut self) -> Option<u64> {
        self.next().checked_sub(1)
    }

    fn next_past(&mut self) -> Option<u64> {
        let age = self.next_optional()?;
        Some(self.elapsed.saturating_sub(age))
    }
}

/// Returns the values of waits at the indices of these.
fn by_index<T: Clone>(pairs: impl Iterator<Item = (usize, T)>, count: usize) -> Vec<Option<T>> {
    let mut values = vec![None; count];
    for (index, value) in pairs {
        if let Some(place) = values.get_mut(index) {
            *place = Some(value);
        }
    }
    values
}

/// Returns the number of an optional one: 0 for none.
fn optional(number: Option<u64>) -> u64 {
    number.map_or(0, |number| number.saturating_add(1))
}

/// Returns the numbers without the zeros at their end.
fn trimmed(mut numbers: Vec<u64>) -> Vec<u64> {
    let last = numbers.iter().rposition(|number| *number > 0);
    numbers.truncate(last.map_or(0, |last| last.saturating_add(1)));
    numbers
}
