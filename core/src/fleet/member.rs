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

#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) callers: Vec<Caller>,
    pub(super) group: Group,
    pub(super) is_in_flight: bool,
    /// The time at which a call for it starts.
    pub(super) due: u64,
    /// The time from which it can join a call for others.
    pub(super) soft: u64,
    suspect_since: Option<u64>,
    /// `true` if a call for it alone failed, or an error named it.
    pub(super) is_unknown: bool,
}

/// A wait of a caller. `started` is in the time of the fleet.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) ticket: u64,
    started: u64,
    pub(super) wait: Wait,
    /// The end of the wait, or of its attempt if a call is in flight.
    pub(super) deadline: u64,
    pub(super) report: Option<Arc<WaitReport>>,
}

impl Member {
    /// Notes that an answer has the resource.
    pub(super) fn become_known(&mut self) {
        (self.group, self.suspect_since, self.is_unknown) = (Group::Known, None, false);
    }

    /// Notes that the resource may make calls fail, or that it does because the service does not know it.
    pub(super) fn suspect(&mut self, is_unknown: bool, now: u64) {
        self.group = Group::Suspect;
        self.is_unknown |= is_unknown;
        self.suspect_since.get_or_insert(now);
    }

    /// Counts the time as a suspect towards the time for which a missing resource is waited for.
    pub(super) fn backdate_missing(&mut self) {
        let Some(since) = self.suspect_since else {
            return;
        };
        for caller in &mut self.callers {
            caller
                .wait
                .missing_since(since.saturating_sub(caller.started));
        }
    }

    /// Returns `true` if the resource needs a call of its own, because others hide for too long whether it exists.
    pub(super) fn is_overdue_suspect(&self, now: u64) -> bool {
        let windows = self
            .callers
            .iter()
            .filter_map(|caller| caller.wait.not_found_window());
        let window = windows.min().unwrap_or(SUSPECT_MS);
        self.suspect_since
            .is_some_and(|since| now.saturating_sub(since) >= window)
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
            if let Ok(step) = caller
                .wait
                .handle(event, now.saturating_sub(caller.started))
            {
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
                not_before_ms: transient.not_before_ms.saturating_sub(caller.started),
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
                let now = now.saturating_sub(caller.started);
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
    pub(super) fn new(ticket: u64, started: u64, wait: Wait) -> Self {
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
        let until = until.saturating_add(self.started);
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
        self.started.saturating_add(self.wait.now_ms())
    }

    /// Starts the call of the wait, unless the wait must not be early.
    pub(super) fn start_call(&mut self, now: u64) {
        let (_, soft) = self.due();
        // An attempt of a wait that only attempts limit must not be spent early.
        if soft > now && self.deadline == u64::MAX {
            return;
        }
        let step = self.wait.call_now(now.saturating_sub(self.started));
        self.report = report_of(step);
    }

    pub(super) fn cancel(&mut self, now: u64) {
        let step = self.wait.handle(
            Event::<Infallible>::Cancelled,
            now.saturating_sub(self.started),
        );
        self.report = step.ok().and_then(report_of);
    }

    /// Ends the wait at its deadline, or its attempt.
    pub(super) fn expire(&mut self, now: u64) {
        let now = now.saturating_sub(self.started);
        let step = if self.wait.is_in_flight() {
            self.wait
                .handle(Event::<Infallible>::DeadlineReached, now)
                .ok()
        } else {
            Some(self.wait.poll(now))
        };
        self.report = step.and_then(report_of);
    }

    pub(super) fn update_deadline(&mut self) -> u64 {
        let end = self.wait.attempt_end();
        self.deadline = end.map_or(u64::MAX, |end| end.saturating_add(self.started));
        self.deadline
    }
}
