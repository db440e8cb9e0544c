//! A resource of a fleet, and the callers that wait for it.

use std::convert::Infallible;
use std::sync::Arc;

use super::report_of;
use crate::evaluation::{ErrorMetadata, Hint, ReasonCode};
use crate::retry::Transient;
use crate::value::Value;
use crate::wait::{Event, Wait, WaitReport};

/// The time for which new identifiers are gathered, so that a crowd makes one call.
const GATHER_MS: u64 = 100;

/// The part of a delay by which a member may be early to share a call with others: a tenth.
const EARLY_PART: u64 = 10;

/// The time after which a suspect without a time limit of its own gets a call of its own.
const SUSPECT_MS: u64 = 60_000;

/// Whether an answer showed a resource. Calls are for members of one group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Group {
    /// Nothing speaks against it.
    #[default]
    Known,
    /// The latest answer did not have it.
    Missing,
    /// It may be what made a call of many fail.
    Suspect,
}

/// What the calls for a resource have shown of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    pub(super) group: Group,
    /// In the time of the fleet, as a suspect that was resumed may be older than the fleet.
    pub(super) suspect_since: Option<i64>,
    /// `true` if a call for it alone failed, or an error named it.
    pub(super) is_unknown: bool,
}

impl Standing {
    /// Returns the standing with its time on another clock.
    pub(super) fn at(self, time: impl FnOnce(i64) -> i64) -> Self {
        Self {
            suspect_since: self.suspect_since.map(time),
            ..self
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) callers: Vec<Caller>,
    pub(super) standing: Standing,
    pub(super) is_in_flight: bool,
    /// `true` if there was a call for it, in a fleet that is resumed for each round: in this round.
    pub(super) was_called: bool,
    /// The time at which a call for it starts.
    pub(super) due: u64,
    /// The time from which it can join a call for others.
    pub(super) soft: u64,
}

/// A wait of a caller.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) ticket: u64,
    /// The start in the time of the fleet. A wait that was resumed may have started earlier than the fleet.
    pub(super) started: i64,
    pub(super) wait: Wait,
    /// The end of the wait, or of its attempt if a call is in flight.
    pub(super) deadline: u64,
    pub(super) report: Option<Arc<WaitReport>>,
}

impl Member {
    pub(super) fn add(&mut self, caller: Caller) {
        if self.callers.is_empty() {
            // A list grows to four items at once, and most resources have one caller.
            self.callers.reserve_exact(1);
        }
        self.callers.push(caller);
    }

    /// Notes that an answer has the resource.
    pub(super) fn become_known(&mut self) {
        self.standing = Standing::default();
    }

    /// Notes that the resource may make calls fail, or that it does because the service does not know it.
    pub(super) fn suspect(&mut self, is_unknown: bool, now: u64) {
        self.standing.group = Group::Suspect;
        self.standing.is_unknown |= is_unknown;
        self.standing.suspect_since.get_or_insert(signed(now));
    }

    /// Counts the time as a suspect towards the time for which a missing resource is waited for.
    pub(super) fn backdate_missing(&mut self) {
        let Some(since) = self.standing.suspect_since else {
            return;
        };
        for caller in &mut self.callers {
            let since = since.saturating_sub(caller.started);
            caller.wait.missing_since(unsigned(since));
        }
    }

    /// Returns `true` if the resource needs a call of its own, because others hide for too long whether it exists.
    pub(super) fn is_overdue_suspect(&self, now: u64) -> bool {
        let windows = self
            .callers
            .iter()
            .filter_map(|caller| caller.wait.not_found_window());
        let window = windows.min().unwrap_or(SUSPECT_MS);
        let age = |since| signed(now).saturating_sub(since);
        let since = self.standing.suspect_since;
        since.is_some_and(|since| unsigned(age(since)) >= window)
    }

    /// Reports an event to the waits whose call is in flight.
    pub(super) fn handle<'a, V: Value>(
        &mut self,
        now: u64,
        event: impl Fn(&Caller) -> Event<'a, V>,
    ) {
        for caller in &mut self.callers {
            if !caller.wait.is_in_flight() {
                continue;
            }
            let event = event(caller);
            // The call is in flight, and the event can have no acceptor that does not exist.
            let now = caller.wait_time(now);
            if let Ok(step) = caller.wait.handle(event, now) {
                caller.report = report_of(step);
            }
        }
    }

    pub(super) fn handle_error(
        &mut self,
        now: u64,
        error: &ErrorMetadata<'_>,
        transient: Option<Transient>,
    ) {
        self.handle::<Infallible>(now, |caller| Event::Error {
            error,
            transient: transient.map(|transient| Transient {
                not_before_ms: caller.wait_time(transient.not_before_ms),
                ..transient
            }),
        });
    }

    /// Ends a call that says nothing about the resource. The first caller reports the hint.
    pub(super) fn postpone(
        &mut self,
        now: u64,
        code: ReasonCode,
        text: &str,
        mut hint: Option<Hint>,
    ) {
        for caller in &mut self.callers {
            if caller.wait.is_in_flight() {
                let now = caller.wait_time(now);
                let step = caller.wait.postpone(code, text, hint.take(), now);
                caller.report = report_of(step);
            }
        }
    }

    /// Finds out when the resource is due.
    pub(super) fn schedule(&mut self) {
        let times = self.callers.iter().map(Caller::due);
        let first = times.reduce(|(due, soft), (other_due, other_soft)| {
            (due.min(other_due), soft.min(other_soft))
        });
        (self.due, self.soft) = first.unwrap_or_default();
    }
}

impl Caller {
    pub(super) fn new(ticket: u64, started: i64, wait: Wait) -> Self {
        let mut caller = Self {
            ticket,
            started,
            wait,
            deadline: 0,
            report: None,
        };
        caller.update_deadline();
        caller
    }

    /// Returns the time at which the wait is due, and the one from which it can join a call.
    fn due(&self) -> (u64, u64) {
        let Some((until, is_last)) = self.wait.pause_end() else {
            return (u64::MAX, u64::MAX);
        };
        let until = self.fleet_time(until);
        if self.wait.attempts() == 0 {
            return (until.saturating_add(GATHER_MS), until);
        }
        // The last attempt is as close to the deadline as it can be.
        let early = if is_last {
            0
        } else {
            until.saturating_sub(self.now()) / EARLY_PART
        };
        (until, until.saturating_sub(early))
    }

    /// Returns the latest time of the wait, in the time of the fleet.
    const fn now(&self) -> u64 {
        self.fleet_time(self.wait.now_ms())
    }

    /// Returns a time of the fleet in the time of the wait.
    pub(super) const fn wait_time(&self, fleet_time: u64) -> u64 {
        fleet_time.saturating_add_signed(self.started.saturating_neg())
    }

    const fn fleet_time(&self, wait_time: u64) -> u64 {
        wait_time.saturating_add_signed(self.started)
    }

    /// Starts the call of the wait, unless the wait must not be early.
    pub(super) fn start_call(&mut self, now: u64) {
        let (_, soft) = self.due();
        // An attempt of a wait that only attempts limit must not be spent early.
        if soft > now && self.deadline == u64::MAX {
            return;
        }
        let step = self.wait.call_now(self.wait_time(now));
        self.report = report_of(step);
    }

    pub(super) fn cancel(&mut self, now: u64) {
        let now = self.wait_time(now);
        let step = self.wait.handle(Event::<Infallible>::Cancelled, now);
        self.report = step.ok().and_then(report_of);
    }

    /// Ends the wait at its deadline, or its attempt.
    pub(super) fn expire(&mut self, now: u64) {
        let now = self.wait_time(now);
        let step = if self.wait.is_in_flight() {
            self.wait
                .handle(Event::<Infallible>::DeadlineReached, now)
                .ok()
        } else {
            Some(self.wait.poll(now))
        };
        self.report = step.and_then(report_of);
    }

    /// Returns the deadline of the wait, in the time of the fleet.
    pub(super) fn wait_deadline(&self) -> Option<u64> {
        self.wait.deadline_ms().map(|end| self.fleet_time(end))
    }

    pub(super) fn update_deadline(&mut self) -> u64 {
        let end = self.wait.attempt_end();
        self.deadline = end.map_or(u64::MAX, |end| self.fleet_time(end));
        self.deadline
    }
}

/// Returns a time as a difference of times.
pub(super) fn signed(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// Returns a difference of times that is not negative.
pub(super) fn unsigned(time: i64) -> u64 {
    u64::try_from(time).unwrap_or_default()
}
