//! The callers of a fleet, one of whom polls for all.

use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, TryLockError};
use std::task::{Context, Poll, Waker};

use crate::driver::cancel::{CancelToken, unless_cancelled};
use crate::driver::clock::{Clock, Host};
use crate::driver::error::{OperationError, described};
use crate::driver::limit::SharedRateLimit;
use crate::driver::several::{WaitersError, Whole};
use crate::error::{OptionsError, StateError};
use crate::fleet::{Fleet, FleetEnd, FleetError, FleetStep, Tally};
use crate::options::WaitOptions;
use crate::response::Response;
use crate::seed::seed;
use crate::sync::{Mutex, MutexGuard};
use crate::wait::WaitReport;

/// The time for which a step may be late before another caller takes it, in milliseconds. The callers follow each other by
/// as much, so that a crowd does not wake up for each step.
const TURN_MS: u64 = 100;

/// The turn of the callers that are further from the leader.
const LAST_TURN: usize = 10;

/// The time for which the leader may leave calls in flight alone, in milliseconds. What wakes them may wake only the leader.
const CALL_TURN_MS: u64 = 1_000;

/// A fleet and its callers. Without callers, nothing runs.
///
/// One of the callers, the leader, makes the calls for all and sleeps until the next one is due. If it ends or is dropped,
/// another caller goes on with its calls. A leader whose future is held without being polled looks like one that sleeps, so
/// that the others watch the time at which it must act, and take over.
#[derive(Debug)]
pub(super) struct Crew<H, C, F> {
    clock: Clock<H>,
    limit: SharedRateLimit,
    state: Mutex<State>,
    /// Locked by the leader, also while it calls the operation. Locked before `state`.
    work: Mutex<Work<C, F>>,
}

#[derive(Debug)]
struct State {
    machine: Fleet,
    callers: BTreeMap<u64, Caller>,
    /// The callers of the tickets.
    owners: BTreeMap<u64, u64>,
    last_caller: u64,
    leader: Option<u64>,
    /// The time at which the leader was polled.
    seen_ms: u64,
    /// The calls whose results the machine needs.
    calls: BTreeSet<u64>,
    /// The callers to wake after the lock is released.
    woken: Vec<Waker>,
}

#[derive(Debug)]
struct Caller {
    whole: Whole,
    /// The names of the open waits by their tickets.
    names: BTreeMap<u64, String>,
    /// The deadline of the waits.
    deadline_ms: u64,
    error: Option<FleetError>,
    waker: Option<Waker>,
    /// `true` if something changed since the caller looked.
    is_awake: bool,
}

#[derive(Debug)]
struct Work<C, F> {
    call: C,
    in_flight: Vec<InFlight<F>>,
}

#[derive(Debug)]
struct InFlight<F> {
    call: u64,
    deadline_ms: Option<u64>,
    future: Pin<Box<F>>,
}

/// The part of a caller until its next look at the fleet.
enum Turn {
    /// It polls for all.
    Lead(FleetStep),
    /// Another caller polls. This one looks again at a time, or when something changes.
    Follow { until_ms: Option<u64> },
}

/// The place of a caller, which leaves when it is dropped.
struct Place<'c, H: Host, C, F> {
    crew: &'c Crew<H, C, F>,
    number: u64,
}

impl<H: Host, C, F> Drop for Place<'_, H, C, F> {
    fn drop(&mut self) {
        self.crew.leave(self.number);
    }
}

/// A call that has no future yet. If the operation panics, the call is abandoned.
struct Starting<'c, H: Host, C, F> {
    crew: &'c Crew<H, C, F>,
    call: u64,
}

impl<H: Host, C, F> Drop for Starting<'_, H, C, F> {
    fn drop(&mut self) {
        self.crew.abandon(self.call);
    }
}

impl<H: Host, C, F> Crew<H, C, F> {
    pub(super) fn new(machine: Fleet, limit: SharedRateLimit, host: H, call: C) -> Self {
        let state = State {
            machine,
            callers: BTreeMap::new(),
            owners: BTreeMap::new(),
            last_caller: 0,
            leader: None,
            seen_ms: 0,
            calls: BTreeSet::new(),
            woken: Vec::new(),
        };
        let in_flight = Vec::new();
        Self {
            // The times of a rate limit that fleets share are on one clock.
            clock: Clock::of_host(host, None),
            limit,
            state: Mutex::new(state),
            work: Mutex::new(Work { call, in_flight }),
        }
    }

    /// Waits for resources until the whole has ended or the caller cancels. `invoke` calls the operation.
    pub(super) async fn run<T, E>(
        &self,
        ids: &[String],
        options: &WaitOptions,
        tally: Tally,
        cancel: Option<&CancelToken>,
        invoke: impl Fn(&mut C, Vec<String>) -> F,
    ) -> Result<Whole, WaitersError>
    where
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        let place = self.join(ids, options, tally)?;
        let number = place.number;
        while self.is_open(number) && !cancel.is_some_and(CancelToken::is_cancelled) {
            let (until_ms, is_leader) = match self.step(number) {
                Turn::Follow { until_ms } => (until_ms, false),
                Turn::Lead(FleetStep::Call {
                    call,
                    ids,
                    deadline_ms,
                }) => {
                    self.start(call, &ids, deadline_ms, &invoke);
                    poll_fn(|context| Poll::Ready(self.poll_calls(number, context))).await;
                    continue;
                }
                Turn::Lead(FleetStep::Sleep { until_ms }) => (Some(until_ms), true),
                Turn::Lead(FleetStep::Idle) => (None, true),
                Turn::Lead(FleetStep::Ended { .. }) => continue,
            };
            let changed = async {
                unless_cancelled(cancel, self.changed(number, is_leader)).await;
            };
            let calls = self.with(|state| state.calls.len());
            if is_leader {
                H::pause(&self.clock, until_ms, calls, changed).await;
            } else {
                H::follow(&self.clock, until_ms, changed).await;
            }
        }
        match self.leave(number) {
            Some(Caller {
                error: Some(error), ..
            }) => Err(error.into()),
            Some(Caller { whole, .. }) => Ok(whole),
            // Only this function and the end of `place` remove a caller.
            None => Err(FleetError::State(StateError::NotInFlight).into()),
        }
    }

    fn join(
        &self,
        ids: &[String],
        options: &WaitOptions,
        tally: Tally,
    ) -> Result<Place<'_, H, C, F>, OptionsError> {
        let now = self.clock.now_ms();
        let number = self.with(|state| state.join(ids, options, tally, now))?;
        Ok(Place { crew: self, number })
    }

    /// Ends the open waits of a caller, and lets another one poll.
    fn leave(&self, number: u64) -> Option<Caller> {
        let now = self.clock.now_ms();
        let caller = self.with(|state| state.leave(number, now));
        self.drop_calls();
        caller
    }

    /// Drops the calls whose results nobody needs, unless a leader is at work, who does it.
    fn drop_calls(&self) {
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        self.with(|state| {
            let is_needed = |flight: &InFlight<F>| state.calls.contains(&flight.call);
            work.in_flight.retain(is_needed);
        });
    }

    fn is_open(&self, number: u64) -> bool {
        self.with(|state| {
            let caller = state.callers.get(&number);
            caller.is_some_and(|caller| caller.error.is_none() && caller.whole.is_open())
        })
    }

    /// Returns the next step of the fleet if the caller leads, or takes over from a leader that missed it.
    fn step(&self, number: u64) -> Turn {
        let now = self.clock.now_ms();
        self.with(|state| {
            if state.leader.is_some_and(|leader| leader != number) {
                state.expire(now);
                let missed_at = state.missed_at(number);
                if !H::LEADER_CAN_STALL || missed_at > now || self.is_at_work() {
                    return state.follow(number, missed_at, now);
                }
                // If the leader is only late, it follows from now on.
                state.wake_leader();
            }
            state.leader = Some(number);
            state.seen_ms = now;
            let step = state.machine.poll(now, &mut self.limit.lock());
            match &step {
                FleetStep::Ended { ticket, report } => state.end(*ticket, Arc::clone(report)),
                FleetStep::Call { call, .. } => {
                    state.calls.insert(*call);
                }
                FleetStep::Sleep { .. } | FleetStep::Idle => {}
            }
            Turn::Lead(step)
        })
    }

    /// Returns `true` if a caller makes or polls calls at this moment, which may take long in another thread.
    fn is_at_work(&self) -> bool {
        matches!(self.work.try_lock(), Err(TryLockError::WouldBlock))
    }

    fn start(
        &self,
        call: u64,
        ids: &[Arc<str>],
        deadline_ms: Option<u64>,
        invoke: impl Fn(&mut C, Vec<String>) -> F,
    ) {
        let starting = Starting { crew: self, call };
        let mut work = self.work();
        let ids = ids.iter().map(ToString::to_string).collect();
        let future = Box::pin(invoke(&mut work.call, ids));
        work.in_flight.push(InFlight {
            call,
            deadline_ms,
            future,
        });
        mem::forget(starting);
    }

    /// Resolves when something changed for a caller. The leader polls the calls meanwhile.
    fn changed<T, E>(&self, number: u64, is_leader: bool) -> impl Future<Output = ()>
    where
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        poll_fn(move |context| {
            let is_awake = self.with(|state| state.listen(number, context.waker()));
            if is_awake || (is_leader && self.poll_calls(number, context)) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
    }

    /// Polls the calls in flight and handles their results. Returns `true` if a call ended.
    fn poll_calls<T, E>(&self, number: u64, context: &mut Context<'_>) -> bool
    where
        F: Future<Output = Result<T, E>>,
        T: Response,
        E: OperationError,
    {
        let mut ended = Vec::new();
        let now = self.clock.now_ms();
        let needed = self.with(|state| {
            state.seen_ms = now;
            state.calls.clone()
        });
        self.work().in_flight.retain_mut(|flight| {
            if !needed.contains(&flight.call) {
                return false;
            }
            match flight.future.as_mut().poll(context) {
                Poll::Ready(result) => ended.push((flight.call, Some(result))),
                Poll::Pending if flight.deadline_ms.is_some_and(|deadline| deadline <= now) => {
                    ended.push((flight.call, None));
                }
                Poll::Pending => return true,
            }
            false
        });
        self.with(|state| {
            // Another caller took over meanwhile, and the calls must wake that one.
            if state.leader != Some(number) {
                state.wake_leader();
            }
        });
        let has_ended = !ended.is_empty();
        for (call, result) in ended {
            match result {
                Some(result) => self.call_ended(call, result),
                // Nobody waits for the answer any more.
                None => self.abandon(call),
            }
        }
        has_ended
    }

    fn call_ended<T: Response, E: OperationError>(&self, call: u64, result: Result<T, E>) {
        let now = self.clock.now_ms();
        self.with(|state| {
            state.calls.remove(&call);
            let handled = match result {
                Ok(response) => state.respond(call, &response, now),
                Err(error) => {
                    let (metadata, transient) = described(&error, now);
                    let limit = &mut self.limit.lock();
                    let failed = state.machine.fail(call, &metadata, transient, now, limit);
                    failed.map_err(FleetError::from)
                }
            };
            if let Err(error) = handled {
                state.break_off(&error, now);
                state.abandon(call, now);
            }
        });
    }

    fn abandon(&self, call: u64) {
        let now = self.clock.now_ms();
        self.with(|state| state.abandon(call, now));
    }

    fn work(&self) -> MutexGuard<'_, Work<C, F>> {
        // After a panic of a call, its future panics again for the next caller.
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and then wakes callers.
    fn with<O>(&self, change: impl FnOnce(&mut State) -> O) -> O {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let output = change(&mut state);
        let woken = mem::take(&mut state.woken);
        drop(state);
        woken.into_iter().for_each(Waker::wake);
        output
    }
}

impl State {
    fn join(
        &mut self,
        ids: &[String],
        options: &WaitOptions,
        tally: Tally,
        now: u64,
    ) -> Result<u64, OptionsError> {
        let tickets = self.machine.join_each(ids, options, seed(options)?, now)?;
        let number = self.last_caller.saturating_add(1);
        self.last_caller = number;
        for ticket in &tickets {
            self.owners.insert(*ticket, number);
        }
        // The waits of a list share their options, and so their deadline.
        let deadline = tickets
            .first()
            .and_then(|first| self.machine.deadline_ms(*first));
        let names = tickets.into_iter().zip(ids.iter().cloned()).collect();
        let caller = Caller {
            whole: Whole::new(tally),
            names,
            deadline_ms: deadline.unwrap_or(u64::MAX),
            error: None,
            waker: None,
            is_awake: false,
        };
        self.callers.insert(number, caller);
        self.wake_leader();
        Ok(number)
    }

    fn leave(&mut self, number: u64, now: u64) -> Option<Caller> {
        let tickets = self.callers.get(&number)?.names.keys();
        for ticket in tickets.copied().collect::<Vec<_>>() {
            if let Some(report) = self.machine.leave(ticket, now) {
                self.end(ticket, report);
            }
        }
        let caller = self.callers.remove(&number);
        if self.leader == Some(number) {
            self.leader = None;
        }
        if self.callers.is_empty() {
            for call in self.calls.clone() {
                self.abandon(call, now);
            }
        }
        // The first caller may be one that is held, and the next one has not led yet.
        let mut others = self.callers.range(number..).chain(&self.callers);
        let next = others.next().map(|(next, _)| *next);
        if let Some(number) = self.leader.or(next) {
            self.wake(number);
        }
        caller
    }

    /// Returns the time from which a caller takes over if the leader has done nothing: its turn comes some time after that of the
    /// caller before it.
    fn missed_at(&self, number: u64) -> u64 {
        let mut due = self.machine.due_ms();
        if !self.calls.is_empty() {
            due = due.min(self.seen_ms.saturating_add(CALL_TURN_MS));
        }
        let leader = self.leader.unwrap_or(number);
        let after = self.callers.range(leader..).chain(&self.callers);
        let turn = after
            .take(LAST_TURN)
            .position(|(other, _)| *other == number);
        let turn = u64::try_from(turn.unwrap_or(LAST_TURN)).unwrap_or(u64::MAX);
        due.saturating_add(turn.saturating_mul(TURN_MS))
    }

    /// Returns the part of a caller for which another one polls. Its own deadline does not depend on that one.
    fn follow(&self, number: u64, missed_at: u64, now: u64) -> Turn {
        let deadline = self.callers.get(&number).map(|caller| caller.deadline_ms);
        let deadline = deadline.filter(|deadline| *deadline > now);
        // While the leader is at work, the time that it missed has passed.
        let look_at = missed_at.max(now.saturating_add(TURN_MS));
        let until = deadline.into_iter().chain([look_at]).min();
        Turn::Follow {
            until_ms: until.filter(|until| *until < u64::MAX),
        }
    }

    /// Stores the waker of a caller. Returns `true` if something changed since it looked.
    fn listen(&mut self, number: u64, waker: &Waker) -> bool {
        let Some(caller) = self.callers.get_mut(&number) else {
            return true;
        };
        caller.waker = Some(waker.clone());
        mem::take(&mut caller.is_awake)
    }

    fn respond<T: Response>(
        &mut self,
        call: u64,
        response: &T,
        now: u64,
    ) -> Result<(), FleetError> {
        for FleetEnd { ticket, report, .. } in
            self.machine.respond(call, &[response.view()], now)?
        {
            self.end(ticket, report);
        }
        Ok(())
    }

    fn expire(&mut self, now: u64) {
        for (ticket, report) in self.machine.ended(now) {
            self.end(ticket, report);
        }
    }

    fn end(&mut self, ticket: u64, report: Arc<WaitReport>) {
        let Some(number) = self.owners.remove(&ticket) else {
            return;
        };
        if let Some(caller) = self.callers.get_mut(&number)
            && let Some(name) = caller.names.remove(&ticket)
        {
            // The tickets of a list have the order of its identifiers.
            caller.whole.end(ticket, name, report);
        }
        self.wake(number);
    }

    /// Ends all waits with an error of the program.
    fn break_off(&mut self, error: &FleetError, now: u64) {
        let numbers: Vec<u64> = self.callers.keys().copied().collect();
        for number in numbers {
            if let Some(caller) = self.callers.get_mut(&number) {
                caller.error = Some(error.clone());
                for ticket in mem::take(&mut caller.names).into_keys() {
                    self.owners.remove(&ticket);
                    self.machine.leave(ticket, now);
                }
            }
            self.wake(number);
        }
    }

    fn abandon(&mut self, call: u64, now: u64) {
        self.calls.remove(&call);
        // An error means that the machine has ended the call already.
        let _ = self.machine.abandon(call, now);
    }

    fn wake_leader(&mut self) {
        if let Some(number) = self.leader {
            self.wake(number);
        }
    }

    fn wake(&mut self, number: u64) {
        if let Some(caller) = self.callers.get_mut(&number) {
            caller.is_awake = true;
            self.woken.extend(caller.waker.take());
        }
    }
}
