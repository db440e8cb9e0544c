//! The waiter.

use std::rc::Rc;

use smithy_waiters::json::{Json, array, object};
use smithy_waiters::{ErrorFacts, Seen, Verdict, WaitOptions, Waiter, millis_from_host};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::delay::milliseconds;
use crate::error::Refusal;
use crate::sheet;
use crate::step;
use crate::value::{Handle, Table};
use crate::verdict;
use crate::wait::EngineWait;

/// A waiter, and its names as the kernel has interned them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineWaiter {
    waiter: Waiter,
    table: Rc<Table>,
}

#[wasm_bindgen]
impl EngineWaiter {
    /// A waiter from the JSON text of its definition. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &str, name: Option<String>) -> Result<Self, JsValue> {
        let parsed = match name {
            Some(name) => Waiter::named(&name, definition),
            None => Waiter::from_json(definition),
        };
        Ok(Self::of(parsed.map_err(Refusal::from)?))
    }

    /// A waiter of a model, from the JSON text of its AST. Throws the JSON text of a refusal.
    #[wasm_bindgen(js_name = fromModel)]
    pub fn from_model(model: &str, name: &str, service: Option<String>) -> Result<Self, JsValue> {
        let found = Waiter::from_model(model, name, service.as_deref());
        Ok(Self::of(found.map_err(Refusal::from)?))
    }

    /// Where the kernel keeps what it knows of the waiter.
    #[wasm_bindgen(getter)]
    pub fn table(&self) -> u32 {
        self.table.number()
    }

    /// Its name, documentation, tags, acceptors and delays, as JSON text.
    pub fn describe(&self) -> String {
        let waiter = &self.waiter;
        let mut tags = waiter.tags().iter().map(|tag| (&**tag).into());
        object(&[
            ("name", waiter.name().into()),
            ("documentation", waiter.documentation().into()),
            ("deprecated", waiter.deprecated().into()),
            ("tags", Json::Text(array(&mut tags))),
            (
                "acceptors",
                Json::Text(array(&mut waiter.acceptors().map(Into::into))),
            ),
            ("minDelayMs", milliseconds(waiter.min_delay()).into()),
            ("maxDelayMs", milliseconds(waiter.max_delay()).into()),
        ])
    }

    /// The verdict on the response in a slot, packed.
    #[wasm_bindgen(js_name = evaluateResponse)]
    pub fn evaluate_response(&self, input: u32, response: u32) -> i32 {
        let seen = Seen::Response(self.table.value(response));
        verdict::pack(&self.waiter.evaluate(self.table.value(input), seen))
    }

    /// The verdict on an error, packed.
    #[wasm_bindgen(js_name = evaluateError)]
    pub fn evaluate_error(&self, input: u32, by: u32, name: &str) -> i32 {
        let facts = facts(by, name, "");
        let seen = Seen::Failure(&facts);
        verdict::pack(&self.waiter.evaluate(self.table.value(input), seen))
    }

    /// The reasons of a verdict on the response in a slot, as JSON text.
    #[wasm_bindgen(js_name = explainResponse)]
    pub fn explain_response(
        &self,
        verdict: i32,
        codes: &[u32],
        input: u32,
        response: u32,
    ) -> String {
        let seen = Seen::Response(self.table.value(response));
        self.explain(&verdict::unpack(verdict, codes), input, seen)
    }

    /// The reasons of a verdict on an error, as JSON text.
    #[wasm_bindgen(js_name = explainError)]
    pub fn explain_error(
        &self,
        verdict: i32,
        codes: &[u32],
        input: u32,
        by: u32,
        name: &str,
        message: &str,
    ) -> String {
        let facts = facts(by, name, message);
        self.explain(
            &verdict::unpack(verdict, codes),
            input,
            Seen::Failure(&facts),
        )
    }

    /// Starts a wait with the options in a slot, at a wall-clock time in milliseconds since 1970. Throws the JSON text of a
    /// refusal.
    pub fn start(&self, options: u32, seed: f64, wall_clock: f64) -> Result<EngineWait, JsValue> {
        let start = || {
            let options = WaitOptions::from_host(self.table.value(options))?;
            self.waiter.start(&options, seed as u64)
        };
        let wait = start().map_err(Refusal::from)?;
        let started_at_ms = millis_from_host(wall_clock).ok();
        Ok(EngineWait::new(wait, started_at_ms, Rc::clone(&self.table)))
    }

    /// Resumes the wait of a snapshot, `elapsed` milliseconds after its start if the caller knows that, else by the wall-clock
    /// time. Throws the JSON text of a refusal.
    pub fn resume(
        &self,
        snapshot: &str,
        elapsed: Option<f64>,
        wall_clock: f64,
    ) -> Result<EngineWait, JsValue> {
        let table = Rc::clone(&self.table);
        let resumed = EngineWait::resume(&self.waiter, snapshot, elapsed, wall_clock, table);
        Ok(resumed.map_err(Refusal::from)?)
    }
}

impl EngineWaiter {
    fn of(waiter: Waiter) -> Self {
        let table = Table::new(waiter.names());
        for test in waiter.response_tests() {
            sheet::learn(table.number(), &test);
        }
        Self { waiter, table }
    }

    fn explain(&self, verdict: &Verdict, input: u32, seen: Seen<'_, Handle>) -> String {
        step::json(&self.waiter.explain(verdict, self.table.value(input), seen))
    }
}

/// Between the names of an error that has several.
const BETWEEN_NAMES: char = '\0';

/// What `npm/src/error-facts.ts` found out about an error.
pub(crate) fn facts<'a>(by: u32, name: &'a str, message: &'a str) -> ErrorFacts<'a> {
    let facts = match by {
        0 => ErrorFacts::of_code(name),
        1 => ErrorFacts::of_class(name),
        2 => ErrorFacts::of_class(name).service_errors_only(),
        3 => ErrorFacts::of_codes(name.split(BETWEEN_NAMES)),
        _ => ErrorFacts::unnamed(),
    };
    facts.message(message)
}
