//! Retry strategies and quotas.

use std::cell::Cell;
use std::time::Duration;

use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::operation::ModeledError;
use smithy_waiters::retry::{
    FailureInfo, RefreshError, RetryInfo, RetryNote, RetryOptions, RetryQuota, RetryRefusal,
    RetrySafety, RetryStrategy, RetryToken, StandardRetryStrategy, StandardRetryToken, TokenError,
    TokenParts,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{
    FAULT_SHIFT, FOREIGN_TOKEN, HAS_RETRY_AFTER, MAYBE, NO, NO_CLOCK, NO_MILLISECONDS,
    NO_SECONDS_OR_DATE, NOT_IDEMPOTENT, RETRY_AFTER_SHIFT, RETRYABLE, SAFETY_BITS, THROTTLE,
    THROTTLING, TIMEOUT, USED_TOKEN, YES,
};
use crate::delay::milliseconds;
use crate::error::Refusal;
use crate::failure::{fault, fault_number, flag};
use crate::object::object;
use crate::value::Handle;

/// A quota for retries.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryQuota(RetryQuota);

#[wasm_bindgen]
impl EngineRetryQuota {
    /// Creates a full quota from the options in a slot. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32) -> Result<Self, JsValue> {
        let quota = RetryQuota::from_host(Handle::from_slot(options));
        Ok(Self(quota.map_err(Refusal::from)?))
    }

    /// Returns another handle of the quota. The constructor of a strategy consumes its argument.
    pub fn share(&self) -> Self {
        Self(self.0.clone())
    }

    /// Returns the amount in the full quota.
    pub fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    /// Returns the amount that is available now.
    pub fn available(&self) -> u32 {
        self.0.available()
    }
}

/// A strategy. The host stores its tokens as three numbers: the request, the number of retries, and the cost of the
/// newest retry.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineRetryStrategy {
    pub(crate) strategy: StandardRetryStrategy,
    paid: Cell<u32>,
}

/// The functions throw a refusal.
#[wasm_bindgen]
impl EngineRetryStrategy {
    /// Creates a strategy from the options in a slot and an optional shared quota.
    #[wasm_bindgen(constructor)]
    pub fn new(options: u32, quota: Option<EngineRetryQuota>) -> Result<Self, JsValue> {
        let options = RetryOptions::from_host(Handle::from_slot(options)).map_err(Refusal::from)?;
        let seed = seed(&options).map_err(Refusal::from)?;
        let options = match &quota {
            Some(quota) => options.quota(&quota.0),
            None => options,
        };
        let strategy = StandardRetryStrategy::new(&options, seed).map_err(Refusal::from)?;
        let paid = Cell::default();
        Ok(Self { strategy, paid })
    }

    /// Returns the strategy's quota, if it has one.
    pub fn quota(&self) -> Option<EngineRetryQuota> {
        self.strategy.quota().cloned().map(EngineRetryQuota)
    }

    /// Returns the maximum number of retries of a request.
    #[wasm_bindgen(js_name = maxRetries)]
    pub fn max_retries(&self) -> f64 {
        self.strategy.max_retries() as f64
    }

    /// Starts a request and returns its number, which is the token of the first attempt.
    pub fn acquire(&self) -> Result<f64, JsValue> {
        let token = self.strategy.acquire_initial_token();
        let token = token.map_err(|error| Refusal::from(RefreshError::from(error)))?;
        Ok(token.into_parts().request as f64)
    }

    /// Returns the delay in milliseconds before the next attempt. `failure` is the number of a classification.
    /// [`paid`](Self::paid) returns the cost, which is part of the new token.
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

    /// The cost of the newest retry.
    #[wasm_bindgen(getter)]
    pub fn paid(&self) -> u32 {
        self.paid.get()
    }

    /// Records the success of an attempt, which has the token.
    #[wasm_bindgen(js_name = recordSuccess)]
    pub fn record_success(&self, request: f64, retries: f64, paid: u32) -> Result<(), JsValue> {
        let token = self.token(request, retries, paid);
        let recorded = self.strategy.record_success(token);
        Ok(recorded.map_err(|error| Refusal::from(RefreshError::from(error)))?)
    }

    /// Releases the token of an attempt that is not made.
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

/// Returns the code and the message under a number in `constants`: a note of `classify`, an error about a token, or the
/// refusal of a strategy without retries.
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

const fn safety(packed: u32) -> Option<RetrySafety> {
    match packed & ((1 << SAFETY_BITS) - 1) {
        YES => Some(RetrySafety::Yes),
        NO => Some(RetrySafety::No),
        MAYBE => Some(RetrySafety::Maybe),
        _ => None,
    }
}
