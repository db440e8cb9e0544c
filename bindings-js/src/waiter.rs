//! Waiters.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value as Json;
#[cfg(feature = "behaviours")]
use smithy_waiters::FleetOptions;
use smithy_waiters::internal::{FromHost, ReportLimit, Spelling, View, millis_from_host, seed};
use smithy_waiters::{
    Defaults, Extension, Observation, Snapshot, State, StateError, StoredOptions, Until, Verdict,
    Wait, WaitOptions, Waiter,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants;
use crate::delay::milliseconds;
use crate::error::Refusal;
use crate::error_metadata::metadata;
#[cfg(feature = "behaviours")]
use crate::fleet::{EngineFleet, EngineRateLimit};
use crate::object::object;
use crate::value::Table;
use crate::wait::EngineWait;

/// The description of a waiter for the host.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'w> {
    name: Option<&'w str>,
    documentation: Option<&'w str>,
    deprecated: bool,
    tags: &'w [String],
    redact: &'w [String],
    acceptors: Vec<&'w str>,
    min_delay_ms: u64,
    max_delay_ms: u64,
    /// JSON text.
    defaults: String,
}

/// A waiter and the table of its names.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineWaiter {
    waiter: Waiter,
    table: Rc<Table>,
}

#[wasm_bindgen]
impl EngineWaiter {
    /// Creates a waiter from the JSON text of its definition. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &str, name: Option<String>) -> Result<Self, JsValue> {
        let waiter = match name {
            Some(name) => Waiter::named(&name, definition),
            None => Waiter::from_json(definition),
        };
        Ok(Self::from_waiter(waiter.map_err(Refusal::from)?))
    }

    /// Returns the waiter with the defaults in a slot. Throws a refusal.
    #[wasm_bindgen(js_name = withDefaults)]
    pub fn with_defaults(&self, defaults: u32) -> Result<Self, JsValue> {
        let defaults = Defaults::from_host(self.table.value(defaults)).map_err(Refusal::from)?;
        Ok(Self::from_waiter(
            self.waiter.clone().with_defaults(defaults),
        ))
    }

    /// Creates a waiter from a model, which is the JSON text of its AST. Throws a refusal.
    #[wasm_bindgen(js_name = fromModel)]
    pub fn from_model(model: &str, name: &str, service: Option<String>) -> Result<Self, JsValue> {
        let waiter = Waiter::from_model(model, name, service.as_deref());
        Ok(Self::from_waiter(waiter.map_err(Refusal::from)?))
    }

    /// Creates the waiter of a preset. Throws a refusal.
    pub fn preset(name: &str) -> Result<Self, JsValue> {
        Ok(Self::from_waiter(
            Waiter::preset(name).map_err(Refusal::from)?,
        ))
    }

    /// Creates a waiter from the JSON text of its short form. Throws a refusal.
    pub fn until(short_form: &str) -> Result<Self, JsValue> {
        let waiter = Until::from_json(short_form).and_then(|until| until.build());
        Ok(Self::from_waiter(waiter.map_err(Refusal::from)?))
    }

    /// Returns a waiter with the additional acceptors of an extension, which is JSON text. Throws a refusal.
    pub fn extend(&self, extension: &str) -> Result<Self, JsValue> {
        let waiter = Extension::from_json(extension)
            .and_then(|extension| self.waiter.extend(&extension))
            .map_err(Refusal::from)?;
        Ok(Self::from_waiter(waiter))
    }

    /// Returns the definition as JSON text. Throws a refusal if the waiter has a predicate.
    pub fn definition(&self) -> Result<String, JsValue> {
        let definition = self.waiter.checked_definition();
        Ok(definition.map_err(Refusal::from)?.to_string())
    }

    /// Returns the name, documentation, tags, redacted paths, acceptors, delays and defaults of the waiter, as an object.
    pub fn describe(&self) -> JsValue {
        let waiter = &self.waiter;
        object(&Description {
            name: waiter.name(),
            documentation: waiter.documentation(),
            deprecated: waiter.deprecated(),
            tags: waiter.tags(),
            redact: waiter.redact(),
            acceptors: waiter.acceptors().collect(),
            min_delay_ms: milliseconds(waiter.min_delay()),
            max_delay_ms: milliseconds(waiter.max_delay()),
            defaults: Json::Object(waiter.defaults().to_json()).to_string(),
        })
    }

    /// Evaluates the response in a slot and returns the verdict as a number (see `STATE_BITS`).
    #[wasm_bindgen(js_name = evaluateResponse)]
    pub fn evaluate_response(&self, input: u32, response: u32) -> u32 {
        let observation = Observation::Response(View::Item(self.table.value(response)));
        verdict_number(
            self.waiter
                .evaluate(View::Item(self.table.value(input)), observation),
        )
    }

    /// Evaluates an error and returns the verdict as a number (see `STATE_BITS`).
    #[wasm_bindgen(js_name = evaluateError)]
    pub fn evaluate_error(&self, input: u32, by: u32, name: &str) -> u32 {
        let metadata = metadata(by, name, "");
        let observation = Observation::Error(&metadata);
        verdict_number(
            self.waiter
                .evaluate(View::Item(self.table.value(input)), observation),
        )
    }

    /// Evaluates the response in a slot and returns the reasons as objects.
    #[wasm_bindgen(js_name = reasonsOfResponse)]
    pub fn reasons_of_response(&self, input: u32, response: u32) -> JsValue {
        let observation = Observation::Response(View::Item(self.table.value(response)));
        object(
            &self
                .waiter
                .reasons(View::Item(self.table.value(input)), observation),
        )
    }

    /// Evaluates an error and returns the reasons as objects.
    #[wasm_bindgen(js_name = reasonsOfError)]
    pub fn reasons_of_error(&self, input: u32, by: u32, name: &str, message: &str) -> JsValue {
        let metadata = metadata(by, name, message);
        let observation = Observation::Error(&metadata);
        object(
            &self
                .waiter
                .reasons(View::Item(self.table.value(input)), observation),
        )
    }

    /// Starts a wait with the options in a slot. `wall_clock` is the current time in milliseconds since 1970. Throws a
    /// refusal.
    pub fn start(&self, options: u32, wall_clock: f64) -> Result<EngineWait, JsValue> {
        let options = WaitOptions::from_host(self.table.value(options)).map_err(Refusal::from)?;
        let wait = self
            .waiter
            .start(&options, seed(&options).map_err(Refusal::from)?)
            .map_err(Refusal::from)?;
        Ok(self.host(match millis_from_host(wall_clock) {
            Ok(started_at) => wait.started_at(started_at),
            // Without a valid wall clock, the time away from a saved wait does not count.
            Err(_) => wait,
        }))
    }

    /// Creates a fleet with the options in a slot and a limit, which fleets can share. Throws a refusal.
    #[cfg(feature = "behaviours")]
    pub fn fleet(&self, options: u32, limit: &EngineRateLimit) -> Result<EngineFleet, JsValue> {
        let options = FleetOptions::from_host(self.table.value(options)).map_err(Refusal::from)?;
        let fleet = self.waiter.fleet(&options).map_err(Refusal::from)?;
        let fleet = fleet.spelling(Spelling::JavaScript);
        Ok(EngineFleet::new(fleet, limit, Rc::clone(&self.table)))
    }

    /// Returns the fingerprint of the definition. Throws a refusal if the waiter has a predicate.
    #[wasm_bindgen(js_name = storedFingerprint)]
    pub fn stored_fingerprint(&self) -> Result<String, JsValue> {
        Ok(self.waiter.stored_fingerprint().map_err(Refusal::from)?)
    }

    /// Starts a wait that an engine stores between its attempts, with the options in a slot. Times are in milliseconds
    /// since 1970, and `input` is JSON text. Throws a refusal.
    #[wasm_bindgen(js_name = startStored)]
    pub fn start_stored(
        &self,
        options: u32,
        id: &str,
        input: &str,
        started_at: f64,
        deadline_at: Option<f64>,
        report_limit: f64,
    ) -> Result<EngineWait, JsValue> {
        let options = WaitOptions::from_host(self.table.value(options)).map_err(Refusal::from)?;
        let started_at = millis_from_host(started_at).map_err(Refusal::from)?;
        // The cast saturates, and the engine checks the range.
        let report_limit = report_limit as usize;
        let stored = StoredOptions::from_host(id, started_at, deadline_at, input, report_limit);
        let stored = stored.map_err(Refusal::from)?;
        let wait = self.waiter.start_stored(&options, stored);
        Ok(self.host(wait.map_err(Refusal::from)?))
    }

    /// Resumes the wait of a snapshot. The time since its start is `elapsed` in milliseconds, or else computed from the
    /// wall clock. Throws a refusal.
    pub fn resume(
        &self,
        snapshot: &str,
        elapsed: Option<f64>,
        wall_clock: f64,
    ) -> Result<EngineWait, JsValue> {
        self.resume_at(snapshot, |snapshot| match elapsed {
            Some(elapsed) => millis_from_host(elapsed),
            None => Ok(snapshot.elapsed_ms(millis_from_host(wall_clock).ok())),
        })
    }

    /// Resumes the wait of a snapshot whose next attempt is due. Throws a refusal.
    #[wasm_bindgen(js_name = resumeDue)]
    pub fn resume_due(&self, snapshot: &str, wall_clock: f64) -> Result<EngineWait, JsValue> {
        self.resume_at(snapshot, |snapshot| {
            Ok(snapshot.due_elapsed_ms(millis_from_host(wall_clock).ok()))
        })
    }
}

/// Returns the option `reportLimit` of the options in a slot. Throws a refusal.
#[wasm_bindgen(js_name = reportLimitOf)]
pub fn report_limit_of(options: u32) -> Result<f64, JsValue> {
    let table = Table::new(std::iter::empty());
    let ReportLimit(limit) = ReportLimit::from_host(table.value(options)).map_err(Refusal::from)?;
    Ok(limit as f64)
}

impl EngineWaiter {
    fn resume_at(
        &self,
        snapshot: &str,
        elapsed: impl FnOnce(&Snapshot) -> Result<u64, StateError>,
    ) -> Result<EngineWait, JsValue> {
        let wait = Snapshot::from_json(snapshot).and_then(|snapshot| {
            let now = elapsed(&snapshot)?;
            self.waiter.resume(snapshot, now)
        });
        Ok(self.host(wait.map_err(Refusal::from)?))
    }

    fn host(&self, wait: Wait) -> EngineWait {
        let wait = wait.spelling(Spelling::JavaScript);
        let table = self.table_of(&wait);
        EngineWait::new(wait, table)
    }

    fn from_waiter(waiter: Waiter) -> Self {
        let table = Table::with_constants(waiter.names());
        Self { waiter, table }
    }

    /// Returns the table of the names in the waiter and in the option `show` of a wait.
    fn table_of(&self, wait: &Wait) -> Rc<Table> {
        let names = wait.waiter().names();
        // The names in `show` follow those of the waiter.
        if names.len() == self.waiter.names().len() {
            Rc::clone(&self.table)
        } else {
            Table::with_constants(names)
        }
    }
}

/// Returns a verdict as a number (see `STATE_BITS`).
fn verdict_number(verdict: Verdict) -> u32 {
    let state = match verdict.state() {
        State::Success => constants::SUCCESS,
        State::Failure => constants::FAILURE,
        State::Retry => constants::RETRY,
    };
    let acceptor = verdict
        .acceptor()
        .map_or(0, |index| index.saturating_add(1));
    u32::try_from(acceptor << constants::STATE_BITS).unwrap_or(u32::MAX) | state
}
