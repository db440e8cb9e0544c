//! The function `delay`.

use std::time::Duration;

use smithy_waiters::internal::FromHost;
use smithy_waiters::{DelayInput, OptionsError};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::object::object;
use crate::value::Table;

/// Computes the delay for the input in a slot and returns `[milliseconds, last]`, or `undefined` if no further attempt
/// fits. Throws a refusal.
#[wasm_bindgen]
pub fn delay(input: u32) -> Result<JsValue, JsValue> {
    let delay = || -> Result<_, OptionsError> {
        let table = Table::new(std::iter::empty());
        smithy_waiters::delay(&DelayInput::from_host(table.value(input))?)
    };
    let delay = delay().map_err(Refusal::from)?;
    Ok(object(
        &delay.map(|delay| (milliseconds(delay.delay), delay.last)),
    ))
}

/// Returns `true` if a sleep of `asked` milliseconds that returned after `passed` milliseconds slept.
#[wasm_bindgen(js_name = hasSlept)]
pub fn has_slept(passed: f64, asked: f64) -> bool {
    smithy_waiters::internal::has_slept(passed, asked)
}

/// Returns a delay in milliseconds, which is less than 2^53.
pub(crate) const fn milliseconds(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000);
    seconds.saturating_add(duration.subsec_millis() as u64)
}
