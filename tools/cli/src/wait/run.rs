//! Runs the waits of a plan.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use smithy_waiters::driver::StdRuntime;
use smithy_waiters::internal::Spelling;
use smithy_waiters::{CompiledExpression, Driver};

use super::display::{Display, Event, Totals};
use super::end::{End, SUCCESS, WaitResult};
use super::interrupt::Interrupt;
use super::plan::{Plan, Target};
use crate::output;

/// Waits for all targets and returns the exit code.
pub(super) fn run(plan: &Plan, display: &Display, interrupt: &Interrupt) -> u8 {
    display.show(&Event::Start(plan));
    let results = display.with_heartbeat(|| wait_all(plan, display, interrupt));
    let ended: Vec<(WaitResult, End)> = results.into_iter().flatten().collect();
    let successes = ended.iter().filter(|(_, end)| *end == SUCCESS).count();
    let ends: Vec<End> = ended.iter().map(|(_, end)| *end).collect();
    let exit = if successes >= plan.quorum {
        0
    } else {
        End::of_all(&ends)
    };
    display.show(&Event::Finish(Totals {
        succeeded: successes,
        waits: plan.targets.len(),
        exit,
    }));
    if let Some(query) = plan.query.as_ref().filter(|_| exit == 0) {
        // The wait succeeded, whoever reads its output.
        let _ = output::print(&answers(query, &ended));
    }
    exit
}

/// Returns the results in the order of the targets. A wait that a quorum made unnecessary has none.
fn wait_all(
    plan: &Plan,
    display: &Display,
    interrupt: &Interrupt,
) -> Vec<Option<(WaitResult, End)>> {
    let started = Instant::now();
    let (next, successes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<(WaitResult, End)>>> =
        Mutex::new(plan.targets.iter().map(|_| None).collect());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(target) = plan
                .targets
                .get(index)
                .filter(|_| successes.load(Ordering::SeqCst) < plan.quorum)
            else {
                return;
            };
            let rest =
                (plan.targets.len() > 1).then(|| plan.limit.saturating_sub(started.elapsed()));
            let result = wait(target, rest, display, interrupt);
            let end = End::of(&result, interrupt, plan.is_once);
            let is_unnecessary = successes.load(Ordering::SeqCst) >= plan.quorum;
            if is_unnecessary && end != SUCCESS {
                continue;
            }
            display.show(&Event::End {
                label: &target.label,
                result: &result,
                end,
            });
            if end == SUCCESS
                && successes.fetch_add(1, Ordering::SeqCst).saturating_add(1) == plan.quorum
            {
                // The other waits are no longer needed.
                interrupt.token.cancel();
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = results.get_mut(index) {
                *place = Some((result, end));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.jobs.min(plan.targets.len()) {
            scope.spawn(work);
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn wait(
    target: &Target,
    rest: Option<Duration>,
    display: &Display,
    interrupt: &Interrupt,
) -> WaitResult {
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
            &target.waiter,
            |attempt| {
                display.show(&Event::Call {
                    label: &target.label,
                    attempt: attempt.number,
                });
                target.call.call(attempt.remaining, &interrupt.token)
            },
            options,
        )
}

/// Returns the values of `--query`, one a line. A text has no quotes.
fn answers(query: &CompiledExpression, ended: &[(WaitResult, End)]) -> String {
    let mut text = String::new();
    let outcomes = ended.iter().filter_map(|(result, _)| result.as_ref().ok());
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
