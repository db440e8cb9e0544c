//! Options and arguments that the host reads itself.

use smithy_waiters::FleetOptions;
use smithy_waiters::compression::CompressionSettings;
use smithy_waiters::internal::{self, FromHost, MaxWait, TallyOptions};
use smithy_waiters::paginator::Paging;
use smithy_waiters::retry::RequestOptions;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::value::Handle;

/// Returns the names of the options that the engine reads, of a kind of options in `npm/src/input/engine-options.ts`.
#[wasm_bindgen(js_name = optionNames)]
#[must_use]
pub fn option_names(kind: &str) -> Vec<String> {
    let names = match kind {
        "compression" => CompressionSettings::NAMES,
        "fleet" => FleetOptions::NAMES,
        "paging" => Paging::NAMES,
        "request" => RequestOptions::NAMES,
        _ => TallyOptions::NAMES,
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the integer in a slot, at least 0, or nothing for null. Throws a refusal.
#[wasm_bindgen]
pub fn count(option: &str, value: u32) -> Result<Option<f64>, JsValue> {
    let count = internal::count(option, &Handle::from_slot(value)).map_err(Refusal::from)?;
    Ok(count.map(|count| count as f64))
}

/// Returns the option `maxWait` of the object in a slot, in seconds. Throws a refusal.
#[wasm_bindgen(js_name = maxWait)]
pub fn max_wait(options: u32) -> Result<f64, JsValue> {
    let MaxWait(max_wait) =
        MaxWait::from_host(Handle::from_slot(options)).map_err(Refusal::from)?;
    Ok(max_wait.as_secs_f64())
}
