//! Failed calls and their classification.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use smithy_waiters::internal::{CauseChain, millis_from_host};
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{Classified, FailureInfo, RequestFailure, Transient, Transport};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{
    CLIENT, CONNECTION, FAULT_BITS, HOST_NOT_FOUND, OTHER, PERMANENT, RETRYABLE, SERVER,
    THROTTLING, TIMED_OUT,
};
use crate::error::Refusal;
use crate::object::object;

/// An error and its causes, by the parts that their classification depends on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineFailure {
    chain: CauseChain<'static>,
    name: String,
    now: Option<SystemTime>,
    idempotent: bool,
}

#[wasm_bindgen]
impl EngineFailure {
    /// Creates a failure from the name that counts if no error of the chain is known (empty if absent), the current time
    /// in milliseconds since 1970 (negative if unknown), and the idempotency of the request.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, now: f64, idempotent: bool) -> Self {
        let now = (now >= 0.0).then(|| UNIX_EPOCH.checked_add(Duration::from_millis(now as u64)));
        Self {
            chain: CauseChain::default(),
            name,
            now: now.flatten(),
            idempotent,
        }
    }

    /// Adds the error, and then its causes, from the code (empty if absent), the status (0 if absent), the headers, and
    /// the flags in `constants` for the error's traits and the transport error. Returns `true` if the cause of the error
    /// counts.
    pub fn add(
        &mut self,
        code: String,
        status: u32,
        retry_after: Option<String>,
        amz_retry_after: Option<String>,
        flags: u32,
    ) -> bool {
        let mut failure = RequestFailure::default().now(self.now);
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
        if let Some(transport) = transport(flags) {
            failure = failure.transport(transport);
        }
        if let Some(fault) = fault(flags) {
            failure = failure.modeled(ModeledError {
                fault,
                retryable: flags & RETRYABLE != 0,
                throttling: flags & THROTTLING != 0,
            });
        }
        self.chain
            .push(failure.idempotent(self.idempotent))
            .is_continue()
    }

    /// Returns the classification.
    pub fn classify(&self) -> JsValue {
        classification(&self.failure().classify())
    }

    /// The HTTP status of the error that decides; 0 if it has none.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u32 {
        self.failure().error_status().map_or(0, u32::from)
    }

    /// Classifies the error for a wait. Returns `undefined` if the error is not transient.
    pub fn transient(&self, now: f64) -> Option<EngineTransient> {
        // An invalid time is reported by the step that receives it.
        let now = millis_from_host(now).unwrap_or_default();
        self.failure().transient(now).map(EngineTransient)
    }
}

impl EngineFailure {
    /// Returns the error that decides.
    pub(crate) fn failure(&self) -> RequestFailure<'_> {
        let chain = self.chain.clone();
        chain.into_failure().unwrap_or_else(|| {
            let unknown = RequestFailure::default();
            if self.name.is_empty() {
                return unknown;
            }
            unknown.code(&*self.name)
        })
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

const fn transport(flags: u32) -> Option<Transport> {
    match flags & (CONNECTION | HOST_NOT_FOUND | PERMANENT | TIMED_OUT) {
        CONNECTION => Some(Transport::Connection),
        HOST_NOT_FOUND => Some(Transport::HostNotFound),
        PERMANENT => Some(Transport::Permanent),
        TIMED_OUT => Some(Transport::Timeout),
        _ => None,
    }
}

const fn fault(packed: u32) -> Option<ErrorFault> {
    match packed & ((1 << FAULT_BITS) - 1) {
        CLIENT => Some(ErrorFault::Client),
        SERVER => Some(ErrorFault::Server),
        OTHER => Some(ErrorFault::Other),
        _ => None,
    }
}
