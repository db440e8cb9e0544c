//! Runs the waits of a plan.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use smithy_waiters::driver::StdRuntime;
use smithy_waiters::internal::Spelling;
use smithy_waiters::{CompiledExpression, Driver, Progress, Tally, TallyState};

use super::display::{Display, Event, Totals};
use super::end::{End, SUCCESS, WaitResult};
use super::interrupt::Interrupt;
use super::plan::{Calls, OwnCall, Plan, Target};
use crate::output;

/// Waits for all targets and returns the exit code.
pub(super) fn run(plan: &Plan, display: &Display, interrupt: &Interrupt) -> u8 {
    display.show(&Event::Start(plan));
    let ends = Ends::new(plan, display, interrupt);
    let waited = display.with_heartbeat(|| match &plan.calls {
        Calls::Each(calls) => {
            wait_each(plan, calls, &ends);
            Ok(())
        }
        Calls::Shared(shared) => shared.wait_all(&ends, plan.jobs),
    });
    if let Err(error) = waited {
        display.show(&Event::Error(&error));
        return 2;
    }
    ends.finish()
}

/// A wait that ended: the index of its target, its result and its end.
type Ended = (usize, WaitResult, End);

/// The waits that have ended, in the order of their ends.
pub(super) struct Ends<'p> {
    plan: &'p Plan,
    pub(super) display: &'p Display,
    pub(super) interrupt: &'p Interrupt,
    state: Mutex<(Tally, Vec<Ended>)>,
}

impl<'p> Ends<'p> {
    fn new(plan: &'p Plan, display: &'p Display, interrupt: &'p Interrupt) -> Self {
        Self {
            plan,
            display,
            interrupt,
            state: Mutex::new((plan.tally, Vec::new())),
        }
    }

    fn state(&self) -> MutexGuard<'_, (Tally, Vec<Ended>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if the others go on.
    pub(super) fn is_open(&self) -> bool {
        self.state().0.state() == TallyState::Open
    }

    /// Shows an attempt of the wait for a target.
    pub(super) fn show_attempt(&self, index: usize, progress: &Progress<'_>) {
        if let Some(target) = self.plan.targets.get(index) {
            self.display.attempt(&target.label, progress);
        }
    }

    /// Adds the end of the wait for a target. If it decides the whole, the other waits end.
    pub(super) fn add(&self, index: usize, result: WaitResult) {
        let end = End::of(&result, self.interrupt, self.plan.is_once);
        let Some(target) = self.plan.targets.get(index) else {
            return;
        };
        let mut state = self.state();
        let (tally, ended) = &mut *state;
        if tally.state() != TallyState::Open && end != SUCCESS {
            // Nobody needs this wait any more, so that it was cancelled.
            return;
        }
        self.display.show(&Event::End {
            label: &target.label,
            result: &result,
            end,
        });
        ended.push((index, result, end));
        if tally.count(end == SUCCESS) != TallyState::Open {
            self.interrupt.token.cancel();
        }
    }

    /// Shows the end of all waits, prints the answers and returns the exit code.
    fn finish(self) -> u8 {
        let (tally, mut ended) = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        ended.sort_by_key(|(index, ..)| *index);
        let ends: Vec<End> = ended.iter().map(|(_, _, end)| *end).collect();
        let exit = match tally.state() {
            TallyState::Succeeded => 0,
            _ => End::of_all(&ends),
        };
        let failed = ended.iter().filter(|(_, _, end)| *end != SUCCESS);
        let failed = failed.filter_map(|(index, ..)| self.plan.targets.get(*index));
        let failed: Vec<&str> = failed.map(|target| &*target.label).collect();
        self.display.show(&Event::Finish(Totals {
            succeeded: ended.len().saturating_sub(failed.len()),
            failed: &failed,
            waits: self.plan.targets.len(),
            exit,
        }));
        if let Some(query) = &self.plan.query {
            // The exit code is that of the waits, whoever reads their output.
            let _ = output::print(&answers(query, &ended));
        }
        exit
    }
}

/// Waits for each target with its own calls.
fn wait_each(plan: &Plan, calls: &[OwnCall], ends: &Ends<'_>) {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let work = || {
        while ends.is_open() {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some((target, own)) = plan.targets.get(index).zip(calls.get(index)) else {
                return;
            };
            let rest =
                (plan.targets.len() > 1).then(|| plan.limit.saturating_sub(started.elapsed()));
            ends.add(index, wait(target, own, rest, ends));
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.jobs.min(plan.targets.len()) {
            scope.spawn(work);
        }
    });
}

fn wait(target: &Target, own: &OwnCall, rest: Option<Duration>, ends: &Ends<'_>) -> WaitResult {
    let (display, interrupt) = (ends.display, ends.interrupt);
    let options = target.options.clone();
    // All waits share one deadline.
    let options = match rest {
        Some(rest) => options.deadline_in(rest),
        None => options,
    };
    Driver::new(StdRuntime::new())
        .spelling(Spelling::Command)
        .cancelled_by(&interrupt.token)
        .on_attempt(|progress| display.attempt(&target.label, &progress))
        .wait_blocking(
            &own.waiter,
            |attempt| {
                display.show(&Event::Call {
                    label: &target.label,
                    attempt: attempt.number,
                });
                own.call.call(attempt.remaining, &interrupt.token)
            },
            options,
        )
}

/// Returns the values of `--query` in the answers that were a success, one a line. A text has no quotes.
fn answers(query: &CompiledExpression, ended: &[Ended]) -> String {
    let mut text = String::new();
    let outcomes = ended
        .iter()
        .filter_map(|(_, result, _)| result.as_ref().ok());
    for response in outcomes.filter_map(|outcome| outcome.as_result().ok()) {
        let value = query.search(response).map_or(Json::Null, Json::from);
        // Writing to a string never fails.
        let _ = match value {
            Json::String(value) => writeln!(text, "{value}"),
            value => writeln!(text, "{value}"),
        };
    }
    text
}
