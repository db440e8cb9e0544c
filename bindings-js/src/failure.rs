//! Failed calls, and the encoding of their classification as a number.

use std::time::{Duration, UNIX_EPOCH};

use smithy_waiters::internal::millis_from_host;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Classified, RequestFailure, RetryNote, RetrySafety, Transient, Transport,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{
    CLIENT, CONNECTION, FAULT_BITS, FAULT_SHIFT, HAS_RETRY_AFTER, HOST_NOT_FOUND, IDEMPOTENT,
    MAYBE, NO, NO_CLOCK, NO_MILLISECONDS, NO_SECONDS_OR_DATE, NOT_IDEMPOTENT, NOTE_SHIFT, OTHER,
    RETRY_AFTER_SHIFT, RETRYABLE, SERVER, THROTTLE, THROTTLING, TIMED_OUT, TIMEOUT, YES,
};
use crate::delay::milliseconds;
use crate::error::Refusal;

/// The parts of an error that its classification depends on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineFailure(pub(crate) RequestFailure<'static>);

#[wasm_bindgen]
impl EngineFailure {
    /// Creates a failure from the code (empty if absent), the status (0 if absent), the headers, the current time in
    /// milliseconds since 1970 (negative if unknown), and the flags in `constants` for the error's traits, the
    /// transport error and the idempotency.
    #[wasm_bindgen(constructor)]
    pub fn new(
        code: String,
        status: u32,
        retry_after: Option<String>,
        amz_retry_after: Option<String>,
        now: f64,
        flags: u32,
    ) -> Self {
        let mut failure = RequestFailure::default().idempotent(flags & IDEMPOTENT != 0);
        let now = (now >= 0.0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(now as u64)));
        if let Some(now) = now.flatten() {
            failure = failure.now(now);
        }
        if !code.is_empty() {
            failure = failure.code(code);
        }
        if status > 0 {
            failure = failure.status(u16::try_from(status).unwrap_or(u16::MAX));
        }
        if let Some(header) = retry_after {
            failure = failure.retry_after(header);
        }
        if let Some(header) = amz_retry_after {
            failure = failure.amz_retry_after(header);
        }
        failure = match flags & (CONNECTION | HOST_NOT_FOUND | TIMED_OUT) {
            CONNECTION => failure.transport(Transport::Connection),
            HOST_NOT_FOUND => failure.transport(Transport::HostNotFound),
            TIMED_OUT => failure.transport(Transport::Timeout),
            _ => failure,
        };
        Self(match fault(flags) {
            Some(fault) => failure.modeled(ModeledError {
                fault,
                retryable: flags & RETRYABLE != 0,
                throttling: flags & THROTTLING != 0,
            }),
            None => failure,
        })
    }

    /// Returns the classification as a number.
    pub fn classify(&self) -> f64 {
        pack(&self.0.classify())
    }

    /// Classifies the error for a wait. Returns `undefined` if the error is not transient.
    pub fn transient(&self, now: f64) -> Option<EngineTransient> {
        // An invalid time is reported by the step that receives it.
        let now = millis_from_host(now).unwrap_or_default();
        self.0.transient(now).map(EngineTransient)
    }
}

/// The classification of a transient error.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineTransient(pub(crate) Transient);

#[wasm_bindgen]
impl EngineTransient {
    /// Creates a classification of the host. Throws a refusal if the time is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(not_before: f64, answered: bool) -> Result<Self, JsValue> {
        let not_before_ms = millis_from_host(not_before).map_err(Refusal::from)?;
        Ok(Self(Transient {
            not_before_ms,
            answered,
        }))
    }
}

pub(crate) fn pack(classified: &Classified) -> f64 {
    let Classified {
        info,
        note,
        not_idempotent,
        ..
    } = classified;
    let note = match note {
        Some(RetryNote::NoClock) => NO_CLOCK,
        Some(RetryNote::NoMilliseconds) => NO_MILLISECONDS,
        Some(RetryNote::NoSecondsOrDate) => NO_SECONDS_OR_DATE,
        _ => 0,
    };
    let note = note | flag(NOT_IDEMPOTENT, *not_idempotent);
    let retry = info.retry.map_or(0, |retry| {
        let flags = safety_number(retry.safety)
            | flag(THROTTLE, retry.throttle)
            | flag(TIMEOUT, retry.timeout)
            | flag(HAS_RETRY_AFTER, retry.retry_after.is_some());
        // The delay is at most ten years, so that an `f64` represents the number exactly.
        u64::from(flags) | milliseconds(retry.retry_after.unwrap_or_default()) << RETRY_AFTER_SHIFT
    });
    let fault = info.fault.map_or(0, fault_number);
    (retry | u64::from(fault << FAULT_SHIFT | note << NOTE_SHIFT)) as f64
}

pub(crate) const fn flag(bit: u32, is_set: bool) -> u32 {
    if is_set { bit } else { 0 }
}

pub(crate) const fn fault_number(fault: ErrorFault) -> u32 {
    match fault {
        ErrorFault::Client => CLIENT,
        ErrorFault::Server => SERVER,
        ErrorFault::Other => OTHER,
    }
}

pub(crate) const fn fault(packed: u32) -> Option<ErrorFault> {
    match packed & ((1 << FAULT_BITS) - 1) {
        CLIENT => Some(ErrorFault::Client),
        SERVER => Some(ErrorFault::Server),
        OTHER => Some(ErrorFault::Other),
        _ => None,
    }
}

const fn safety_number(safety: RetrySafety) -> u32 {
    match safety {
        RetrySafety::Yes => YES,
        RetrySafety::No => NO,
        RetrySafety::Maybe => MAYBE,
    }
}
