//! The state machine of a fleet: waits for many resources that share their calls.

mod answer;
mod error;
mod member;
mod options;
mod snapshot;
mod split;
mod stored;
mod tally;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value as Json;

use answer::Shape;
pub use answer::{Place, View};
pub use error::FleetError;
use member::{Caller, Group, Member, Standing, signed};
pub use options::{FleetOptions, Identifiers};
pub use snapshot::FleetSnapshot;
use snapshot::List;
use split::{Ids, Outcome, Part, Search};
use stored::Stored;
pub use tally::{Tally, TallyOptions, TallyState, waits_failed};

use crate::error::{OptionsError, Spelling, StateError};
use crate::evaluation::{ErrorMetadata, ReasonCode};
use crate::options::WaitOptions;
use crate::rate_limit::RateLimit;
use crate::retry::{Problem, RequestFailure, Transient};
use crate::value::Value;
use crate::wait::{AttemptResult, Event, Step, Wait, WaitReport};
use crate::waiter::Waiter;

/// The time for which a time of the rate limit may be used late, in milliseconds.
const SLOT_MS: u64 = 1_000;

/// Waits for many resources of one kind that share their calls: a state machine without calls, sleeps, clock or
/// randomness.
///
/// Callers [`join`](Self::join) with an identifier at any time and [`leave`](Self::leave). Each has its own wait with its
/// own deadline, and callers of the same identifier share its polls. The waiter judges each resource as if the answer held
/// only it. Times are milliseconds since the fleet was created, on the clock of the [`RateLimit`].
/// See [docs/rules.md#fleets](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#fleets).
///
/// # Example: one call for two volumes
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::{FleetOptions, FleetStep, RateLimit, WaitOptions, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let mut fleet = available.fleet(&FleetOptions::new("Volumes[]", "VolumeId"))?;
/// let mut limit = RateLimit::new(5.0)?;
/// let options = WaitOptions::new(Duration::from_secs(60));
/// for (seed, id) in ["vol-1", "vol-2"].into_iter().enumerate() {
///     fleet.join(id, &options, seed as u64, 0)?;
/// }
/// // New identifiers are gathered for 100 ms.
/// assert_eq!(fleet.poll(0, &mut limit), FleetStep::Sleep { until_ms: 100 });
/// let FleetStep::Call { call, ids, .. } = fleet.poll(100, &mut limit) else { unreachable!() };
/// assert_eq!(ids.len(), 2);
/// let answer = json!({"Volumes": [{"VolumeId": "vol-1", "State": "available"}, {"VolumeId": "vol-2", "State": "creating"}]});
/// let ended = fleet.respond(call, &[&answer], 130)?;
/// assert_eq!(ended.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fleet {
    waiter: Waiter,
    /// The code of the error for a resource that two answers lack.
    missing_code: String,
    shape: Shape,
    batch: usize,
    spelling: Spelling,
    now: u64,
    members: BTreeMap<Arc<str>, Member>,
    tickets: BTreeMap<u64, Arc<str>>,
    /// The lists with waits that have not ended, in the order of their tickets.
    lists: Vec<List>,
    next_ticket: u64,
    /// The times at which members are due.
    due: BTreeSet<(u64, Arc<str>)>,
    /// The times at which waits or their calls end.
    deadlines: BTreeSet<(u64, u64)>,
    /// The longest time by which a member may be early.
    /// Only grows: it limits a search, so that a value that is too large costs time and changes no call.
    earliness: u64,
    ended: VecDeque<(u64, Arc<WaitReport>)>,
    /// The waits that ended since the latest step that is not an end, for hosts that show attempts.
    latest: BTreeMap<u64, Wait>,
    calls: BTreeMap<u64, InFlight>,
    next_call: u64,
    search: Search,
    /// The time of the next call that the rate limit gave.
    slot: Option<u64>,
    /// `true` if an answer without resources was searched for a misspelled option.
    is_hinted: bool,
    /// Present if an engine stores the fleet between its rounds.
    stored: Option<Box<Stored>>,
}

#[derive(Clone, Debug)]
struct InFlight {
    /// The identifiers for which somebody still waits.
    ids: Ids,
    /// The number of identifiers of the call.
    size: usize,
    group: Group,
    part: Option<Part>,
}

/// The next action of a fleet. All times are milliseconds since the fleet was created.
///
/// # Example: a fleet without members
///
/// ```
/// use smithy_waiters::{FleetOptions, FleetStep, RateLimit, Waiter};
///
/// let available = Waiter::until("Volumes[].State", "available").build()?;
/// let mut fleet = available.fleet(&FleetOptions::new("Volumes[]", "VolumeId"))?;
/// assert_eq!(fleet.poll(0, &mut RateLimit::new(5.0)?), FleetStep::Idle);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every step")]
pub enum FleetStep {
    /// Call the operation for these identifiers, then report the answer with the number of the call. Other calls may
    /// follow before it ends.
    Call {
        /// The number of the call.
        call: u64,
        /// The identifiers.
        ids: Vec<Arc<str>>,
        /// The time after which nobody waits for the answer; `None` without a deadline.
        deadline_ms: Option<u64>,
    },
    /// The wait of a caller ended.
    Ended {
        /// The ticket that `join` returned.
        ticket: u64,
        /// Its report.
        report: Arc<WaitReport>,
    },
    /// Sleep, then poll. Poll earlier if a call ends or somebody joins.
    Sleep {
        /// The end of the pause.
        until_ms: u64,
    },
    /// Nothing is due: poll after a call has ended or somebody has joined.
    Idle,
}

/// The end of a caller's wait by an answer.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it is the result of an event")]
pub struct FleetEnd<V> {
    /// The ticket that `join` returned.
    pub ticket: u64,
    /// The report of the wait.
    pub report: Arc<WaitReport>,
    /// The resource in the answer; `None` if the answer does not have it.
    pub item: Option<V>,
    /// The message of the last attempt's error, if that error is that the answers of two calls do not have the resource.
    pub missing: Option<&'static str>,
}

impl Waiter {
    /// Creates a fleet of this waiter.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if an option is invalid.
    pub fn fleet(&self, options: &FleetOptions) -> Result<Fleet, OptionsError> {
        if self.is_predicate() {
            let problem = "a fleet needs an expression instead of a function, because it reads parts of an answer";
            return Err(OptionsError::new(
                "invalid_option",
                "predicate",
                [problem.into()],
            ));
        }
        let (shape, batch) = options.resolve()?;
        Ok(Fleet {
            waiter: self.clone(),
            missing_code: missing_code(self),
            shape,
            batch,
            spelling: Spelling::default(),
            now: 0,
            members: BTreeMap::new(),
            tickets: BTreeMap::new(),
            lists: Vec::new(),
            next_ticket: 0,
            due: BTreeSet::new(),
            deadlines: BTreeSet::new(),
            earliness: 0,
            ended: VecDeque::new(),
            latest: BTreeMap::new(),
            calls: BTreeMap::new(),
            next_call: 0,
            search: Search::default(),
            slot: None,
            is_hinted: false,
            stored: None,
        })
    }
}

impl Fleet {
    /// Sets the spelling of options in the messages of reports.
    #[doc(hidden)]
    #[must_use]
    pub const fn spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Adds a caller that waits for a resource, and returns its ticket. `seed` is the seed of the delays' jitter, unless
    /// the options contain one. The history has one attempt by default.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for an empty identifier, and the errors of [`Waiter::start`].
    pub fn join(
        &mut self,
        id: &str,
        options: &WaitOptions,
        seed: u64,
        now_ms: u64,
    ) -> Result<u64, OptionsError> {
        options::check_id(id)?;
        let tickets = self.join_each(&[id], options, seed, now_ms)?;
        // One identifier has one ticket.
        Ok(tickets.first().copied().unwrap_or_default())
    }

    /// Adds a caller for each of several identifiers, and returns the tickets in their order. If one is refused, none is
    /// added. `seed` is the seed of the delays' jitter, unless the options contain one: the waits have the same delays, so
    /// that they stay together.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for an identifier that repeats or is empty, and the errors of [`Waiter::start`].
    pub fn join_each<I: AsRef<str>>(
        &mut self,
        ids: &[I],
        options: &WaitOptions,
        seed: u64,
        now_ms: u64,
    ) -> Result<Vec<u64>, OptionsError> {
        let ids = ids.iter().map(AsRef::as_ref);
        check_ids(ids.clone())?;
        let plan = self.waiter.plan(&options.or_history_limit(1), seed)?;
        let started = signed(self.advance(now_ms));
        self.open_list(ids.len());
        let tickets = ids.map(|id| {
            let wait = Wait::new(Arc::clone(&plan));
            self.add(id, started, wait, Standing::default())
        });
        Ok(tickets.collect())
    }

    /// Adds a caller, whose wait started at this time of the fleet. `standing` is that of a resource for which nobody waits,
    /// in the time of the wait.
    fn add(&mut self, id: &str, started: i64, wait: Wait, standing: Standing) -> u64 {
        let ticket = self.take_ticket();
        let id: Arc<str> = id.into();
        let caller = Caller::new(ticket, started, wait.spelling(self.spelling));
        self.deadlines.insert((caller.deadline, ticket));
        self.tickets.insert(ticket, Arc::clone(&id));
        let member = self.members.entry(Arc::clone(&id)).or_default();
        if member.callers.is_empty() {
            member.standing = standing.at(|since| since.saturating_add(started));
        }
        member.add(caller);
        self.schedule(&id);
        ticket
    }

    /// Adds a caller whose wait has ended.
    fn add_ended(&mut self, id: &str, report: Arc<WaitReport>) -> u64 {
        let report = self.shape.of_item(report);
        let ticket = self.take_ticket();
        self.note_end(ticket, &id.into(), &report);
        self.ended.push_back((ticket, report));
        ticket
    }

    const fn take_ticket(&mut self) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket = ticket.saturating_add(1);
        ticket
    }

    /// Returns the caller of a wait that has not ended, with its resource.
    fn caller(&self, ticket: u64) -> Option<(&Arc<str>, Standing, &Caller)> {
        let id = self.tickets.get(&ticket)?;
        let member = self.members.get(id)?;
        let caller = member.callers.iter().find(|caller| caller.ticket == ticket);
        caller.map(|caller| (id, member.standing, caller))
    }

    /// Ends the wait of a caller as cancelled and returns its report, or `None` if it has ended already.
    pub fn leave(&mut self, ticket: u64, now_ms: u64) -> Option<Arc<WaitReport>> {
        self.advance(now_ms);
        self.end_early(ticket, true);
        let index = self.ended.iter().position(|(ended, _)| *ended == ticket)?;
        self.ended.remove(index).map(|(_, report)| report)
    }

    /// Returns the wait of a caller, such as for its latest attempt. A wait that ended remains until the next step that is
    /// not an end.
    #[must_use]
    pub fn wait(&self, ticket: u64) -> Option<&Wait> {
        let open = self.caller(ticket).map(|(_, _, caller)| &caller.wait);
        open.or_else(|| self.latest.get(&ticket))
    }

    /// Returns an answer that holds only this resource.
    #[doc(hidden)]
    #[must_use]
    pub fn answer_of(&self, item: Json) -> Json {
        self.shape.items.wrap(item)
    }

    /// Returns the number of callers that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tickets.len()
    }

    /// Returns `true` if nobody waits and every end was returned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tickets.is_empty() && self.ended.is_empty()
    }

    /// Returns the next step.
    pub fn poll(&mut self, now_ms: u64, limit: &mut RateLimit) -> FleetStep {
        let now = self.expire(now_ms);
        loop {
            if let Some((ticket, report)) = self.ended.pop_front() {
                return FleetStep::Ended { ticket, report };
            }
            self.latest.clear();
            let stored = self.stored.as_deref();
            if stored.is_some_and(Stored::is_over) && !self.tickets.is_empty() {
                self.end_rest();
                continue;
            }
            let due = match self.due.first() {
                _ if self.search.has_part() => now,
                Some((at, id))
                    if stored
                        .is_some_and(|stored| stored.is_round_over(now) || self.was_called(id)) =>
                {
                    return self.sleep(*at);
                }
                Some((at, _)) => *at,
                None => return self.sleep(u64::MAX),
            };
            if due > now {
                return self.sleep(due);
            }
            if self.stored.is_some() {
                self.slot = Some(now);
            }
            // The rate wins over gathering: whoever becomes due until then joins the call. Rule: docs/rules.md#fleets
            // A time that passed while nobody was due is not saved up.
            let slot = self.slot.filter(|slot| slot.saturating_add(SLOT_MS) >= now);
            let slot = *self.slot.insert(slot.unwrap_or_else(|| limit.reserve(now)));
            if slot > now {
                return self.sleep(slot);
            }
            if let Some(step) = self.start_call() {
                self.slot = None;
                return step;
            }
        }
    }

    /// Returns the time at which the next call is due, or `u64::MAX` if none is. For callers that see whether another one makes it.
    #[cfg(feature = "driver")]
    pub(crate) fn due_ms(&self) -> u64 {
        let due = match self.due.first() {
            _ if self.search.has_part() => 0,
            Some((at, _)) => *at,
            None => return u64::MAX,
        };
        due.max(self.slot.unwrap_or(0))
    }

    /// Returns the waits that ended without a step that returned them, such as at their deadlines. For callers that wait
    /// while another thread makes a call.
    pub fn ended(&mut self, now_ms: u64) -> Vec<(u64, Arc<WaitReport>)> {
        self.expire(now_ms);
        self.ended.drain(..).collect()
    }

    /// Ends a call whose result the host does not have, such as one of a task that was cancelled. It is repeated.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::NotInFlight`] for another call. The fleet is unchanged.
    pub fn abandon(&mut self, call: u64, now_ms: u64) -> Result<(), StateError> {
        let InFlight { ids, part, .. } = self.take(call)?;
        self.advance(now_ms);
        for id in &ids {
            self.postpone(id, ReasonCode::Other, "the call was abandoned");
        }
        if let Some(part) = part {
            self.search.succeed(&part, self.next_call);
        }
        Ok(())
    }

    /// Handles the answer of a call, which has one page or several. Returns the waits that it ended.
    ///
    /// # Errors
    ///
    /// Returns [`FleetError::NoKey`] or [`FleetError::DuplicateKey`] if the resources of the answer cannot be told apart,
    /// and [`StateError::NotInFlight`] for another call. The fleet is unchanged.
    pub fn respond<V: Value>(
        &mut self,
        call: u64,
        pages: &[V],
        now_ms: u64,
    ) -> Result<Vec<FleetEnd<V>>, FleetError> {
        let in_flight = self.calls.get(&call).ok_or(StateError::NotInFlight)?;
        let mut found = self.shape.find(&in_flight.ids, pages)?;
        let InFlight {
            ids, group, part, ..
        } = self.take(call)?;
        self.advance(now_ms);
        // A misspelled option looks like an answer without resources.
        let missing = if found.is_empty() && ids.len() > 1 {
            "the answers of two calls do not have it, nor any other resource of the call: are `items` and `key` right?"
        } else {
            "the answers of two calls do not have it"
        };
        let searches = found.is_empty() && !std::mem::replace(&mut self.is_hinted, true);
        let mut hint = pages
            .iter()
            .filter(|_| searches)
            .find_map(|page| self.shape.hint(page));
        let mut ends = Vec::new();
        for id in &ids {
            let found = found.remove(id);
            let Some(member) = self.members.get_mut(id) else {
                continue;
            };
            let confirms = group == Group::Missing && member.standing.group == Group::Missing;
            match &found {
                Some(found) => {
                    member.become_known();
                    self.shape.with_view(found, |view| {
                        member.handle(self.now, |_| Event::response(view.clone()));
                    });
                }
                None if confirms => {
                    let error = ErrorMetadata::of_code(&*self.missing_code).message(missing);
                    member.handle_error(self.now, &error, None);
                }
                None => {
                    member.standing.group = Group::Missing;
                    let text = "the answer does not have it, and one answer decides nothing";
                    // The mistake is that of all members, and one reports it.
                    member.postpone(self.now, ReasonCode::NotFound, text, hint.take());
                }
            }
            let item = found.as_ref().and_then(answer::Found::item);
            let missing = (confirms && found.is_none()).then_some(missing);
            let ended = self.settle(id);
            ends.extend(ended.into_iter().map(|(ticket, report)| FleetEnd {
                ticket,
                item: item.cloned(),
                missing: missing.filter(|_| report.last_result == Some(AttemptResult::Error)),
                report,
            }));
        }
        if let Some(part) = part
            && self.search.succeed(&part, self.next_call) == Outcome::BothSucceeded
        {
            // Both parts alone are accepted: the call had more identifiers than the service accepts.
            // At least 1, since members may have left both parts.
            self.batch = self.batch.min(ids.len().max(1));
        }
        Ok(ends)
    }

    /// Handles the error of a call. `transient` is the host's classification, `None` if the error is not transient.
    ///
    /// A throttled call lowers the rate. An error that may be about some of the identifiers is searched for them; any
    /// other error is that of every wait of the call.
    ///
    /// # Errors
    ///
    /// Returns [`StateError::NotInFlight`] for another call. The fleet is unchanged.
    pub fn fail(
        &mut self,
        call: u64,
        error: &ErrorMetadata<'_>,
        transient: Option<Transient>,
        now_ms: u64,
        limit: &mut RateLimit,
    ) -> Result<(), StateError> {
        let InFlight {
            ids, size, part, ..
        } = self.take(call)?;
        let now = self.advance(now_ms);
        if RequestFailure::from(error.clone()).is_throttled() {
            limit.throttle(now);
        }
        let round = self.next_call;
        // The error of a call for several is not that of the one that is left.
        let is_alone = size == 1;
        if transient.is_some() || is_alone || !Problem::of(Some(error)).is_of_resource() {
            for id in &ids {
                self.fail_member(id, error, transient, is_alone);
            }
            let message = error.own_message();
            let outcome = match part {
                Some(part) if is_alone => self.search.fail(&part, ids, message, round),
                Some(part) => self.search.succeed(&part, round),
                None => Outcome::GoesOn,
            };
            self.follow(outcome, error);
            return Ok(());
        }
        // If the definition expects the error, or it is not about unknown resources, each one needs an answer.
        let is_expected = self.waiter.evaluate_error(error).0.acceptor().is_some();
        let stops = !is_expected && Problem::of(Some(error)).is_missing();
        match part {
            Some(part) if stops => {
                let outcome = self.search.fail(&part, ids, error.own_message(), round);
                self.follow(outcome, error);
            }
            Some(part) => {
                let outcome = self.search.succeed(&part, round);
                self.follow(outcome, error);
                self.divide(ids, error);
            }
            None => self.divide(ids, error),
        }
        Ok(())
    }

    fn divide(&mut self, ids: Ids, error: &ErrorMetadata<'_>) {
        let (members, round) = (&self.members, self.next_call);
        let is_known = |id: &Arc<str>| {
            members
                .get(id)
                .is_some_and(|member| member.standing.is_unknown)
        };
        self.search
            .divide(ids, error.own_message(), round, is_known);
    }

    /// Ends the waits whose deadlines have passed.
    fn expire(&mut self, now_ms: u64) -> u64 {
        let now = self.advance(now_ms);
        while let Some((_, ticket)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            self.end_early(*ticket, false);
        }
        now
    }

    fn advance(&mut self, now: u64) -> u64 {
        // As in a wait, a clock that goes backwards must not lengthen anything.
        self.now = self.now.max(now);
        self.now
    }

    fn take(&mut self, call: u64) -> Result<InFlight, StateError> {
        self.calls.remove(&call).ok_or(StateError::NotInFlight)
    }

    /// Returns the time at which a call is due or a wait ends, or `u64::MAX`.
    fn next_ms(&self) -> u64 {
        let due = self.due.first().map_or(u64::MAX, |(at, _)| *at);
        self.or_deadline(due)
    }

    fn or_deadline(&self, due: u64) -> u64 {
        let deadline = self.deadlines.first().map_or(u64::MAX, |(at, _)| *at);
        due.min(deadline)
    }

    fn sleep(&self, due: u64) -> FleetStep {
        match self.or_deadline(due) {
            u64::MAX => FleetStep::Idle,
            until_ms => FleetStep::Sleep { until_ms },
        }
    }

    /// Starts the next call. Returns `None` if nobody waits for it any more.
    fn start_call(&mut self) -> Option<FleetStep> {
        let (ids, group, part) = match self.search.next_part() {
            Some(mut part) => {
                part.ids.retain(|id| self.members.contains_key(id));
                if part.ids.is_empty() {
                    self.search.succeed(&part, self.next_call);
                }
                (part.ids.clone(), Group::Suspect, Some(part))
            }
            None => {
                let (ids, group) = self.gather();
                (self.begin(ids), group, None)
            }
        };
        if ids.is_empty() {
            return None;
        }
        let callers = ids.iter().filter_map(|id| self.members.get(id));
        let deadlines = callers.flat_map(|member| &member.callers);
        // The latest: the answer is for all, and a caller whose time ends earlier leaves alone.
        let deadline = deadlines.map(|caller| caller.deadline).max();
        let call = self.next_call;
        self.next_call = call.saturating_add(1);
        self.calls.insert(
            call,
            InFlight {
                ids: ids.clone(),
                size: ids.len(),
                group,
                part,
            },
        );
        Some(FleetStep::Call {
            call,
            ids,
            deadline_ms: deadline.filter(|deadline| *deadline < u64::MAX),
        })
    }

    /// Returns the members of the next call: those that are due first, of one group.
    fn gather(&mut self) -> (Ids, Group) {
        let first = self.due.first().and_then(|(_, id)| self.members.get(id));
        let Some(first) = first else {
            return (Ids::new(), Group::Known);
        };
        let group = first.standing.group;
        let is_alone = first.is_overdue_suspect(self.now);
        let most = if is_alone { 1 } else { self.batch };
        let latest = self.now.saturating_add(self.earliness);
        let mut ids = Ids::new();
        for (at, id) in &self.due {
            // Members are sorted by `due`, and none may be called earlier than `earliness` before it.
            if *at > latest || ids.len() == most {
                break;
            }
            let member = self.members.get(id);
            if member
                .is_some_and(|member| member.standing.group == group && member.soft <= self.now)
            {
                ids.push(Arc::clone(id));
            }
        }
        (ids, group)
    }

    /// Starts the calls of the waits, and returns the members that still wait.
    fn begin(&mut self, mut ids: Ids) -> Ids {
        for id in &ids {
            let Some(member) = self.members.get_mut(id) else {
                continue;
            };
            self.due.remove(&(member.due, Arc::clone(id)));
            member.is_in_flight = true;
            member.was_called = true;
            for caller in &mut member.callers {
                caller.start_call(self.now);
            }
            self.index_deadlines(id);
            let ended = self.remove_ended(id);
            self.ended.extend(ended);
        }
        ids.retain(|id| self.members.contains_key(id));
        ids
    }

    /// Returns `true` if a resource that is due had a call since it was added.
    fn was_called(&self, id: &Arc<str>) -> bool {
        self.members.get(id).is_some_and(|member| member.was_called)
    }

    fn fail_member(
        &mut self,
        id: &Arc<str>,
        error: &ErrorMetadata<'_>,
        transient: Option<Transient>,
        is_alone: bool,
    ) {
        let Some(member) = self.members.get_mut(id) else {
            return;
        };
        if is_alone && transient.is_none() {
            if Problem::of(Some(error)).is_missing() {
                member.backdate_missing();
            }
            // It would make the next call of many fail, too.
            member.suspect(true, self.now);
        }
        member.handle_error(self.now, error, transient);
        let ended = self.settle(id);
        self.ended.extend(ended);
    }

    /// Postpones the members of a search that ended without an answer for them.
    fn follow(&mut self, outcome: Outcome, error: &ErrorMetadata<'_>) {
        let Outcome::BothFailed(failed) = outcome else {
            return;
        };
        let described = self.waiter.redacted().describe(error);
        let count = failed.iter().map(|failed| failed.ids.len()).sum::<usize>();
        let text = format!("a call for {count} resources failed: {described}");
        for failed in &failed {
            for id in &failed.ids {
                let member = self.members.get_mut(id);
                // A part of one identifier has an answer of its own.
                if let Some(member) = member.filter(|member| member.is_in_flight) {
                    member.suspect(failed.names(id), self.now);
                    self.postpone(id, ReasonCode::NotFound, &text);
                }
            }
        }
    }

    /// Ends the call of a member that says nothing about it.
    fn postpone(&mut self, id: &Arc<str>, code: ReasonCode, text: &str) {
        if let Some(member) = self.members.get_mut(id) {
            member.postpone(self.now, code, text, None);
        }
        let ended = self.settle(id);
        self.ended.extend(ended);
    }

    /// Removes the waits of a member that ended after its call, and schedules the others. Returns the ended ones.
    fn settle(&mut self, id: &Arc<str>) -> Vec<(u64, Arc<WaitReport>)> {
        if let Some(member) = self.members.get_mut(id) {
            member.is_in_flight = false;
        }
        let ended = self.remove_ended(id);
        self.index_deadlines(id);
        self.schedule(id);
        ended
    }

    fn remove_ended(&mut self, id: &Arc<str>) -> Vec<(u64, Arc<WaitReport>)> {
        let Some(member) = self.members.get_mut(id) else {
            return Vec::new();
        };
        let of_ended = member
            .callers
            .extract_if(.., |caller| caller.report.is_some());
        let of_ended: Vec<Caller> = of_ended.collect();
        if member.callers.is_empty() {
            let is_in_flight = member.is_in_flight;
            self.due.remove(&(member.due, Arc::clone(id)));
            self.members.remove(id);
            if is_in_flight {
                self.forget(id);
            }
        }
        let mut ended = Vec::new();
        for caller in of_ended {
            self.deadlines.remove(&(caller.deadline, caller.ticket));
            self.tickets.remove(&caller.ticket);
            let Some(report) = caller.report else {
                continue;
            };
            let report = self.shape.of_item(report);
            self.note_end(caller.ticket, id, &report);
            self.latest.insert(caller.ticket, caller.wait);
            ended.push((caller.ticket, report));
        }
        ended
    }

    /// Removes an identifier from the calls in flight: a caller who joins later needs an answer to a later call.
    fn forget(&mut self, id: &Arc<str>) {
        for call in self.calls.values_mut() {
            call.ids.retain(|other| other != id);
        }
        self.search.forget(id);
    }

    /// Updates the times at which the waits of a member end.
    fn index_deadlines(&mut self, id: &Arc<str>) {
        let Some(member) = self.members.get_mut(id) else {
            return;
        };
        for caller in &mut member.callers {
            let previous = caller.deadline;
            let current = caller.update_deadline();
            if previous != current {
                self.deadlines.remove(&(previous, caller.ticket));
                self.deadlines.insert((current, caller.ticket));
            }
        }
    }

    /// Updates the time at which a member is due, unless its call is in flight.
    fn schedule(&mut self, id: &Arc<str>) {
        let Some(member) = self.members.get_mut(id) else {
            return;
        };
        if member.is_in_flight {
            return;
        }
        self.due.remove(&(member.due, Arc::clone(id)));
        member.schedule();
        self.due.insert((member.due, Arc::clone(id)));
        let earliness = member.due.saturating_sub(member.soft);
        self.earliness = self.earliness.max(earliness);
    }

    /// Ends the wait of a caller at its deadline or as cancelled. A call that takes longer than an attempt may is over.
    fn end_early(&mut self, ticket: u64, is_cancelled: bool) {
        let Some(id) = self.tickets.get(&ticket).cloned() else {
            // The wait has ended: a deadline that is left would wake the driver for ever.
            self.deadlines.retain(|(_, other)| *other != ticket);
            return;
        };
        let Some(member) = self.members.get_mut(&id) else {
            return;
        };
        if let Some(caller) = member
            .callers
            .iter_mut()
            .find(|caller| caller.ticket == ticket)
        {
            if is_cancelled {
                caller.cancel(self.now);
            } else {
                caller.expire(self.now);
            }
        }
        let ended = self.remove_ended(&id);
        self.ended.extend(ended);
        self.index_deadlines(&id);
        self.schedule(&id);
    }
}

/// Rejects identifiers that are empty or repeat.
fn check_ids<'i>(ids: impl Iterator<Item = &'i str>) -> Result<(), OptionsError> {
    let mut seen = BTreeSet::new();
    for (index, id) in ids.enumerate() {
        if id.is_empty() {
            return Err(options::empty_id(index));
        }
        if !seen.insert(id) {
            let rule = "must not repeat an identifier";
            return Err(OptionsError::invalid("ids", rule, &format!("`{id}` twice")));
        }
    }
    Ok(())
}

/// The step of a wait, as far as a fleet needs it.
fn report_of(step: Step) -> Option<Arc<WaitReport>> {
    match step {
        Step::Done(report) => Some(report),
        Step::Call { .. } | Step::Sleep { .. } => None,
    }
}

/// Returns the code of the error for a resource that two answers lack: the definition's, if it names one.
fn missing_code(waiter: &Waiter) -> String {
    let acceptors = waiter.definition_acceptors().iter();
    let mut names = acceptors.filter_map(|acceptor| acceptor.matcher().error_type());
    let is_missing = |name: &&str| Problem::of(Some(&ErrorMetadata::of_code(*name))).is_missing();
    names.find(is_missing).unwrap_or("NotFound").to_owned()
}
