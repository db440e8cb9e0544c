//! The waiter.

use std::rc::Rc;

use serde::Serialize;
use smithy_waiters::{ErrorFacts, Seen, Verdict, WaitOptions, Waiter};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::{Refusal, json};
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

/// What the definition says about the waiter.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'a> {
    name: Option<&'a str>,
    documentation: Option<&'a str>,
    deprecated: bool,
    tags: &'a [String],
    acceptors: Vec<&'a str>,
    min_delay: f64,
    max_delay: f64,
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
        let waiter = parsed.map_err(Refusal::from)?;
        let table = Table::new(waiter.names());
        Ok(Self { waiter, table })
    }

    /// Its name, documentation, tags, acceptors and delays, as JSON text.
    pub fn describe(&self) -> String {
        json(&Description {
            name: self.waiter.name(),
            documentation: self.waiter.documentation(),
            deprecated: self.waiter.deprecated(),
            tags: self.waiter.tags(),
            acceptors: self.waiter.acceptors().collect(),
            min_delay: self.waiter.min_delay().as_secs_f64(),
            max_delay: self.waiter.max_delay().as_secs_f64(),
        })
    }

    /// The verdict on the response in a slot, packed.
    #[wasm_bindgen(js_name = evaluateResponse)]
    pub fn evaluate_response(&self, input: u32, response: u32) -> u32 {
        let seen = Seen::Response(self.table.value(response));
        verdict::pack(&self.waiter.evaluate(self.table.value(input), seen))
    }

    /// The verdict on an error, packed.
    #[wasm_bindgen(js_name = evaluateError)]
    pub fn evaluate_error(&self, input: u32, by: u32, name: &str) -> u32 {
        let facts = facts(by, name, "");
        let seen = Seen::Failure(&facts);
        verdict::pack(&self.waiter.evaluate(self.table.value(input), seen))
    }

    /// The reasons of a verdict on the response in a slot, as JSON text.
    #[wasm_bindgen(js_name = explainResponse)]
    pub fn explain_response(
        &self,
        verdict: u32,
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
        verdict: u32,
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

    /// Starts a wait with the options in a slot. Throws the JSON text of a refusal.
    pub fn start(&self, options: u32, seed: f64) -> Result<EngineWait, JsValue> {
        let start = || {
            let options = WaitOptions::from_host(self.table.value(options))?;
            self.waiter.start(&options, seed as u64)
        };
        let wait = start().map_err(Refusal::from)?;
        Ok(EngineWait::new(wait, Rc::clone(&self.table)))
    }
}

impl EngineWaiter {
    fn explain(&self, verdict: &Verdict, input: u32, seen: Seen<'_, Handle>) -> String {
        json(&self.waiter.explain(verdict, self.table.value(input), seen))
    }
}

/// What `npm/src/error-facts.ts` found out about an error.
pub(crate) fn facts<'a>(by: u32, name: &'a str, message: &'a str) -> ErrorFacts<'a> {
    let facts = match by {
        0 => ErrorFacts::of_code(name),
        1 => ErrorFacts::of_class(name),
        _ => ErrorFacts::unnamed(),
    };
    facts.message(message)
}
