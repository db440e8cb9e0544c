//! Waits.
//!
//! Steps are numbers, and their times are getters, so that a poll does not create objects. The report is converted to
//! an object on request.

use std::cell::RefCell;
use std::rc::Rc;

use smithy_waiters::internal::{PollRecord, View, WaitRecord, millis_from_host};
use smithy_waiters::{
    EndValues, Event, FailureKind, Level, Snapshot, StateError, Step, Wait, WaitReport,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::{Refusal, js_name};
use crate::error_metadata::metadata_with_status;
use crate::failure::EngineTransient;
#[cfg(feature = "behaviours")]
use crate::fleet::EngineRateLimit;
use crate::step::{self, Times};
use crate::value::{Handle, Table};

/// A wait and its newest step.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineWait {
    /// Borrowed during a step. A getter of the response may start another step, which is then rejected as busy.
    state: RefCell<State>,
    table: Rc<Table>,
}

#[derive(Debug)]
struct State {
    wait: Wait,
    step: Option<Step>,
}

/// A step out of order throws a refusal.
#[wasm_bindgen]
impl EngineWait {
    /// Returns the step that is due.
    pub fn poll(&self, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |wait, now| Ok(wait.poll(now)))
    }

    /// Returns the step that is due of a wait that shares a rate limit, on whose clock it started at `started`.
    #[cfg(feature = "behaviours")]
    #[wasm_bindgen(js_name = pollWithin)]
    pub fn poll_within(
        &self,
        now: f64,
        limit: &EngineRateLimit,
        started: f64,
    ) -> Result<u32, JsValue> {
        self.advance(now, |wait, now| {
            Ok(limit.within(|limit| wait.poll_on_clock(now, limit, started)))
        })
    }

    /// Handles the response in a slot, and returns the next step.
    #[wasm_bindgen(js_name = handleResponse)]
    pub fn handle_response(
        &self,
        input: u32,
        response: u32,
        not_before: Option<f64>,
        now: f64,
    ) -> Result<u32, JsValue> {
        let event = Event::Response {
            value: View::Item(self.table.value(response)),
            input: Some(View::Item(self.table.value(input))),
            not_before_ms: optional_millis(not_before)?,
        };
        self.handle(event, now)
    }

    /// Handles an error, and returns the next step. The HTTP status is 0 if the error has none. `transient` is absent if the
    /// error is not transient.
    #[wasm_bindgen(js_name = handleError)]
    pub fn handle_error(
        &self,
        by: u32,
        name: &str,
        message: &str,
        status: u32,
        transient: Option<EngineTransient>,
        now: f64,
    ) -> Result<u32, JsValue> {
        let event = Event::Error {
            error: &metadata_with_status(by, name, message, status),
            transient: transient.map(|transient| transient.0),
        };
        self.handle(event, now)
    }

    /// Handles a verdict of the host, and returns the next step. `by` is absent if the call returned a response.
    #[wasm_bindgen(js_name = handleVerdict)]
    #[expect(
        clippy::too_many_arguments,
        reason = "an object for the parts of an error costs more than all of them"
    )]
    pub fn handle_verdict(
        &self,
        acceptor: Option<u32>,
        by: Option<u32>,
        name: &str,
        message: &str,
        status: u32,
        transient: Option<EngineTransient>,
        now: f64,
    ) -> Result<u32, JsValue> {
        let error = by.map(|by| metadata_with_status(by, name, message, status));
        let event = Event::Verdict {
            acceptor: acceptor.map(|index| index as usize),
            message: None,
            error: error.as_ref(),
            transient: transient.map(|transient| transient.0),
        };
        self.handle(event, now)
    }

    /// Reports that the call was aborted at its deadline, and returns the next step.
    #[wasm_bindgen(js_name = deadlineReached)]
    pub fn deadline_reached(&self, now: f64) -> Result<u32, JsValue> {
        self.handle(Event::DeadlineReached, now)
    }

    /// Reports that the caller cancelled the wait, and returns the last step.
    pub fn cancelled(&self, now: f64) -> Result<u32, JsValue> {
        self.handle(Event::Cancelled, now)
    }

    /// Ends the wait without another attempt: as timed out after its deadline, otherwise as cancelled.
    pub fn conclude(&self, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |wait, now| Ok(wait.conclude(now)))
    }

    /// The number of a call's attempt.
    #[wasm_bindgen(getter)]
    pub fn attempt(&self) -> f64 {
        self.read(|state| state.times().attempt)
    }

    /// The deadline of a call in milliseconds; infinite if nothing limits the call.
    #[wasm_bindgen(getter, js_name = deadlineMs)]
    pub fn deadline_ms(&self) -> f64 {
        self.read(|state| state.times().deadline_ms)
    }

    /// The end of a pause in milliseconds.
    #[wasm_bindgen(getter, js_name = untilMs)]
    pub fn until_ms(&self) -> f64 {
        self.read(|state| state.times().until_ms)
    }

    /// `true` if the attempt after a pause is the last one that fits.
    #[wasm_bindgen(getter)]
    pub fn last(&self) -> bool {
        self.read(|state| matches!(&state.step, Some(Step::Sleep { last: true, .. })))
    }

    /// The deadline of the wait in milliseconds; infinite if only attempts are limited.
    #[wasm_bindgen(getter, js_name = endMs)]
    pub fn end_ms(&self) -> f64 {
        self.read(|state| step::millis_or_infinity(state.wait.deadline_ms()))
    }

    /// The latest time that was passed to the wait, in milliseconds.
    #[wasm_bindgen(getter, js_name = nowMs)]
    pub fn now_ms(&self) -> f64 {
        self.read(|state| state.wait.now_ms() as f64)
    }

    /// Returns the report as JSON text; `undefined` before the end.
    pub fn report(&self) -> Option<String> {
        self.read(|state| Some(state.wait.report()?.to_json(&EndValues::default())))
    }

    /// The maximum size of the report of a stored wait, in bytes; absent for other waits.
    #[wasm_bindgen(getter, js_name = reportLimit)]
    pub fn report_limit(&self) -> Option<f64> {
        self.read(|state| state.wait.report_limit().map(|limit| limit as f64))
    }

    /// The operation's input of a stored wait, as JSON text.
    #[wasm_bindgen(getter)]
    pub fn input(&self) -> Option<String> {
        self.read(|state| state.wait.stored_input().map(ToString::to_string))
    }

    /// Returns the identity of a stored wait's start with these arguments.
    #[wasm_bindgen(js_name = startIdentity)]
    pub fn start_identity(&self, arguments: &str) -> Option<String> {
        self.read(|state| state.wait.start_identity(arguments))
    }

    /// Returns the newest attempt that has ended as JSON text, with its summary and the label.
    pub fn progress(&self) -> Option<String> {
        self.read(|state| state.wait.progress_json())
    }

    /// Returns a line about the newest attempt that has ended; `undefined` before the first one has ended.
    pub fn summary(&self) -> Option<String> {
        self.read(|state| state.wait.summary())
    }

    /// Returns the hints of the newest attempt as JSON text; `undefined` without a hint.
    pub fn hints(&self) -> Option<String> {
        self.read(|state| {
            let hints = state.wait.hints().iter().map(|hint| {
                let text = hint.message(|option| js_name(option).to_owned());
                serde_json::json!({"code": hint.code().as_str(), "text": text})
            });
            let hints: Vec<_> = hints.collect();
            (!hints.is_empty()).then(|| serde_json::Value::from(hints).to_string())
        })
    }

    /// Returns the level of the newest attempt that has ended; `undefined` before the first one has ended.
    pub fn level(&self) -> Option<String> {
        self.read(|state| {
            state
                .wait
                .level()
                .map(|level| Level::as_str(level).to_owned())
        })
    }

    /// `true` if the newest attempt that has ended had another result than the one before it, or was the first one.
    #[wasm_bindgen(getter)]
    pub fn changed(&self) -> bool {
        self.read(|state| state.wait.has_changed())
    }

    /// Returns the snapshot of the wait. Throws a refusal during a step.
    pub fn snapshot(&self) -> Result<EngineSnapshot, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        Ok(EngineSnapshot(
            state.wait.snapshot().map_err(Refusal::from)?,
        ))
    }
}

impl State {
    fn times(&self) -> Times {
        self.step.as_ref().map_or(Times::DONE, Times::from)
    }
}

impl EngineWait {
    pub(crate) fn new(wait: Wait, table: Rc<Table>) -> Self {
        let state = State { wait, step: None };
        Self {
            state: RefCell::new(state),
            table,
        }
    }

    fn handle(&self, event: Event<'_, View<'_, Handle<'_>>>, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |wait, now| wait.handle(event, now))
    }

    fn advance(
        &self,
        now: f64,
        advance: impl FnOnce(&mut Wait, u64) -> Result<Step, StateError>,
    ) -> Result<u32, JsValue> {
        // A getter of the response can call the wait again while the engine reads it.
        let mut state = self.state.try_borrow_mut().map_err(|_| step::busy())?;
        let step = step::advance(now, |now| advance(&mut state.wait, now))?;
        Ok(Times::from(&*state.step.insert(step)).number)
    }

    /// Returns the result of `read`, or the default value during a step.
    fn read<T: Default>(&self, read: impl FnOnce(&State) -> T) -> T {
        let state = self.state.try_borrow();
        state.map_or_else(|_| T::default(), |state| read(&state))
    }
}

fn optional_millis(time: Option<f64>) -> Result<Option<u64>, JsValue> {
    let millis = time.map(millis_from_host).transpose();
    Ok(millis.map_err(Refusal::from)?)
}

/// The state of a saved wait as data.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineSnapshot(Snapshot);

#[wasm_bindgen]
impl EngineSnapshot {
    /// Reads the JSON text of a saved wait. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(json: &str) -> Result<Self, JsValue> {
        Ok(Self(Snapshot::from_json(json).map_err(Refusal::from)?))
    }

    /// Returns the JSON text.
    pub fn text(&self) -> String {
        self.0.to_json()
    }

    /// The wall-clock time of the start, in milliseconds since 1970.
    #[wasm_bindgen(getter, js_name = startedAtMs)]
    pub fn started_at_ms(&self) -> Option<f64> {
        self.0.started_at_ms().map(|millis| millis as f64)
    }

    /// The wall-clock time of the next attempt, in milliseconds since 1970.
    #[wasm_bindgen(getter, js_name = dueAtMs)]
    pub fn due_at_ms(&self) -> Option<f64> {
        self.0.due_at_ms().map(|millis| millis as f64)
    }

    /// The wall-clock time of the deadline, in milliseconds since 1970; ten years after the start without one.
    #[wasm_bindgen(getter, js_name = endsAtMs)]
    pub fn ends_at_ms(&self) -> Option<f64> {
        self.0.ends_at_ms().map(|millis| millis as f64)
    }

    /// Returns the time until the next attempt in milliseconds. `now` is the wall-clock time in milliseconds since 1970.
    #[wasm_bindgen(js_name = pauseMs)]
    pub fn pause_ms(&self, now: f64) -> Result<f64, JsValue> {
        Ok(self.0.pause_ms(optional_millis(Some(now))?) as f64)
    }

    /// Returns the time until the next attempt in whole seconds, for an engine that counts in them and asks when an attempt
    /// has just ended. `now` is the wall-clock time in milliseconds since 1970.
    #[wasm_bindgen(js_name = pauseSeconds)]
    pub fn pause_seconds(&self, now: f64) -> Result<f64, JsValue> {
        Ok(self.0.pause_seconds(optional_millis(Some(now))?) as f64)
    }

    /// The newest attempt with its summary and label as JSON text; `undefined` before the first one has ended.
    #[wasm_bindgen(getter)]
    pub fn progress(&self) -> Option<String> {
        self.0.progress_json()
    }
}

/// Returns the action of a poll that an engine runs: `attempt`, `create`, `ignore` or `wake_up`. `wait` is `missing`,
/// `waiting` or `ended`.
#[wasm_bindgen(js_name = pollAction)]
#[must_use]
pub fn poll_action(next_exists: bool, wait: &str, is_first: bool, is_reported: bool) -> String {
    let record = PollRecord {
        next_exists,
        wait: WaitRecord::from_name(wait),
        is_first,
        is_reported,
    };
    record.action().as_str().to_owned()
}

/// Reads the JSON text of a report, with or without the values of the host. Throws a refusal.
fn read(json: &str) -> Result<WaitReport, JsValue> {
    let (report, _) = WaitReport::from_json(json).map_err(Refusal::from)?;
    Ok(report)
}

/// Returns the explanation of a report of JSON text. Throws a refusal.
#[wasm_bindgen(js_name = explainReport)]
pub fn explain_report(json: &str) -> Result<String, JsValue> {
    Ok(read(json)?.explain())
}

/// Returns the host's value that is the cause of a failure: `error` or `reason`; `undefined` if there is none. Throws a refusal.
#[wasm_bindgen(js_name = causeOf)]
pub fn cause_of(report: &str) -> Result<Option<String>, JsValue> {
    Ok(read(report)?
        .cause(Some("error"), Some("reason"))
        .map(ToOwned::to_owned))
}

/// Tells whether the wait of a report gave up on work that may still be running. Throws a refusal.
#[wasm_bindgen(js_name = leavesWork)]
pub fn leaves_work(report: &str) -> Result<bool, JsValue> {
    Ok(read(report)?.kind.is_some_and(FailureKind::leaves_work))
}

/// Returns the JSON text of a report with the values of the host: for logs, or for storage in at most `limit` bytes if
/// possible. `values` is the JSON text of `response`, `error` and `reason`. Throws a refusal.
#[wasm_bindgen(js_name = endJson)]
pub fn end_json(report: &str, values: &str, limit: Option<f64>) -> Result<String, JsValue> {
    let values = EndValues::from_json(values).map_err(Refusal::from)?;
    // The cast saturates.
    Ok(read(report)?.end_json(&values, limit.map(|limit| limit as usize)))
}
