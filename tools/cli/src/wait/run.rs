//! Runs the waits of a plan.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use smithy_waiters::driver::StdRuntime;
use smithy_waiters::{CompiledExpression, Driver, SearchResult, WaitOptions, Waiter};

use super::call::Call;
use super::display::Display;
use super::end::{End, SUCCESS, WaitResult};
use super::interrupt::Interrupt;
use crate::output;

/// What to wait for.
pub(super) struct Plan {
    pub(super) targets: Vec<Target>,
    pub(super) query: Option<CompiledExpression>,
    pub(super) headline: String,
    pub(super) quiet: bool,
    pub(super) once: bool,
}

/// One of the resources to wait for.
pub(super) struct Target {
    pub(super) label: String,
    pub(super) call: Box<dyn Call>,
    pub(super) waiter: Waiter,
    pub(super) options: WaitOptions,
}

/// Waits for all targets and returns the exit code.
pub(super) fn run(plan: &Plan, interrupt: &Interrupt) -> u8 {
    let display = Display::new(plan.quiet);
    display.begin(&plan.headline);
    let results: Vec<WaitResult> = display.with_heartbeat(|| {
        plan.targets
            .iter()
            .map(|target| wait(target, &display, interrupt))
            .collect()
    });
    let mut ends = Vec::new();
    for (target, result) in plan.targets.iter().zip(&results) {
        let end = End::of(result, interrupt, plan.once);
        display.end(&target.label, result, end);
        ends.push(end);
    }
    if let Some(query) = &plan.query
        && ends.iter().all(|end| *end == SUCCESS)
    {
        // The wait succeeded, whoever reads its output.
        let _ = output::print(&answers(query, &results));
    }
    End::of_all(&ends)
}

fn wait(target: &Target, display: &Display, interrupt: &Interrupt) -> WaitResult {
    Driver::new(StdRuntime::new())
        .cancelled_by(&interrupt.token)
        .on_attempt(|progress| display.attempt(&target.label, progress))
        .wait_blocking(
            &target.waiter,
            |attempt| target.call.call(attempt.remaining, &interrupt.token),
            target.options.clone(),
        )
}

/// Returns the values of `--query`, one a line. A text has no quotes.
fn answers(query: &CompiledExpression, results: &[WaitResult]) -> String {
    let mut text = String::new();
    let responses = results
        .iter()
        .flatten()
        .filter_map(|outcome| outcome.as_result().ok());
    for response in responses {
        let value = query.search(response).map_or(Json::Null, json_of);
        // Writing to a string never fails.
        let _ = match value {
            Json::String(value) => writeln!(text, "{value}"),
            value => writeln!(text, "{value}"),
        };
    }
    text
}

fn json_of(result: SearchResult<&Json>) -> Json {
    match result {
        SearchResult::Host(value) => value.clone(),
        SearchResult::Array(items) => items.into_iter().map(json_of).collect(),
        SearchResult::Boolean(value) => value.into(),
        SearchResult::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            (number as i64).into()
        }
        SearchResult::Number(number) => number.into(),
        SearchResult::String(text) => (*text).into(),
        SearchResult::Object(members) => {
            let members = members
                .into_iter()
                .map(|(name, value)| (name.to_string(), json_of(value)));
            Json::Object(members.collect::<Map<_, _>>())
        }
        _ => Json::Null,
    }
}
