//! Failed calls and their classification.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use smithy_waiters::internal::millis_from_host;
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{Classified, FailureInfo, RequestFailure, Transient, Transport};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{
    CLIENT, CONNECTION, FAULT_BITS, HOST_NOT_FOUND, IDEMPOTENT, OTHER, RETRYABLE, SERVER,
    THROTTLING, TIMED_OUT,
};
use crate::error::Refusal;
use crate::object::object;

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

    /// Returns `true` if the error is one that the engine can classify.
    #[wasm_bindgen(js_name = isKnown)]
    pub fn is_known(&self) -> bool {
        let classified = self.0.classify();
        classified.note.is_some() || classified.info != FailureInfo::default()
    }

    /// Returns the classification.
    pub fn classify(&self) -> JsValue {
        classification(&self.0.classify())
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
            once: false,
        }))
    }
}

/// The classification of a failure for the host.
#[derive(Serialize)]
struct Classification {
    retry: Option<Retry>,
    fault: Option<&'static str>,
    note: Option<Note>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Retry {
    safety: &'static str,
    throttle: bool,
    timeout: bool,
    retry_after: Option<f64>,
}

#[derive(Serialize)]
struct Note {
    code: &'static str,
    message: String,
}

pub(crate) fn classification(classified: &Classified) -> JsValue {
    let FailureInfo { retry, fault } = classified.info;
    object(&Classification {
        retry: retry.map(|retry| Retry {
            safety: retry.safety.as_str(),
            throttle: retry.throttle,
            timeout: retry.timeout,
            retry_after: retry.retry_after.map(|delay| delay.as_secs_f64()),
        }),
        fault: fault.map(ErrorFault::as_str),
        note: classified.note.map(|note| Note {
            code: note.code(),
            message: note.to_string(),
        }),
    })
}

/// Returns the flags of an error in a model.
pub(crate) fn modeled_flags(modeled: ModeledError) -> u32 {
    let fault = match modeled.fault {
        ErrorFault::Client => CLIENT,
        ErrorFault::Server => SERVER,
        ErrorFault::Other => OTHER,
    };
    fault | flag(RETRYABLE, modeled.retryable) | flag(THROTTLING, modeled.throttling)
}

const fn flag(bit: u32, is_set: bool) -> u32 {
    if is_set { bit } else { 0 }
}

const fn fault(packed: u32) -> Option<ErrorFault> {
    match packed & ((1 << FAULT_BITS) - 1) {
        CLIENT => Some(ErrorFault::Client),
        SERVER => Some(ErrorFault::Server),
        OTHER => Some(ErrorFault::Other),
        _ => None,
    }
}
