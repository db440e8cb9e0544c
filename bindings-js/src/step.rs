//! The numbers and times of steps.

use smithy_waiters::internal::millis_from_host;
use smithy_waiters::{StateError, Step};
use wasm_bindgen::JsValue;

use crate::constants::{CALL, DONE, SLEEP};
use crate::error::Refusal;

/// The number of a step and its times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) number: u32,
    /// The number of a call's attempt.
    pub(crate) attempt: f64,
    /// The deadline of a call; infinite if nothing limits the call.
    pub(crate) deadline_ms: f64,
    /// The end of a pause.
    pub(crate) until_ms: f64,
}

impl Times {
    pub(crate) const DONE: Self = Self {
        number: DONE,
        attempt: 0.0,
        deadline_ms: f64::INFINITY,
        until_ms: 0.0,
    };

    pub(crate) fn of_call(attempt: u64, deadline_ms: Option<u64>) -> Self {
        Self {
            number: CALL,
            attempt: attempt as f64,
            deadline_ms: millis_or_infinity(deadline_ms),
            ..Self::DONE
        }
    }

    pub(crate) const fn of_sleep(until_ms: u64) -> Self {
        Self {
            number: SLEEP,
            until_ms: until_ms as f64,
            ..Self::DONE
        }
    }

    /// A step of a request's strategy.
    #[cfg(feature = "behaviours")]
    pub(crate) const fn of_strategy(number: u32) -> Self {
        Self {
            number,
            ..Self::DONE
        }
    }
}

impl From<&Step> for Times {
    fn from(step: &Step) -> Self {
        match *step {
            Step::Call {
                attempt,
                deadline_ms,
            } => Self::of_call(attempt, deadline_ms),
            Step::Sleep { until_ms, .. } => Self::of_sleep(until_ms),
            Step::Done(_) => Self::DONE,
        }
    }
}

/// Calls `advance` with a time of the host, and returns the next step. Throws a refusal if the time is invalid.
pub(crate) fn advance<S>(
    now: f64,
    advance: impl FnOnce(u64) -> Result<S, StateError>,
) -> Result<S, JsValue> {
    let step = millis_from_host(now).and_then(advance);
    Ok(step.map_err(Refusal::from)?)
}

/// Returns the refusal of a step inside another one.
pub(crate) fn busy() -> JsValue {
    Refusal::from(StateError::Busy).into()
}

pub(crate) fn millis_or_infinity(millis: Option<u64>) -> f64 {
    millis.map_or(f64::INFINITY, |millis| millis as f64)
}
