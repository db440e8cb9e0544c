//! Retries. The classification of a failure crosses as a number.

use std::cell::Cell;
use std::time::{Duration, UNIX_EPOCH};

use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::operation::{ErrorFault, ModeledError};
use smithy_waiters::retry::{
    Classified, FailureInfo, RefreshError, RequestFailure, RetryInfo, RetryNote, RetryOptions,
    RetryQuota, RetryRefusal, RetrySafety, RetryStrategy, RetryToken, StandardRetryStrategy,
    StandardRetryToken, TokenError, TokenParts, Transport,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{
    CLIENT, CONNECTION, FAULT_BITS, FAULT_SHIFT, FOREIGN_TOKEN, HAS_RETRY_AFTER, IDEMPOTENT, MAYBE,
    NO, NO_CLOCK, NO_MILLISECONDS, NO_SECONDS_OR_DATE, NOT_IDEMPOTENT, NOTE_SHIFT, OTHER,
    RETRY_AFTER_SHIFT, RETRYABLE, SAFETY_BITS, SERVER, THROTTLE, THROTTLING, TIMED_OUT, TIMEOUT,
    USED_TOKEN, YES,
};
use crate::delay::milliseconds;
use crate::error::Refusal;
use crate::object::object;
use crate::value::Handle;

/// A quota.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryQuota(RetryQuota);

#[wasm_bindgen]
impl EngineRetryQuota {
    /// A full quota, from the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let quota = RetryQuota::from_host(Handle::of(options));
        Ok(Self(quota.map_err(Refusal::from)?))
    }

    /// Returns the same quota, to be given away.
    pub fn share(&self) -> Self {
        Self(self.0.clone())
    }

    /// What it holds when it is full.
    pub fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// What it holds now.
    pub fn available(&self) -> u32 {
        self.0.available()
    }
}

/// A strategy. Its tokens are numbers that the host keeps: the request, the retries made, what the newest one cost.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryStrategy {
    pub(crate) strategy: StandardRetryStrategy,
    paid: Cell<u32>,
}

/// Throws a refusal.
#[wasm_bindgen]
impl EngineRetryStrategy {
    /// A strategy from the options in a slot, with a quota that others use too if one is given.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32, quota: Option<EngineRetryQuota>) -> Result<Self, JsValue> {
        let options = RetryOptions::from_host(Handle::of(options)).map_err(Refusal::from)?;
        let seed = seed(&options).map_err(Refusal::from)?;
        let options = match &quota {
            Some(quota) => options.quota(&quota.0),
            None => options,
        };
        let strategy = StandardRetryStrategy::new(&options, seed).map_err(Refusal::from)?;
        let paid = Cell::default();
        Ok(Self { strategy, paid })
    }

    /// The quota that its retries are paid from.
    pub fn quota(&self) -> Option<EngineRetryQuota> {
        self.strategy.quota().cloned().map(EngineRetryQuota)
    }

    /// The most retries of a request.
    #[wasm_bindgen(js_name = maxRetries)]
    pub fn max_retries(&self) -> f64 {
        self.strategy.max_retries() as f64
    }

    /// Returns the number of a request that begins: the token of its first attempt.
    pub fn acquire(&self) -> Result<f64, JsValue> {
        let token = self.strategy.acquire_initial_token();
        let token = token.map_err(|error| Refusal::from(RefreshError::from(error)))?;
        Ok(token.into_parts().request as f64)
    }

    /// Returns the milliseconds before the attempt after a failure, which is packed; [`paid`](Self::paid) tells the rest of its token.
    pub fn refresh(
        &self,
        request: f64,
        retries: f64,
        paid: u32,
        failure: f64,
    ) -> Result<f64, JsValue> {
        let token = self.token(request, retries, paid);
        let token = self.strategy.refresh_retry_token(token, &unpack(failure));
        let token = token.map_err(Refusal::from)?;
        let delay = milliseconds(token.delay());
        self.paid.set(token.into_parts().paid);
        Ok(delay as f64)
    }

    /// What the retry cost that was granted last.
    #[wasm_bindgen(getter)]
    pub fn paid(&self) -> u32 {
        self.paid.get()
    }

    /// Takes a token back after a success.
    #[wasm_bindgen(js_name = recordSuccess)]
    pub fn record_success(&self, request: f64, retries: f64, paid: u32) -> Result<(), JsValue> {
        let token = self.token(request, retries, paid);
        let recorded = self.strategy.record_success(token);
        Ok(recorded.map_err(|error| Refusal::from(RefreshError::from(error)))?)
    }

    /// Takes the token of an attempt back that is not made.
    pub fn release(&self, request: f64, retries: f64, paid: u32) {
        self.strategy
            .release_token(self.token(request, retries, paid));
    }
}

impl EngineRetryStrategy {
    fn token(&self, request: f64, retries: f64, paid: u32) -> StandardRetryToken {
        self.strategy.token(TokenParts {
            request: request as u64,
            retries: retries as u64,
            paid,
        })
    }
}

/// The parts of an error that its classification depends on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineFailure(pub(crate) RequestFailure<'static>);

#[wasm_bindgen]
impl EngineFailure {
    /// Takes the code (empty for none), the status (0 for none), the headers, the time now in milliseconds since 1970 (below 0
    /// if it is not known), and the flags of `constants`: the traits of its model, the end of the connection, the request's idempotency.
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
        failure = match flags & (CONNECTION | TIMED_OUT) {
            CONNECTION => failure.transport(Transport::Connection),
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

    /// Returns the classification, packed.
    pub fn classify(&self) -> f64 {
        pack(&self.0.classify())
    }
}

/// The code and the message, as an array, of a note of `classify`, of a token that a strategy does not take back, or of a strategy
/// without retries.
#[wasm_bindgen(js_name = retryText)]
pub fn retry_text(number: u32) -> JsValue {
    let note = |note: RetryNote| code_and_message(note.code(), &note.to_string());
    let token = |error: TokenError| code_and_message(error.code(), &error.to_string());
    match number {
        NO_CLOCK => note(RetryNote::NoClock),
        NO_MILLISECONDS => note(RetryNote::NoMilliseconds),
        NO_SECONDS_OR_DATE => note(RetryNote::NoSecondsOrDate),
        NOT_IDEMPOTENT => note(RetryNote::NotIdempotent),
        FOREIGN_TOKEN => token(TokenError::Foreign),
        USED_TOKEN => token(TokenError::Used),
        _ => {
            let refusal = RetryRefusal::max_retries(0);
            code_and_message(refusal.code(), &refusal.to_string())
        }
    }
}

fn code_and_message(code: &str, message: &str) -> JsValue {
    object(&(code, message))
}

pub(crate) fn pack_modeled(modeled: ModeledError) -> u32 {
    fault_number(modeled.fault)
        | flag(RETRYABLE, modeled.retryable)
        | flag(THROTTLING, modeled.throttling)
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
        // At most ten years: the number is exact.
        u64::from(flags) | milliseconds(retry.retry_after.unwrap_or_default()) << RETRY_AFTER_SHIFT
    });
    let fault = info.fault.map_or(0, fault_number);
    (retry | u64::from(fault << FAULT_SHIFT | note << NOTE_SHIFT)) as f64
}

pub(crate) fn unpack(packed: f64) -> FailureInfo {
    let packed = packed as u64;
    let flags = (packed & ((1 << RETRY_AFTER_SHIFT) - 1)) as u32;
    let after = Duration::from_millis(packed >> RETRY_AFTER_SHIFT);
    FailureInfo {
        retry: safety(flags).map(|safety| RetryInfo {
            safety,
            throttle: flags & THROTTLE != 0,
            timeout: flags & TIMEOUT != 0,
            retry_after: (flags & HAS_RETRY_AFTER != 0).then_some(after),
        }),
        fault: fault(flags >> FAULT_SHIFT),
    }
}

const fn flag(bit: u32, is_set: bool) -> u32 {
    if is_set { bit } else { 0 }
}

const fn fault_number(fault: ErrorFault) -> u32 {
    match fault {
        ErrorFault::Client => CLIENT,
        ErrorFault::Server => SERVER,
        ErrorFault::Other => OTHER,
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

const fn safety_number(safety: RetrySafety) -> u32 {
    match safety {
        RetrySafety::Yes => YES,
        RetrySafety::No => NO,
        RetrySafety::Maybe => MAYBE,
    }
}

const fn safety(packed: u32) -> Option<RetrySafety> {
    match packed & ((1 << SAFETY_BITS) - 1) {
        YES => Some(RetrySafety::Yes),
        NO => Some(RetrySafety::No),
        MAYBE => Some(RetrySafety::Maybe),
        _ => None,
    }
}
