//! `delay()`: the rule of delays on its own.

use std::time::Duration;

use smithy_waiters::json::array;
use smithy_waiters::{DelayInput, OptionsError};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::value::Table;

/// The delay that the input in a slot asks for, as JSON text: `[milliseconds, last]`, `null` where no further attempt fits.
/// Throws the JSON text of a refusal.
#[wasm_bindgen]
pub fn delay(input: u32) -> Result<String, JsValue> {
    let delay = || -> Result<_, OptionsError> {
        let table = Table::new(std::iter::empty());
        smithy_waiters::delay(&DelayInput::from_host(table.value(input))?)
    };
    let delay = delay().map_err(Refusal::from)?;
    Ok(delay.map_or_else(
        || "null".to_owned(),
        |delay| {
            let parts = [milliseconds(delay.delay).into(), delay.last.into()];
            array(&mut parts.into_iter())
        },
    ))
}

/// Delays are whole milliseconds, and fewer than 2^53 of them.
pub(crate) const fn milliseconds(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000);
    seconds.saturating_add(duration.subsec_millis() as u64)
}
