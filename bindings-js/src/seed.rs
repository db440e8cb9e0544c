//! Seeds of the jitter.

use wasm_bindgen::JsValue;

use crate::error::Refusal;

/// Returns the caller's seed, or a random one of 53 bits, which a JavaScript number holds exactly. Throws a refusal.
pub(crate) fn seed(given: Option<u64>) -> Result<u64, JsValue> {
    match given {
        Some(seed) => Ok(seed),
        None => getrandom::u64()
            .map(|drawn| drawn >> 11)
            .map_err(|error| Refusal::of_seed(error).into()),
    }
}
