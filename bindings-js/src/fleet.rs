//! Waits for many resources that share their calls, the limit of their rate, and the count of their ends.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use smithy_waiters::internal::{self, FromHost, Identifiers, TallyOptions, millis_from_host, seed};
use smithy_waiters::{
    EndValues, Fleet, FleetError, FleetSnapshot, FleetStep, RateLimit, StateError, StoredOptions,
    Tally, WaitOptions, WaitReport,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{CALL, DONE, SLEEP};
use crate::error::Refusal;
use crate::error_metadata::metadata_with_status;
use crate::failure::EngineTransient;
use crate::host_imports;
use crate::step;
use crate::value::{Handle, Table};

/// The rate at which fleets and waits may call. No code of the host runs while it is borrowed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRateLimit(Rc<RefCell<RateLimit>>);

#[wasm_bindgen]
impl EngineRateLimit {
    /// Creates a limit from the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let limit = RateLimit::from_host(Handle::from_slot(options)).map_err(Refusal::from)?;
        Ok(Self(Rc::new(RefCell::new(limit))))
    }

    /// The limit in calls per second.
    #[wasm_bindgen(getter)]
    pub fn rate(&self) -> f64 {
        self.0.borrow().per_second()
    }

    /// Takes the next free time of a call. Throws a refusal if the time is invalid.
    pub fn reserve(&self, now: f64) -> Result<f64, JsValue> {
        let now = millis_from_host(now).map_err(Refusal::from)?;
        Ok(self.0.borrow_mut().reserve(now) as f64)
    }

    /// Lowers the rate after the service throttled a call. Throws a refusal if the time is invalid.
    pub fn throttle(&self, now: f64) -> Result<(), JsValue> {
        let now = millis_from_host(now).map_err(Refusal::from)?;
        self.0.borrow_mut().throttle(now);
        Ok(())
    }
}

impl EngineRateLimit {
    pub(crate) fn within<T>(&self, run: impl FnOnce(&mut RateLimit) -> T) -> T {
        run(&mut self.0.borrow_mut())
    }
}

/// A fleet, its newest step, and the ends of waits that the host has not taken.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineFleet {
    /// Borrowed during a step. A getter of an answer may start another step, which is then rejected as busy.
    state: RefCell<State>,
    limit: Rc<RefCell<RateLimit>>,
    table: Rc<Table>,
}

#[derive(Debug)]
struct State {
    fleet: Fleet,
    step: FleetStep,
    ends: Vec<End>,
}

#[derive(Debug)]
struct End {
    ticket: u64,
    report: Arc<WaitReport>,
    /// The resource in the answer as a value of the host.
    item: JsValue,
    missing: Option<&'static str>,
}

/// A step out of order throws a refusal.
#[wasm_bindgen]
impl EngineFleet {
    /// Adds a caller for each identifier, and returns the tickets, each followed by its identifier. The identifiers and the
    /// options are in slots. If one is refused, none is added.
    pub fn join(&self, ids: u32, options: u32, now: f64) -> Result<Vec<JsValue>, JsValue> {
        let Identifiers(ids) =
            Identifiers::from_host(Handle::from_slot(ids)).map_err(Refusal::from)?;
        let options = WaitOptions::from_host(self.table.value(options)).map_err(Refusal::from)?;
        let seed = seed(&options).map_err(Refusal::from)?;
        let tickets = self.advance(now, |state, now| {
            Ok::<_, StateError>(state.fleet.join_each(&ids, &options, seed, now))
        })?;
        let tickets = tickets.map_err(Refusal::from)?.into_iter();
        Ok(with_ids(tickets.zip(ids)))
    }

    /// Ends the wait of a caller as cancelled and returns its report as JSON text; `undefined` if it has ended already.
    pub fn leave(&self, ticket: f64, now: f64) -> Result<Option<String>, JsValue> {
        self.advance(now, |state, now| {
            let report = state.fleet.leave(ticket as u64, now);
            Ok::<_, StateError>(report.map(|report| json(&report)))
        })
    }

    /// Returns the snapshot of a ticket's list as JSON text; `undefined` if all of its waits have ended. Throws a refusal during
    /// a step.
    pub fn snapshot(&self, ticket: f64, wall_clock: f64) -> Result<Option<String>, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        let wall_clock = millis_from_host(wall_clock).ok();
        let snapshot = state.fleet.snapshot(ticket as u64, wall_clock);
        Ok(snapshot.map(|snapshot| snapshot.to_json()))
    }

    /// Resumes the list of a snapshot, and returns the tickets, each followed by its identifier. The time since its start is
    /// `elapsed` in milliseconds, or else computed from the wall clock. Waits may have ended.
    pub fn resume(
        &self,
        snapshot: &str,
        elapsed: Option<f64>,
        wall_clock: f64,
        now: f64,
    ) -> Result<Vec<JsValue>, JsValue> {
        let resumed = self.advance(now, |state, now| {
            let snapshot = FleetSnapshot::from_json(snapshot)?;
            let elapsed = match elapsed {
                Some(elapsed) => millis_from_host(elapsed)?,
                None => snapshot.elapsed_ms(millis_from_host(wall_clock).ok()),
            };
            state.fleet.resume_each(snapshot, elapsed, now)
        })?;
        Ok(with_ids(resumed))
    }

    /// Returns the deadline of the list of a ticket in milliseconds; infinite if only attempts are limited.
    #[wasm_bindgen(js_name = deadlineOf)]
    pub fn deadline_of(&self, ticket: f64) -> Result<f64, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        Ok(step::millis_or_infinity(
            state.fleet.deadline_ms(ticket as u64),
        ))
    }

    /// Returns the step that is due: a call, a pause, or `DONE` if nothing is due. Waits may have ended.
    pub fn poll(&self, now: f64) -> Result<u32, JsValue> {
        self.advance(now, |state, now| {
            let mut limit = self.limit.borrow_mut();
            let step = loop {
                match state.fleet.poll(now, &mut limit) {
                    FleetStep::Ended { ticket, report } => state.end(ticket, report),
                    step => break step,
                }
            };
            state.step = step;
            Ok::<_, StateError>(match &state.step {
                FleetStep::Call { .. } => CALL,
                FleetStep::Sleep { .. } => SLEEP,
                FleetStep::Ended { .. } | FleetStep::Idle => DONE,
            })
        })
    }

    /// The number of a call.
    #[wasm_bindgen(getter)]
    pub fn call(&self) -> f64 {
        self.read(|step| match step {
            FleetStep::Call { call, .. } => *call as f64,
            _ => 0.0,
        })
    }

    /// The identifiers of a call.
    #[wasm_bindgen(getter)]
    pub fn ids(&self) -> Vec<String> {
        self.read(|step| match step {
            FleetStep::Call { ids, .. } => ids.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        })
    }

    /// The time until which somebody waits for the answer of a call, in milliseconds; infinite if only attempts are limited.
    #[wasm_bindgen(getter, js_name = deadlineMs)]
    pub fn deadline_ms(&self) -> f64 {
        self.read(|step| match step {
            FleetStep::Call { deadline_ms, .. } => step::millis_or_infinity(*deadline_ms),
            _ => 0.0,
        })
    }

    /// The end of a pause in milliseconds.
    #[wasm_bindgen(getter, js_name = untilMs)]
    pub fn until_ms(&self) -> f64 {
        self.read(|step| match step {
            FleetStep::Sleep { until_ms } => *until_ms as f64,
            _ => 0.0,
        })
    }

    /// Handles the answer of a call, whose pages are in consecutive slots. Waits may have ended.
    pub fn respond(&self, call: f64, first: u32, pages: u32, now: f64) -> Result<(), JsValue> {
        let slots = first..first.saturating_add(pages);
        let pages: Vec<Handle<'_>> = slots.map(|slot| self.table.value(slot)).collect();
        self.advance(now, |state, now| {
            let ends = state.fleet.respond(call as u64, &pages, now)?;
            state.ends.extend(ends.into_iter().map(|end| End {
                ticket: end.ticket,
                report: end.report,
                item: end.item.map_or(JsValue::UNDEFINED, |item| {
                    host_imports::value_at(item.slot())
                }),
                missing: end.missing,
            }));
            Ok::<_, FleetError>(())
        })
    }

    /// Handles the error of a call. The HTTP status is 0 if the error has none. `transient` is absent if the error is not transient. Waits may have ended.
    #[expect(
        clippy::too_many_arguments,
        reason = "an object for the parts of an error costs more than all of them"
    )]
    pub fn fail(
        &self,
        call: f64,
        by: u32,
        name: &str,
        message: &str,
        status: u32,
        transient: Option<EngineTransient>,
        now: f64,
    ) -> Result<(), JsValue> {
        let error = metadata_with_status(by, name, message, status);
        let transient = transient.map(|transient| transient.0);
        self.advance(now, |state, now| {
            let mut limit = self.limit.borrow_mut();
            let fleet = &mut state.fleet;
            fleet.fail(call as u64, &error, transient, now, &mut limit)?;
            state.expire(now);
            Ok::<_, StateError>(())
        })
    }

    /// Starts waits that an engine stores between their rounds. The identifiers, the options and those of the whole are in
    /// slots.
    #[wasm_bindgen(js_name = startStored)]
    pub fn start_stored(
        &self,
        ids: u32,
        whole: u32,
        options: u32,
        id: &str,
        started_at: f64,
        deadline_at: Option<f64>,
    ) -> Result<(), JsValue> {
        let Identifiers(ids) =
            Identifiers::from_host(Handle::from_slot(ids)).map_err(Refusal::from)?;
        let whole = TallyOptions::from_host(Handle::from_slot(whole)).map_err(Refusal::from)?;
        let options = WaitOptions::from_host(self.table.value(options)).map_err(Refusal::from)?;
        self.advance(started_at, |state, started_at| {
            let stored = StoredOptions::fleet_from_host(id, started_at, deadline_at);
            let whole = whole.tally(ids.len())?;
            state.fleet.start_stored(&ids, &options, whole, stored)
        })
    }

    /// Resumes waits that an engine stores, and returns the time: at a round that is due, or at the current time.
    #[wasm_bindgen(js_name = resumeStored)]
    pub fn resume_stored(
        &self,
        snapshot: &str,
        wall_clock: f64,
        is_due: bool,
    ) -> Result<f64, JsValue> {
        self.advance(0.0, |state, _| {
            let snapshot = FleetSnapshot::from_json(snapshot)?;
            let wall_clock = millis_from_host(wall_clock).ok();
            let now = state.fleet.resume_stored(snapshot, wall_clock, is_due)?;
            Ok::<_, StateError>(now as f64)
        })
    }

    /// Returns the state of waits that an engine stores, and its facts as `storedFleetFacts`, both as JSON text; `undefined`
    /// if they have ended.
    #[wasm_bindgen(js_name = storedState)]
    pub fn stored_state(&self) -> Result<Option<Vec<String>>, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        let Some(snapshot) = state.fleet.stored_snapshot() else {
            return Ok(None);
        };
        let facts = snapshot.stored_facts().map_err(Refusal::from)?;
        Ok(Some(vec![snapshot.to_json(), facts]))
    }

    /// Returns the ends of waits that an engine stores as JSON text; `undefined` if they have not ended.
    #[wasm_bindgen(js_name = storedReport)]
    pub fn stored_report(&self) -> Result<Option<String>, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        Ok(state.fleet.stored_report())
    }

    /// Returns a text that is equal for two starts with the same definition, options, identifiers and arguments.
    #[wasm_bindgen(js_name = startIdentity)]
    pub fn start_identity(&self, arguments: &str) -> Result<Option<String>, JsValue> {
        let state = self.state.try_borrow().map_err(|_| step::busy())?;
        Ok(state.fleet.start_identity(arguments))
    }

    /// Ends the waits without another call.
    pub fn conclude(&self, now: f64) -> Result<(), JsValue> {
        self.advance(now, |state, now| {
            state.fleet.conclude(now);
            Ok::<_, StateError>(())
        })
    }

    /// Ends a call that has not ended before its deadline.
    pub fn cut(&self, call: f64, now: f64) -> Result<(), JsValue> {
        self.advance(now, |state, now| state.fleet.cut(call as u64, now))
    }

    /// Ends a call whose result the host does not have.
    pub fn abandon(&self, call: f64, now: f64) -> Result<(), JsValue> {
        self.advance(now, |state, now| state.fleet.abandon(call as u64, now))
    }

    /// Returns and removes the ends of waits, including those at their deadlines: for each the ticket, the report as JSON
    /// text, the resource in the answer, and the message of the error if two answers do not have it.
    pub fn ends(&self, now: f64) -> Result<Vec<JsValue>, JsValue> {
        let ends = self.advance(now, |state, now| {
            state.expire(now);
            Ok::<_, StateError>(std::mem::take(&mut state.ends))
        })?;
        let parts = ends.into_iter().flat_map(|end| {
            let report = json(&end.report);
            let missing = end.missing.map_or(JsValue::UNDEFINED, JsValue::from);
            [(end.ticket as f64).into(), report.into(), end.item, missing]
        });
        Ok(parts.collect())
    }
}

impl State {
    fn end(&mut self, ticket: u64, report: Arc<WaitReport>) {
        self.ends.push(End {
            ticket,
            report,
            item: JsValue::UNDEFINED,
            missing: None,
        });
    }

    /// Collects the ends of waits.
    fn expire(&mut self, now: u64) {
        for (ticket, report) in self.fleet.ended(now) {
            self.end(ticket, report);
        }
    }
}

impl EngineFleet {
    pub(crate) fn new(fleet: Fleet, limit: &EngineRateLimit, table: Rc<Table>) -> Self {
        let state = State {
            fleet,
            step: FleetStep::Idle,
            ends: Vec::new(),
        };
        Self {
            state: RefCell::new(state),
            limit: Rc::clone(&limit.0),
            table,
        }
    }

    fn advance<T, E: Into<Refusal>>(
        &self,
        now: f64,
        advance: impl FnOnce(&mut State, u64) -> Result<T, E>,
    ) -> Result<T, JsValue> {
        let mut state = self.state.try_borrow_mut().map_err(|_| step::busy())?;
        let now = millis_from_host(now).map_err(Refusal::from)?;
        Ok(advance(&mut state, now).map_err(Into::into)?)
    }

    /// Returns a part of the newest step, or the default value during a step.
    fn read<T: Default>(&self, read: impl FnOnce(&FleetStep) -> T) -> T {
        let state = self.state.try_borrow();
        state.map_or_else(|_| T::default(), |state| read(&state.step))
    }
}

/// Returns tickets, each followed by its identifier.
fn with_ids(tickets: impl IntoIterator<Item = (u64, String)>) -> Vec<JsValue> {
    let tickets = tickets.into_iter();
    tickets
        .flat_map(|(ticket, id)| [(ticket as f64).into(), id.into()])
        .collect()
}

fn json(report: &WaitReport) -> String {
    report.to_json(&EndValues::default())
}

/// The count of the ends of several waits.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineTally(Tally);

#[wasm_bindgen]
impl EngineTally {
    /// Creates the count of `total` waits from the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(total: u32, options: u32) -> Result<Self, JsValue> {
        let options = TallyOptions::from_host(Handle::from_slot(options));
        let tally = options.and_then(|options| options.tally(total as usize));
        Ok(Self(tally.map_err(Refusal::from)?))
    }

    /// Counts the end of a wait and returns the state of the whole: `open`, `succeeded` or `failed`.
    pub fn count(&mut self, is_success: bool) -> String {
        self.0.count(is_success).as_str().to_owned()
    }

    /// The state of the whole.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> String {
        self.0.state().as_str().to_owned()
    }
}

/// Returns the message of the error for several waits, with the names and the messages of those that failed.
#[wasm_bindgen(js_name = waitsFailed)]
pub fn waits_failed(names: Vec<String>, messages: Vec<String>, total: f64) -> String {
    let failures = names.iter().zip(&messages);
    internal::waits_failed(
        failures.map(|(name, message)| (&**name, &**message)),
        total as usize,
    )
}

/// Returns the times of a fleet that an engine stores and the counts of its waits, as JSON text. Throws a refusal.
#[wasm_bindgen(js_name = storedFleetFacts)]
pub fn stored_fleet_facts(snapshot: &str) -> Result<String, JsValue> {
    let facts = FleetSnapshot::from_json(snapshot).and_then(|snapshot| snapshot.stored_facts());
    Ok(facts.map_err(Refusal::from)?)
}
